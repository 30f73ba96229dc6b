"""Running mean and standard error (Welford)."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass
class RunningMean:
    """Mean and standard error, updated number by number with Welford's algorithm."""

    count: int = 0
    mean: float = 0.0
    _squares: float = 0.0
    least: float = math.inf
    most: float = -math.inf

    def add(self, value: float) -> None:
        self.count += 1
        step = value - self.mean
        self.mean += step / self.count
        self._squares += step * (value - self.mean)
        self.least, self.most = min(self.least, value), max(self.most, value)

    @property
    def error(self) -> float:
        return math.sqrt(self._squares / (self.count - 1) / self.count) if self.count > 1 else 0.0

    def to_json(self) -> dict[str, float | None]:
        if not self.count:
            return {"mean": None, "se": None}
        return {"mean": self.mean, "se": self.error}
