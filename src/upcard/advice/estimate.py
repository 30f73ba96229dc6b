"""Estimates: a mean with its 95 % interval, from weighted results of playouts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

NORMAL = 1.96
LEAST_WORLDS = 2.0
SYSTEMATIC = 0.06
"""The error that playouts do not show, in standard deviations of a single result: hidden cards are weighed by
an approximation, and the move that looks best is partly the luckiest (`benchmarks/calibration.py`)."""
MAX_UNEVEN = 0.25
"""Weights are evened out until the effective number of worlds is at least this share of them."""


@dataclass(frozen=True)
class Estimate:
    """A value and its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def half(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    @property
    def certain(self) -> bool:
        return self.low == self.high

    @classmethod
    def of_certain(cls, value: float) -> Estimate:
        return cls(value, value, value)

    def widened(self, error: float) -> Estimate:
        """With another, independent source of error: its standard error."""
        half = math.hypot(self.half, NORMAL * error)
        return Estimate(self.value, self.value - half, self.value + half)

    def within(self, least: float, most: float) -> Estimate:
        """Cut to the values that can occur."""
        return Estimate(self.value, max(least, self.low), min(most, self.high))


def mean(values: Sequence[float], weights: Sequence[float], spread: float) -> Estimate:
    """The weighted mean of results. The interval holds the error of sampling and the systematic one.

    `spread` is the range of results that were seen. A result that never came in n playouts may still come
    about once in n; so the interval is not empty even if all results are equal.
    """
    total = sum(weights)
    value = sum(w * v for w, v in zip(weights, values, strict=True)) / total
    effective = effective_size(weights)
    if effective < LEAST_WORLDS:
        return Estimate(value, -math.inf, math.inf)
    variance = sum(w * w * (v - value) ** 2 for w, v in zip(weights, values, strict=True)) / total**2
    variance *= effective / (effective - 1)
    single = sum(w * (v - value) ** 2 for w, v in zip(weights, values, strict=True)) / total
    variance += SYSTEMATIC**2 * single
    variance += (spread / (effective + 1)) ** 2 / 2
    half = student(effective - 1) * math.sqrt(variance)
    return Estimate(value, value - half, value + half)


def student(freedom: float) -> float:
    """The 97.5 % point of Student's distribution, to about 1 %."""
    n = max(1.0, freedom)
    return NORMAL * (1 + 1.21 / n + 1.4 / n**2 + 3.0 / n**4)


def effective_size(weights: Sequence[float]) -> float:
    """The number of equal weights that would be worth as much."""
    squares = sum(w * w for w in weights)
    return sum(weights) ** 2 / squares if squares else 0.0


def evened(weights: Sequence[float], least: float = MAX_UNEVEN) -> list[float]:
    """The weights, raised to the highest power up to 1 that leaves enough of them in effect."""
    positive = [w for w in weights if w > 0]
    if not positive:
        return [1.0] * len(weights)
    logs = [math.log(w / max(positive)) if w > 0 else -math.inf for w in weights]
    wanted = least * len(positive)

    def at(power: float) -> list[float]:
        return [math.exp(power * log) if log > -math.inf else 0.0 for log in logs]

    if effective_size(at(1.0)) >= wanted:
        return at(1.0)
    low, high = 0.0, 1.0
    for _ in range(20):
        middle = (low + high) / 2
        low, high = (middle, high) if effective_size(at(middle)) >= wanted else (low, middle)
    return at(low)


def apart(a: Estimate, b: Estimate) -> Estimate:
    """The difference of two independent values."""
    half = (a.half**2 + b.half**2) ** 0.5
    return Estimate(a.value - b.value, a.value - b.value - half, a.value - b.value + half)
