"""Exclusion analysis: items of a choice of which at most one can have alternatives.

A player who can follow suit must, and one who cannot may play any card: the two never hold at once, so their
cards may share a set, and the item of an alternative need not be found by counting.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from upcard.engine.native.lower.analysis import alike
from upcard.recycle import program as p
from upcard.recycle.kinds import Kind


@dataclass(frozen=True)
class _Holds:
    """A collection has no cards, or some."""

    cards: p.Expr
    some: bool


def exclude(one: p.Item, other: p.Item) -> bool:
    """Whenever one has an alternative, the other has none. Both are of one choice, listed at one moment, and
    their conditions can neither fail nor draw."""
    theirs = list(_facts(other))
    return any(_contradict(mine, its) for mine in _facts(one) for its in theirs)


def _facts(item: p.Item) -> Iterator[p.Same | _Holds]:
    """What holds where an item has an alternative."""
    while isinstance(item, p.When):
        for test in _parts(item.test):
            if isinstance(test, p.Same):
                yield test
            held = _held(test)
            if held is not None:
                yield held
        item = item.item
    if isinstance(item, p.ForAny) and item.source.kind is Kind.CARDS:
        yield _Holds(item.source, True)


def _parts(test: p.Expr) -> Iterator[p.Expr]:
    if isinstance(test, p.Logic) and test.operator == "and":
        for operand in test.operands:
            yield from _parts(operand)
    else:
        yield test


def _held(test: p.Expr) -> _Holds | None:
    """Conditions on a size that say whether there are cards at all."""
    if not isinstance(test, p.Same | p.Compare):
        return None
    size, bound = test.left, test.right
    if not (isinstance(size, p.Size) and size.of.kind is Kind.CARDS and isinstance(bound, p.Int)):
        return None
    if isinstance(test, p.Same):
        if bound.value == 0:
            return _Holds(size.of, test.negated)
        return _Holds(size.of, True) if bound.value > 0 and not test.negated else None
    some = (test.operator == ">" and bound.value >= 0) or (test.operator == ">=" and bound.value > 0)
    return _Holds(size.of, True) if some else None


def _contradict(one: p.Same | _Holds, other: p.Same | _Holds) -> bool:
    if isinstance(one, p.Same) and isinstance(other, p.Same):
        return _differ(one, other)
    if isinstance(one, _Holds) and isinstance(other, _Holds) and one.some is not other.some:
        some, none = (one, other) if one.some else (other, one)
        return _within(some.cards, none.cards)
    return False


def _differ(one: p.Same, other: p.Same) -> bool:
    """The same and not the same; or the same as two written values."""
    if one.negated and other.negated:
        return False
    for value, mine in ((one.left, one.right), (one.right, one.left)):
        for same, its in ((other.left, other.right), (other.right, other.left)):
            if not alike(value, same, {}):
                continue
            if one.negated is not other.negated and alike(mine, its, {}):
                return True
            if not (one.negated or other.negated) and _written(mine) and _written(its):
                return not alike(mine, its, {})
    return False


def _written(value: p.Expr) -> bool:
    return isinstance(value, p.Str | p.Int)


def _within(cards: p.Expr, all_of: p.Expr) -> bool:
    """Cards that are all in another collection: itself, or what passes a filter of it."""
    if alike(cards, all_of, {}):
        return True
    return isinstance(cards, p.Filter) and _within(cards.source, all_of)
