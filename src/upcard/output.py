"""Standard output and standard error as streams that escape control characters and fit the encoding.

Inside `guarded_output` everything that is printed, by us or by a library, passes through `visible` and
`encodable`. Two functions bypass that: `write_styled`, for text that was made visible before colours were
added to it, and `write_document`, for programs and drawings that a pipe or a file receives byte for byte.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

from upcard.terminal_text import encodable, visible


class GuardedStream(io.TextIOBase):
    """A text stream on top of another one. It has no `buffer`, so that no library writes around it."""

    def __init__(self, stream: TextIO) -> None:
        self.inner = stream

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self.inner.encoding or "ascii"

    @property
    def errors(self) -> str | None:  # type: ignore[override]
        return self.inner.errors

    def write(self, text: str) -> int:
        self.write_styled(visible(text, lines=True))
        return len(text)

    def write_styled(self, text: str) -> None:
        self.inner.write(encodable(text, self.encoding))

    def flush(self) -> None:
        self.inner.flush()

    def close(self) -> None:
        """Does nothing: the stream below belongs to its owner."""

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return self.inner.isatty()

    def fileno(self) -> int:
        return self.inner.fileno()


class StyledStream(GuardedStream):
    """For a library that writes its own escape sequences, on text that is already visible."""

    def write(self, text: str) -> int:
        self.write_styled(text)
        return len(text)


@contextmanager
def guarded_output() -> Iterator[None]:
    """Guards `sys.stdout` and `sys.stderr`, and restores them afterwards."""
    kept = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (cast(TextIO, GuardedStream(stream)) for stream in kept)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = kept


def say(text: str = "", error: bool = False) -> None:
    """Prints one line; a newline in a name is escaped and cannot begin another."""
    print(visible(text), file=sys.stderr if error else sys.stdout)


def say_lines(text: str) -> None:
    """Prints text that has several lines of its own."""
    print(visible(text, lines=True))


def styled(stream: TextIO) -> TextIO:
    """The stream without its guard."""
    return cast(TextIO, StyledStream(_inner(stream)))


def write_styled(text: str, stream: TextIO | None = None) -> None:
    """Writes text with escape sequences of our own; everything else in it has been made visible."""
    styled(stream or sys.stdout).write(text)


def write_document(document: str | bytes) -> None:
    """Writes a program or a drawing to standard output: exact and in UTF-8, but guarded on a terminal."""
    stream = _inner(sys.stdout)
    buffer: Any = getattr(stream, "buffer", None)
    if buffer is None or stream.isatty():
        if isinstance(document, bytes):
            document = document.decode("utf-8", "surrogateescape")
        sys.stdout.write(document)
        return
    stream.flush()
    buffer.write(document.encode("utf-8", "surrogateescape") if isinstance(document, str) else document)


def shown(text: str, stream: TextIO | None = None) -> str:
    """One line of text as the stream will show it, to measure before layout."""
    return encodable(visible(text), getattr(stream or sys.stdout, "encoding", None))


def _inner(stream: TextIO) -> TextIO:
    return stream.inner if isinstance(stream, GuardedStream) else stream
