"""Runs a student's program with limits on time and output, and always ends it."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Timer

from upcard.parallel.child_signals import default_in_children
from upcard.recycle.diagnostics import Refused


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
                stderr=subprocess.DEVNULL,
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
    try:
        assert process.stdout is not None
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
    ended_by = signal.Signals(-status).name if status < 0 and not hung and not too_much else None
    return Run(output, status, hung, too_much, ended_by)


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Ends the program and the processes it started, which may outlive it and keep its output open."""
    if os.name == "posix":
        with suppress(ProcessLookupError, PermissionError):  # no process is left, or only ended ones
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
