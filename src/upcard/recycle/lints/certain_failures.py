"""W515: actions and players that fail whenever they are reached.

Only what the text shows for certain: a player's number written out that nobody has, a place or a card named
directly in a location of the wrong sort.
Cards that come through a variable or a computed collection are looked up where they lie. So moving those
is fine even if they were found in a memory, and forgetting them never is: they are no position in one.
"""

from __future__ import annotations

from collections.abc import Iterator

from upcard.recycle import program as p
from upcard.recycle.diagnostics import Diagnostic
from upcard.recycle.kinds import Kind
from upcard.recycle.lints.lint_subject import Subject, element_source, live, meaning

_FREE = "use a location such as (game vloc PILE)"


def failing(subject: Subject) -> Iterator[Diagnostic]:
    for node in subject.nodes:
        fault: tuple[p.Expr, str, str] | None = None
        if isinstance(node, p.Move):
            fault = _out_of_memory(node.card, "moved out of") or _place(node.place, is_memory=False)
        elif isinstance(node, p.Remember):
            fault = _place(node.place, is_memory=True)
        elif isinstance(node, p.Forget):
            fault = _not_remembered(subject, node.card)
        elif isinstance(node, p.Swap):
            fault = _swap(node)
        elif isinstance(node, p.SeatNumber):
            fault = _nobody(subject, node)
        if fault is not None:
            where, message, hint = fault
            yield Diagnostic("W515", subject.spot(where.span), message, hint)


def _nobody(subject: Subject, node: p.SeatNumber) -> tuple[p.Expr, str, str] | None:
    first, last = subject.program.base, subject.program.base + subject.program.players - 1
    if not isinstance(node.number, p.Int) or first <= node.number.value <= last:
        return None
    return node, f"there is no player {node.number.value}", f"players are numbered {first} to {last} here"


def _held(card: p.Expr) -> p.Expr | None:
    """The collection that a position stands in."""
    return card.cards if isinstance(card, p.Position) else None


def _is_computed(cards: p.Expr) -> bool:
    """Certainly no location, so a snapshot."""
    cards = meaning(cards)
    if isinstance(cards, p.Filter | p.Combination | p.Sort | p.EndCards | p.EndRun):
        return True
    source = element_source(cards)
    if isinstance(cards, p.ListElement):
        source = meaning(cards.lists)
    return isinstance(source, p.Groups)


def _out_of_memory(card: p.Expr, how: str) -> tuple[p.Expr, str, str] | None:
    held = card.cards if isinstance(card, p.BestCard) else _held(card)
    place = live(held) if held is not None else None
    if place is None or place.cls != "mem":
        return None
    return (
        card,
        f"a card cannot be {how} a memory, which only refers to cards",
        "name the card in the location that holds it, or bind it first: (let (top (game mem SEEN)) 'C ...)",
    )


def _place(place: p.Expr, is_memory: bool) -> tuple[p.Expr, str, str] | None:
    held = _held(place)
    hint = "write a place such as (top (game mem SEEN))" if is_memory else _FREE
    if held is None:
        # beside that card, and a card lies in no memory
        return (
            (place, "a card can be remembered only in a mem location, not beside a card", hint)
            if is_memory
            else None
        )
    there = live(held)
    if there is None:
        if not _is_computed(held):
            return None
        return place, "a card can be put only into a location, not into a computed collection", hint
    if is_memory and there.cls != "mem":
        return place, f"a card can be remembered only in a mem location, not in a {there.cls}", hint
    if not is_memory and there.cls == "mem":
        return place, "a card cannot be moved into a memory", f"write remember instead of move, or {_FREE}"
    return None


def _not_remembered(subject: Subject, card: p.Expr) -> tuple[p.Expr, str, str] | None:
    held = card.cards if isinstance(card, p.BestCard) else _held(card)
    if held is not None:
        there = live(held)
        if there is not None and there.cls == "mem":
            return None
        if there is None and not _is_computed(held):
            families = list(subject.families(card))
            if not families or any(key.space == "mem" for key in families):
                return None
    return (
        card,
        "only a card named by its place in a mem location can be forgotten",
        "write (forget (top (game mem SEEN)))",
    )


def _swap(node: p.Swap) -> tuple[p.Expr, str, str] | None:
    for side in (node.left, node.right):
        if side.kind is Kind.CARD:
            fault = _out_of_memory(side, "swapped with one in")
            if fault is not None:
                return fault
            continue
        there = live(side)
        if there is not None and there.cls == "mem":
            return side, "a memory cannot be swapped", _FREE
        if there is None and _is_computed(side):
            return side, "a computed collection cannot be swapped as a whole", _FREE
    return None
