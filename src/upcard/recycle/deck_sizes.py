"""How many cards decks make: of one deck, and of a whole game at most."""

from __future__ import annotations

from upcard.recycle import program as p
from upcard.recycle.constants import Known, constant


def deck_size(deck: p.CreateDeck) -> int:
    return _product(deck.attributes)


def _product(attributes: tuple[p.Attribute, ...]) -> int:
    size = 1
    for attribute in attributes:
        size *= sum(_product(child.below) for child in attribute.children)
    return size


def cards_at_most(program: p.Program) -> int | None:
    """A bound that no game of this program can pass; None where a stage, chance or play decides."""
    known: Known = {}
    total = 0
    for item in (*program.setup.decks, *program.body):
        made = _made(item, program.players, known)
        if made is None:
            return None
        total += made
    return total


def _made(item: p.Node, seats: int, known: Known) -> int | None:
    """How many cards running an item makes at most."""
    if isinstance(item, p.CreateDeck):
        return deck_size(item)
    if isinstance(item, p.Do):
        parts = [_made(inner, seats, known) for inner in item.items]
        return None if None in parts else sum(part or 0 for part in parts)
    if isinstance(item, p.When | p.Let):
        return _made(item.item, seats, known)
    if isinstance(item, p.Repeat):
        return _times(constant(item.count, known), _made(item.item, seats, known))
    if isinstance(item, p.ForAll):
        return _times(_elements(item.source, seats, known), _made(item.item, seats, known))
    if isinstance(item, p.Stage):
        inside = [_made(inner, seats, known) for inner in item.body]
        return 0 if all(made == 0 for made in inside) else None
    return 0  # no other form can make a deck


def _times(count: int | None, made: int | None) -> int | None:
    if made == 0 or (count is not None and count <= 0):
        return 0
    return None if count is None or made is None else count * made


def _elements(source: p.Expr, seats: int, known: Known) -> int | None:
    """How many elements a loop has at most."""
    if isinstance(source, p.Players | p.Members | p.Teams):
        return seats
    if isinstance(source, p.Names):
        return len(source.texts)
    if isinstance(source, p.Numbers):
        return len(source.values)
    if isinstance(source, p.Range):
        low, high = constant(source.low, known), constant(source.high, known)
        return None if low is None or high is None else max(0, high - low + 1)
    if isinstance(source, p.Filter):
        return _elements(source.source, seats, known)
    if isinstance(source, p.Var) and source.binding.how != "each":
        return _elements(source.binding.source, seats, known)
    return None
