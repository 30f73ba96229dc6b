"""Evidence: what a seat's record says about cards, places and storages, and its view at each decision."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Mapping, Sequence

from upcard.engine.api import Given, Observation, Record, walk_records
from upcard.players.belief.history_steps import Inconsistent
from upcard.players.belief.observed_table import observed_table
from upcard.players.search.search_code import SearchCode

NO_CARDS_OR_STORAGES = frozenset(("stage", "cycle", "points"))
"""Records without information about cards or storages."""


class Evidence:
    """What one seat has seen, read record by record. It holds no assumption about hidden events."""

    def __init__(self, machine: SearchCode, seat: int) -> None:
        self.machine = machine
        self.seat = seat
        self.records: tuple[Record, ...] = ()
        """The whole record, including what has not been read yet."""
        self.decisions = 0
        """How many decisions have been read."""
        self.shuffles_seen: list[bool] = []
        """Per shuffle whether the seat saw its outcome."""
        self.located = array("q", [-1]) * machine.layout.room
        """Per card the place where the seat knows it to be, or -1."""
        self.last_named: dict[int, int] = {}
        """Per card the number of decisions before the record last named it."""
        self.table = observed_table(machine, seat)
        self.visible = machine.seen_by(seat)
        """Per place whether the seat sees the cards in it."""
        self.views: list[array[int]] = []
        """The table as the seat saw it at each decision (`action_match`)."""
        self._departures: list[array[int]] = []
        """Per view the cards that were then seen to leave hidden places: card, place, card, place..."""
        self._packed_views = array("q")
        """All views but the last, each with its departures."""

    def continues_to(self, machine: SearchCode, observation: Observation) -> bool:
        """Whether the observation extends this evidence."""
        return (
            self.seat == observation.seat
            and self.machine is machine
            and observation.records[: len(self.records)] == self.records
        )

    def extend(self, records: tuple[Record, ...]) -> Sequence[Record]:
        """Replace the record by a longer one; returns the part that is to be read."""
        new = records[len(self.records) :]
        self.records = records
        return new

    def read(self, record: Record, uncertain: Collection[int] = ()) -> set[int]:
        """Read the next record; returns the cards that it shows. `uncertain`: cards of which it is not known
        when they came to the place where they were seen."""
        lines: Iterable[Record] = (record,)
        if record["do"] == "decision":
            self.decisions += 1
            lines = record["actions"]
        shown: set[int] = set()
        for line in lines:
            shown.update(self._read_line(line, uncertain))
        return shown

    def look(self, places: Mapping[str, Sequence[str | None]]) -> set[int]:
        """Note where cards lie openly in an observation; returns them."""
        shown = set()
        for text, cards in places.items():
            if ".mem." not in text and cards and None not in cards:
                for name in cards:
                    card = self.card(str(name))
                    self.located[card] = self.place(text)
                    shown.add(card)
        return shown

    @property
    def given(self) -> Given:
        """What the match gave the deal."""
        given: Given = self.records[0].get("given", {}) if self.records else {}
        return given

    def keep_view(self) -> None:
        """Keep the table as seen now as the view at the present decision, unless that has one already."""
        if len(self.views) > self.decisions:
            return
        if self.views:
            self._packed_views.extend(self._last_view())
        self.views.append(self.table.words())
        self._departures.append(array("q"))

    def pack_views(self, words: array[int]) -> None:
        """Append all views and departures as `action_match` reads them."""
        words.extend(self._packed_views)
        if self.views:
            words.extend(self._last_view())

    def before_decision(self, number: int) -> tuple[Record, ...]:
        """The part of the record before a decision, or all of it."""
        decisions = 0
        for n, record in enumerate(self.records):
            if record["do"] == "decision":
                if decisions == number:
                    return self.records[:n]
                decisions += 1
        return self.records

    def named_between(self, shuffle: int, decision: int) -> set[int]:
        """Cards that the record names after a shuffle and before a decision."""
        named: set[int] = set()
        shuffles = 0
        for line in walk_records(self.before_decision(decision)):
            if line["do"] == "shuffle":
                shuffles += 1
            elif shuffles > shuffle:
                for key in ("card", "other"):
                    if line.get(key) is not None:
                        named.add(self.card(line[key]))
        return named

    def taken(self, actions: Iterable[Record]) -> list[tuple[int, int, bool]]:
        """Cards that actions show, where each was before them, and whether it was taken by position."""
        first: dict[str, tuple[str, bool]] = {}
        for action in actions:
            for key, place in (("card", "from"), ("other", "to")):
                if action["do"] in ("move", "swap") and action.get(key) is not None:
                    first.setdefault(action[key], (action[place], "by_position" in action))
        return [(self.card(card), self.place(place), flag) for card, (place, flag) in first.items()]

    def card(self, name: str) -> int:
        try:
            return self.machine.numbers[name]
        except KeyError:
            raise Inconsistent(f"{name} is not a card of this game") from None

    def place(self, text: str) -> int:
        try:
            return self.machine.places[text]
        except KeyError:
            raise Inconsistent(f"{text} is not a place of this game") from None

    def _read_line(self, line: Record, uncertain: Collection[int]) -> Sequence[int]:
        """Read a record that is no decision; returns the cards that it shows."""
        do = line["do"]
        if do == "game":
            for text, number in self.given.items():
                owner, name = text.split(".")
                word = self.machine.storage(owner, name, is_number=True)
                if word is not None:
                    self.table.store(word, number)
            return ()
        if do in NO_CARDS_OR_STORAGES:
            return ()
        if do == "move":
            return self._moved(line["card"], line["from"], line["to"], uncertain)
        if do == "set":
            value = line["value"]
            word = self.machine.storage(line["owner"], line["name"], isinstance(value, int))
            if word is not None:
                self.table.store(word, value)
        elif do == "create":
            place, cards = self.place(line["place"]), [self.card(card) for card in line["cards"]]
            self.table.create(place, cards)
            for card in cards:
                self.located[card] = place
        elif do == "shuffle":
            self._shuffled(line)
        elif do == "swap" and "card" in line:
            one = self._moved(line["card"], line["from"], line["to"], uncertain)
            return (*one, *self._moved(line["other"], line["to"], line["from"], uncertain))
        elif do == "swap":
            a, b = self.place(line["from"]), self.place(line["to"])
            self.table.swap(a, b, self.decisions)
            other = {a: b, b: a}
            self.located = array("q", [other.get(place, place) for place in self.located])
        elif line.get("card") is not None:
            card = self.card(line["card"])
            self._name(card, self.place(line["from"]))
            if do == "remember":
                return (card,)
        return ()

    def _moved(self, name: str | None, from_: str, to: str, uncertain: Collection[int]) -> Sequence[int]:
        source, target = self.place(from_), self.place(to)
        if name is None:
            self.table.move(None, source, target, self.decisions)
            # some card has left: none that was there is certain to be there still
            self._lose_sight(source)
            return ()
        card = self.card(name)
        self.table.move(card, source, target, self.decisions)
        self._name(card, source)
        self.located[card] = target
        if card in uncertain:
            self.table.arrive(target, self.decisions)
        return (card,)

    def _name(self, card: int, place: int) -> None:
        """The record names a card as it leaves a place (or is remembered there)."""
        again = self.last_named.get(card, -1) == self.decisions == len(self.views)
        if self._departures and not again and not self.visible[place]:
            self._departures[-1].extend((card, place))
        self.last_named[card] = self.decisions

    def _lose_sight(self, place: int) -> None:
        """No card is known to lie in a place any more."""
        if place in self.located:
            self.located = array("q", [-1 if there == place else there for there in self.located])

    def _shuffled(self, line: Record) -> None:
        cards = line["cards"]
        seen = cards is not None and all(card is not None for card in cards)
        self.shuffles_seen.append(seen)
        if not seen and line["place"] is not None:
            place = self.place(line["place"])
            self.table.arrived[place] = {self.decisions}
            self._lose_sight(place)

    def _last_view(self) -> array[int]:
        """The view at the last decision, with its departures."""
        self.views[-1][2] = len(self._departures[-1]) // 2
        return self.views[-1] + self._departures[-1]
