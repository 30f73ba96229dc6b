"""The chance to win a match from any score: against published figures, closed forms and matches played."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import pytest

from upcard.library import equity as chances
from upcard.library.equity import Distribution, MatchEquity, TooManyScores, turns_by_dealer, turns_from_deals
from upcard.library.sheet import MatchRules
from upcard.match import Board

DEALER, OTHERS = {1: 0.45, 2: 0.16, 4: 0.05}, {1: 0.17, 2: 0.12, 4: 0.05}
"""How often a hand of Euchre brings its dealer's side, and the others, how much."""


@pytest.fixture(scope="module")
def euchre() -> MatchEquity:
    return MatchEquity(MatchRules(to=10), turns_by_dealer(DEALER, OTHERS))


@pytest.mark.parametrize(
    ("score", "published", "precision"), [(0, 0.51, 0.005), (8, 0.545, 0.0005), (9, 0.66, 0.005)]
)
def test_the_race_to_ten(euchre: MatchEquity, score: int, published: float, precision: float) -> None:
    for deal, dealer in ((0, 1), (1, 0)):
        won = euchre.win((score, score), deal)
        assert won[dealer] == pytest.approx(published, abs=precision)
        assert sum(won) == pytest.approx(1)


def test_hands_a_game(euchre: MatchEquity) -> None:
    assert euchre.worth((0, 0)).deals == pytest.approx(10.1, abs=0.05)
    assert euchre.worth((9, 9)).deals == 1


def test_a_match_that_is_over_is_won(euchre: MatchEquity) -> None:
    assert euchre.worth((10, 3)) == ((1.0, 0.0), 0.0)
    assert euchre.win((7, 12)) == (0.0, 1.0)


def test_more_points_never_hurt(euchre: MatchEquity) -> None:
    for deal in range(2):
        for theirs in range(10):
            wins = [euchre.win((ours, theirs), deal)[0] for ours in range(11)]
            assert wins == sorted(wins)


# --- closed forms --------------------------------------------------------------------------------


def test_deals_that_add_nothing_only_take_time() -> None:
    chances = MatchEquity(MatchRules(to=1), [{(1, 0): 0.06, (0, 1): 0.02, (0, 0): 0.92}])
    assert chances.win((0, 0)) == pytest.approx((0.75, 0.25))
    assert chances.worth((0, 0)).deals == pytest.approx(12.5)


def test_nothing_happens_in_turns() -> None:
    """Each scores only with their own deal: who deals first wins with p / (1 - q²), where q = 1 - p."""
    chances = MatchEquity(MatchRules(to=1), turns_by_dealer({1: 0.3}, {}, first=0))
    assert chances.win((0, 0))[0] == pytest.approx(0.3 / (1 - 0.49))
    assert chances.win((0, 0), deal=1)[0] == pytest.approx(1 - 0.3 / (1 - 0.49))


