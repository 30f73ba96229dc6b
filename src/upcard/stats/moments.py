"""Exact sums of integers, with mean and standard error."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean and standard error from a count, a sum and a sum of squares. The numbers are fractions with one
    denominator, `scale`: total / scale is their sum, and squares / scale² the sum of their squares."""

    count: int
    total: int
    squares: int
    least: int | None = None
    most: int | None = None
    scale: int = 1

    @property
    def mean(self) -> float:
        return self.total / (self.count * self.scale) if self.count else 0.0

    @property
    def error(self) -> float:
        """The standard error of the mean. The subtraction is exact: equal numbers have an error of exactly
        0."""
        n = self.count
        if n < 2:
            return 0.0
        return math.sqrt((n * self.squares - self.total**2) / (self.scale**2 * n**2 * (n - 1)))

    def to_json(self) -> dict[str, float | None]:
        if not self.count:
            return {"mean": None, "se": None}
        return {"mean": self.mean, "se": self.error}


def ratio(sums: Iterable[tuple[int, int, int, int]]) -> Spread:
    """Brings fractions to a common denominator. Each row has a denominator, how many fractions have it, the
    sum of their numerators, and the sum of the squares of the numerators."""
    known = list(sums)
    scale = math.lcm(*(denominator for denominator, _, _, _ in known))
    count = sum(many for _, many, _, _ in known)
    total = sum(of * (scale // denominator) for denominator, _, of, _ in known)
    squares = sum(of * (scale // denominator) ** 2 for denominator, _, _, of in known)
    return Spread(count, total, squares, scale=scale)


@dataclass(slots=True)
class Tally:
    """Running sums of whole numbers."""

    count: int = 0
    total: int = 0
    squares: int = 0
    least: int | None = None
    most: int | None = None

    def add(self, value: int, times: int = 1) -> None:
        self.merge(Tally(times, times * value, times * value * value, value, value))

    def merge(self, other: Tally) -> None:
        if other.least is None or other.most is None:
            return
        self.count += other.count
        self.total += other.total
        self.squares += other.squares
        self.least = other.least if self.least is None else min(self.least, other.least)
        self.most = other.most if self.most is None else max(self.most, other.most)

    @property
    def spread(self) -> Spread:
        return Spread(self.count, self.total, self.squares, self.least, self.most)
