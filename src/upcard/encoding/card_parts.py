"""Parts of an encoded observation that are about cards: where each lies, and how many lie where."""

from __future__ import annotations

from abc import ABC, abstractmethod

from upcard.encoding.content import Content, PlaceGroup
from upcard.encoding.fields import BYTE, Decoded, Seen, from_planes, in_planes
from upcard.engine.api import TABLE


class Part(ABC):
    """Writes the bytes of one field, and reads them."""

    name: str
    size: int
    highest: int = BYTE
    meaning: str
    values: tuple[str, ...] = ()

    @abstractmethod
    def write(self, seen: Seen) -> bytes: ...

    @abstractmethod
    def read(self, data: bytes, found: Decoded) -> None: ...


class PlaceList:
    """The places of a group that a seat sees, or that it does not see, in the order of the encoding: those of
    the seat itself first, then of the next seat, and so on."""

    def __init__(self, content: Content, group: PlaceGroup, seen: bool) -> None:
        self.group = group
        owners = 1 if group.owner == "table" else content.seats
        self.turns = [turn for turn in range(owners) if group.is_seen(turn) == seen]
        """How many seats after the observer the owners are."""
        self.count = len(self.turns) * group.numbers

    def texts(self, seats: list[int]) -> list[str]:
        """What observations call them."""
        table = self.group.owner == "table"
        return [
            self.group.place(TABLE if table else seats[turn], number).text
            for turn in self.turns
            for number in range(self.group.numbers)
        ]


