"""How deals add up to a match."""

from __future__ import annotations

from typing import Any

import pytest

import upcard
from upcard.library.match_rules import shares_scores
from upcard.library.sheet import MatchRules, Tally
from upcard.match import Board
from upcard.match.seats import Seating, can_turn, seating_of

PAIRS = ((0, 2), (1, 3))
SINGLES = ((0,), (1,), (2,))


def test_the_deal_passes_to_the_left_and_partners_stay_partners() -> None:
    first, second = seating_of(0, 4, PAIRS), seating_of(1, 4, PAIRS)
    assert first.persons == [0, 1, 2, 3]
    assert first.dealer == 3
    assert second.persons == [1, 2, 3, 0]
    assert second.dealer == 0
    assert second.seat(0) == 3
    assert seating_of(4, 4, PAIRS) == first


def test_neighbours_as_partners_keep_the_deal() -> None:
    assert not can_turn(4, ((0, 1), (2, 3)))
    assert seating_of(3, 4, ((0, 1), (2, 3))) == Seating(4, 0)


def test_the_first_to_the_target_wins() -> None:
    board = Board(MatchRules(to=10), PAIRS, highest=True)
    board.add([4, 0, 4, 0])
    board.add([4, 0, 4, 0])
    assert not board.over
    board.add([2, 0, 2, 0])
    assert board.over
    assert board.totals == [10, 0]
    assert board.leaders == [0]


def test_in_a_game_of_penalties_reaching_the_target_loses() -> None:
    board = Board(MatchRules(to=100), SINGLES, highest=False, shared=False)
    board.add([99, 20, 30])
    assert not board.over
    board.add([1, 0, 25])
    assert board.over
    assert board.leaders == [1]


def test_a_score_below_the_floor_ends_the_match() -> None:
    board = Board(MatchRules(to=500, down=-500), PAIRS, highest=True)
    board.add([-499, 20, -499, 20])
    assert not board.over
    board.add([-1, -40, -1, -40])
    assert board.over
    assert board.leaders == [1]


@pytest.mark.parametrize(("over", "total"), [("counts", 12), ("caps", 10), ("exact", 8)])
def test_overshoot(over: str, total: int) -> None:
    board = Board(MatchRules(to=10, over=over), PAIRS, highest=True)  # type: ignore[arg-type]
    for points in (4, 4, 4):
        board.add([points, 0, points, 0])
    assert board.totals[0] == total
    assert board.over == (over != "exact")


def test_a_tie_is_shared_or_played_on() -> None:
    shared = Board(MatchRules(to=5), SINGLES, highest=True, shared=False)
    on = Board(MatchRules(to=5, ties="play on"), SINGLES, highest=True, shared=False)
    for board in (shared, on):
        board.add([5, 5, 0])
    assert shared.over
    assert shared.leaders == [0, 1]
    assert not on.over
    on.add([1, 0, 0])
    assert on.over
    assert on.leaders == [0]


@pytest.mark.parametrize("over", ["caps", "exact"])
@pytest.mark.parametrize("highest", [True, False])
def test_a_tie_that_nobody_can_break_is_the_end(over: Any, highest: bool) -> None:
    """At a target that nobody gets past, playing on would never end."""
    board = Board(MatchRules(to=5, over=over, ties="play on"), SINGLES, highest=highest, shared=False)
    board.add([5, 5, 2])
    assert board.over
    assert board.leaders == ([0, 1] if highest else [2])
    board.add([0, 0, 3])
    assert board.over
    assert board.leaders == [0, 1, 2]


@pytest.mark.parametrize("over", ["caps", "exact"])
def test_a_tie_below_the_target_is_played_on(over: Any) -> None:
    """Penalties: the two who are best have room to differ, wherever the third one stands."""
    board = Board(MatchRules(to=5, over=over, ties="play on"), SINGLES, highest=False, shared=False)
    board.add([1, 1, 5])
    assert not board.over
    board.add([0, 1, 0])
    assert board.over
    assert board.leaders == [0]


def test_a_match_without_a_target_has_a_fixed_number_of_deals() -> None:
    board = Board(MatchRules(deals=2), SINGLES, highest=True, shared=False)
    board.add([1, 2, 3])
    assert not board.over
    board.add([1, 2, 3])
    assert board.over


def test_a_tally_runs_through_the_match() -> None:
    rules = MatchRules(to=500, tallies=(Tally("BAGS", 10, -100),))
    board = Board(rules, PAIRS, highest=True)
    board.add([40, 0, 40, 0], {"BAGS": [7, 0]})
    assert board.totals == [40, 0]
    assert board.add([43, 0, 43, 0], {"BAGS": [4, 9]}) == [-57, 0]
    assert board.totals == [-17, 0]
    assert board.tallies == {"BAGS": [1, 9]}


def test_partners_who_score_alone_are_added_up() -> None:
    assert Board(MatchRules(), PAIRS, highest=True, shared=False).points([1, 2, 3, 4]) == [4, 6]
    assert Board(MatchRules(), PAIRS, highest=True).points([3, 2, 3, 2]) == [3, 2]
    assert shares_scores(upcard.load("euchre").program)
    assert not shares_scores(upcard.load("hearts").program)
