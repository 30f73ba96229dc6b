"""The part of the table that a seat sees: words that every world must share at a decision.

Seen cards in seen places, all storages, whose decision it is, and how many cards lie in every other place:
a card that a world would have handed over unseen, or not at all, shows in these numbers.
"""

from __future__ import annotations

import copy
from array import array

from upcard.players.belief.kernel_structs import Sighting
from upcard.players.search.search_code import SearchCode


class Watch:
    """The table as the record tells it, up to some line, kept in the words that `action_match` names."""

    def __init__(self, machine: SearchCode, seat: int) -> None:
        self.machine = machine
        layout = machine.layout
        self.counts = [0] * len(layout.places)
        self.shown: dict[int, int | None] = {
            n: 0 for n, place in enumerate(layout.places) if place.cls != "mem" and place.seen_by(seat)
        }
        """Per place that the seat looks at the set of cards there; None where the record does not tell it."""
        self.stored: dict[int, int] = {}
        for space in (layout.ints, layout.strs):
            for (owner, _), first in space.items():
                for word in range(first, first + layout.owners(owner)):
                    self.stored[word] = 0
        self._hidden = [
            n for n, place in enumerate(layout.places) if place.cls != "mem" and n not in self.shown
        ]
        self.arrived: dict[int, set[int]] = {}
        """Per place after how many decisions cards came there that were not seen, while any are left."""
        self._lay()

    def copy(self) -> Watch:
        """One that goes on by itself."""
        other = copy.copy(self)
        other.counts, other.arrived = self.counts[:], {place: {*ns} for place, ns in self.arrived.items()}
        other.shown, other.stored, other._made = dict(self.shown), dict(self.stored), self._made[:]
        return other

    def create(self, place: int, cards: list[int]) -> None:
        """Cards are made, and all see them."""
        self._count(place, len(cards))
        self._show(place, sum(1 << card for card in cards))

    def store(self, word: int, value: int | str) -> None:
        """A word of a state is set."""
        known = value if isinstance(value, int) else self.machine.layout.strings.get(value, -1)
        self.stored[word] = self._made[self._at_words[word]] = known

    def move(self, card: int | None, source: int, target: int, number: int) -> None:
        """A card goes from place to place after so many decisions; None: one that is not seen."""
        self._count(source, -1)
        self._count(target, 1)
        shown = self.shown
        if card is None:
            self.arrive(target, number)
        elif shown.get(source):
            self._place(source, (shown[source] or 0) & ~(1 << card))
        if self.counts[source] == 0:
            self.arrived.pop(source, None)
            if shown.get(source, 0) != 0:
                self._place(source, 0)
        if card is not None and (there := shown.get(target)) is not None:
            self._place(target, there | 1 << card)

    def arrive(self, place: int, number: int) -> None:
        """A card came to a place after so many decisions."""
        self.arrived.setdefault(place, set()).add(number)

    def _show(self, place: int, bits: int) -> None:
        if place in self.shown and (there := self.shown[place]) is not None:
            self._place(place, there | bits)

    def swap(self, a: int, b: int, number: int) -> None:
        """All cards of two places change places."""
        self.counts[a], self.counts[b] = self.counts[b], self.counts[a]
        both = [self.shown.get(a), self.shown.get(b)]
        for place, bits in ((a, both[1]), (b, both[0])):
            self.arrived[place] = {number}
            if place in self.shown:
                self.shown[place] = bits if self.counts[place] else 0
        self._lay()

    def _count(self, place: int, more: int) -> None:
        self.counts[place] += more
        at = self._at_counts.get(place)
        if at is not None:
            self._made[at] += more

    def _place(self, place: int, bits: int) -> None:
        """The cards that are seen in a place."""
        at = self._at_places.get(place)
        self.shown[place] = bits
        if at is None:
            self._lay()
            return
        if bits < 1 << 63:
            self._made[at] = bits
            if self.machine.set_words == 1:
                return
        for w in range(self.machine.set_words):
            word = bits >> (64 * w) & (1 << 64) - 1
            self._made[at + w] = word - (1 << 64) if word >> 63 else word

    def _lay(self) -> None:
        """The words anew, and where everything is in them."""
        layout = self.machine.layout
        values = dict(self.stored)
        counted = list(self._hidden)
        first: dict[int, int] = {}
        for place, bits in self.shown.items():
            if bits is None:
                counted.append(place)
                continue
            first[place] = layout.sets_at // 8 + place * layout.set_words
            for w in range(layout.set_words):
                word = bits >> (64 * w) & (1 << 64) - 1
                values[first[place] + w] = word - (1 << 64) if word >> 63 else word
        made = array("q", [0] * (Sighting.size // 8))
        self._at_words: dict[int, int] = {}
        last = length = -2
        for word in sorted(values):
            if word != last + 1:
                made[0] += 1
                length = len(made) + 1
                made.extend((word, 0))
            made[length] += 1
            self._at_words[word] = len(made)
            made.append(values[word])
            last = word
        made[1], made[3] = len(counted), len(made)
        self._at_places = {place: self._at_words[word] for place, word in first.items()}
        self._at_counts: dict[int, int] = {}
        for place in counted:
            self._at_counts[place] = len(made) + 1
            made.extend((layout.sets_at // 8 + place * layout.set_words, self.counts[place]))
        self._made = made

    def words(self) -> array[int]:
        """See `action_match`; without what is seen next."""
        return self._made[:]


def watch_of(machine: SearchCode, seat: int) -> Watch:
    """One that has seen nothing yet."""
    if seat not in machine.watches:
        machine.watches[seat] = Watch(machine, seat)
    blank: Watch = machine.watches[seat]
    return blank.copy()
