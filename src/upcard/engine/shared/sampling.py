"""Imagining the cards that a seat does not see (recycle.md 27.5, and 20.2 without memory).

A sample keeps every card the seat sees or whose position it knows, all counts and all backs, and lays
the rest by chance into the hidden positions, inside what the seat's memory allows where that works out.
"""

from __future__ import annotations

from upcard.engine.chance import Stream
from upcard.engine.contract import TABLE, Place
from upcard.engine.shared.knowledge import Knowledge
from upcard.engine.shared.table import Table

ATTEMPTS = 100
_CLASSES = ("vloc", "iloc", "hloc", "oloc")


def resample(table: Table, knowledge: Knowledge | None, seat: int, stream: Stream) -> None:
    """Re-deal in place what the seat does not know. Without knowledge: the memoryless rule."""
    hidden = sorted((place for place in table.places if _hidden(table, place, seat)), key=_place_order)
    all_hidden = set(hidden)
    free = {
        card: (knowledge.where[seat][card] & all_hidden if knowledge else all_hidden)
        for place in hidden
        for card in table.at(place)
        if not (knowledge and knowledge.placed[seat][card])
    }
    for back in table.made:
        _deal_back(table, back, hidden, free, stream)
    for place in hidden:
        if table.is_ordered(place):
            for back in table.made:
                _stir(table, place, back, free, stream)
        else:
            table.cards_at(place).sort()


def _hidden(table: Table, place: Place, seat: int) -> bool:
    return place.cls != "mem" and bool(table.at(place)) and not place.seen_by(seat)


def _place_order(place: Place) -> tuple[int, int, str, int]:
    """Table, then seats; then class, name and number."""
    owner = -1 if place.owner == TABLE else place.owner
    return owner, _CLASSES.index(place.cls), place.name, place.number


def _deal_back(
    table: Table, back: str, hidden: list[Place], free: dict[int, set[Place]], stream: Stream
) -> None:
    """Steps (i) and (ii) for the cards of one back."""
    cards = sorted(card for card in free if table.cards[card].back == back)
    # the positions these cards lie in now, place by place from the bottom: the holes to be filled
    holes: list[tuple[Place, int]] = [
        (place, index)
        for place in hidden
        for index, card in enumerate(table.at(place))
        if card in free and table.cards[card].back == back
    ]
    laid: dict[tuple[Place, int], int] = {}
    loose: list[int] = []
    for card in cards:
        if len(free[card]) == 1:
            (only,) = free[card]
            hole = next((h for h in holes if h[0] == only and h not in laid), None)
            if hole is not None:
                laid[hole] = card
                continue
        loose.append(card)
    rest = [hole for hole in holes if hole not in laid]
    for _ in range(ATTEMPTS):
        order = list(loose)
        stream.shuffle(order)
        if all(place in free[card] for card, (place, _) in zip(order, rest, strict=True)):
            break
    laid.update(zip(rest, order, strict=True))
    for (place, index), card in laid.items():
        table.cards_at(place)[index] = card
        table.where[card] = place


def _stir(table: Table, place: Place, back: str, free: dict[int, set[Place]], stream: Stream) -> None:
    """Step (iii): inside an ordered hidden location, cards whose position is unknown change places."""
    cards = table.cards_at(place)
    positions = [i for i, card in enumerate(cards) if card in free and table.cards[card].back == back]
    stirred = [cards[i] for i in positions]
    stream.shuffle(stirred)
    for i, card in zip(positions, stirred, strict=True):
        cards[i] = card
