"""Helpers of all commands: exit codes, errors as one sentence, loading the game that the options name."""

from __future__ import annotations

import errno
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from upcard.output import say

if TYPE_CHECKING:
    from upcard.engine.loader import Engine
    from upcard.engine.shared.game import LoadedGame

FAILURE, MISUSE, INTERRUPTED = 1, 2, 130
"""Exit codes: 0 fine, 1 the answer is no, 2 misuse, 130 Ctrl-C."""


class Stop(Exception):
    """Ends the command with an exit code, and a message on standard error."""

    def __init__(self, code: int, message: str = "") -> None:
        self.code = code
        self.message = message
        super().__init__(message)


def use_colour(stream: object = None) -> bool:
    """Whether to print colours: the stream is a terminal, and the environment does not forbid them."""
    import os

    target = stream or sys.stdout
    is_terminal = bool(getattr(target, "isatty", lambda: False)())
    return is_terminal and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def can_print_unicode() -> bool:
    """Whether standard output can encode suits and frames."""
    try:
        "♠─▒".encode(sys.stdout.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True


@contextmanager
def report_errors() -> Iterator[None]:
    """End the command with one sentence for every error that the user's input or the system causes."""
    from upcard.recycle.diagnostics import RecycleError, Refused

    try:
        yield
    except Refused as error:
        raise Stop(FAILURE if error.is_answer else MISUSE, str(error)) from None
    except RecycleError as error:
        from upcard.output import write_styled
        from upcard.recycle.diagnostic_text import render

        first = error.diagnostics[0]
        if first.code == "E404":  # an override is at fault, not the program
            raise Stop(MISUSE, f"{first.message}; {first.hint}") from None
        colour = use_colour(sys.stderr)
        for diagnostic in error.diagnostics:
            write_styled(render(diagnostic, error.source, colour, sys.stderr.encoding) + "\n", sys.stderr)
        raise Stop(FAILURE, f"{error.source.name} has errors, so nothing was done") from None
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Stop(exit_code(error), describe_os_error(error)) from None


def exit_code(error: OSError) -> int:
    """A full disk or a lack of memory is a failure, not misuse of the command."""
    from upcard.storage.os_faults import is_fault

    return FAILURE if is_fault(error) else MISUSE


FREE_DISK = "free some space and try again"
FREE_MEMORY = "close other programs and try again"
REMEDIES = {
    errno.ENOENT: "check its folder and its name",
    errno.EACCES: "choose a place that you may read and write",
    errno.EPERM: "choose a place that you may read and write",
    errno.EROFS: "choose a place that can be written",
    errno.ENOSPC: FREE_DISK,
    errno.EDQUOT: FREE_DISK,
    errno.EFBIG: FREE_DISK,
    errno.EIO: "check the disk and try again",
    errno.EMFILE: FREE_MEMORY,
    errno.ENFILE: FREE_MEMORY,
    errno.EAGAIN: FREE_MEMORY,
    errno.ENOMEM: FREE_MEMORY,
    errno.EISDIR: "give a file instead",
    errno.ENOTDIR: "give a place in a folder instead",
    errno.EEXIST: "give another name",
    errno.ENAMETOOLONG: "give a shorter name",
}


def describe_os_error(error: OSError) -> str:
    """The system's message about a file, or about itself, and what to do."""
    from upcard.storage.os_faults import SHORTAGES

    remedy = REMEDIES.get(error.errno or 0, "give another place")
    what = error.filename or ("the system" if error.errno in SHORTAGES else "the output")
    return f"{what}: {(error.strerror or str(error)).lower()}; {remedy}"


@contextmanager
def errors_in_file(path: Path) -> Iterator[None]:
    """Name the file in errors about its content, and in errors of writing it."""
    from upcard.engine.transcript import TranscriptError

    try:
        yield
    except TranscriptError as error:
        raise Stop(FAILURE, f"{path}, {error}") from None
    except OSError as error:  # the error of a full disk names no file
        error.filename = error.filename or str(path)
        raise


def parse_pairs(texts: Sequence[str] | None, option: str) -> dict[str, str]:
    """Parse options of the form NAME=VALUE."""
    values = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise Stop(MISUSE, f"{option} needs NAME=VALUE, not {text}")
        values[name] = value
    return values


def check_base(base: int | None) -> Literal[0, 1] | None:
    if base not in (None, 0, 1):
        raise Stop(MISUSE, f"--base is 0 or 1, not {base}")
    return base  # type: ignore[return-value]


def check_engine(engine: str) -> Engine:
    if engine not in ("reference", "native"):
        raise Stop(MISUSE, f"--engine is native or reference, not {engine}")
    return engine  # type: ignore[return-value]


def check_pace(pace: float) -> None:
    if not 0 <= pace <= 60:
        raise Stop(MISUSE, f"--pace is a number of seconds from 0 to 60, not {pace:g}")


def path_or_name(game: str) -> str | Path:
    """A path if it looks like one, even if a library game has the same name."""
    return Path(game) if "/" in game or game.endswith(".rcy") else game


def load_game(
    game: str,
    overrides: Sequence[str] | None,
    rules: Sequence[str] | None,
    base: int | None,
    engine: str = "native",
) -> LoadedGame:
    """Load the game that a command's options name."""
    from upcard.engine.loader import load

    return load(
        path_or_name(game),
        set=parse_pairs(overrides, "--set"),
        rules=parse_pairs(rules, "--rule"),
        base=check_base(base),
        engine=check_engine(engine),
    )


def print_engine_note(game: LoadedGame) -> None:
    """Say on standard error if another engine plays than the one requested."""
    if game.note:
        say(f"upcard: {game.note}", error=True)
