"""Reader: text to forms in one pass without recursion, with diagnostics.

The work is linear in the text; `Reading.steps` counts it so that a test can say so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from upcard.recycle import balance
from upcard.recycle.diagnostics import Diagnostic, suggest
from upcard.recycle.forms import Atom, Comment, Form, Node
from upcard.recycle.indentation import holds_forms
from upcard.recycle.reserved_words import RESERVED
from upcard.recycle.source import NOWHERE, Source, Span

MAX_DEPTH = 200
"""Deeper nesting is refused: no game needs it, and every later pass walks forms by recursion."""

MAX_FAULTS = 100
"""After this many findings the rest of a hopeless text is not looked at."""

TOKEN = re.compile(
    r"""(?P<space>[ \t\r\n\f\v]+)
    |(?P<comment>;;[^\n]*)
    |(?P<open>\()|(?P<close>\))
    |(?P<mark>\.\.|,|:)
    |(?P<operator>==|!=|<=|>=|//|[-+*%^<>])
    |(?P<variable>'[A-Za-z0-9_]*)
    |(?P<text>[A-Za-z0-9_]+)
    |(?P<stray>[^ \t\r\n\f\v();,:'A-Za-z0-9_+*%^<>-]+|.)""",
    re.VERBOSE | re.DOTALL,
)

_NAME = re.compile(r"[A-Z]+\Z")
_WORD = re.compile(r"[a-z]+\Z")
_NUMBER = re.compile(r"[0-9]+\Z")
_GLUED = re.compile(r"[^ \t\r\n\f\v();,:]*")
_QUOTES = {'"': '"', "`": "`", "\u2018": "\u2019", "\u2019": "\u2019", "\u201c": "\u201d", "\u201d": "\u201d"}
_EXAMPLE = "(game (setup ...) (stage ...) (scoring max ((current player) sto SCORE)))"


@dataclass(frozen=True)
class Reading:
    """What was read: the first form of the text, its comments, and what was found on the way."""

    source: Source
    form: Form | None
    comments: tuple[Comment, ...]
    diagnostics: tuple[Diagnostic, ...]
    unbalanced: bool
    """Parentheses do not match; the form is a guess and later findings in it would be echoes."""
    after: Span | None
    """Text behind the form's end that is not white space or comment."""
    steps: int

    @property
    def sound(self) -> bool:
        return not any(d.severity == "error" for d in self.diagnostics)


def decode(data: bytes) -> tuple[str, Diagnostic | None]:
    """UTF-8 to text, a byte-order mark dropped. Wrong bytes become one diagnostic."""
    try:
        text, finding = data.decode("utf-8"), None
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8", errors="replace")
        text = data.decode("utf-8", errors="replace")
        at = len(before) - (1 if before.startswith("\ufeff") else 0)
        finding = Diagnostic(
            "E101",
            Span(at, at + 1),
            f"the byte 0x{data[error.start]:02x} here is not UTF-8 text",
            "save the file as UTF-8; outside comments a program is plain ASCII",
        )
    return text.removeprefix("\ufeff"), finding


def read(source: Source) -> Reading:
    """Read the first form of the text."""
    return _Reader(source).run()


class _Reader:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.findings: list[Diagnostic] = []
        self.comments: list[Comment] = []
        self.steps = 0
        # each open list: where it started, and its items so far
        self.open: list[tuple[int, list[Node]]] = []
        self.form: Form | None = None
        self.too_deep = False
        self.gave_up = False
        self.swallowed = False  # a comment that is none held parentheses, which may have been meant
        self.extra: list[Atom] = []

    def run(self) -> Reading:
        text = self.source.text
        position, after, unbalanced = 0, None, False
        line_start = True
        while position < len(text):
            match = TOKEN.match(text, position)
            assert match is not None, "the last branch of the pattern takes any character"
            self.steps += 1
            position = match.end()
            group, span = match.lastgroup, Span(match.start(), match.end())
            if group == "space":
                line_start = line_start or "\n" in match.group()
                continue
            if group == "comment":
                self.comments.append(Comment(match.group().rstrip(), span, line_start))
                continue
            line_start = False
            if self.form is not None:
                after = Span(span.start, len(text.rstrip()))
                break
            if len(self.findings) >= MAX_FAULTS:
                self.gave_up = True
                break
            if group == "open":
                self._open(span)
            elif group == "close":
                self._close(span)
            elif group == "stray" and text[span.start] == ";":
                self.report("E103", span, "a comment must start with two semicolons", "write ;; the deal")
                position = _line_end(text, span.start)
                self.swallowed |= "(" in text[span.start : position] or ")" in text[span.start : position]
            elif not self.open:
                # whatever stands before the game is reported once, as that
                self.extra.append(Atom("bad", match.group(), span))
            elif group == "stray":
                position = self._stray(span)
            else:
                self._atom(group or "stray", match.group(), span)
        if self.form is None:
            unbalanced = self._unfinished()
        elif after is not None:
            unbalanced = self._left_over(after)
        if self.extra and not unbalanced:
            self._before_the_game(self.extra[0].span)
        return Reading(
            self.source,
            self.form,
            tuple(self.comments),
            tuple(self.findings),
            unbalanced,
            after,
            self.steps,
        )

    def report(self, code: str, span: Span, message: str, hint: str = "") -> None:
        self.findings.append(Diagnostic(code, span, message, hint))

    def _before_the_game(self, span: Span) -> None:
        if self.form is not None and self.form.head == "game":
            self.report(
                "E113", span, "this text comes before the game", "remove it, or write it as a comment: ;; ..."
            )
        else:
            self.report("E113", span, "a program must start with (game", f"write {_EXAMPLE}")
            self.form = None  # said already: what was read instead is no game

    # --- structure -----------------------------------------------------------------------------

    def _open(self, span: Span) -> None:
        if len(self.open) == MAX_DEPTH and not self.too_deep:
            self.too_deep = True
            self.report(
                "E112",
                span,
                f"forms are nested more than {MAX_DEPTH} deep here",
                "a parenthesis above is probably not closed",
            )
        self.open.append((span.start, []))

    def _close(self, span: Span) -> None:
        if not self.open:
            self.extra.append(Atom("bad", ")", span))
            return
        start, items = self.open.pop()
        self._add(self._made(start, items, span.end))

    def _made(self, start: int, items: list[Node], end: int) -> Node:
        """A form that ends, or something reported: below the limit nothing is kept, so that no form is
        ever deeper than it."""
        span = Span(start, end)
        return Atom("bad", "", span) if len(self.open) >= MAX_DEPTH else Form(tuple(items), span)

    def _add(self, node: Node) -> None:
        if self.open:
            self.open[-1][1].append(node)
        elif isinstance(node, Form):
            self.form = node
        else:
            self.extra.append(node)

    def _unfinished(self) -> bool:
        """The text ended inside a form, or held none."""
        if not self.open:
            if not self.extra and not self.findings:
                self.report("E113", NOWHERE, "there is no program in this file", f"write {_EXAMPLE}")
            return False
        count = len(self.open)
        span_end = len(self.source.text)
        while self.open:
            start, items = self.open.pop()
            self._add(self._made(start, items, span_end))
        if not (self.too_deep or self.gave_up or self.swallowed) and self.form is not None:
            self._guessed(balance.unclosed(self.source, self.form, count))
        return True

    def _guessed(self, guess: balance.Guess) -> None:
        self.findings.insert(0, guess.diagnostic)
        self.steps += guess.steps

    def _left_over(self, after: Span) -> bool:
        """Text after the form is ignored, unless it shows that the form was closed too early."""
        assert self.form is not None
        last = self.form.items[-1] if self.form.items else None
        complete = isinstance(last, Form) and last.head == "scoring"
        more = holds_forms(self.source, after)
        if self.form.head != "game":
            return False  # the checker says that this is no game
        if (not complete or not more) and not self.swallowed:
            trail, extra = self._trail(after)
            guess = balance.closed_early(self.source, self.form, trail, extra)
            if guess is not None:
                self._guessed(guess)
                return True
        self.report(
            "W501",
            Span(after.start, min(after.end, after.start + 1)),
            "this text after the end of the game is ignored",
            "remove it, or the closing parenthesis before it",
        )
        return False

    def _trail(self, after: Span) -> tuple[tuple[Node, ...], int]:
        """What the text behind the form holds, and how many closing parentheses it has too many."""
        quiet = _Reader(self.source)
        quiet.open.append((after.start, []))
        extra = 0
        for match in TOKEN.finditer(self.source.text, after.start):
            self.steps += 1
            group, span = match.lastgroup, Span(match.start(), match.end())
            if group in ("space", "comment") or len(quiet.open) > MAX_DEPTH:
                continue
            if group == "open":
                quiet._open(span)
            elif group == "stray":
                quiet._add(Atom("bad", match.group(), span))
            elif group != "close":
                quiet._atom(group or "stray", match.group(), span)
            elif len(quiet.open) > 1:
                quiet._close(span)
            else:
                extra += 1
        return tuple(quiet.open[0][1]), extra if len(quiet.open) == 1 else 0

    # --- atoms ---------------------------------------------------------------------------------

    def _atom(self, group: str, text: str, span: Span) -> None:
        if group == "mark":
            self._add(Atom("mark", text, span))
        elif group == "operator":
            self._add(Atom("operator", text, span))
        elif group == "variable":
            self._add(self._variable(text, span))
        else:
            self._add(self._text(text, span))

    def _variable(self, text: str, span: Span) -> Atom:
        name = text[1:]
        if _NAME.match(name):
            return Atom("variable", name, span)
        if not name:
            self.report(
                "E104",
                span,
                "this apostrophe has no name after it",
                "a variable is an apostrophe and a name, such as 'C",
            )
        else:
            self.report(
                "E104",
                span,
                f"{_short(text)} is not a variable: only letters A to Z can follow the apostrophe",
                "write 'CARD, for example",
            )
        return Atom("bad", name, span)

    def _text(self, text: str, span: Span) -> Atom:
        if _NAME.match(text):
            return Atom("name", text, span)
        if _NUMBER.match(text):
            # the length is looked at first: turning a long text into a number is not linear work
            digits = text.lstrip("0")
            if len(digits) > 19 or int(digits or "0") >= 2**63:
                self.report(
                    "E106",
                    span,
                    "this number is too large",
                    f"the largest number is {2**63 - 1}",
                )
                return Atom("bad", text, span)
            return Atom("number", digits or "0", span)
        if _WORD.match(text):
            if text in RESERVED:
                return Atom("word", text, span)
            meant = suggest(text, sorted(RESERVED))
            hint = f"did you mean {meant}?" if meant else "write names in capitals, such as HAND"
            self.report("E107", span, f"{_short(text)} is not a word of the language", hint)
            # a guess that may be wrong would be checked as if it were the writer's own word
            return Atom("word", meant, span) if meant and _sure(text) else Atom("bad", text, span)
        return self._mixed(text, span)

    def _mixed(self, text: str, span: Span) -> Atom:
        """Capitals, small letters, digits or underscores in one: neither name nor word nor number."""
        small = text.lower()
        if small in RESERVED:
            self.report(
                "E105",
                span,
                f"{text} must be in lower case, as all words of the language are",
                f"write {small}",
            )
            return Atom("word", small, span)
        if text.isalpha():
            hint = f"write {_short(text.upper())}: a name is in capitals"
        else:
            hint = (
                "write a name with letters A to Z only, such as HAND, and a number after a space, "
                "such as PILE 2"
            )
        self.report("E105", span, f"{_short(text)} is neither a name nor a word nor a number", hint)
        return Atom("bad", text, span)

    def _stray(self, span: Span) -> int:
        """A character that means nothing, with all that is glued to it; gives where reading goes on."""
        text = self.source.text
        char = text[span.start]
        start = span.start
        if char in _QUOTES:
            end = _closing_quote(text, start)
            self.report(
                "E102", Span(start, end), "the language has no quotation marks", "write it as a name: HEARTS"
            )
            inside = text[start + 1 : end - 1]
            self._add(Atom("name" if _NAME.match(inside) else "bad", inside, Span(start, end)))
            return end
        end = _GLUED.match(text, start + 1).end()  # type: ignore[union-attr]
        siblings = self.open[-1][1]
        if siblings and siblings[-1].span.end == start and isinstance(siblings[-1], Atom):
            siblings.pop()
        at = Span(start, start + 1)
        if char == "=":
            hint = "compare with (== 1 2), store with (set (game sto COUNT) 1)"
            self.report("E102", at, "a single = has no meaning", hint)
        elif char == "/":
            hint = "whole-number division is //, such as (// 7 2)"
            self.report("E102", at, "a single / has no meaning", hint)
        elif char == "\0":
            self.report("E102", at, "there is a NUL character here", "remove it: a program is plain text")
        else:
            shown = char if char.isprintable() else f"U+{ord(char):04X}"
            hint = "outside comments a program is plain ASCII"
            self.report("E102", at, f"{shown} has no meaning here", hint)
        self._add(Atom("bad", text[start:end], Span(start, end)))
        return end


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return end if end >= 0 else len(text)


def _closing_quote(text: str, start: int) -> int:
    """Where a quotation ends: behind the next mark of its kind on the line, else behind the opening one."""
    close = _QUOTES[text[start]]
    end = text.find(close, start + 1, min(_line_end(text, start), start + 80))
    return end + 1 if end > 0 else start + 1


def _sure(text: str) -> bool:
    """Whether a single word of the language is one slip away."""
    return sum(_one_slip(text, word) for word in RESERVED) == 1


def _one_slip(text: str, word: str) -> bool:
    """One letter dropped, added or changed, or two neighbours exchanged."""
    shorter = min(len(text), len(word))
    start = next((i for i in range(shorter) if text[i] != word[i]), shorter)
    a, b = text[start:], word[start:]
    return a[1:] == b[1:] or a[1:] == b or a == b[1:] or (a[:2] == b[1::-1] and a[2:] == b[2:])


def _short(text: str) -> str:
    return text if len(text) <= 24 else text[:21] + "..."
