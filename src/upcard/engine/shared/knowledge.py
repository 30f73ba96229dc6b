"""What each seat knows about the position of cards (docs/language/knowing.md).

For every seat and card: the set of places where the card can be, and whether its exact position is known
(`placed`). The rules are applied after each primitive action, to the table as it is then; nothing is inferred
from storages, from play or from counting.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from upcard.engine.api import Place
from upcard.engine.shared.table import Table

Effect: TypeAlias = tuple[Any, ...]
"""A primitive action as it happened; `effect_records` lists what each tuple holds."""


class Knowledge:
    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.where: list[list[set[Place]]] = [[] for _ in range(seats)]
        self.placed: list[list[bool]] = [[] for _ in range(seats)]

    def copy(self) -> Knowledge:
        other = Knowledge(self.seats)
        other.where = [[set(places) for places in cards] for cards in self.where]
        other.placed = [list(cards) for cards in self.placed]
        return other

    def content(self) -> Any:
        return [[frozenset(places) for places in cards] for cards in self.where], self.placed

    def learn(self, effect: Effect, table: Table) -> None:
        """Updates every seat's knowledge right after a primitive action."""
        what = effect[0]
        if what == "deck":
            self._new_cards(effect[1], effect[2])
        elif what == "move":
            _, card, source, target, _, by_position = effect
            self._moves([(card, source, target, by_position)], table)
        elif what == "exchange":
            _, a, pa, a_by_position, b, pb, b_by_position = effect
            # a card exchanged with itself looks like any other exchange to a seat that does not see it
            self._moves([(a, pa, pb, a_by_position), (b, pb, pa, b_by_position)], table)
        elif what == "swap":
            self._swap(effect[1], effect[2], table)
        elif what == "shuffle" and effect[1] is not None and effect[1].cls != "mem":
            for seat in range(self.seats):
                if not effect[1].seen_by(seat):
                    self._unplace(seat, effect[1], table)
        elif what == "remember":
            _, card, where, _, _ = effect
            for seat in range(self.seats):
                if self.where[seat][card] != {where}:
                    self.where[seat][card] = {where}

    def _new_cards(self, place: Place, cards: tuple[int, ...]) -> None:
        for seat in range(self.seats):
            for _ in cards:
                self.where[seat].append({place})
                self.placed[seat].append(True)

    def _moves(self, moves: list[tuple[int, Place, Place, bool]], table: Table) -> None:
        """Rules 2 to 4 for cards that move at once."""
        for seat in range(self.seats):
            where, placed = self.where[seat], self.placed[seat]
            known = [
                source.seen_by(seat) or target.seen_by(seat) or (placed[card] and by_position)
                for card, source, target, by_position in moves
            ]
            # the candidates for an unrecognised card are collected before anything changes
            candidates = [
                []
                if recognised
                else [
                    other
                    for other, places in enumerate(where)
                    if source in places and not (placed[other] and by_position)
                ]
                for recognised, (_, source, _, by_position) in zip(known, moves, strict=True)
            ]
            for recognised, others, (card, _, target, _) in zip(known, candidates, moves, strict=True):
                if recognised:
                    where[card] = {target}
                    placed[card] = table.is_ordered(target) or target.seen_by(seat)
                else:
                    for other in others:
                        where[other] = where[other] | {target}
                    placed[card] = False
            for _, source, _, by_position in moves:
                if not by_position and not source.seen_by(seat):
                    self._unplace(seat, source, table, but=[card for card, *_ in moves])
        for _, source, _, _ in moves:
            if not table.at(source):
                self._forget_place(source)

    def _swap(self, a: Place, b: Place, table: Table) -> None:
        if a == b:
            return
        other = {a: b, b: a}
        for seat in range(self.seats):
            where, placed = self.where[seat], self.placed[seat]
            for card, places in enumerate(where):
                if a in places or b in places:
                    where[card] = {other.get(place, place) for place in places}
            for place in (a, b):
                if place.seen_by(seat):
                    for card in table.at(place):
                        where[card], placed[card] = {place}, True
        for place in (a, b):
            if not table.at(place):
                self._forget_place(place)

    def _unplace(self, seat: int, place: Place, table: Table, but: list[int] | None = None) -> None:
        for card in table.at(place):
            if card not in (but or ()):
                self.placed[seat][card] = False

    def _forget_place(self, place: Place) -> None:
        """Removes a place that became empty from every set."""
        for cards in self.where:
            for card, places in enumerate(cards):
                if place in places and len(places) > 1:
                    cards[card] = places - {place}
