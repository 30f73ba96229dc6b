"""The words of RECYCLE, derived from the declarations of its forms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from upcard.recycle import program as p

FORMS: tuple[p.Syntax, ...] = (
    tuple(syntax for node in p.NODES for syntax in p.syntaxes_of(node)) + p.WITHOUT_NODES
)


def heads_of(*nodes: type[p.Node]) -> frozenset[str]:
    """Words and operators that open forms of these classes."""
    return frozenset(word for node in nodes for syntax in p.syntaxes_of(node) for word in syntax.words)


def _words(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(word for text in texts for word in text.split())


def _forms_by_head() -> Iterator[tuple[str, p.Syntax]]:
    for syntax in FORMS:
        for head in syntax.words:
            yield head, syntax


CLASSES = _words([p.Location.syntax.inside])
"""Visibility classes of card locations (docs/language/cards-and-places.md says who sees what)."""
STORAGES = frozenset(store.word for store in (p.IntStore, p.StrStore, p.MapStore))

ARITHMETIC = heads_of(p.Arithmetic)
COMPARISONS = heads_of(p.Compare)
EQUALITIES = heads_of(p.Same)
OPERATORS = ARITHMETIC | COMPARISONS | EQUALITIES

_INSIDE = _words(syntax.inside for syntax in FORMS)
_ALONE = _words(syntax.alone for syntax in FORMS)

HEADS = _words(syntax.heads for syntax in FORMS) - OPERATORS - _ALONE
"""Words that open a form. `all`, `max`, `min`, `top`, `bottom`, `game` and `deck` also stand elsewhere."""

ONLY_HEADS = HEADS - _INSIDE

RESERVED = HEADS | _INSIDE | _ALONE

ACTIONS = heads_of(*(node for node in p.NODES if issubclass(node, p.Item))) | frozenset(p.FARO.words)
"""Words that open something to be done rather than a value; `all` and `any` open values as well."""

ROLES: dict[str, p.Role] = {word: syntax.inside_role for syntax in FORMS for word in syntax.inside.split()}
ROLES |= {word: syntax.role for word, syntax in _forms_by_head()}
"""What highlighters show a word as, where nothing around it says otherwise."""


def heads_laid_out(layout: p.Layout) -> frozenset[str]:
    """Heads of the forms that the formatter breaks in this way."""
    return frozenset(head for head, syntax in _forms_by_head() if syntax.layout == layout)


def lengths() -> dict[str, tuple[int, int]]:
    """By head: how few and how many items a form can have, its head included."""
    found: dict[str, tuple[int, int]] = {}
    for head, syntax in _forms_by_head():
        if syntax.bounds is not None and head in HEADS | OPERATORS:
            least, most = syntax.bounds
            known = found.get(head, (least + 1, most + 1))
            found[head] = min(known[0], least + 1), max(known[1], most + 1)
    return found
