"""Console helpers of all commands: exit codes, options in common, errors as one sentence."""

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

NO, MISUSE, INTERRUPTED = 1, 2, 130
"""Exit codes: 0 fine, 1 the answer is no, 2 misuse, 130 Ctrl-C."""


class Stop(Exception):
    def __init__(self, code: int, message: str = "") -> None:
        self.code = code
        self.message = message
        super().__init__(message)


def colourful(stream: object = None) -> bool:
    """Colour when a terminal is read by a person who has not asked for none."""
    import os

    target = stream or sys.stdout
    is_terminal = bool(getattr(target, "isatty", lambda: False)())
    return is_terminal and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def speaks_unicode() -> bool:
    """Whether what is printed can have suits in it."""
    try:
        "♠─▒".encode(sys.stdout.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True


@contextmanager
def sentences() -> Iterator[None]:
    """Known errors of what a user gave end the command with one sentence."""
    from upcard.recycle.diagnostics import RecycleError, Refused

    try:
        yield
    except Refused as error:
        raise Stop(NO if error.is_answer else MISUSE, str(error)) from None
    except RecycleError as error:
        from upcard.output import write_styled
        from upcard.recycle.diagnostic_text import render

        first = error.diagnostics[0]
        if first.code == "E404":  # what was given from outside is at fault, not the program
            raise Stop(MISUSE, f"{first.message}; {first.hint}") from None
        colour = colourful(sys.stderr)
        for diagnostic in error.diagnostics:
            write_styled(render(diagnostic, error.source, colour, sys.stderr.encoding) + "\n", sys.stderr)
        raise Stop(NO, f"{error.source.name} has errors, so nothing was done") from None
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Stop(code_of(error), file_trouble(error)) from None


def code_of(error: OSError) -> int:
    """Nothing is wrong with a command that a full disk or a lack of memory stopped."""
    from upcard.storage.os_faults import is_fault

    return NO if is_fault(error) else MISUSE


FREE_DISK = "make room, then give the same command again"
FREE_MEMORY = "end other programs, then give the same command again"
REMEDIES = {
    errno.ENOENT: "see whether its folder is there and the name is right",
    errno.EACCES: "give a place that you may read and write",
    errno.EPERM: "give a place that you may read and write",
    errno.EROFS: "give a place that can be written",
    errno.ENOSPC: FREE_DISK,
    errno.EDQUOT: FREE_DISK,
    errno.EFBIG: FREE_DISK,
    errno.EIO: "see whether the disk is in order, then give the same command again",
    errno.EMFILE: FREE_MEMORY,
    errno.ENFILE: FREE_MEMORY,
    errno.EAGAIN: FREE_MEMORY,
    errno.ENOMEM: FREE_MEMORY,
    errno.EISDIR: "give a file instead",
    errno.ENOTDIR: "give a place in a folder instead",
    errno.EEXIST: "give another name",
    errno.ENAMETOOLONG: "give a shorter name",
}


def file_trouble(error: OSError) -> str:
    """What the system says of a file, or of itself, and what to do."""
    from upcard.storage.os_faults import SHORTAGES

    remedy = REMEDIES.get(error.errno or 0, "give another place")
    what = error.filename or ("the system" if error.errno in SHORTAGES else "the output")
    return f"{what}: {(error.strerror or str(error)).lower()}; {remedy}"


@contextmanager
def in_file(path: Path) -> Iterator[None]:
    """What does not hold in a file of records, or cannot be written there, is told with the file's name."""
    from upcard.engine.transcript import TranscriptError

    try:
        yield
    except TranscriptError as error:
        raise Stop(NO, f"{path}, {error}") from None
    except OSError as error:  # a disk that is full says nothing of the file
        error.filename = error.filename or str(path)
        raise


def pairs(given: Sequence[str] | None, option: str) -> dict[str, str]:
    """NAME=VALUE options."""
    found = {}
    for text in given or ():
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise Stop(MISUSE, f"{option} wants NAME=VALUE, not {text}")
        found[name] = value
    return found


def base_of(base: int | None) -> Literal[0, 1] | None:
    if base not in (None, 0, 1):
        raise Stop(MISUSE, f"--base is 0 or 1, not {base}")
    return base  # type: ignore[return-value]


def engine_of(engine: str) -> Engine:
    if engine not in ("reference", "native"):
        raise Stop(MISUSE, f"there is no engine {engine}; there are native and reference")
    return engine  # type: ignore[return-value]


def path_or_name(what: str) -> str | Path:
    """What looks like a path is one, even where a library game has the same name."""
    return Path(what) if "/" in what or what.endswith(".rcy") else what


def load(
    what: str,
    given: Sequence[str] | None,
    rules: Sequence[str] | None,
    base: int | None,
    engine: str = "native",
) -> LoadedGame:
    """The game that the options of a command ask for."""
    from upcard.engine.loader import load as load_game

    return load_game(
        path_or_name(what),
        set=pairs(given, "--set"),
        rules=pairs(rules, "--rule"),
        base=base_of(base),
        engine=engine_of(engine),
    )


def tell_note(game: LoadedGame) -> None:
    """One line for those who should know that another engine plays than they asked for."""
    if game.note:
        say(f"upcard: {game.note}", error=True)
