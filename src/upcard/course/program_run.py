"""Runs a student's program with limits on time and output, and always ends it."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread, Timer
from typing import IO

from upcard.parallel.child_signals import default_in_children
from upcard.recycle.diagnostics import Refused

MAX_ERRORS = 4096
"""Bytes kept of what a program writes to standard error."""


class CannotRun(Refused):
    """A program that does not start."""


@dataclass(frozen=True)
class Run:
    output: bytes
    status: int
    hung: bool = False
    too_much: bool = False
    signal: str | None = None
    """The name of the signal that ended it, unless it was stopped from outside."""
    errors: bytes = b""
    """The end of what it wrote to standard error."""


def run(
    program: Path,
    called: str,
    arguments: Sequence[str],
    folder: Path,
    answers: Path | None,
    seconds: float,
    most: int,
) -> Run:
    """One run in a folder, reading answers from a file. `called` is the name that the program sees as its
    own."""
    with open(answers or os.devnull, "rb") as given, default_in_children():
        try:
            process = subprocess.Popen(
                [called, *arguments],
                executable=program,
                cwd=folder,
                stdin=given,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = (getattr(error, "strerror", None) or str(error)).lower()
            raise CannotRun(f"{program} cannot be run: {reason}") from None
    hung = False

    def too_late() -> None:
        nonlocal hung
        hung = True
        _stop(process)

    timer = Timer(seconds, too_late)
    timer.start()
    assert process.stdout is not None
    assert process.stderr is not None
    errors = _LastBytes(process.stderr)
    errors.start()
    try:
        with process.stdout:
            output = process.stdout.read(most)
        too_much = len(output) == most
        if too_much:
            _stop(process)
        status = process.wait()
    finally:
        timer.cancel()
        _stop(process)
        process.wait()
        errors.join()
    ended_by = signal.Signals(-status).name if status < 0 and not hung and not too_much else None
    return Run(output, status, hung, too_much, ended_by, errors.kept)


class _LastBytes(Thread):
    """Reads a stream to its end, so that the writer never waits, and keeps its last bytes."""

    def __init__(self, stream: IO[bytes]) -> None:
        super().__init__(daemon=True)
        self._stream = stream
        self.kept = b""

    def run(self) -> None:
        with self._stream, suppress(OSError, ValueError):
            while data := self._stream.read1(4096):  # type: ignore[attr-defined]
                self.kept = (self.kept + data)[-MAX_ERRORS:]


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Ends the program and the processes it started, which may outlive it and keep its output open."""
    if os.name == "posix":
        with suppress(ProcessLookupError, PermissionError):  # no process is left, or only ended ones
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
