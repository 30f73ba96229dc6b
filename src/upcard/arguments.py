"""Checks arguments of the public functions; a wrong one raises `BadArgument`."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence

from upcard.recycle.diagnostics import Refused

MAX_WORKERS = 1024
"""A larger number of threads or processes is a mistake."""


class BadArgument(Refused, ValueError):
    """A wrong argument; the message is one sentence that says what is accepted.

    >>> upcard.load("euchre").simulate(-1)
    Traceback (most recent call last):
    upcard.arguments.BadArgument: games must be at least 0, not -1
    """


def check_whole(name: str, value: object, least: int | None = None, most: int | None = None) -> None:
    """Checks for an integer within bounds; True and 1.0 are refused."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise BadArgument(f"{name} must be a whole number, not {value!r:.60}")
    if least is not None and value < least:
        raise BadArgument(f"{name} must be at least {least:,}, not {value:,}")
    if most is not None and value > most:
        raise BadArgument(f"{name} must be at most {most:,}, not {value:,}")


def check_workers(workers: object) -> None:
    """Checks a number of threads or processes, or an executor; None lets the function decide."""
    if workers is None:
        return
    if not isinstance(workers, int):
        from concurrent.futures import Executor  # most programs do without

        if isinstance(workers, Executor):
            return
    check_whole("workers", workers, 1, MAX_WORKERS)


def check_seat(seat: object, seats: int) -> None:
    if not isinstance(seat, int) or isinstance(seat, bool) or not 0 <= seat < seats:
        raise BadArgument(f"there is no seat {seat!r:.60}; seats are numbered 0 to {seats - 1}")


def check_choice(name: str, value: object, choices: Collection[str]) -> None:
    """Checks for one of some names."""
    if not isinstance(value, str) or value not in choices:
        raise BadArgument(f"there is no {name} {value!r:.60}; choose from {', '.join(choices)}")


def check_path(name: str, value: object) -> None:
    """Checks for a name or a path."""
    if not isinstance(value, str | os.PathLike):
        raise BadArgument(f"{name} is a name or a path, not {value!r:.60}")


def list_of(name: str, value: object, expected: str) -> Sequence[object]:
    """The value, which must be a list or another sequence but no text."""
    if not isinstance(value, Sequence) or isinstance(value, str | bytes):
        raise BadArgument(f"{name} is {expected}, not {value!r:.60}")
    return value


def check_instance(name: str, value: object, kind: type) -> None:
    if not isinstance(value, kind):
        raise BadArgument(f"{name} must be of type {kind.__name__}, not {type(value).__name__}")
