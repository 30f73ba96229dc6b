"""Formatter: lays a program out and keeps its forms and comments.

The layout depends on the tokens, the comments and the blank lines alone, never on how the lines were
broken before; that is what makes formatting twice the same as formatting once. Widths are measured
once, from the innermost form outwards, so that each choice of layout is a comparison of two numbers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from upcard.recycle.diagnostics import RecycleError
from upcard.recycle.forms import Atom, Form, Node
from upcard.recycle.reader import Reading, read
from upcard.recycle.reserved_words import heads_laid_out
from upcard.recycle.source import Source

WIDTH = 100

SHORT = 30
"""A form of this width stays on one line even past the margin: a staircase of atoms is worse."""

SHORT_AWARD = 24
"""Awards and teams of this width stand several to a line."""

NEVER = 1 << 40
"""The one-line width of a form that cannot be, or should not be, on one line."""

ALIGNED = heads_laid_out("aligned")
"""Heads whose operands stand one below the other."""
STORES = heads_laid_out("store")
BINDERS = heads_laid_out("binder")
LISTS = heads_laid_out("items")


def format_source(source: Source) -> str:
    """The program in its standard layout; a program that cannot be read is a `RecycleError`."""
    reading = read(source)
    if reading.form is None or not reading.sound:
        raise RecycleError(source, reading.diagnostics)
    return _Writer().program(reading, reading.form)


# --- forms with their comments and widths ------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Note:
    """A comment on a line of its own."""

    text: str
    blank: bool


@dataclass(slots=True)
class _Piece:
    """A node, the comments around it, and the room it takes."""

    node: Node
    text: str = ""
    parts: list[_Piece] = field(default_factory=list)
    blank: bool = False
    before: list[_Note] = field(default_factory=list)
    trailing: str = ""
    opening: str = ""
    """A comment right behind the opening parenthesis."""
    closing: list[_Note] = field(default_factory=list)
    """Comments between the last part and the closing parenthesis."""
    flat: int = 0
    """The width on one line."""
    need: int = 0
    """The width at which nothing inside has to give up its usual layout."""
    reach: int = 0
    """The same for the parts that a hanging layout would move to the left."""
    reach_last: int = 0

    @property
    def is_form(self) -> bool:
        return isinstance(self.node, Form)

    @property
    def is_number(self) -> bool:
        return isinstance(self.node, Atom) and self.node.kind == "number"

    @property
    def head(self) -> str:
        return self.node.head if isinstance(self.node, Form) else ""

    def is_mark(self, *texts: str) -> bool:
        return isinstance(self.node, Atom) and self.node.kind == "mark" and self.node.text in texts


class _Builder:
    """Pairs the forms of a reading with its comments; both come in reading order."""

    def __init__(self, reading: Reading) -> None:
        self.text = reading.source.text
        self.comments = reading.comments
        self.next = 0

    def gap(self, start: int, end: int) -> tuple[str, list[_Note], bool]:
        """Between two tokens: the comment that ends the first one's line, the others, and whether
        a blank line stands right before the second token."""
        trailing, notes, at = "", [], start
        while self.next < len(self.comments) and self.comments[self.next].span.start < end:
            comment = self.comments[self.next]
            self.next += 1
            if comment.own_line:
                notes.append(_Note(comment.text, self._blank(at, comment.span.start)))
            else:
                trailing = comment.text
            at = comment.span.end
        return trailing, notes, self._blank(at, end)

    def piece(self, node: Node) -> _Piece:
        if isinstance(node, Atom):
            # as written, so that a variable keeps its apostrophe and a number its zeros
            text = self.text[node.span.start : node.span.end]
            return _Piece(node, text, flat=len(text), need=len(text))
        whole = _Piece(node)
        at = node.span.start + 1
        for index, item in enumerate(node.items):
            trailing, notes, blank = self.gap(at, item.span.start)
            if index == 0 or (index == 1 and not whole.parts[0].is_form):
                # no blank line right after the opening
                if notes:
                    notes[0] = _Note(notes[0].text, False)
                else:
                    blank = False
            self._attach(whole, trailing)
            part = self.piece(item)
            part.before, part.blank = notes, blank
            whole.parts.append(part)
            at = item.span.end
        trailing, whole.closing, _ = self.gap(at, node.span.end - 1)
        self._attach(whole, trailing)
        _measure(whole)
        return whole

    def _attach(self, whole: _Piece, trailing: str) -> None:
        if whole.parts:
            whole.parts[-1].trailing = trailing
        else:
            whole.opening = trailing

    def _blank(self, start: int, end: int) -> bool:
        return self.text.count("\n", start, end) > 1


def _measure(piece: _Piece) -> None:
    """Set the widths of a form whose parts have theirs."""
    parts = piece.parts
    commented = piece.opening or piece.closing or any(part.before or part.trailing for part in parts)
    flat = 2 + sum(part.flat + len(_gap(parts, i)) for i, part in enumerate(parts))
    piece.flat = NEVER if commented or flat >= NEVER or _unfolds(piece) else flat
    if piece.flat <= SHORT or not parts:
        piece.need = flat
        return
    if _holds_list(piece):
        piece.need = max(parts[1].need, 1 + len(parts[0].text) + 2)
        return
    lead, under = _shape(piece)
    anchor = column = 1
    for i, part in enumerate(parts):
        start = anchor
        if 0 < i < lead or _stuck(parts, i):
            start = column + len(_gap(parts, i))
        if i == under:
            anchor = start
        column = start + min(part.flat, part.need)
        piece.need = max(piece.need, start + part.need + (i == len(parts) - 1))
        if start > 1 and i < len(parts) - 1:
            piece.reach = max(piece.reach, start + part.need)
        elif start > 1:
            piece.reach_last = start + part.need + 1


# --- the rules of the layout -------------------------------------------------------------------


def _unfolds(piece: _Piece) -> bool:
    """Whether a form is laid out over several lines even when one would hold it: nobody writes a
    whole stage, or several actions in a row, on one line."""
    if _holds_list(piece):
        return len(piece.parts[1].parts) > 1
    least = {"game": 3, "setup": 3, "stage": 4}.get(piece.head)
    return least is not None and len(piece.parts) >= least and not _is_owner(piece)


def _is_owner(piece: _Piece) -> bool:
    """`(game sto SCORE)` and the like, where `game` is the table."""
    return piece.head == "game" and len(piece.parts) > 1 and not piece.parts[1].is_form


def _holds_list(piece: _Piece) -> bool:
    """`(do (...))` and `(choice (...))`."""
    return piece.head in LISTS and len(piece.parts) == 2 and piece.parts[1].is_form


def _shape(piece: _Piece) -> tuple[int, int]:
    """How many parts start on the opening line, and the part that those below are aligned with.

    Part 0 starts right behind the parenthesis, so that to align with it is to indent by one.
    """
    parts, head = piece.parts, piece.head
    if head in BINDERS:
        return 3, 0
    if head in STORES or head == "stage":
        return 2, 0
    if head == "setup" or (head == "game" and not _is_owner(piece)):
        return 1, 0
    if _holds_list(piece):
        return 2, 0
    if head in ALIGNED:
        return 2, 1
    if head == "create" and parts[-1].head == "deck":
        return len(parts) - 1, 0
    first = next((i for i, part in enumerate(parts) if part.is_form), 0)
    if any(part.is_mark(",") for part in parts):
        return 1, 0
    return first + 1, first


def _hanging(piece: _Piece) -> tuple[int, int]:
    """The layout that saves most room: the atoms in front, the rest indented by one."""
    return max(1, next((i for i, part in enumerate(piece.parts) if part.is_form), 1)), 0


def _fills(piece: _Piece) -> bool:
    """Whether short parts stand several to a line: the awards of a point map, the teams."""
    parts = piece.parts
    if piece.head == "create":
        return len(parts) > 1 and parts[1].text == "teams"
    pairs = parts[0].parts[:1] if parts else []
    return any(len(pair.parts) > 1 and pair.parts[1].is_mark(":") for pair in pairs)


def _gap(parts: list[_Piece], i: int) -> str:
    """The white space before a part that stays on the line."""
    if i == 0 or parts[i].is_mark(","):
        return ""
    dots = i if parts[i].is_mark("..") else i - 1
    if parts[dots].is_mark("..") and 0 < dots < len(parts) - 1:
        return "" if parts[dots - 1].is_number and parts[dots + 1].is_number else " "
    return " "


def _stuck(parts: list[_Piece], i: int) -> bool:
    """Whether a part never starts a line of its own accord: marks, and what `:`, `..` and `using` take."""
    if i == 0:
        return False
    return parts[i].is_mark(",", ":", "..") or parts[i - 1].is_mark(":", "..") or parts[i - 1].text == "using"


def _behind(piece: _Piece, i: int, tail: int) -> int:
    """The width of what has to follow part i on its line, closing parentheses included."""
    parts, width = piece.parts, 0
    while not parts[i].trailing:
        i += 1
        if i == len(parts):
            return width if piece.closing else width + tail + 1
        if parts[i].before or not _stuck(parts, i) or width > WIDTH:
            break
        width += len(_gap(parts, i)) + parts[i].flat
    return width


def _flat_text(piece: _Piece) -> str:
    """A form on one line."""
    out: list[str] = []
    stack: list[_Piece | str] = [piece]
    while stack:
        here = stack.pop()
        if isinstance(here, str):
            out.append(here)
        elif not here.is_form:
            out.append(here.text)
        else:
            out.append("(")
            stack.append(")")
            for i in range(len(here.parts) - 1, -1, -1):
                stack.append(here.parts[i])
                stack.append(_gap(here.parts, i))
    return "".join(out)


# --- writing -----------------------------------------------------------------------------------


class _Writer:
    def __init__(self) -> None:
        self.out: list[str] = []
        self.column = 0
        self.ended = False
        """The line ends in a comment: nothing more can go on it."""

    def program(self, reading: Reading, form: Form) -> str:
        text, after = reading.source.text, reading.after
        builder = _Builder(reading)
        _, notes, blank = builder.gap(0, form.span.start)
        self.notes(notes, 0)
        self.line(0, blank)
        self.form(builder.piece(form), 0)
        trailing, notes, blank = builder.gap(form.span.end, after.start if after else len(text))
        self.trail(trailing)
        self.notes(notes, 0)
        if after:
            self.line(0, blank)
            self.put(re.sub(r"\r+\n", "\n", text[after.start : after.end]))
        return "".join(self.out).lstrip("\n") + "\n"

    def put(self, text: str) -> None:
        self.out.append(text)
        self.column += len(text)

    def line(self, column: int, blank: bool = False) -> None:
        self.out.append("\n\n" if blank else "\n")
        self.out.append(" " * column)
        self.column = column
        self.ended = False

    def notes(self, notes: list[_Note], column: int) -> None:
        for note in notes:
            self.line(column, note.blank)
            self.put(note.text)
            self.ended = True

    def trail(self, comment: str) -> None:
        if comment:
            self.put(" " + comment)
            self.ended = True

    def form(self, piece: _Piece, tail: int, body: int | None = None) -> None:
        """Write a form; `tail` characters follow on its last line, and `body` is where the items of a
        do or choice go, each on its own line."""
        parts, start = piece.parts, self.column
        if (body is None or not parts) and self.fits(piece, start, tail):
            self.put(_flat_text(piece))
            return
        self.put("(")
        self.trail(piece.opening)
        anchor = start + 1 if body is None else body
        lead, under = self.shape(piece, start, tail) if body is None and parts else (0, -1)
        holds_list, fills = _holds_list(piece), _fills(piece)
        for i, part in enumerate(parts):
            if self.ended or part.before or not self.joins(piece, i, lead, fills, tail):
                self.notes(part.before, anchor)
                self.line(anchor, part.blank)
            else:
                self.put(_gap(parts, i))
            if i == under:
                anchor = self.column
            if not part.is_form:
                self.put(part.text)
            elif holds_list:
                # a comment before the list has put it where its items would go
                self.form(part, tail + 1, anchor if self.column > anchor else anchor + 1)
            else:
                self.form(part, self.tail(piece, i, tail))
            self.trail(part.trailing)
        self.notes(piece.closing, anchor)
        if self.ended:
            self.line(anchor)
        self.put(")")

    def fits(self, piece: _Piece, column: int, tail: int) -> bool:
        return piece.flat <= SHORT or column + piece.flat + tail <= WIDTH

    def shape(self, piece: _Piece, start: int, tail: int) -> tuple[int, int]:
        """The usual layout of the form where there is room for it."""
        lead, under = _shape(piece)
        if start + max(piece.reach, piece.reach_last + tail) > WIDTH:
            return _hanging(piece)
        if piece.head in STORES and len(piece.parts) == 3:
            column = start + len(piece.parts[0].text) + 2
            under = int(self.fits(piece.parts[2], column, tail + 1))
        return lead, under

    def joins(self, piece: _Piece, i: int, lead: int, fills: bool, tail: int) -> bool:
        """Whether a part goes on with the line."""
        parts = piece.parts
        part = parts[i]
        if i == 0:
            return lead > 0
        if _stuck(parts, i) or (part.is_form and i < lead):
            return True
        if part.is_form and not (fills and max(part.flat, parts[i - 1].flat) <= SHORT_AWARD):
            return False
        return self.column + len(_gap(parts, i)) + part.flat + _behind(piece, i, tail) <= WIDTH

    def tail(self, piece: _Piece, i: int, tail: int) -> int:
        """What follows a form on its last line. An atom behind it wants to be there too, but for
        `using`, which is a good place for a line to begin."""
        parts, width, after = piece.parts, _behind(piece, i, tail), i + 1
        if after == len(parts) or parts[i].trailing or parts[after].before or parts[after].is_form:
            return width
        more = 1 + parts[after].flat + _behind(piece, after, tail)
        return more if more <= WIDTH // 2 and parts[after].text != "using" else width
