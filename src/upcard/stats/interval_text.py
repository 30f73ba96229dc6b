"""Formats a value with its confidence interval.

There are more digits than asked for where the interval would else look as if it had no width: a million games
leave little open, but something.
"""

from __future__ import annotations

from upcard.stats.intervals import Interval

MAX_DIGITS = 7


def told(found: Interval, digits: int = 2) -> str:
    """A mean, and what to add and take away."""
    return _told(found, digits, 1) or "unknown"


def percent(found: Interval) -> str:
    said = _told(found, 1, 100)
    return f"{said} %" if said else "unknown"


def between(found: Interval, to: str = " to ") -> str:
    """A value and its interval, which need not be even around it."""
    if found.mean is None:
        return "unknown"
    digits = digits_for(found, 3)
    if found.low is None or found.high is None:
        return f"{found.mean:z.{digits}f}"
    return f"{found.mean:z.{digits}f} ({found.low:z.{digits}f}{to}{found.high:z.{digits}f})"


def digits_for(found: Interval, digits: int, scale: int = 1) -> int:
    """So many that an interval with a width is seen to have one."""
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
