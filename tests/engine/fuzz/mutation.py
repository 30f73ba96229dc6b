"""The text of a program with a few random edits: forms deleted, doubled, exchanged, wrapped; atoms changed.

Works on the reader's forms and replaces spans of the text, so it knows nothing of what a form means. The
checker refuses most mutants and must not crash either; the others are programs that nobody would write.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from upcard.recycle.forms import Atom, Form, Node, walk
from upcard.recycle.reader import read
from upcard.recycle.reserved_words import CLASSES, COMPARISONS, EQUALITIES, OPERATORS, RESERVED
from upcard.recycle.source import Source, Span

NUMBERS = ("0", "1", "2", "3", "7", "63", "256", "1000", "1000000", "9223372036854775807", "9" * 30)
WRAPPERS = (
    "(repeat 2 {0})",
    "(repeat all {0})",
    "(not {0})",
    "((== 1 1) {0})",
    "(do ({0}))",
    "(do ({0} {0}))",
    "(any player 'MUTANT {0})",
    "(all player 'MUTANT {0})",
    "(any ({0}, A) 'MUTANT {0})",
    "(let {0} 'MUTANT (turn pass))",
    "(top {0})",
    "(bottom {0})",
    "(size {0})",
    "(union {0} {0})",
    "(intersect {0} {0})",
    "(owner {0})",
    "(- 1 {0})",
    "(or {0} {0})",
    "(turn pass)",
    "(remember (top {0}) (top (game mem MUTANT)))",
)
ALIKE = (
    tuple(sorted(CLASSES)),
    tuple(sorted(COMPARISONS | EQUALITIES)),
    ("+", "-", "*", "//", "%", "^"),
    ("top", "bottom"),
    ("and", "or"),
    ("any", "all"),
    ("min", "max"),
    ("scoremin", "scoremax"),
    ("next", "current", "previous"),
    ("player", "team"),
    ("players", "teams"),
    ("inc", "dec", "set"),
    ("move", "remember", "swap"),
    ("union", "intersect", "disjunction"),
    ("tri", "fib"),
    ("tuples", "subsets", "partition", "runs", "run", "sort", "filter"),
    ("choice", "do"),
)
"""Words and operators that often stand in each other's place."""


@dataclass(frozen=True)
class Mutant:
    game: str
    text: str
    edits: tuple[str, ...]
    """The names of the edits, in order."""


class _Text:
    """A program's text with its forms and atoms."""

    def __init__(self, text: str) -> None:
        self.text = text
        form = read(Source("mutant.rcy", text)).form
        nodes: list[Node] = [] if form is None else list(walk(form))
        self.forms = [node for node in nodes[1:] if isinstance(node, Form)]
        self.atoms = [node for node in nodes if isinstance(node, Atom) and node.kind not in ("bad", "mark")]

    def of(self, span: Span) -> str:
        return self.text[span.start : span.end]

    def replaced(self, span: Span, new: str) -> str:
        return f"{self.text[: span.start]}{new}{self.text[span.end :]}"


Edit: TypeAlias = Callable[[_Text, random.Random], str]


def _delete(text: _Text, draw: random.Random) -> str:
    return text.replaced(draw.choice(text.forms).span, "")


def _double(text: _Text, draw: random.Random) -> str:
    span = draw.choice(text.forms).span
    return text.replaced(span, f"{text.of(span)} {text.of(span)}")


def _lift(text: _Text, draw: random.Random) -> str:
    """A form gives way to one of its parts."""
    form = draw.choice(text.forms)
    inner: Sequence[Node] = [item for item in form.items if isinstance(item, Form)] or form.items
    return text.replaced(form.span, text.of(draw.choice(inner).span) if inner else "")


def _wrap(text: _Text, draw: random.Random) -> str:
    span = draw.choice(text.forms).span
    return text.replaced(span, draw.choice(WRAPPERS).format(text.of(span)))


