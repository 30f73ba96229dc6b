"""Wraps text to the terminal's width; in a pipe it stays plain."""

from __future__ import annotations

import json
import re
import shutil
import sys
import textwrap
from collections.abc import Iterator

import typer

from upcard.cli.console import use_colour
from upcard.output import say, say_lines, shown, write_styled
from upcard.terminal_text import encodable, visible

NARROWEST, WIDEST = 30, 100
"""Columns. Longer lines are hard to read, even on a wide terminal."""

_ITEM = re.compile(r"(\s+(?:\S{1,4}\s{2,})?|\s*[-*•]\s+)\S")
"""A line of a list or a small table: indented, perhaps with a short first column, or marked with a dash."""


def width() -> int:
    """The terminal's width, or COLUMNS, or 80 in a pipe."""
    return max(NARROWEST, min(WIDEST, shutil.get_terminal_size((80, 24)).columns))


def heading(text: str) -> None:
    if use_colour():
        write_styled(typer.style(visible(text), bold=True) + "\n")
    else:
        say(text)


def print_json(value: object, indent: int | None = None, separators: tuple[str, str] | None = None) -> None:
    """Prints JSON, in ASCII if a character in it cannot be shown. The data are the same."""
    text = json.dumps(value, indent=indent, separators=separators, ensure_ascii=False)
    if encodable(visible(text, lines=True), sys.stdout.encoding) != text:
        text = json.dumps(value, indent=indent, separators=separators)
    say_lines(text)


def prose(text: str, indent: int = 2) -> None:
    """Print paragraphs with an empty line between them; lists and small tables keep their lines."""
    for number, block in enumerate(re.split(r"\n\s*\n", text.strip("\n"))):
        if number:
            say()
        for line, hang in _lines(block):
            _say_filled(line, " " * indent, " " * (indent + hang))


def entry(label: str, text: str, column: int, indent: int = 2) -> None:
    """Print a label, and its text wrapped in a column of its own."""
    start = " " * indent + shown(label).ljust(column)
    _say_filled(text, start, " " * len(start))


def shorten(text: str, room: int) -> str:
    """The text if it fits; else up to a colon or semicolon, else as many words as fit."""
    if len(text) <= room:
        return text
    for mark in (": ", "; "):
        end = text.rfind(mark, room // 2, room)
        if end >= 0:
            return text[:end]
    return textwrap.shorten(text, room, placeholder=shown(" …")) if room > 2 else text[:room]


def _lines(block: str) -> Iterator[tuple[str, int]]:
    """Logical lines of a paragraph, each with the indent of its continuation lines."""
    pending: list[str] = []
    for line in block.splitlines():
        item = _ITEM.match(line)
        if item is None:
            pending.append(line.strip())
            continue
        if pending:
            yield " ".join(pending), 0
            pending = []
        yield line.rstrip(), item.end() - 1
    if pending:
        yield " ".join(pending), 0


def _say_filled(text: str, first: str, rest: str) -> None:
    lines = textwrap.wrap(
        shown(text),
        width(),
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
    for line in lines or [""]:
        say(line)