class CardsPart(Part):
    """For each card, in which place of a group it lies, and where order shows, how deep it lies there."""

    def __init__(self, content: Content, places: PlaceList) -> None:
        group = self.group = places.group
        self.places = places
        self.ids = content.card_ids
        self.name = group.text
        room = len(self.ids)
        self.folds = group.ordered and places.count * room <= BYTE
        """Both fit in one byte."""
        most = places.count * (room if self.folds else 1)
        self.width = 1 if most <= BYTE else 2
        self.size = room * self.width
        self.highest = most if self.width == 1 else BYTE
        what = "for each card: 0 elsewhere"
        if places.count == 1:
            here = "in the seat's own" if group.owner == "player" else "here"
            self.meaning = f"{what}, 1 {here}"
            if self.folds:
                self.meaning = f"{what}; {here} 1 on top, 2 below it, and so on"
        else:
            self.meaning = f"{what}, else 1 + {self._which}"
            if self.folds:
                self.meaning += f" + {places.count} x cards on top of it"
        if self.width == 2:
            self.meaning += "; low bytes of all cards, then high bytes"

    @property
    def _which(self) -> str:
        parts = []
        if len(self.places.turns) > 1:
            first = "" if self.places.turns[0] == 0 else f" - {self.places.turns[0]}"
            parts.append(f"seats after the observer{first}")
        if self.group.numbers > 1:
            parts = [f"{self.group.numbers} x {part}" for part in parts]
            parts.append("number of the place")
        return " + ".join(parts)

    def write(self, seen: Seen) -> bytes:
        values = dict.fromkeys(self.ids, 0)
        for number, text in enumerate(self.places.texts(seen.seats)):
            cards = seen.observation.places.get(text, ())
            for index, card in enumerate(cards):
                assert card is not None, f"{text} is seen"
                depth = len(cards) - 1 - index if self.folds else 0
                values[card] = 1 + number + self.places.count * depth
        return in_planes(list(values.values()), self.width)

    def read(self, data: bytes, found: Decoded) -> None:
        values = from_planes(data, self.width)
        count = self.places.count
        found.lying[self.name] = [(value - 1) % count if value else -1 for value in values]
        if self.folds:
            found.depths[self.name] = [(value - 1) // count if value else -1 for value in values]


class DepthPart(Part):
    """For each card, how deep it lies in its place, where this does not fit into one byte with the place."""

    def __init__(self, content: Content, places: PlaceList) -> None:
        self.places = places
        self.ids = content.card_ids
        self.of = places.group.text
        self.name = f"{self.of} depth"
        self.size = len(self.ids)
        self.meaning = f"for each card: 0 elsewhere, else 1 + cards on top of it, {BYTE} at most"

    def write(self, seen: Seen) -> bytes:
        values = dict.fromkeys(self.ids, 0)
        for text in self.places.texts(seen.seats):
            cards = seen.observation.places.get(text, ())
            for index, card in enumerate(cards):
                assert card is not None, f"{text} is seen"
                values[card] = min(len(cards) - index, BYTE)
        return bytes(values.values())

    def read(self, data: bytes, found: Decoded) -> None:
        found.depths[self.of] = [value - 1 for value in data]


class MemoryPart(Part):
    """For each memory of a group and each card, how deep the card is remembered there: it may be in several,
    and several times in one."""

    def __init__(self, content: Content, places: PlaceList) -> None:
        self.places = places
        self.ids = content.card_ids
        self.name = places.group.text
        self.size = places.count * len(self.ids)
        self.meaning = (
            f"for each card: 0 if it is not remembered, else 1 + cards on top of it, {BYTE} at most"
        )
        if places.count > 1:
            self.meaning += "; for one memory after the other"
            self.meaning += "" if places.group.owner == "table" else ", the seat's own first"

    def write(self, seen: Seen) -> bytes:
        memories = []
        for text in self.places.texts(seen.seats):
            values = dict.fromkeys(self.ids, 0)
            cards = seen.observation.places.get(text, ())
            for index, card in enumerate(cards):  # of a card that is there twice, the upper one counts
                assert card is not None, f"{text} is seen"
                values[card] = min(len(cards) - index, BYTE)
            memories.append(bytes(values.values()))
        return b"".join(memories)

    def read(self, data: bytes, found: Decoded) -> None:
        room = len(self.ids)
        for number, text in enumerate(self.places.texts(found.seats)):
            depths = data[number * room : (number + 1) * room]
            cards = sorted((-depth, card) for card, depth in enumerate(depths) if depth)
            if cards:
                found.memories[text] = [self.ids[card] for _, card in cards]


class CountsPart(Part):
    """How many cards lie in each place of a group that the seat does not see; of each back, if there are
    several. Of memories, which everybody sees: how many cards they hold, since one may be there twice."""

    def __init__(self, content: Content, places: PlaceList) -> None:
        self.places = places
        self.backs = content.backs if places.group.cls != "mem" else ("",)
        self.width = 1 if len(content.cards) <= BYTE and places.group.cls != "mem" else 2
        self.most = (1 << (8 * self.width)) - 1
        self.highest = min(BYTE, len(content.cards)) if self.width == 1 else BYTE
        self.name = f"{places.group.text} count"
        self.size = places.count * len(self.backs) * self.width
        self.meaning = "number of cards"
        if len(places.turns) > 1:
            first = "the seat's own" if places.turns[0] == 0 else "the next seat's"
            self.meaning += f", {first} first"
        if len(self.backs) > 1:
            self.meaning += f", with each back: {', '.join(self.backs)}"
        if self.width == 2:
            self.meaning += "; low bytes of all, then high bytes"

    def write(self, seen: Seen) -> bytes:
        observation = seen.observation
        counts = []
        for text in self.places.texts(seen.seats):
            if self.places.group.cls == "mem":
                counts.append(len(observation.places.get(text, ())))
            else:
                backs = observation.backs.get(text, ())
                counts += [backs.count(back) for back in self.backs]
        return in_planes([min(count, self.most) for count in counts], self.width)

    def read(self, data: bytes, found: Decoded) -> None:
        counts = iter(from_planes(data, self.width))
        for text in self.places.texts(found.seats):
            here = {back: count for back in self.backs if (count := next(counts))}
            if here:
                found.hidden[text] = here
