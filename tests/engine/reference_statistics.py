"""Bounds for tests of chance: seeds are fixed, bounds leave one wrong alarm in ten thousand."""

from __future__ import annotations

from math import sqrt

Z_FOR_P_1E_4 = 3.719


def chi_square_bound(freedom: int) -> float:
    """The value a chi-square exceeds with p = 0.0001 (Wilson and Hilferty's approximation)."""
    step = 2 / (9 * freedom)
    return float(freedom * (1 - step + Z_FOR_P_1E_4 * sqrt(step)) ** 3)


def within(found: float, stated: float, error: float, rounding: float) -> bool:
    """Within three standard errors of a stated figure that was itself measured on as many games."""
    return abs(found - stated) <= 3 * sqrt(2) * error + rounding
