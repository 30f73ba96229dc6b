"""Source text, spans and locations."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the text, as offsets: `start` included, `end` not."""

    start: int
    end: int

    def to(self, other: Span) -> Span:
        return Span(self.start, max(self.end, other.end))


NOWHERE = Span(0, 0)


LONGEST_SHOWN = 100
"""Letters of a form that a message shows."""


@dataclass(frozen=True)
class Source:
    """The text of one program and the name it goes by in messages."""

    name: str
    text: str
    _starts: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        starts = [0]
        starts.extend(i + 1 for i, c in enumerate(self.text) if c == "\n")
        object.__setattr__(self, "_starts", tuple(starts))

    def line(self, offset: int) -> int:
        """The line that holds the offset, counted from 1."""
        return bisect_right(self._starts, offset)

    def column(self, offset: int) -> int:
        """The column of the offset in its line, counted from 1."""
        return offset - self._starts[self.line(offset) - 1] + 1

    def line_text(self, line: int) -> str:
        start = self._starts[line - 1]
        end = self._starts[line] if line < len(self._starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")

    def shown(self, span: Span) -> str:
        """A form as messages show it: on one line, and not too long."""
        form = " ".join(self.text[span.start : span.end].split())
        return form if len(form) <= LONGEST_SHOWN else form[: LONGEST_SHOWN - 3] + "..."

    @property
    def lines(self) -> int:
        return len(self._starts)
