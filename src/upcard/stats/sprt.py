"""Sequential probability ratio test: stops a contest as soon as one of two hypotheses is clear.

Two claims are weighed: the true mean is LOW, or it is HIGH. The mean is of points ahead a deal (0 is even),
or of the share of matches won (0.5 is even). With n results of variance v the logarithm of how much likelier
HIGH is than LOW is about n (HIGH - LOW) (2 mean - LOW - HIGH) / (2 v): the generalised sequential probability
ratio test with its normal approximation. It stops past ±log(0.95 / 0.05), which is wrong one time in twenty
either way.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

from upcard.recycle.diagnostics import Refused

RISK = 0.05
BOUND = math.log((1 - RISK) / RISK)
FIRST_LOOK = 20
"""No decision before this many deals: the variance of fewer is unreliable."""


class BadBounds(Refused):
    """Unusable bounds of a test."""


def bounds(text: str) -> tuple[float, float]:
    """LOW and HIGH, parsed from a command's argument."""
    number = r"\s*([+-]?[0-9]{1,9}(?:\.[0-9]{1,9})?)\s*"
    found = re.fullmatch(f"{number},{number}", text)
    if found is None or float(found[1]) >= float(found[2]):
        raise BadBounds(f"--sprt needs two numbers LOW,HIGH with LOW below HIGH, as in 0,0.2, not {text}")
    return float(found[1]), float(found[2])


@dataclass
class SequentialTest:
    low: float
    high: float
    llr: float = 0.0
    """The log-likelihood ratio of the high claim."""
    decided: str | None = None
    """`low` or `high`, once it is decided."""
    after: int = 0
    """Deals examined."""

    def judge(self, count: int, mean: float, variance: float) -> None:
        """A decision is final."""
        if self.decided is not None or count < FIRST_LOOK:
            return
        self.after = count
        lean = (self.high - self.low) * (2 * mean - self.low - self.high) / 2
        if variance > 0:
            self.llr = count * lean / variance
        else:  # all results are equal: the decision is clear, unless they lie exactly in the middle
            self.llr = math.copysign(math.inf, lean) if lean else 0.0
        if abs(self.llr) >= BOUND:
            self.decided = "high" if self.llr > 0 else "low"

    def to_json(self) -> dict[str, Any]:
        llr = self.llr if math.isfinite(self.llr) else None
        about = {"low": self.low, "high": self.high, "llr": llr, "bound": BOUND}
        return {**about, "decided": self.decided, "after": self.after}
