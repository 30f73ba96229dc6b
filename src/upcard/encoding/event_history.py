"""History: what a seat has seen so far as events of fixed size, for information states.

An event takes `EVENT_BYTES`: a kind, a seat, and three numbers of two bytes, low byte first. Cards, places,
storages and actions are numbered from 1; 0 is none, or a card that the seat did not see.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from upcard.encoding.content import Content
from upcard.encoding.parts import NUMBERS, storage_keys
from upcard.engine.api import TABLE, Observation, Record

MAX_EVENTS = 512
EVENTS_PER_CARD = 16
"""Events that there is room for, for each card of the game; up to MAX_EVENTS in all."""
_EVENT = struct.Struct("<BBHHH")
EVENT_BYTES = _EVENT.size
KINDS = ("none", "decision", "move", "set string", "set number", "shuffle", "swap", "remember", "forget")
"""What the kinds of events are called, by number."""
DECISION, MOVE, SET_STRING, SET_NUMBER, SHUFFLE, SWAP, REMEMBER, FORGET = range(1, 9)
_OF_CARDS = {"move": MOVE, "remember": REMEMBER, "forget": FORGET}


class Event(NamedTuple):
    kind: int
    seat: int = 0
    """Of a decision: 1 + how many seats after the observer its seat is."""
    first: int = 0
    """The card or the storage; of a decision of the observer its action."""
    second: int = 0
    """Where the card lay, or what is stored; of a decision the phase, from 1."""
    third: int = 0
    """Where the card lies now."""


def room_for_events(content: Content) -> int:
    return min(MAX_EVENTS, EVENTS_PER_CARD * len(content.cards))


class History:
    """Writes and reads events of one seat, which numbers places and storages from its own on."""

    def __init__(
        self, content: Content, actions: Mapping[str, int], seats: list[int], teams: list[int]
    ) -> None:
        self.seats, self.actions = seats, actions
        self.cards = content.card_ids
        self.places = [
            group.place(owner, number).text
            for group in content.places
            for owner in ([TABLE] if group.owner == "table" else seats)
            for number in range(group.numbers)
        ]
        self.strings = [
            (key, group.values) for group in content.strings for key in storage_keys(group, seats, teams)
        ]
        self.numbers = [key for group in content.numbers for key in storage_keys(group, seats, teams)]
        self._cards = {card: number for number, card in enumerate(self.cards, 1)}
        self._places = {text: number for number, text in enumerate(self.places, 1)}
        self._strings = {
            key: (number, {text: n for n, text in enumerate(values)})
            for number, (key, values) in enumerate(self.strings, 1)
        }
        self._numbers = {key: number for number, key in enumerate(self.numbers, 1)}

    def write(self, observation: Observation, phases: Iterator[int]) -> Iterator[bytes]:
        """Every event of a record; `phases` are those of its decisions."""
        for record in observation.records:
            if record["do"] == "decision":
                yield _EVENT.pack(*self._decision(record, next(phases)))
                for action in record["actions"]:
                    yield from (_EVENT.pack(*event) for event in self._events(action))
            else:
                yield from (_EVENT.pack(*event) for event in self._events(record))

    def _decision(self, record: Record, phase: int) -> Event:
        action = 0
        if record["item"] is not None:
            text = json.dumps([record["item"], record["picks"]], separators=(",", ":"), sort_keys=True)
            action = 1 + self.actions.get(text, -1)
        return Event(DECISION, 1 + self.seats.index(record["seat"]), action, 1 + phase)

    def _events(self, record: Record) -> Iterator[Event]:
        what = record["do"]
        if what in _OF_CARDS:
            card, source, target = record["card"], record["from"], record.get("to")
            yield Event(
                _OF_CARDS[what], 0, self._card(card), self._places[source], self.number_of_place(target)
            )
        elif what == "swap" and "card" in record:
            source, target = self._places[record["from"]], self._places[record["to"]]
            yield Event(MOVE, 0, self._card(record["card"]), source, target)
            yield Event(MOVE, 0, self._card(record["other"]), target, source)
        elif what == "swap":
            yield Event(SWAP, 0, 0, self._places[record["from"]], self._places[record["to"]])
        elif what == "shuffle":
            yield Event(SHUFFLE, 0, 0, self.number_of_place(record["place"]))
        elif what == "set":
            key, value = f"{record['owner']}.{record['name']}", record["value"]
            if isinstance(value, str) and key in self._strings:
                number, values = self._strings[key]
                yield Event(SET_STRING, 0, number, values[value])
            elif isinstance(value, int) and key in self._numbers:
                yield Event(SET_NUMBER, 0, self._numbers[key], value % NUMBERS)

    def _card(self, card: str | None) -> int:
        return 0 if card is None else self._cards[card]

    def number_of_place(self, text: str | None) -> int:
        return 0 if text is None else self._places[text]

    # --- reading -------------------------------------------------------------------------------

    def read(self, data: bytes, action_texts: tuple[str, ...]) -> Iterator[dict[str, Any]]:
        """The events as data, in the words of records."""
        for kind, seat, first, second, third in _EVENT.iter_unpack(data):
            made: dict[str, Any] = {"do": KINDS[kind]}
            if kind == DECISION:
                made["seat"], made["phase"] = self.seats[seat - 1], second - 1
                made["action"] = action_texts[first - 1] if first else None
            elif kind == SET_STRING:
                made["storage"], values = self.strings[first - 1]
                made["value"] = values[second]
            elif kind == SET_NUMBER:
                made["storage"] = self.numbers[first - 1]
                made["value"] = second - NUMBERS if second >= NUMBERS // 2 else second
            else:
                if kind not in (SHUFFLE, SWAP):
                    made["card"] = self.cards[first - 1] if first else None
                made["from"] = self.places[second - 1] if second else None
                made["to"] = self.places[third - 1] if third else None
            yield made
