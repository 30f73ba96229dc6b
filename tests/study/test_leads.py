"""What players thought, as ranks of every seat."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from upcard.engine.api import Move
from upcard.players.protocol import Decision, Value
from upcard.study.leads import estimates, from_chance, thought

MOVES = (Move(0, (), 0), Move(1, (), 0))


def sight(seats: int, teams: tuple[tuple[int, ...], ...], seat: int = 0, moves: Any = MOVES) -> Any:
    return SimpleNamespace(seats=seats, teams=teams, seat=seat, moves=moves, match=None)


def value(move: Move, win: float) -> Value:
    return Value(move, 0.0, 0.0, win, 0.0, 10)


def test_two_seats() -> None:
    assert from_chance(0.7, sight(2, ((0,), (1,)))) == pytest.approx([0.7, 0.3])
    assert from_chance(0.7, sight(2, ((0,), (1,)), seat=1)) == pytest.approx([0.3, 0.7])


def test_three_seats() -> None:
    """Sure to win: the others share what is left, half a rank up or last. Sure to lose: between both."""
    three = sight(3, ((0,), (1,), (2,)))
    assert from_chance(1.0, three) == pytest.approx([1, 0.25, 0.25])
    assert from_chance(0.0, three) == pytest.approx([0.25, 0.625, 0.625])
    assert sum(from_chance(0.4, three)) == pytest.approx(1.5)


def test_partners_share_first_place() -> None:
    """A side that wins has half of first place for each partner; one that loses is behind two of four."""
    four = sight(4, ((0, 2), (1, 3)))
    assert from_chance(0.5, four) == pytest.approx([1, 1 / 3, 1, 1 / 3])
    assert from_chance(0.25, four) == pytest.approx([2 / 3] * 4)


def test_spread_and_lead_of_what_was_chosen() -> None:
    decision = Decision(MOVES[1], (value(MOVES[0], 0.2), value(MOVES[1], 0.7)))
    found = thought(decision, sight(2, ((0,), (1,))))
    assert found.spread == pytest.approx(0.5)
    assert found.lead == pytest.approx((0.7, 0.3))


def test_a_player_that_keeps_ranks_is_taken_at_its_word() -> None:
    decision: Any = SimpleNamespace(move=MOVES[0], values=(), leads=((0.9, 0.4), (0.5, 0.6)))
    assert estimates(decision, sight(2, ((0,), (1,)))) == ((0.9, 0.4), (0.5, 0.6))
    found = thought(decision, sight(2, ((0,), (1,))))
    assert found.spread == pytest.approx(0.4)
    assert found.lead == (0.9, 0.4)


def test_the_lead_is_that_of_the_best_rank_whatever_was_chosen() -> None:
    """A player that goes by scores may choose another move than the one with the best rank (20.10)."""
    leads = ((0.9, 0.4), (0.5, 0.6), (0.3, 0.6))
    three = (*MOVES, Move(2, (), 0))
    for move in three:
        found = thought(Decision(move, (), leads), sight(2, ((0,), (1,)), seat=1, moves=three))
        assert found.spread == pytest.approx(0.2)
        assert found.lead == (0.5, 0.6), "the first of equals"


def test_forced_and_silent() -> None:
    forced = thought(Decision(MOVES[0]), sight(2, ((0,), (1,)), moves=MOVES[:1]))
    assert forced == (0.0, None)
    assert thought(Decision(MOVES[0]), sight(2, ((0,), (1,)))) == (None, None)
