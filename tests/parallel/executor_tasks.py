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


def asleep_once(folder: str, start: int, end: int) -> int:
    """The first call for a number sleeps; the copy is quick."""
    try:
        os.mkdir(f"{folder}/{start}")
    except FileExistsError:
        return start
    if start == 0:
        time.sleep(4)
    return start


@dataclass(frozen=True)
class Elsewhere:
    """A context that says where it is used."""

    folder: str

    def on_this_machine(self) -> int:
        Path(self.folder, f"prepared-{time.monotonic_ns()}").touch()
        return 2
