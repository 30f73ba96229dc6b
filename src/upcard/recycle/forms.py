"""Forms: nested lists with spans, as the reader produces them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from upcard.recycle.source import Span

AtomKind: TypeAlias = Literal["word", "name", "number", "variable", "operator", "mark", "bad"]


@dataclass(frozen=True, slots=True)
class Atom:
    """One token. A `mark` is `,`, `:` or `..`; a variable's text leaves its apostrophe out.

    A `bad` atom stands where something was already reported, so that nothing is said of it twice.
    """

    kind: AtomKind
    text: str
    span: Span

    def is_word(self, *texts: str) -> bool:
        return self.kind == "word" and self.text in texts

    def is_mark(self, text: str) -> bool:
        return self.kind == "mark" and self.text == text


@dataclass(frozen=True, slots=True)
class Form:
    """A parenthesised list; marks are kept among the items."""

    items: tuple[Node, ...]
    span: Span

    @property
    def head(self) -> str:
        """The word or operator that opens the form, or nothing."""
        if self.items:
            first = self.items[0]
            if isinstance(first, Atom) and first.kind in ("word", "operator"):
                return first.text
        return ""


Node: TypeAlias = Atom | Form


@dataclass(frozen=True, slots=True)
class Comment:
    """Kept for the formatter; the text includes its semicolons."""

    text: str
    span: Span
    own_line: bool


def walk(node: Node) -> Iterator[Node]:
    """The node and everything below it, in reading order, without recursion."""
    stack: list[Node] = [node]
    while stack:
        here = stack.pop()
        yield here
        if isinstance(here, Form):
            stack.extend(reversed(here.items))
