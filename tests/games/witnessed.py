"""What a seat witnesses of a game, worked out from the full record: the yardstick for observations.

Nothing here is shared with the code that makes observations. A place is open to a seat by its class and its
owner alone (docs/language/cards-and-places.md). A card is witnessed when it lies in an open place before or
after an action, or when it is remembered. Everything else that is done is witnessed without its cards: that a
card went from one place to another, what was stored, whose turn it is. Of decisions a seat witnesses who made
them; its own it made itself.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from upcard.engine.api import Move, Record
from upcard.recycle.order import OrderFacts

PUBLIC = (
    "setup",
    "stage",
    "create",
    "teams",
    "set",
    "points",
    "cycle",
    "pass",
    "forget",
    "remember",
    "score",
)

ENDS = ("from", "to")


def is_open(place: str | None, seat: int) -> bool:
    """Whether a seat looks at the cards of a place, from its text (`seat0.iloc.HAND`)."""
    if place is None:
        return False
    owner, cls, *_ = place.split(".")
    return {"vloc": True, "mem": True, "hloc": False}.get(cls, (owner == f"seat{seat}") == (cls == "iloc"))


def actions_of(effects: Iterable[Record]) -> list[Record]:
    """Effects to compare alternatives by: chance orders a shuffle anew when it is carried out."""
    return [
        {key: value for key, value in effect.items() if key != "cards"}
        if effect["do"] == "shuffle"
        else {key: value for key, value in effect.items() if key != "seen"}
        for effect in effects
    ]


class Witness:
    """One seat along the record of a game."""

    def __init__(self, seat: int, order: OrderFacts) -> None:
        self.seat = seat
        self._order = order
        self._lines: list[Any] = []
        self._read = 0
        self._piles: dict[str, list[str]] = {}
        """Per place its cards, whether the seat can look there or not."""

    def go_on(self, records: Sequence[Record]) -> None:
        """To the end of the record as it is now."""
        for record in records[self._read :]:
            self._lines.append(self._line(record))
        self._read = len(records)

    def text(self, offered: Sequence[Move] | None) -> str:
        """All that was witnessed; with what the seat is offered where it is to decide now."""
        if offered is not None:
            looks = Counter(json.dumps([move.item, self._picks(move.picks)]) for move in offered)
            self._lines.append(["offered", sorted(looks.items())])
        return json.dumps(self._lines)

    def first_sights(self, records: Sequence[Record], shuffle: int) -> dict[str, int]:
        """Per card the line where the seat sees it first, of those behind a shuffle."""
        seen: dict[str, int] = {}
        shuffles = -1
        for number, record in enumerate(records):
            for line in (record, *record.get("actions", ())):
                shuffles += line["do"] == "shuffle" and len(line["cards"]) > 1
                if shuffles >= shuffle and line["do"] not in ("shuffle", "decision"):
                    for key in ("card", "other"):
                        if key in line and self._sees(line):
                            seen.setdefault(line[key], number)
        return seen

    def _sees(self, line: Record) -> bool:
        return any(is_open(line.get(key), self.seat) for key in ENDS)

    def _line(self, record: Record) -> Any:
        do = record["do"]
        if do == "game":
            return [do, record["game"]]
        if do == "decision":
            own = self._own(record) if record["seat"] == self.seat else None
            return [do, record["number"], record["seat"], own, [self._line(a) for a in record["actions"]]]
        if do == "end":
            failure = record.get("failure")
            told = failure and [failure[key] for key in ("message", "line", "column", "decision")]
            return [do, record["ending"], record["scores"], told]
        self._lay(record)
        if do in PUBLIC:
            return [do, {key: value for key, value in record.items() if key != "seen"}]
        if do == "shuffle":
            place = record["place"]
            faces: Any = record["cards"] if is_open(place, self.seat) else None
            return [do, place, None if place is None else len(record["cards"]), faces]
        assert do in ("move", "swap"), f"nobody knows what is witnessed of {do}"
        faces = [record.get("card"), record.get("other")] if self._sees(record) else None
        if do == "swap" and "card" not in record:
            faces = [self._piles[record[key]] if is_open(record[key], self.seat) else None for key in ENDS]
        hows = [record.get(key) for key in ("from", "to", "by_position")]
        return [
            do,
            "card" in record,
            hows,
            record.get("index") if self._is_ordered(record["to"]) else None,
            faces,
        ]

    def _is_ordered(self, place: str) -> bool:
        """Whether cards lie there in an order that people see; elsewhere an index would tell a rank."""
        owner, cls, name, *_ = place.split(".")
        return self._order.is_ordered("table" if owner == "table" else "player", cls, name)

    def _lay(self, record: Record) -> None:
        """Note how the cards lie after an action."""
        piles = self._piles
        if record["do"] == "create":
            piles.setdefault(record["place"], []).extend(record["cards"])
        elif record["do"] == "move":
            pile = self._pile(record["card"])
            pile.remove(record["card"])
            into = piles.setdefault(record["to"], [])
            into.insert(record.get("index", len(into)), record["card"])
        elif record["do"] == "shuffle" and record["place"] is not None and ".mem." not in record["place"]:
            piles[record["place"]] = list(record["cards"])
        elif record["do"] == "swap" and "card" in record:
            places = [self._pile(record[key]) for key in ("card", "other")]
            spots = [places[0].index(record["card"]), places[1].index(record["other"])]
            places[0][spots[0]], places[1][spots[1]] = record["other"], record["card"]
        elif record["do"] == "swap":
            one, other = record["from"], record["to"]
            piles[one], piles[other] = piles.get(other, []), piles.get(one, [])

    def _pile(self, card: str) -> list[str]:
        return next(pile for pile in self._piles.values() if card in pile)

    def _is_seen(self, card: str) -> bool:
        return any(is_open(place, self.seat) for place, pile in self._piles.items() if card in pile)

    def _own(self, record: Record) -> Any:
        """What the seat chose itself, with the cards that it saw before or when they moved."""
        seen = {
            action[key]
            for action in record["actions"]
            for key in ("card", "other")
            if key in action and self._sees(action)
        }
        picks = self._picks(record["picks"], seen)
        blind = any(key in ("card", "cards") and len(faces) < count for key, count, faces in picks)
        return [record["item"], picks, None if blind else record["copy"]]

    def _picks(self, picks: Iterable[Any], seen: Collection[str] = ()) -> list[Any]:
        """Picks without the cards that lie in places which are not open to the seat."""
        found = []
        for pick in picks:
            ((key, value),) = pick.items()
            cards = [value] if key == "card" else value if key == "cards" else []
            faces = [card for card in cards if card in seen or self._is_seen(card)]
            found.append([key, len(cards), sorted(faces)] if cards else [key, 0, [value]])
        return found
