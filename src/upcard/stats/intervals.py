"""Means with 95 % confidence intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from upcard.stats.moments import Spread

Z = 1.959963984540054
FEW = {1: 12.706205, 2: 4.302653, 3: 3.182446, 4: 2.776445}


def student(freedom: int) -> float:
    """The 97.5 % point of Student's distribution: a table for few degrees of freedom, otherwise an expansion
    around the normal distribution."""
    if freedom in FEW:
        return FEW[freedom]
    z, v = Z, freedom
    return (
        z
        + (z**3 + z) / (4 * v)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * v**4)
    )


ENOUGH_ALIKE = 20
"""With fewer numbers than this, all of them equal, the spread is unknown."""


@dataclass(frozen=True)
class Interval:
    """A mean, and its 95 % confidence interval; None if the numbers do not determine one."""

    count: int
    mean: float | None
    low: float | None
    high: float | None

    def to_json(self) -> dict[str, float | int | None]:
        return {"mean": self.mean, "low": self.low, "high": self.high}

    @property
    def half(self) -> float | None:
        return None if self.low is None or self.high is None else (self.high - self.low) / 2


def interval(values: Sequence[float]) -> Interval:
    """The interval of independent numbers: the results of deals, not of the games of one deal."""
    n = len(values)
    if n == 0:
        return Interval(0, None, None, None)
    mean = math.fsum(values) / n
    if n < ENOUGH_ALIKE and _alike(values):
        return Interval(n, mean, None, None)
    squares = math.fsum((value - mean) ** 2 for value in values)
    return _around(n, mean, math.sqrt(squares / (n - 1) / n))


def interval_of(spread: Spread) -> Interval:
    """The same, from exact sums of the numbers."""
    if spread.count == 0:
        return Interval(0, None, None, None)
    error = spread.error
    if spread.count < ENOUGH_ALIKE and error == 0:
        return Interval(spread.count, spread.mean, None, None)
    return _around(spread.count, spread.mean, error)


def _around(count: int, mean: float, error: float) -> Interval:
    half = student(count - 1) * error
    return Interval(count, mean, mean - half, mean + half)


def share_interval(values: Sequence[float]) -> Interval:
    """The interval of numbers from 0 to 1."""
    return of_shares(interval(values))


def of_shares(found: Interval) -> Interval:
    """An interval of numbers from 0 to 1. If all are equal their spread is useless, but their count is not:
    another value with a probability above 1 - 0.025^(1/n) would have occurred 39 times in 40."""
    if found.mean is None or found.count == 1:
        return found
    if found.low is None or found.high is None or found.low == found.high:
        other = 1 - 0.025 ** (1 / found.count)
        return Interval(
            found.count, found.mean, found.mean * (1 - other), found.mean + (1 - found.mean) * other
        )
    return Interval(found.count, found.mean, max(0.0, found.low), min(1.0, found.high))


def _alike(values: Sequence[float]) -> bool:
    return min(values) == max(values)
