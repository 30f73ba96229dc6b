"""Published figures of random play in trick games, for the variants that they were published for.

A mean over our games may be off by four of its standard errors, and by half a digit of the published one.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

import pytest

import upcard
from upcard.players import RandomPlayer


def choices_of(name: str, games: int, rules: dict[str, str]) -> list[list[int]]:
    """The number of alternatives at every decision, a list a game."""
    game = upcard.load(name, rules=rules)
    found = []
    for deal in range(games):
        state = game.deal(11, deal, recording=False)
        players = [RandomPlayer(11, deal, seat) for seat in range(game.seats)]
        counts = []
        while (seat := state.to_move) is not None:
            counts.append(state.choices)
            state.play(players[seat].pick(state.choices))
        found.append(counts)
    return found


def agrees(values: Sequence[float], published: float, digit: float) -> None:
    error = statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else 0.0
    assert abs(statistics.fmean(values) - published) <= 4 * error + digit / 2


def convergence(counts: Sequence[int]) -> float:
    slope = statistics.linear_regression(range(1, len(counts) + 1), counts).slope
    return (1 - slope) / 2


def by_trick(games: list[list[int]], seats: int, trick: int) -> tuple[list[float], list[float]]:
    """Of one trick the leader's choices, and the followers' mean, game by game."""
    cut = [counts[seats * trick : seats * (trick + 1)] for counts in games]
    return [float(counts[0]) for counts in cut], [statistics.fmean(counts[1:]) for counts in cut]


HEARTS = {"pass": "no", "opening": "eldest", "clean": "no"}


def test_hearts_without_passing_where_the_eldest_leads_and_the_first_trick_is_free() -> None:
    games = choices_of("hearts", 200, HEARTS)
    assert {len(counts) for counts in games} == {52}
    agrees([convergence(counts) for counts in games], 0.5385, 0.001)
    leader, followers = [9.76, 8.81, 7.95, 7.20, 6.59, 6.09], [3.30, 3.34, 3.40, 3.49, 3.55, 3.54]
    for trick in range(6):
        led, followed = by_trick(games, 4, trick)
        agrees(led, leader[trick], 0.01)
        agrees(followed, followers[trick], 0.01)


def test_agram_for_three() -> None:
    games = choices_of("agram", 300, {})
    assert {len(counts) for counts in games} == {18}
    assert {count for counts in games for count in counts} == {1, 2, 3, 4, 5, 6}
    agrees([convergence(counts) for counts in games], 0.593, 0.004)


@pytest.mark.parametrize("trick", range(6))
def test_agram_for_four(trick: int, agram_for_four: list[list[int]]) -> None:
    led, followed = by_trick(agram_for_four, 4, trick)
    assert set(led) == {6 - trick}
    agrees(followed, [2.47, 2.49, 2.38, 2.11, 1.67, 1][trick], 0.01)


@pytest.fixture(scope="module")
def agram_for_four() -> list[list[int]]:
    games = choices_of("agram", 300, {"players": "4"})
    assert {len(counts) for counts in games} == {24}
    return games
