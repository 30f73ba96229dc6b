"""A figure with its interval, in a few letters: for the terminal and for pages alike."""

from __future__ import annotations

from upcard.arena.figures import Interval


def told(found: Interval, digits: int = 2) -> str:
    """A mean, and what to add and take away."""
    if found.mean is None:
        return "unknown"
    half = "" if found.half is None else f" ± {found.half:.{digits}f}"
    return f"{found.mean:.{digits}f}{half}"


def percent(found: Interval) -> str:
    if found.mean is None:
        return "unknown"
    half = "" if found.half is None else f" ± {100 * found.half:.1f}"
    return f"{100 * found.mean:.1f}{half} %"
