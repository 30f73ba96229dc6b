"""Each figure on data small enough to work out by hand."""

from __future__ import annotations

import math
import random

import pytest

from upcard.engine.api import Outcome
from upcard.study import heuristics as h
from upcard.study.heuristics import Played


@pytest.mark.parametrize(
    ("rank", "seats", "expected"), [(0, 4, 1.0), (3, 4, 0.0), (1, 4, 2 / 3), (0.5, 2, 0.5), (0, 1, 1.0)]
)
def test_normalised_ranks(rank: float, seats: int, expected: float) -> None:
    assert h.normalised(rank, seats) == pytest.approx(expected)


def test_ties_share_the_better_rank() -> None:
    """Partners of a side that lost stand behind two: (4 - 1 - 2) / 3, never 0."""
    assert [h.normalised(rank, 4) for rank in (0, 0, 2, 2)] == pytest.approx([1, 1, 1 / 3, 1 / 3])


def test_first_place_is_shared() -> None:
    won = Outcome("finished", (3, 1), (0, 1))
    lost = Outcome("finished", (1, 3), (1, 0))
    tied = Outcome("finished", (2, 2), (0, 0))
    failed = Outcome("failed", None, None)
    assert h.first_place([won, lost, tied, failed]) == pytest.approx(1.5 / 3)
    assert h.first_place([won, won, lost], seat=1) == pytest.approx(1 / 3)
    assert h.first_place([]) == 0


@pytest.mark.parametrize(
    ("share", "seats", "expected"),
    [
        (0.25, 4, 1),
        (0, 4, 0),
        (1, 4, 0),
        (0.125, 4, 0.5),
        (0.625, 4, 0.5),
        (0.5, 2, 1),
        (0.75, 2, 0.5),
        (1, 1, 1),
    ],
)
def test_fairness(share: float, seats: int, expected: float) -> None:
    assert h.fairness(share, seats) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("share", "seats", "expected"),
    [(1, 4, 1), (0.25, 4, 0), (0.625, 4, 0.5), (0, 2, -1), (1, 1, 0)],
)
def test_order(share: float, seats: int, expected: float) -> None:
    assert h.order(share, seats) == pytest.approx(expected)


def test_published_order_of_hearts_variants() -> None:
    """Slobberhannes .693 and Hearts .387 come from 77 and 54 wins of a hundred."""
    assert h.order(0.77, 4) == pytest.approx(0.693, abs=0.0005)
    assert h.order(0.54, 4) == pytest.approx(0.387, abs=0.0005)


def test_convergence_is_a_mean_over_games() -> None:
    assert h.convergence([(3, 2, 1), (1, 1, 1)]) == pytest.approx(0.75)
    assert h.convergence([]) == 0.5


def test_spread_counts_forced_decisions_as_nothing() -> None:
    assert h.spread_at([0.2]) == 0
    assert h.spread_at([0.2, 0.9, 0.4]) == pytest.approx(0.7)
    assert h.spread([[0.2, 0.8], [0.5], [0.1, 0.1]]) == pytest.approx(0.2)
    assert h.spread([]) == 0


def test_spread_over_time_in_parts_of_the_largest() -> None:
    assert h.relative_spreads([[0, 0.5], [0.3], [0.2, 0.45, 0.3]]) == pytest.approx([1, 0, 0.5])
    assert h.relative_spreads([[0.3], [0.4, 0.4]]) == [0, 0]


@pytest.mark.parametrize(("seats", "expected"), [(2, 0.5), (3, 0.75), (4, 5 / 6)])
def test_threshold(seats: int, expected: float) -> None:
    assert h.threshold(seats) == pytest.approx(expected)


BEHIND = Played(leads=[(0.25, 0.75), (0.5, 0.5), (0.46, 0.54), (0.9, 0.1)], ranks=(0, 1))
"""The winner is behind at two of four entries, by 0.25 and 0.04; level is not behind."""

AHEAD = Played(leads=[(0.1, 0.9)], ranks=(1, 0))


def test_drama() -> None:
    assert h.drama_of(BEHIND) == pytest.approx((0.5 + 0.2) / 2)
    assert h.drama_of(AHEAD) == 0
    assert h.drama([BEHIND, AHEAD]) == pytest.approx(0.175)
    assert h.drama([]) == 0


def test_security() -> None:
    assert h.security_of(BEHIND) == pytest.approx(0.5)
    assert h.security_of(AHEAD) == 1
    assert h.security([BEHIND, AHEAD]) == pytest.approx(0.75)
    assert h.security_of(Played([], (0, 1))) == 1


def test_several_winners_are_averaged() -> None:
    tied = Played(leads=[(0.25, 0.75)], ranks=(0, 0))
    assert h.drama_of(tied) == pytest.approx(0.25)
    assert h.security_of(tied) == pytest.approx(0.5)


def test_resampling_runs_through_the_values() -> None:
    assert h.resampled([0, 1], 5) == pytest.approx([0, 0.25, 0.5, 0.75, 1])
    assert h.resampled([0.3], 3) == [0.3] * 3
    values = [0.1, 0.7, 0.2, 0.9, 0.4]
    assert h.resampled(values, 101)[::25] == values
    assert h.resampled(values, 5) == values


def test_trend_sorts_by_how_the_game_ended() -> None:
    """One game won by seat 0, one by seat 1; each history ends with the truth."""
    games = [Played([(0.5, 0.5), (0.8, 0.2)], (0, 1)), Played([(0.7, 0.3), (0.6, 0.4)], (1, 0))]
    first, last = h.trend(games, points=3)
    assert first == pytest.approx([(0.5 + 0.3) / 2, (0.8 + 0.4) / 2, 1])
    assert last == pytest.approx([(0.5 + 0.7) / 2, (0.2 + 0.6) / 2, 0])
    whole = h.trend(games)
    assert [len(line) for line in whole] == [101, 101]
    assert whole[0][50] == pytest.approx(0.6)
    assert whole[0][25] == pytest.approx((0.4 + 0.6) / 2)
    assert h.trend([]) == []


def test_trend_of_partners_ends_where_they_ended() -> None:
    lines = h.trend([Played([(0.5,) * 4], (2, 0, 2, 0))], points=2)
    assert [line[-1] for line in lines] == pytest.approx([1, 1, 1 / 3, 1 / 3])


def test_epoch_error() -> None:
    assert h.epoch_error([0, 0, 1, 1], epochs=2) == pytest.approx(0.5)
    assert h.epoch_error([0, 1, 0, 1], epochs=2) == 0
    assert h.epoch_error([1, 2, 3], epochs=10) == pytest.approx(math.sqrt(2 / 3))
    assert h.epoch_error([], epochs=10) == 0


def test_figures_do_not_depend_on_the_order_of_games() -> None:
    chance = random.Random(5)
    games = [
        Played([(x := chance.random(), 1 - x) for _ in range(chance.randrange(1, 9))], (n % 2, 1 - n % 2))
        for n in range(40)
    ]
    shuffled = chance.sample(games, len(games))
    assert h.drama(shuffled) == h.drama(games)
    assert h.security(shuffled) == h.security(games)
    assert h.trend(shuffled) == h.trend(games)
