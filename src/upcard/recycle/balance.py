"""Where was the parenthesis lost? Guesses from what the writer's own layout says.

A text whose parentheses do not match has no structure to speak of, only a layout, and people lay
programs out by what they mean. Three clues, the surest first; each is a walk over the lines:

1. a word that can only open a form stands without its parenthesis, or a `do` or `choice` lacks the
   second parenthesis of its list;
2. two neighbouring lines that start in the same column should be siblings: equally deep;
3. a line that starts at or left of a form that opened an earlier line should be outside that form.

When the layout says nothing (a text without indentation), a form that cannot hold what it would hold
gives the place away.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from upcard.recycle.diagnostics import Diagnostic
from upcard.recycle.source import Source, Span
from upcard.recycle.words import ONLY_HEADS

_TOKEN = re.compile(r";;[^\n]*|\n|[()]|'?[A-Za-z0-9_]+|[^\s();'A-Za-z0-9_]+|[';]")
_ELEMENTS = frozenset({"stage", "choice", "scoring", "setup", "declare"})
_OPERANDS = {"set": 2, "inc": 2, "dec": 2, "move": 2, "shuffle": 1, "cycle": 2, "not": 1, "cardatt": 2}


@dataclass(slots=True)
class _Line:
    """A line with tokens on it."""

    number: int
    column: int
    depth: int
    start: int
    last: int = 0
    tokens: list[tuple[str, int]] = field(default_factory=list)


def holds_forms(source: Source, span: Span) -> bool:
    """Whether a stretch of text has anything but closing parentheses and comments."""
    return any(
        not m.group().startswith(";;") and m.group() not in ("\n", ")")
        for m in _TOKEN.finditer(source.text, span.start, span.end)
    )


def unclosed(source: Source, starts: list[int]) -> Diagnostic:
    """The text ended with forms open."""
    lines = _lines(source)
    place = _headless(lines) or _by_layout(lines) or _by_grammar(lines)
    opener = source.line(starts[-1])
    if place is None:
        at, line = starts[-1], opener
    else:
        at, line = place, source.line(place)
    count = len(starts)
    missing = "a closing parenthesis is missing" if count == 1 else f"{count} closing parentheses are missing"
    return Diagnostic(
        "E110",
        Span(at, at + 1),
        f"{missing}, probably on line {line}",
        f"the form opened on line {opener} is still open at the end of the file",
    )


def closed_early(source: Source, game: Span, after: Span) -> Diagnostic:
    """The game form ended, and more of a game follows."""
    lines = _lines(source)
    place = _headless(lines) or _by_layout(lines) or _by_grammar(lines)
    at = place if place is not None else game.end - 1
    return Diagnostic(
        "E111",
        Span(at, at + 1),
        f"there is a closing parenthesis too many, or an opening one too few, probably on line {source.line(at)}",
        f"the game ends on line {source.line(game.end - 1)}, and more of it follows on line "
        f"{source.line(after.start)}",
    )


def _lines(source: Source) -> list[_Line]:
    lines: list[_Line] = []
    depth, number, line_start, fresh = 0, 1, 0, True
    for match in _TOKEN.finditer(source.text):
        text = match.group()
        if text == "\n":
            number, line_start, fresh = number + 1, match.end(), True
            continue
        if text.startswith(";;"):
            continue
        if fresh:
            lines.append(_Line(number, match.start() - line_start, depth, match.start()))
            fresh = False
        line = lines[-1]
        line.tokens.append((text, match.start()))
        line.last = match.start()
        if text == "(":
            depth += 1
        elif text == ")":
            depth -= 1
    return lines


def _headless(lines: list[_Line]) -> int | None:
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


def _by_layout(lines: list[_Line]) -> int | None:
    """Clues 2 and 3. Silent for a text without indentation."""
    if len({line.column for line in lines}) < 3:
        return None
    siblings: list[_Line] = []  # the last line of each column, columns rising
    for index, line in enumerate(lines):
        while siblings and siblings[-1].column > line.column:
            siblings.pop()
        if line.tokens[0][0] == ")":
            continue  # a closing parenthesis on a line of its own is laid out in many ways
        if siblings and siblings[-1].column == line.column:
            if siblings[-1].depth != line.depth:
                return _suspect(lines, siblings[-1], index)
            siblings.pop()
        elif siblings and line.depth <= siblings[-1].depth:
            return lines[index - 1].last
        siblings.append(line)
    return None


def _suspect(lines: list[_Line], sibling: _Line, index: int) -> int:
    """The end of the block before the line: closing parentheses gather there."""
    return lines[index - 1].last if lines[index - 1].number >= sibling.number else sibling.last


def _by_grammar(lines: list[_Line]) -> int | None:
    """Without a layout: the first form that would hold more than such a form can."""
    stack: list[list[str | int]] = []  # head, number of operands so far
    ends = 0
    for line in lines:
        for text, at in line.tokens:
            if text == "(":
                if stack:
                    stack[-1][1] = int(stack[-1][1]) + 1
                stack.append(["", -1])
            elif text == ")":
                if stack:
                    stack.pop()
                ends = at
                continue
            elif stack:
                top = stack[-1]
                if top[1] == -1:
                    top[0] = text
                top[1] = int(top[1]) + 1
                if text in _ELEMENTS and top[1] == 0 and len(stack) > 1 and not _may_hold(text, stack):
                    return ends
            if stack and text == "(" and len(stack) > 1:
                head, count = stack[-2]
                if isinstance(head, str) and head in _OPERANDS and int(count) > _OPERANDS[head]:
                    return ends
    return None


def _may_hold(word: str, stack: list[list[str | int]]) -> bool:
    outer = stack[-2][0]
    if word == "choice":
        return outer in ("game", "stage", "let")
    return outer in ("game", "stage") if word == "stage" else outer == "game"
