"""Reads evidence from a seat's record: positions of cards, known cards, the view at each decision."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field

from upcard.engine.api import Limits, Record
from upcard.engine.native.kernels.language import signed
from upcard.engine.native.state_memory import Memory
from upcard.players.belief.history_steps import Inconsistent, Step
from upcard.players.belief.observed_table import watch_of
from upcard.players.search.search_code import SearchCode

NOTHING_SEEN = frozenset(("stage", "cycle", "points"))
"""Lines that say nothing of cards or storages."""


@dataclass
class Evidence:
    """A history as far as the record tells it by itself."""

    machine: SearchCode
    seat: int
    limits: Limits
    records: tuple[Record, ...] = ()
    orders: list[list[int]] = field(default_factory=list)
    """The outcome of every shuffle, as card numbers."""
    shown: list[bool] = field(default_factory=list)
    """Whether the seat saw that outcome."""
    steps: list[Step] = field(default_factory=list)
    located: array[int] = field(init=False)
    """Per card the place where the seat knows it to be, or -1."""
    named: dict[int, int] = field(default_factory=dict)
    """Per card after how many decisions the record last named it."""
    mates: dict[int, dict[tuple[int, int], int]] = field(default_factory=dict)
    """Per place that a card was seen to leave, which may have come there at another time than the history has
    it: the parts (shuffle, position) of all unseen cards there, and after how many decisions each came."""
    known: set[int] = field(default_factory=set)
    """Cards that it has seen since they were shuffled last."""
    bans: dict[int, int] = field(default_factory=dict)
    """Per unknown card the parts of its shuffle that it cannot have had, as a set of positions."""
    epoch: dict[int, int] = field(default_factory=dict)
    part: dict[int, int] = field(default_factory=dict)
    before: Evidence | None = None
    """An earlier attempt: its shuffles are tried first, and the cards it had come to know are not hidden."""
    number: int = 0
    """Of the deal whose chance the history has, beside its shuffles."""
    state: Memory = field(init=False)
    """The history's game at the decision that is being reached."""
    _fresh: bool = False
    """Whether the state is of the history as it is now."""
    _packed: array[int] = field(default_factory=lambda: array("q"))
    """The history in the words of `action_match`."""

    def __post_init__(self) -> None:
        layout = self.machine.layout
        self.state = Memory(layout.size)
        self.located = array("q", [-1]) * layout.room
        self.where = self.state.where(layout)
        """Per card the place where it lies in the history's game."""
        self.watch = watch_of(self.machine, self.seat)
        self._sees = self.machine.seen_by(self.seat)
        self._blocks: list[array[int]] = []
        self._wanted: list[array[int]] = []
        self._closed = array("q")
        """All of these but the last, as they are packed."""
        self._surfaced: set[int] = set()
        self._learned = 0
        """How often a shuffle was learned: then other cards are unknown."""
        self._unknown_for = (-1, -1, -1)
        self._unknown: list[int] = []
        self._unknown_set: set[int] = set()
        self._packed_for: list[Step] = []
        self._packed_steps = array("q")
        """The words of these steps."""
        self._swaps_for = -1
        self._swaps = array("q")

    def _see(self, record: Record) -> None:
        do = record["do"]
        if do in NOTHING_SEEN:
            return
        if do == "move":
            self._moved(record["card"], self._place(record["from"]), self._place(record["to"]))
        elif do == "set":
            value = record["value"]
            word = self.machine.storage(record["owner"], record["name"], isinstance(value, int))
            if word is not None:
                self.watch.store(word, value)
        elif do == "create":
            place, cards = self._place(record["place"]), [self._card(card) for card in record["cards"]]
            self.watch.create(place, cards)
            for card in cards:
                self.located[card] = place
        elif do == "shuffle":
            self._shuffled(record)
        elif do == "swap" and "card" in record:
            a, b = self._place(record["from"]), self._place(record["to"])
            self._moved(record["card"], a, b)
            self._moved(record["other"], b, a)
        elif do == "swap":
            a, b = self._place(record["from"]), self._place(record["to"])
            self.watch.swap(a, b, len(self.steps))
            other = {a: b, b: a}
            self.located = array("q", [other.get(place, place) for place in self.located])
        elif record.get("card") is not None:
            card = self._card(record["card"])
            self._name(card, self._place(record["from"]))
            if do == "remember":
                self.known.add(card)

    def _name(self, card: int, place: int) -> None:
        """The record names a card as it leaves a place (or is remembered there)."""
        number = len(self.steps)
        again = self.named.get(card, -1) == number == len(self._blocks)
        if self._wanted and not again and not self._sees[place]:
            self._wanted[-1].extend((card, place))
        self.named[card] = number

    def _moved(self, name: str | None, source: int, target: int) -> None:
        number = len(self.steps)
        if name is None:
            self.watch.move(None, source, target, number)
            # some card has left: none that was there is certain to be there still
            self._lose_sight(source)
            return
        card = self._card(name)
        self.watch.move(card, source, target, number)
        self._name(card, source)
        self.known.add(card)
        self.located[card] = target
        if card in self._surfaced:
            self.watch.arrive(target, number)

    def _lose_sight(self, place: int) -> None:
        """No card is known to lie in a place any more."""
        if place in self.located:
            self.located = array("q", [-1 if there == place else there for there in self.located])

    def _shuffled(self, record: Record) -> None:
        cards = record["cards"]
        shown = cards is not None and all(card is not None for card in cards)
        self.shown.append(shown)
        if not shown and record["place"] is not None:
            place = self._place(record["place"])
            self.watch.arrived[place] = {len(self.steps)}
            self._lose_sight(place)

    def _card(self, card: str) -> int:
        try:
            return self.machine.numbers[card]
        except KeyError:
            raise Inconsistent(f"{card} is no card of this game") from None

    def _place(self, text: str) -> int:
        try:
            return self.machine.places[text]
        except KeyError:
            raise Inconsistent(f"{text} is no place of this game") from None

    def card_id(self, card: int) -> str:
        return self.machine.ids[card]

    def unknown(self) -> list[int]:
        """Cards that the seat has not seen since they were shuffled last."""
        # nothing but these is ever changed without being counted
        state = (len(self.known), len(self.shown), self._learned)
        if state != self._unknown_for:
            self._unknown_for = state
            shown = {n for n, seen in enumerate(self.shown) if seen}
            self._unknown = [c for c, e in self.epoch.items() if c not in self.known and e not in shown]
            self._unknown_set = set(self._unknown)
        return self._unknown

    def unknown_set(self) -> set[int]:
        """The same ones."""
        self.unknown()
        return self._unknown_set

    def is_unknown(self, card: int) -> bool:
        return card in self.unknown_set()

    def movable(self) -> list[int]:
        """Cards of which the seat did not see what part they have in their shuffle."""
        either = self.unknown_set() | self._surfaced
        return [c for c in self.epoch if c in either]

    def set_of(self, cards: Iterable[int]) -> list[int]:
        """A set of cards in words."""
        bits = 0
        for card in cards:
            bits |= 1 << card
        return [signed(bits >> (64 * w)) for w in range(self.machine.set_words)]

    def _was_shown(self, number: int) -> bool:
        return number < len(self.shown) and self.shown[number]

    def _seen_since(self, number: int) -> set[int]:
        """Cards that the record names after a shuffle."""
        found: set[int] = set()
        shuffles = 0
        for record in self.records[: self._read_up_to()]:
            for line in (record, *record.get("actions", ())):
                if line["do"] == "shuffle":
                    shuffles += 1
                elif shuffles > number:
                    for key in ("card", "other"):
                        if line.get(key) is not None:
                            found.add(self._card(line[key]))
        return found

    def _read_up_to(self) -> int:
        """How much of the record lies before the decision that is being reached."""
        decisions = 0
        for n, record in enumerate(self.records):
            if record["do"] == "decision":
                if decisions == len(self.steps):
                    return n
                decisions += 1
        return len(self.records)

    def _check(self) -> None:
        """From here on the history, and every world, must look as it was seen at this decision."""
        if self._blocks:
            self._closed.extend(self._last_block())
        self._blocks.append(self.watch.words())
        self._wanted.append(array("q"))

    def _last_block(self) -> array[int]:
        """What was seen at the last decision, and what then."""
        self._blocks[-1][2] = len(self._wanted[-1]) // 2
        return self._blocks[-1] + self._wanted[-1]
