"""Samples the cards that a seat does not see (docs/language/knowing.md), or without memory.

A sample keeps every card that the seat sees or whose position it knows, all counts and all backs. The other
cards are dealt at random to the hidden positions, within what the seat's knowledge allows where possible.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from upcard.engine.api import TABLE, Place
from upcard.engine.rng import Stream
from upcard.engine.shared.knowledge import Knowledge
from upcard.engine.shared.table import Table

ATTEMPTS = 100
_CLASSES = ("vloc", "iloc", "hloc", "oloc")

Hole: TypeAlias = tuple[Place, int]
"""A position: a place, and an index in it from the bottom."""


@dataclass(frozen=True)
class Hidden:
    """What a seat does not know: the hidden places in order, and for each free card where it can be."""

    places: list[Place]
    free: dict[int, set[Place]]

    def of_back(self, table: Table, back: str) -> tuple[dict[Hole, int], list[int], list[Hole]]:
        """For the cards of one back: those with only one possible place, assigned there from the bottom while
        there is room; the others; and the holes left for them, place by place from the bottom."""
        cards = sorted(card for card in self.free if table.cards[card].back == back)
        holes = [(place, index) for place in self.places for index in self.positions(table, place, back)]
        assigned: dict[Hole, int] = {}
        loose: list[int] = []
        for card in cards:
            if len(self.free[card]) == 1:
                (only,) = self.free[card]
                hole = next((h for h in holes if h[0] == only and h not in assigned), None)
                if hole is not None:
                    assigned[hole] = card
                    continue
            loose.append(card)
        return assigned, loose, [hole for hole in holes if hole not in assigned]

    def positions(self, table: Table, place: Place, back: str) -> list[int]:
        """Indices of the free cards of one back in a place."""
        return [
            index
            for index, card in enumerate(table.at(place))
            if card in self.free and table.cards[card].back == back
        ]


def hidden_cards(table: Table, knowledge: Knowledge | None, seat: int) -> Hidden:
    """Without knowledge, the memoryless rule: any hidden card can be in any hidden place."""
    places = sorted((place for place in table.places if _is_hidden(table, place, seat)), key=_place_order)
    everywhere = set(places)
    free = {
        card: (knowledge.where[seat][card] & everywhere if knowledge else everywhere)
        for place in places
        for card in table.at(place)
        if not (knowledge and knowledge.placed[seat][card])
    }
    return Hidden(places, free)


def resample(table: Table, knowledge: Knowledge | None, seat: int, stream: Stream) -> None:
    """Deals anew, in place, what the seat does not know."""
    hidden = hidden_cards(table, knowledge, seat)
    for back in table.made:
        _deal_back(table, back, hidden, stream)
    for place in hidden.places:
        if table.is_ordered(place):
            for back in table.made:
                _shuffle_positions(table, place, hidden.positions(table, place, back), stream)
        else:
            table.cards_at(place).sort()


def _is_hidden(table: Table, place: Place, seat: int) -> bool:
    return place.cls != "mem" and bool(table.at(place)) and not place.seen_by(seat)


def _place_order(place: Place) -> tuple[int, int, str, int]:
    """Table, then seats; then class, name and number."""
    owner = -1 if place.owner == TABLE else place.owner
    return owner, _CLASSES.index(place.cls), place.name, place.number


def _deal_back(table: Table, back: str, hidden: Hidden, stream: Stream) -> None:
    """Steps (i) and (ii) for the cards of one back."""
    assigned, loose, rest = hidden.of_back(table, back)
    for _ in range(ATTEMPTS):
        order = list(loose)
        stream.shuffle(order)
        if all(place in hidden.free[card] for card, (place, _) in zip(order, rest, strict=True)):
            break
    assigned.update(zip(rest, order, strict=True))
    for (place, index), card in assigned.items():
        table.cards_at(place)[index] = card
        table.where[card] = place


def _shuffle_positions(table: Table, place: Place, positions: list[int], stream: Stream) -> None:
    """Step (iii): shuffles the cards of unknown position within an ordered hidden place."""
    cards = table.cards_at(place)
    shuffled = [cards[i] for i in positions]
    stream.shuffle(shuffled)
    for i, card in zip(positions, shuffled, strict=True):
        cards[i] = card
