"""The part of the table that a seat sees: words that every world must share at a decision.

Visible cards in their places, all storages, whose decision it is, and how many cards lie in every other
place: if a world hands over a hidden card that the seat saw stay, or keeps one that it saw go, these numbers
differ.
"""

from __future__ import annotations

import copy
from array import array

from upcard.engine.native.kernels.language import signed
from upcard.players.belief.kernel_structs import Sighting
from upcard.players.search.search_code import SearchCode


class ObservedTable:
    """The table up to some line of the record, kept as the words of a view (`action_match`)."""

    def __init__(self, machine: SearchCode, seat: int) -> None:
        self.machine = machine
        layout = machine.layout
        self.counts = [0] * len(layout.places)
        self.shown: dict[int, int | None] = {
            n: 0 for n, place in enumerate(layout.places) if place.cls != "mem" and place.seen_by(seat)
        }
        """Per place that the seat sees the set of cards there; None where the record does not tell it."""
        self.stored: dict[int, int] = {}
        for space in (layout.ints, layout.strs):
            for (owner, _), first in space.items():
                for word in range(first, first + layout.owners(owner)):
                    self.stored[word] = 0
        self._hidden = [
            n for n, place in enumerate(layout.places) if place.cls != "mem" and n not in self.shown
        ]
        self.arrived: dict[int, set[int]] = {}
        """Per place with cards that came unseen the numbers of decisions before they came."""
        self._rebuild()

    def copy(self) -> ObservedTable:
        """An independent copy."""
        other = copy.copy(self)
        other.counts, other.arrived = self.counts[:], {place: {*ns} for place, ns in self.arrived.items()}
        other.shown, other.stored, other._words = dict(self.shown), dict(self.stored), self._words[:]
        return other

    def create(self, place: int, cards: list[int]) -> None:
        """Cards are created, and every seat sees them."""
        self._count(place, len(cards))
        if (there := self.shown.get(place)) is not None:
            self._place(place, there | sum(1 << card for card in cards))

    def store(self, word: int, value: int | str) -> None:
        """A word of a state is set."""
        known = value if isinstance(value, int) else self.machine.layout.strings.get(value, -1)
        self.stored[word] = self._words[self._at_words[word]] = known

    def move(self, card: int | None, source: int, target: int, number: int) -> None:
        """A card, or one that is not seen (None), moves after a number of decisions."""
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
        """A card came to a place after a number of decisions."""
        self.arrived.setdefault(place, set()).add(number)

    def swap(self, a: int, b: int, number: int) -> None:
        """All cards of two places are exchanged."""
        self.counts[a], self.counts[b] = self.counts[b], self.counts[a]
        both = [self.shown.get(a), self.shown.get(b)]
        for place, bits in ((a, both[1]), (b, both[0])):
            self.arrived[place] = {number}
            if place in self.shown:
                self.shown[place] = bits if self.counts[place] else 0
        self._rebuild()

    def _count(self, place: int, more: int) -> None:
        self.counts[place] += more
        at = self._at_counts.get(place)
        if at is not None:
            self._words[at] += more

    def _place(self, place: int, bits: int) -> None:
        """A place shows this set of cards."""
        at = self._at_places.get(place)
        self.shown[place] = bits
        if at is None:
            self._rebuild()
            return
        if bits < 1 << 63:
            self._words[at] = bits
            if self.machine.set_words == 1:
                return
        for w in range(self.machine.set_words):
            self._words[at + w] = signed(bits >> (64 * w))

    def _rebuild(self) -> None:
        """Build the words, and the indices by which they are kept up to date."""
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
                values[first[place] + w] = signed(bits >> (64 * w))
        words = array("q", [0] * (Sighting.size // 8))
        self._at_words: dict[int, int] = {}
        last = length = -2
        for word in sorted(values):
            if word != last + 1:
                words[0] += 1
                length = len(words) + 1
                words.extend((word, 0))
            words[length] += 1
            self._at_words[word] = len(words)
            words.append(values[word])
            last = word
        words[1], words[3] = len(counted), len(words)
        self._at_places = {place: self._at_words[word] for place, word in first.items()}
        self._at_counts: dict[int, int] = {}
        for place in counted:
            self._at_counts[place] = len(words) + 1
            words.extend((layout.sets_at // 8 + place * layout.set_words, self.counts[place]))
        self._words = words

    def words(self) -> array[int]:
        """The view, without departures."""
        return self._words[:]


def observed_table(machine: SearchCode, seat: int) -> ObservedTable:
    """The table of a seat before anything happens."""
    if seat not in machine.watches:
        machine.watches[seat] = ObservedTable(machine, seat)
    blank: ObservedTable = machine.watches[seat]
    return blank.copy()
