"""Formats a value with its confidence interval.

More digits than requested are shown where rounding would make the interval look as if it had no width.
"""

from __future__ import annotations

from upcard.stats.intervals import Interval

MAX_DIGITS = 7


def told(found: Interval, digits: int = 2) -> str:
    """A mean with its margin: mean ± margin."""
    return _told(found, digits, 1) or "unknown"


def percent(found: Interval) -> str:
    said = _told(found, 1, 100)
    return f"{said} %" if said else "unknown"


def between(found: Interval, to: str = " to ") -> str:
    """A value and its interval, which may be asymmetric."""
    if found.mean is None:
        return "unknown"
    digits = digits_for(found, 3)
    if found.low is None or found.high is None:
        return f"{found.mean:z.{digits}f}"
    return f"{found.mean:z.{digits}f} ({found.low:z.{digits}f}{to}{found.high:z.{digits}f})"


def digits_for(found: Interval, digits: int, scale: int = 1) -> int:
    """Enough decimals to show that an interval with a width has one."""
    half = scale * (found.half or 0.0)
    while 0 < half < 0.5 * 10**-digits and digits < MAX_DIGITS:
        digits += 1
    return digits


def _told(found: Interval, digits: int, scale: int) -> str:
    if found.mean is None:
        return ""
    digits = digits_for(found, digits, scale)
    half = "" if found.half is None else f" ± {scale * found.half:.{digits}f}"
    return f"{scale * found.mean:z.{digits}f}{half}"
