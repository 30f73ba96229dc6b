"""W506: keys and values that no card has.

An award or a comparison that names one can never hold. Where a deck computes its keys or values, anything
may be on a card, and nothing is said. NONE is how programs write "nothing"; comparing with it is fine.
"""

from __future__ import annotations

from collections.abc import Iterator

from upcard.recycle import program as p
from upcard.recycle.diagnostics import Diagnostic, suggest
from upcard.recycle.lints.lint_subject import Subject


class DeckValues:
    """Which values the decks of a program give each key."""

    def __init__(self, subject: Subject) -> None:
        self._values: dict[str, set[str]] = {}
        self._open: set[str] = set()
        self.all_open = False
        for node in subject.nodes:
            if not isinstance(node, p.Attribute):
                continue
            key = subject.text(node.key)
            if key is None:
                self.all_open = True
                continue
            values = self._values.setdefault(key, set())
            for child in node.children:
                text = subject.text(child.value)
                if text is None:
                    self._open.add(key)
                else:
                    values.add(text)

    def __contains__(self, key: str) -> bool:
        return key in self._values

    @property
    def keys(self) -> list[str]:
        return sorted(self._values)

    def of(self, key: str | None) -> frozenset[str] | None:
        """All values of a key, or None when they are not known."""
        if key is None or self.all_open or key in self._open:
            return None
        return frozenset(self._values.get(key, ()))


def attributes(subject: Subject) -> Iterator[Diagnostic]:
    decks = DeckValues(subject)
    if decks.all_open:
        return
    for node in subject.nodes:
        if isinstance(node, p.SetPoints):
            for award in node.awards:
                for key, value in award.pairs:
                    yield from _key(subject, decks, key) or _value(subject, decks, key, value)
        elif isinstance(node, p.CardAtt | p.Partition):
            yield from _key(subject, decks, node.key)
        elif isinstance(node, p.Same):
            for side, other in ((node.left, node.right), (node.right, node.left)):
                if isinstance(side, p.CardAtt) and not (isinstance(other, p.Str) and other.text == "NONE"):
                    yield from _value(subject, decks, side.key, other)


def _key(subject: Subject, decks: DeckValues, expr: p.Expr) -> list[Diagnostic]:
    key = subject.text(expr)
    if key is None or key in decks:
        return []
    meant = suggest(key, decks.keys)
    hint = f"did you mean {meant}?" if meant else "the cards have " + ", ".join(decks.keys[:6])
    return [Diagnostic("W506", expr.span, f"no card has a {key[:24]}", hint)]


def _value(subject: Subject, decks: DeckValues, key: p.Expr, value: p.Expr) -> list[Diagnostic]:
    name = subject.text(key)
    known = decks.of(name)
    # a declared value is a house rule, which may well name a card that is not there
    if not known or not isinstance(value, p.Str) or value.text in known:
        return []
    meant = suggest(value.text, sorted(known))
    hint = f"did you mean {meant}?" if meant else f"a {name} here is " + ", ".join(sorted(known)[:8])
    return [Diagnostic("W506", value.span, f"no deck has a card whose {name} is {value.text[:24]}", hint)]