@pytest.mark.parametrize("size", [4, 24])
def test_scores_that_rise_and_fall(size: int) -> None:
    """The gambler's ruin, few standings solved at once, many by going round."""
    p, q = 0.52, 0.48
    chances = MatchEquity(MatchRules(to=size, down=-size), [{(1, -1): p, (-1, 1): q}])
    for lead in (0, size // 2):
        ruin = (1 - (q / p) ** (size + lead)) / (1 - (q / p) ** (2 * size))
        assert chances.win((lead, -lead))[0] == pytest.approx(ruin, abs=1e-9)


def test_a_match_that_nobody_can_win() -> None:
    worth = MatchEquity(MatchRules(to=5), [{(0, 0): 1.0}]).worth((2, 1))
    assert worth == ((0.0, 0.0), math.inf)


def test_the_target_hit_exactly() -> None:
    """At 8 of 10 a deal of 3 counts nothing, so the other side has all the time it needs."""
    chances = MatchEquity(MatchRules(to=10, over="exact"), [{(3, 0): 0.9, (0, 1): 0.1}])
    assert chances.win((8, 9)) == pytest.approx((0.0, 1.0))
    assert chances.win((7, 9)) == pytest.approx((0.9, 0.1))


def test_a_tie_that_cannot_be_played_off() -> None:
    """Scores that stop at the target stay equal there: the match is over, and shared."""
    chances = MatchEquity(MatchRules(to=3, over="caps", ties="play on"), [{(1, 1): 0.5, (2, 1): 0.5}])
    assert chances.worth((2, 2)) == ((0.5, 0.5), 1.0)


def test_deals_that_keep_both_even_never_end() -> None:
    chances = MatchEquity(MatchRules(to=3, ties="play on"), [{(1, 1): 1.0}])
    assert chances.worth((2, 2)) == ((0.0, 0.0), math.inf)


def test_a_shared_win_counts_in_parts() -> None:
    assert MatchEquity(MatchRules(deals=1), [{(3, 3, 1): 1.0}]).win((0, 0, 0)) == (0.5, 0.5, 0.0)


# --- matches played ------------------------------------------------------------------------------

TWO: list[Distribution] = [
    {(2, 0): 0.3, (0, 1): 0.3, (1, 1): 0.25, (0, 0): 0.15},
    {(1, 0): 0.2, (0, 3): 0.3, (2, 2): 0.3, (0, 0): 0.2},
]
THREE: list[Distribution] = [{(5, 0, 1): 0.3, (0, 4, 2): 0.3, (2, 2, 2): 0.3, (1, 0, 5): 0.1}]
FALLING: list[Distribution] = [{(30, -20): 0.3, (-30, 20): 0.3, (10, 10): 0.25, (-50, -10): 0.15}]

RISING: list[Distribution] = [{(30, -10): 0.4, (-10, 20): 0.3, (10, 10): 0.2, (-20, -10): 0.1}]


def simulated(
    rules: MatchRules, turns: Sequence[Distribution], highest: bool, start: tuple[int, ...], deal: int
) -> tuple[list[float], float, int]:
    chance, matches = random.Random(7), 4000
    sides = tuple((side,) for side in range(len(start)))
    won, deals = [0.0] * len(start), 0
    for _ in range(matches):
        board = Board(rules, sides, highest, shared=False, deals=deal, totals=list(start))
        while not board.over:
            options = turns[board.deals % len(turns)]
            (points,) = chance.choices(list(options), weights=list(options.values()))
            board.add(points)
        deals += board.deals - deal
        for side in board.leaders:
            won[side] += 1 / len(board.leaders)
    return [share / matches for share in won], deals / matches, matches


@pytest.mark.parametrize(
    ("rules", "turns", "highest", "start", "deal"),
    [
        (MatchRules(to=10), turns_by_dealer(DEALER, OTHERS), True, (4, 6), 1),
        (MatchRules(to=12, ties="play on"), TWO, True, (0, 0), 0),
        (MatchRules(to=12, over="caps"), TWO, True, (9, 7), 1),
        (MatchRules(to=9, over="exact"), TWO, True, (2, 0), 0),
        (MatchRules(to=20, ties="play on"), THREE, False, (0, 3, 1), 0),
        (MatchRules(deals=5, ties="play on"), TWO, True, (3, 0), 1),
        (MatchRules(deals=4), THREE, False, (0, 0, 1), 0),
        (MatchRules(to=120, down=-120, ties="play on"), FALLING, True, (0, 20), 0),
        (MatchRules(to=100), RISING, True, (40, 0), 0),
    ],
)
def test_as_often_as_boards_say(
    rules: MatchRules, turns: list[Distribution], highest: bool, start: tuple[int, ...], deal: int
) -> None:
    worth = MatchEquity(rules, turns, highest).worth(start, deal)
    shares, deals, matches = simulated(rules, turns, highest, start, deal)
    assert sum(worth.win) == pytest.approx(1, abs=1e-6)
    for expected, share in zip(worth.win, shares, strict=True):
        error = math.sqrt(max(expected * (1 - expected), 0.0002) / matches)
        assert abs(share - expected) < 4 * error
    assert deals == pytest.approx(worth.deals, rel=0.05)


# --- the rest ------------------------------------------------------------------------------------


def test_what_deals_added_is_learnt_from_those_played() -> None:
    learnt = turns_from_deals([(0, [2, 0]), (1, [0, 1]), (2, [0, 1]), (4, [2, 0]), (6, [2, 0])], turns=2)
    assert learnt == [{(2, 0): 0.75, (0, 1): 0.25}, {(0, 1): 1.0}]
    with pytest.raises(ValueError, match="every turn to deal"):
        turns_from_deals([(0, [1, 0])], turns=2)


def test_chances_add_up_to_one() -> None:
    with pytest.raises(ValueError, match="add up to 1"):
        MatchEquity(MatchRules(to=10), [{(1, 0): 0.7, (0, 1): 0.2}])


def test_too_large_a_table_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chances, "MAX_STANDINGS", 1000)
    four: Distribution = {(1, 0, 0, 25): 0.25, (0, 1, 25, 0): 0.25, (3, 5, 7, 11): 0.25, (2, 24, 0, 0): 0.25}
    with pytest.raises(TooManyScores, match="use a lower target"):
        MatchEquity(MatchRules(to=1000), [four], highest=False).win((0, 0, 0, 0))
