"""One mutated file: read as a command reads it, and judged by how that ends."""

from __future__ import annotations

import contextlib
import io
import re
import signal
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from upcard.cli.console import Stop, errors_in_file, report_errors
from upcard.terminal_text import visible

PATIENCE = 10
"""Seconds of processor time that one file may take."""
LONGEST = 1000
"""Characters of a sentence, without the path."""


@dataclass(frozen=True)
class Format:
    """A format of files: valid ones, how to change one, and what reads it."""

    name: str
    path: Path
    """Where a command looks for it."""
    samples: tuple[bytes, ...]
    mutated: Callable[[Random, bytes], bytes]
    use: Callable[[], object]
    lineless: str = "(?!)"
    """What a sentence may say that names no line, as a pattern."""


class TooLong(BaseException):
    pass


@dataclass(frozen=True)
class Outcome:
    sentence: str | None = None
    """None where the file was accepted."""
    failure: str | None = None


def mutant(format: Format, seed: int, number: int) -> bytes:
    random = Random(f"{seed} {format.name} {number}")
    return format.mutated(random, random.choice(format.samples))


def tried(format: Format, data: bytes) -> Outcome:
    format.path.write_bytes(data)
    try:
        with (
            _limited(),
            contextlib.redirect_stderr(io.StringIO()),
            report_errors(),
            errors_in_file(format.path),
        ):
            format.use()
    except Stop as stop:
        shown = visible(stop.message, lines=True)  # as it is printed
        return Outcome(shown, _wrong_sentence(format, shown))
    except TooLong:
        return Outcome(failure=f"took more than {PATIENCE} seconds")
    except Exception:
        return Outcome(failure=traceback.format_exc())
    return Outcome()


def _wrong_sentence(format: Format, message: str) -> str | None:
    rest = message.replace(str(format.path), "")
    if "\n" in message or "\t" in message:
        return f"not one line: {message!r}"
    if len(rest) > LONGEST:
        return f"{len(rest)} characters: {message[:LONGEST]}"
    if re.search(format.lineless, message):
        return None
    if str(format.path) not in message or not re.search(r"\bline \d+", rest):
        return f"does not name file and line: {message}"
    return None


@contextlib.contextmanager
def _limited() -> Iterator[None]:
    def stop(*_: Any) -> None:
        raise TooLong

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