def _copy(text: _Text, draw: random.Random) -> str:
    """One form in the place of another."""
    return text.replaced(draw.choice(text.forms).span, text.of(draw.choice(text.forms).span))


def _copy_alike(text: _Text, draw: random.Random) -> str:
    """The same, where both begin alike."""
    form = draw.choice(text.forms)
    alike = [other for other in text.forms if other.head == form.head]
    return text.replaced(form.span, text.of(draw.choice(alike).span))


def _swap(text: _Text, draw: random.Random) -> str:
    one, other = sorted((draw.choice(text.forms).span, draw.choice(text.forms).span), key=lambda s: s.start)
    if other.start < one.end:
        return text.replaced(other, "")
    between = text.text[one.end : other.start]
    return text.replaced(Span(one.start, other.end), text.of(other) + between + text.of(one))


def _atom(kinds: Sequence[str], new: Callable[[_Text, random.Random, str], str]) -> Edit:
    def edit(text: _Text, draw: random.Random) -> str:
        found = [atom for atom in text.atoms if atom.kind in kinds]
        if not found:
            return _delete(text, draw)
        span = draw.choice(found).span
        return text.replaced(span, new(text, draw, text.of(span)))

    return edit


def _other_number(text: _Text, draw: random.Random, old: str) -> str:
    near = (str(int(old) + 1), str(max(int(old) - 1, 0)), str(int(old) * 2))
    return draw.choice(near if draw.random() < 0.6 else NUMBERS)


def _other_atom(kind: str) -> Callable[[_Text, random.Random, str], str]:
    def other(text: _Text, draw: random.Random, old: str) -> str:
        return draw.choice([text.of(atom.span) for atom in text.atoms if atom.kind == kind])

    return other


def _word_alike(text: _Text, draw: random.Random, old: str) -> str:
    alike = [group for group in ALIKE if old in group]
    return draw.choice(alike[0] if alike else tuple(sorted(RESERVED | OPERATORS)))


def _any_word(text: _Text, draw: random.Random, old: str) -> str:
    return draw.choice(sorted(RESERVED | OPERATORS))


def _cut(text: _Text, draw: random.Random) -> str:
    return text.text[: draw.randrange(len(text.text) + 1)]


def _character(text: _Text, draw: random.Random) -> str:
    at = draw.randrange(len(text.text) + 1)
    return (
        text.text[:at]
        + draw.choice(("", "(", ")", ",", "'", ":", "0", "é", "\0", ";;"))
        + text.text[at + 1 :]
    )


EDITS: dict[str, tuple[int, Edit]] = {
    "delete": (4, _delete),
    "double": (4, _double),
    "lift": (3, _lift),
    "wrap": (5, _wrap),
    "copy": (3, _copy),
    "copy alike": (6, _copy_alike),
    "swap": (3, _swap),
    "number": (5, _atom(("number",), _other_number)),
    "name": (4, _atom(("name",), _other_atom("name"))),
    "variable": (3, _atom(("variable",), _other_atom("variable"))),
    "word alike": (7, _atom(("word", "operator"), _word_alike)),
    "word": (1, _atom(("word", "operator"), _any_word)),
    "cut": (1, _cut),
    "character": (1, _character),
}
"""Each with its weight."""


def mutant(programs: dict[str, str], seed: int, number: int) -> Mutant:
    """A number names a mutant of one of the programs, which take turns."""
    names = sorted(programs)
    game = names[number % len(names)]
    draw = random.Random(f"{seed} {number}")
    text, edits = programs[game], []
    for _ in range(draw.choice((1, 1, 1, 2, 3))):
        made = _Text(text)
        if not made.forms:
            break
        (name,) = draw.choices(list(EDITS), [weight for weight, _ in EDITS.values()])
        text = EDITS[name][1](made, draw)
        edits.append(name)
    return Mutant(game, text, tuple(edits))
