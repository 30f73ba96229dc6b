"""Skill and luck: how much of a result is due to the players and how much to the cards.

Two players play every deal twice, with seats exchanged. The result of a game is how far the first player's
seats of the first game finish ahead of the others, whoever holds them in this one:

    result of deal d under line-up l  =  mean  +  effect of l  +  effect of d  +  residual

The variance of the result of one game, with its line-up chosen at random, is split into these three parts.
The residual is chance in play, and deals that suit one player better than the other. The estimates are
unbiased (plain shares of the sums of squares would credit the deal with half of the noise); negative ones
are set to 0, and the shares then add up to 1.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from upcard.arena.results import Results
from upcard.stats.intervals import Interval

RESAMPLES = 400
FEWEST_DEALS = 20
"""From fewer deals the shares say next to nothing."""


@dataclass(frozen=True)
class Shares:
    """The shares of the variance of a game's result; they add up to 1."""

    line_up: float
    deal: float
    rest: float


@dataclass(frozen=True)
class Skill:
    deals: int
    line_up: Interval
    deal: Interval
    rest: Interval

    @property
    def enough(self) -> bool:
        return self.deals >= FEWEST_DEALS

    def to_json(self) -> dict[str, object]:
        return {
            "deals": self.deals,
            "line-up": self.line_up.to_json(),
            "deal": self.deal.to_json(),
            "rest": self.rest.to_json(),
        }


def shares(pairs: Sequence[tuple[float, float]]) -> Shares | None:
    """The shares, from the results of every deal under both line-ups; None if the variance is 0."""
    n = len(pairs)
    if n < 2:
        return None
    sums = [one + other for one, other in pairs]
    differences = [one - other for one, other in pairs]
    middle = math.fsum(differences) / n
    mean_sum = math.fsum(sums) / n
    # mean squares of a table with a row for each deal and a column for each line-up
    between_deals = math.fsum((s - mean_sum) ** 2 for s in sums) / 2 / (n - 1)
    within = math.fsum((t - middle) ** 2 for t in differences) / 2 / (n - 1)
    between_line_ups = n * middle**2 / 2
    parts = (
        max(0.0, (between_line_ups - within) / (2 * n)),
        max(0.0, (between_deals - within) / 2),
        within,
    )
    total = math.fsum(parts)
    return None if total <= 0 else Shares(*(part / total for part in parts))


def skill(pairs: Sequence[tuple[float, float]], seed: int = 0) -> Skill | None:
    """The shares with 95 % bootstrap intervals, resampled by deal."""
    found = shares(pairs)
    if found is None:
        return None
    chance = random.Random(seed)
    again = []
    for _ in range(RESAMPLES):
        drawn = shares([pairs[int(chance.random() * len(pairs))] for _ in pairs])
        if drawn is not None:
            again.append(drawn)
    return Skill(
        len(pairs),
        _interval(len(pairs), found.line_up, [one.line_up for one in again]),
        _interval(len(pairs), found.deal, [one.deal for one in again]),
        _interval(len(pairs), found.rest, [one.rest for one in again]),
    )


def _interval(count: int, value: float, drawn: Sequence[float]) -> Interval:
    ordered = sorted(drawn)
    if not ordered:
        return Interval(count, value, None, None)
    edge = int(0.025 * len(ordered))
    # with few deals the value itself may lie outside the resampled range
    return Interval(count, value, min(value, ordered[edge]), max(value, ordered[-1 - edge]))


def results_of(results: Results) -> list[tuple[float, float]]:
    """The lead of the first line-up's seats in each deal that two players have played twice."""
    sittings = results.contest.schedule.sittings
    assert len(sittings) == 2, "two players exchange their seats once"
    first = sittings[0].players
    sign = 1 if results.contest.highest else -1
    found = []
    for deal in range(results.deals):
        one, other = (
            sign * _ahead(results.points(game), [who == first[0] for who in first])
            for game in results.of_deal(deal)
        )
        found.append((one, other))
    return found


def _ahead(points: Sequence[float], inside: Sequence[bool]) -> float:
    mine = [more for more, here in zip(points, inside, strict=True) if here]
    others = [more for more, here in zip(points, inside, strict=True) if not here]
    return math.fsum(mine) / len(mine) - math.fsum(others) / len(others)
