"""What a seat sees of the table, read from its record: words that every world must have at that decision.

Seen cards in seen places, all storages, whose decision it is, and how many cards lie in every other place:
a card that a world would have handed over unseen, or not at all, shows in these numbers.
"""

from __future__ import annotations

from array import array

from upcard.engine.contract import Record
from upcard.players.machine import Machine


class Watch:
    """The table as the record tells it, up to some line."""

    def __init__(self, machine: Machine, seat: int) -> None:
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

    def see(self, record: Record) -> None:
        do = record["do"]
        if do == "move":
            self._move(record["card"], record["from"], record["to"])
        elif do == "create":
            place = self.machine.places[record["place"]]
            self.counts[place] += len(record["cards"])
            self._add(place, sum(1 << self.machine.numbers[card] for card in record["cards"]))
        elif do == "swap" and "card" in record:
            self._move(record["card"], record["from"], record["to"])
            self._move(record["other"], record["to"], record["from"])
        elif do == "swap":
            self._swap(self.machine.places[record["from"]], self.machine.places[record["to"]])
        elif do == "set":
            word = self._word(record["owner"], record["name"], record["value"])
            value = record["value"]
            if word is not None:
                self.stored[word] = (
                    value if isinstance(value, int) else self.machine.layout.strings.get(value, -1)
                )

    def _move(self, card: str | None, source: str, target: str) -> None:
        a, b = self.machine.places[source], self.machine.places[target]
        self.counts[a] -= 1
        self.counts[b] += 1
        bit = 0 if card is None else 1 << self.machine.numbers[card]
        if a in self.shown and (there := self.shown[a]) is not None:
            self.shown[a] = there & ~bit
        if self.counts[a] == 0 and a in self.shown:
            self.shown[a] = 0
        self._add(b, bit)

    def _add(self, place: int, bits: int) -> None:
        if place in self.shown and (there := self.shown[place]) is not None:
            self.shown[place] = there | bits

    def _swap(self, a: int, b: int) -> None:
        self.counts[a], self.counts[b] = self.counts[b], self.counts[a]
        both = [self.shown.get(a), self.shown.get(b)]
        for place, bits in ((a, both[1]), (b, both[0])):
            if place in self.shown:
                self.shown[place] = bits if self.counts[place] else 0

    def _word(self, owner: str, name: str, value: int | str) -> int | None:
        kind = owner.rstrip("0123456789")
        layout = self.machine.layout
        space = layout.ints if isinstance(value, int) else layout.strs
        first = space.get(({"table": "table", "seat": "player", "team": "team"}[kind], name))
        return None if first is None else first + int(owner[len(kind) :] or 0)

    def words(self) -> array[int]:
        """See `finding_kernels`; without what is seen next."""
        layout = self.machine.layout
        pairs: list[int] = []
        for word, value in self.stored.items():
            pairs += (word, value)
        counted = list(self._hidden)
        for place, bits in self.shown.items():
            if bits is None:
                counted.append(place)
                continue
            first = layout.sets_at // 8 + place * layout.set_words
            for w in range(layout.set_words):
                word = bits >> (64 * w) & (1 << 64) - 1
                pairs += (first + w, word - (1 << 64) if word >> 63 else word)
        made = array("q", [len(pairs) // 2, len(counted), 0, *pairs])
        for place in counted:
            made.extend((place, self.counts[place]))
        return made
