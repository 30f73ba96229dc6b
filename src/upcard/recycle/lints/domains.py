"""Domains: possible values of strings and numbers.

A storage that is only ever set to written values can hold nothing else: a choice that has a case for each
of them misses none. The default (0, or nothing) counts until a block outside all conditions has written.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from upcard.recycle import program as p
from upcard.recycle.lints.attributes import DeckValues
from upcard.recycle.lints.formulas import Domain
from upcard.recycle.lints.lint_subject import Key, Subject, element_source
from upcard.recycle.walk import children

UNKNOWN = Domain()


@dataclass
class _Written:
    values: set[int | str] = field(default_factory=set)
    is_open: bool = False
    falls: bool = False
    """A number that may get less than 0."""
    first: int | None = None
    """Where a block outside all conditions writes it."""


class Domains:
    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._decks = DeckValues(subject)
        self._written: dict[Key, _Written] = {}
        for element in (subject.program.setup, *subject.program.body):
            self._visit(element, True)

    # --- gathering -----------------------------------------------------------------------------

    def _visit(self, node: p.Node, is_certain: bool) -> None:
        if isinstance(node, p.SetInt | p.AddInt | p.SetStr):
            key = self._subject.key(node.store)
            written = self._written.setdefault(key, _Written())
            self._note(node, written)
            if is_certain and written.first is None:
                written.first = node.span.start
        inside = is_certain and not isinstance(node, p.When | p.Choice)
        for child in children(node):
            if not isinstance(child, p.Expr):
                self._visit(child, inside)

    def _note(self, node: p.SetInt | p.AddInt | p.SetStr, written: _Written) -> None:
        if isinstance(node, p.SetStr):
            values = self._strings(node.value)
            if values is None:
                written.is_open = True
            else:
                written.values |= values
            return
        if isinstance(node, p.AddInt):
            amount = 1 if node.amount is None else self._subject.number(node.amount)
            written.is_open = True
            counts_cards = isinstance(node.amount, p.Size)
            written.falls |= node.sign < 0 or not (counts_cards or (amount is not None and amount >= 0))
            return
        number = self._subject.number(node.value)
        if number is None:
            written.is_open = True
            written.falls |= not isinstance(node.value, p.Size)
        else:
            written.values.add(number)
            written.falls |= number < 0

    def _strings(self, value: p.Expr) -> frozenset[str] | None:
        text = self._subject.text(value)
        if text is not None:
            return frozenset({text})
        if isinstance(value, p.CardAtt):
            return self._decks.of(self._subject.text(value.key))
        source = element_source(value)
        return frozenset(source.texts) if isinstance(source, p.Names) else None

    # --- answers -------------------------------------------------------------------------------

    def of(self, expr: p.Expr, place: int) -> Domain:
        """What a value can be where the text stands at `place`."""
        if isinstance(expr, p.CardAtt):
            values = self._decks.of(self._subject.text(expr.key))
            return Domain(values) if values else UNKNOWN
        if isinstance(expr, p.Size):
            return Domain(least=0)
        if not isinstance(expr, p.IntStore | p.StrStore):
            return UNKNOWN
        key = self._subject.key(expr)
        if key.name is None or key.nameless in self._written:
            return UNKNOWN
        default: int | str = 0 if isinstance(expr, p.IntStore) else ""
        written = self._written.get(key, _Written())
        if written.is_open:
            is_count = isinstance(expr, p.IntStore) and not written.falls
            return Domain(least=0) if is_count else UNKNOWN
        values_known = set(written.values)
        if written.first is None or written.first > place or not values_known:
            values_known.add(default)
        return Domain(frozenset(values_known))  # type: ignore[arg-type]
