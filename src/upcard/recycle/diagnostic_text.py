"""Renders diagnostics: message, location, source line with carets, hint."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from upcard.recycle.diagnostics import Diagnostic
from upcard.recycle.source import Source
from upcard.terminal_text import cells, encodable, escaped, visible

WIDTH = 100
"""How much of a line is shown; a longer one is cut around the place in question."""

TAB = 4
"""What a tab is drawn as. Any number would do: the line above the caret and the caret share it."""

_RED, _YELLOW, _BLUE, _BOLD, _PLAIN = "\x1b[1;31m", "\x1b[1;33m", "\x1b[1;34m", "\x1b[1m", "\x1b[0m"


class Findings(Protocol):
    """What a summary counts: the result of a check."""

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]: ...


def render(
    diagnostic: Diagnostic, source: Source, colour: bool = False, encoding: str | None = "utf-8"
) -> str:
    """One finding, as lines of text without a newline at the end.

    Everything in it is visible and can be encoded, and carets stand below what they mark.
    """
    paint = _painted if colour else _unpainted
    tone = _RED if diagnostic.severity == "error" else _YELLOW
    start = min(diagnostic.span.start, len(source.text))
    number, column = source.line(start), source.column(start)
    text = source.line_text(number)
    # a span that goes on over the line's end is underlined as far as the line goes
    end = max(min(diagnostic.span.end - start + column - 1, len(text)), column)
    margin = str(number)
    bar = paint(_BLUE, " " * len(margin) + " |")
    shown, caret = _drawn(text, column - 1, end, encoding)

    def said(text: str) -> str:
        return encodable(visible(text), encoding)

    lines = [
        paint(tone, f"{diagnostic.severity}[{diagnostic.code}]")
        + paint(_BOLD, f": {said(diagnostic.message)}"),
        paint(_BLUE, " " * len(margin) + "-->") + f" {said(source.name)}:{number}:{column}",
        bar,
        f"{paint(_BLUE, f'{margin} |')} {shown}".rstrip(),
        f"{bar} {' ' * (len(caret) - len(caret.lstrip()))}{paint(tone, caret.lstrip())}",
    ]
    if diagnostic.hint:
        lines.append(paint(_BLUE, " " * len(margin) + " =") + f" hint: {said(diagnostic.hint)}")
    return "\n".join(lines)


def summary(checked: Iterable[Findings]) -> str:
    """`2 errors, 1 warning in 1 file`"""
    files = list(checked)
    found = [d.severity for one in files for d in one.diagnostics]
    errors, warnings = found.count("error"), found.count("warning")
    parts = [_plural(n, what) for n, what in ((errors, "error"), (warnings, "warning")) if n]
    return f"{', '.join(parts) or 'no problems'} in {_plural(len(files), 'file')}"


def _plural(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


def _painted(tone: str, text: str) -> str:
    return f"{tone}{text}{_PLAIN}"


def _unpainted(_: str, text: str) -> str:
    return text


def _drawn(text: str, start: int, end: int, encoding: str | None) -> tuple[str, str]:
    """The line and the carets below it, both cut to the width."""
    left, right = 0, len(text)
    if cells(_expand(text, encoding)) > WIDTH:
        # cutting is by characters: a line long enough to be cut has few wide ones worth speaking of
        left = max(0, min(start - WIDTH // 3, len(text) - WIDTH))
        right = min(len(text), left + WIDTH)
    end = max(start + 1, min(end, right))
    before, marked, after = (
        _expand(part, encoding) for part in (text[left:start], text[start:end], text[end:right])
    )
    lead = "..." if left else ""
    shown = lead + before + marked + after + ("..." if right < len(text) else "")
    caret = " " * (len(lead) + cells(before)) + "^" * max(1, cells(marked))
    return shown, caret


def _expand(text: str, encoding: str | None) -> str:
    """A piece of a line as it is drawn: a space that is no plain one is written out as well."""
    drawn = "".join(" " * TAB if c == "\t" else c if c.isprintable() else escaped(c) for c in text)
    return encodable(visible(drawn), encoding)
