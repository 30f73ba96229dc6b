"""Work for the processes of `test_pool`, apart from the tests so that a worker does not import pytest."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Generator
from pathlib import Path

from upcard.parallel.pool import in_order


def squares(power: int, start: int, end: int) -> list[int]:
    return [number**power for number in range(start, end)]


def begun_for_ever(folder: str, start: int, end: int) -> int:
    """The first piece is done at once; any other says that it was begun, and never ends."""
    if start == 0:
        return os.getpid()
    Path(folder, f"{os.getpid()}.begun").touch()
    while True:
        signal.pause()


def failing(_: None, start: int, end: int) -> int:
    if start == 3:
        raise LookupError(f"nothing at {start}")
    return start


def unsendable(_: None, start: int, end: int) -> object:
    return (lambda: start) if start == 1 else start


def dying(_: None, start: int, end: int) -> int:
    if start == 2:
        os._exit(7)
    return start


def busy(folder: Path) -> tuple[Generator[int, None, None], list[multiprocessing.process.BaseProcess]]:
    """A generator with its first result taken, both of its workers in a piece without end."""
    pieces = in_order(begun_for_ever, str(folder), 40, 1, 2)
    next(pieces)
    workers = multiprocessing.active_children()
    assert len(workers) == 2
    while len(list(folder.glob("*.begun"))) < 2:
        os.sched_yield()
    return pieces, workers
