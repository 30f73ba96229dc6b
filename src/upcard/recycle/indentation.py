"""Uses indentation as evidence for the intended parentheses."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from upcard.recycle.repairs import Repair
from upcard.recycle.reserved_words import ONLY_HEADS
from upcard.recycle.source import Source, Span

_TOKEN = re.compile(r";;[^\n]*|\n|[()]|'?[A-Za-z0-9_]+|[^\s();'A-Za-z0-9_]+|[';]")


def holds_forms(source: Source, span: Span) -> bool:
    """Whether a stretch of text has anything but closing parentheses and comments."""
    return any(
        not m.group().startswith(";;") and m.group() not in ("\n", ")")
        for m in _TOKEN.finditer(source.text, span.start, span.end)
    )


@dataclass(slots=True)
class Line:
    """A line with tokens on it."""

    number: int
    column: int
    depth: int
    start: int
    last: int = 0
    tokens: list[tuple[str, int]] = field(default_factory=list)


def oddities(lines: list[Line], repair: Repair) -> int:
    """How many lines would stand at an unexpected column."""
    odd = 0
    # of each open form: the column of the line it opened in, and that of its items that start a line
    open_forms: list[list[int]] = []
    pending = True
    for line in lines:
        for index, (text, at) in enumerate(line.tokens):
            if pending and at >= repair.at:
                pending = False
                if not repair.added:
                    continue
                if repair.parenthesis == "(":
                    open_forms.append([line.column, -1])
                elif open_forms:
                    open_forms.pop()
            if index == 0 and text != ")" and open_forms:
                form = open_forms[-1]
                odd += line.column <= form[0]
                odd += form[1] not in (-1, line.column)
                form[1] = line.column
            if text == "(":
                open_forms.append([line.column, -1])
            elif text == ")" and open_forms:
                open_forms.pop()
    return odd


def lines_of(source: Source) -> list[Line]:
    lines: list[Line] = []
    depth, number, line_start, fresh = 0, 1, 0, True
    for match in _TOKEN.finditer(source.text):
        text = match.group()
        if text == "\n":
            number, line_start, fresh = number + 1, match.end(), True
            continue
        if text.startswith(";;"):
            continue
        if fresh:
            lines.append(Line(number, match.start() - line_start, depth, match.start()))
            fresh = False
        line = lines[-1]
        line.tokens.append((text, match.start()))
        line.last = match.start()
        if text == "(":
            depth += 1
        elif text == ")":
            depth -= 1
    return lines


def by_clues(source: Source) -> int | None:
    lines = lines_of(source)
    headless = _headless(lines)
    return headless if headless is not None else _by_layout(lines)


def _headless(lines: list[Line]) -> int | None:
    """Clue 1: the word that lost its parenthesis, or the list that lost its own."""
    previous, before = "", ""
    for line in lines:
        for text, at in line.tokens:
            if text in ONLY_HEADS and previous != "(":
                return at
            # (do ( and (choice ( are followed by a list of items, never by a word
            if previous == "(" and before in ("do", "choice") and text not in ("(", "'"):
                return at
            before, previous = previous, text
    return None


def _by_layout(lines: list[Line]) -> int | None:
    """Clues 2 and 3. Silent for a text without indentation."""
    if len({line.column for line in lines}) < 2:
        return None
    siblings: list[Line] = []  # the last line of each column, columns rising
    for index, line in enumerate(lines):
        while siblings and siblings[-1].column > line.column:
            siblings.pop()
        if line.tokens[0][0] == ")":
            continue  # a closing parenthesis on a line of its own is laid out in many ways
        if siblings and siblings[-1].column == line.column:
            if siblings[-1].depth != line.depth:
                # closing parentheses gather at the end of the block before the line
                return lines[index - 1].last if index else line.start
            siblings.pop()
        elif siblings and line.depth <= siblings[-1].depth:
            return lines[index - 1].last
        siblings.append(line)
    return None
