"""Work for `test_executor_map`: functions and contexts that an executor can be sent."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path


def total(power: int, start: int, end: int) -> int:
    return sum(number**power for number in range(start, end))


def numbers(_: None, start: int, end: int) -> list[int]:
    return list(range(start, end))


def failing(_: None, start: int, end: int) -> list[int]:
    if start <= 30 < end:
        raise LookupError("nothing at 30")
    return list(range(start, end))


def noted(folder: str, start: int, end: int) -> list[int]:
    """Leaves a file for each call."""
    Path(folder, f"{start}-{end}-{time.monotonic_ns()}").touch()
    return list(range(start, end))


def late_once(folder: str, start: int, end: int) -> int:
    """The first call for 0 ends only when a second one has begun."""
    try:
        os.mkdir(f"{folder}/{start}")
    except FileExistsError:
        Path(folder, "second").touch()
    while start == 0 and not Path(folder, "second").exists():
        time.sleep(0.01)
    return start


@dataclass(frozen=True)
class Elsewhere:
    """A context that says where it is used."""

    folder: str

    def on_this_machine(self) -> int:
        Path(self.folder, f"prepared-{time.monotonic_ns()}").touch()
        return 2


def slow_square(_: None, start: int, end: int) -> int:
    """Slow enough that something can happen meanwhile."""
    time.sleep(0.001)
    return start**2
