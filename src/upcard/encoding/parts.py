"""Parts of an encoded observation: each writes the bytes of one field, and reads them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator

from upcard.encoding.content import Content, PlaceGroup, StoreGroup
from upcard.encoding.fields import BYTE, Decoded, Seen, from_planes, in_planes
from upcard.engine.api import TABLE, owner_text, team_owner

NUMBERS = 1 << 16
"""Numbers of storages are stored modulo this: those from -32,768 to 32,767 are read back as they were."""


class Part(ABC):
    name: str
    size: int
    highest: int = BYTE
    meaning: str
    values: tuple[str, ...] = ()

    @abstractmethod
    def write(self, seen: Seen) -> bytes: ...

    @abstractmethod
    def read(self, data: bytes, found: Decoded) -> None: ...


# --- cards ---------------------------------------------------------------------------------------


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
            self.meaning = f"{what}, 1 here" if not self.folds else f"{what}, 1 on top, 2 below it, and so on"
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
            first = "the seat's own" if places.turns[0] == 0 else "of the next seat"
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


# --- storages ------------------------------------------------------------------------------------


def storage_keys(group: StoreGroup, seats: list[int], teams: list[int]) -> Iterator[str]:
    """What observations call the storages of a group, the observer's own first."""
    if group.owner == "table":
        yield f"{owner_text(TABLE)}.{group.name}"
    for number in {"table": [], "player": seats, "team": teams}[group.owner]:
        yield f"{owner_text(number if group.owner == 'player' else team_owner(number))}.{group.name}"


def _owners(content: Content, group: StoreGroup) -> int:
    return {"table": 1, "player": content.seats, "team": content.teams}[group.owner]


def _first(group: StoreGroup) -> str:
    return {"table": "", "player": ", the seat's own first", "team": ", the seat's team first"}[group.owner]


class StringsPart(Part):
    """The strings that owners store under a name."""

    def __init__(self, content: Content, group: StoreGroup) -> None:
        self.group = group
        self.name = group.text
        self.values = group.values
        self.width = 1 if len(group.values) <= BYTE + 1 else 2
        self.owners = _owners(content, group)
        self.size = self.owners * self.width
        self.highest = len(group.values) - 1 if self.width == 1 else BYTE
        self.meaning = f"number of the string{_first(group)}"
        self._numbers = {text: number for number, text in enumerate(group.values)}

    def write(self, seen: Seen) -> bytes:
        strings = seen.observation.strings
        values = [
            self._numbers[strings.get(key, "")] for key in storage_keys(self.group, seen.seats, seen.teams)
        ]
        return in_planes(values + [0] * (self.owners - len(values)), self.width)

    def read(self, data: bytes, found: Decoded) -> None:
        numbers = from_planes(data, self.width)
        for key, number in zip(storage_keys(self.group, found.seats, found.teams), numbers, strict=False):
            if number:
                found.strings[key] = self.values[number]


class NumbersPart(Part):
    """The numbers that owners store under a name."""

    def __init__(self, content: Content, group: StoreGroup) -> None:
        self.group = group
        self.name = group.text
        self.owners = _owners(content, group)
        self.size = 2 * self.owners
        self.meaning = f"number in two bytes{_first(group)}, low byte first"

    def write(self, seen: Seen) -> bytes:
        integers = seen.observation.integers
        keys = storage_keys(self.group, seen.seats, seen.teams)
        values = [integers.get(key, 0) % NUMBERS for key in keys]
        return b"".join(value.to_bytes(2, "little") for value in values).ljust(self.size, b"\0")

    def read(self, data: bytes, found: Decoded) -> None:
        for n, key in enumerate(storage_keys(self.group, found.seats, found.teams)):
            value = int.from_bytes(data[2 * n : 2 * n + 2], "little", signed=True)
            if value:
                found.integers[key] = value


# --- who and when --------------------------------------------------------------------------------


class SeatPart(Part):
    """Whose view it is. All else is relative to this seat."""

    name = "seat"
    highest = 1

    def __init__(self, content: Content) -> None:
        self.size = content.seats
        self.meaning = "1 for the seat whose view this is, counted from 0"

    def write(self, seen: Seen) -> bytes:
        return bytes(seat == seen.observation.seat for seat in range(self.size))

    def read(self, data: bytes, found: Decoded) -> None:
        assert data[found.seats[0]], "the seat is read first"


class ToMovePart(Part):
    """Whose turn it is."""

    name = "to_move"
    highest = 1

    def __init__(self, content: Content) -> None:
        self.size = content.seats
        self.meaning = "1 for the seat to move, the seat itself first; none when the game is over"

    def write(self, seen: Seen) -> bytes:
        return bytes(seat == seen.observation.to_move for seat in seen.seats)

    def read(self, data: bytes, found: Decoded) -> None:
        found.to_move = found.seats[data.index(1)] if 1 in data else None


class PhasePart(Part):
    """Which choice of the text is open."""

    name = "phase"
    highest = 1

    def __init__(self, content: Content) -> None:
        self.size = len(content.asks)
        lines = ", ".join(map(str, content.ask_lines))
        self.meaning = f"1 for the choice that is open, in the order of the text (lines {lines})"

    def write(self, seen: Seen) -> bytes:
        return bytes(number == seen.phase for number in range(self.size))

    def read(self, data: bytes, found: Decoded) -> None:
        found.phase = data.index(1) if 1 in data else None


class TeamsPart(Part):
    """The teams, where the text does not fix them."""

    name = "teams"

    def __init__(self, content: Content) -> None:
        self.size = self.highest = content.seats
        self.meaning = "1 + the team of each seat, the seat itself first"

    def write(self, seen: Seen) -> bytes:
        teams = {seat: number for number, team in enumerate(seen.observation.teams) for seat in team}
        return bytes(1 + teams[seat] for seat in seen.seats)

    def read(self, data: bytes, found: Decoded) -> None:
        members: list[list[int]] = [[] for _ in range(max(data))]
        for seat, number in sorted(zip(found.seats, data, strict=True)):
            members[number - 1].append(seat)
        found.members = tuple(map(tuple, members))


class SeatCyclesPart(Part):
    """The current and the next seat, stage by stage."""

    name = "cycles of seats"

    def __init__(self, content: Content) -> None:
        self.levels = content.seat_levels
        self.size = 2 * self.levels
        self.highest = content.seats
        self.meaning = (
            "for each open stage, outermost first: 1 + the current seat, 1 + the next seat if it is named; "
            "both as seats after the observer, else 0"
        )

    def write(self, seen: Seen) -> bytes:
        data = bytearray(self.size)
        for level, (current, after) in enumerate(seen.observation.cycles["seats"]):
            data[2 * level] = 1 + seen.turn(current)
            data[2 * level + 1] = 0 if after is None else 1 + seen.turn(after)
        return bytes(data)

    def read(self, data: bytes, found: Decoded) -> None:
        for current, after in zip(data[::2], data[1::2], strict=True):
            if current:
                found.seat_cycles.append(
                    [found.seats[current - 1], found.seats[after - 1] if after else None]
                )


class TeamCyclesPart(Part):
    """The current team, stage by stage."""

    name = "cycles of teams"

    def __init__(self, content: Content) -> None:
        self.size = content.team_levels
        self.highest = content.teams
        self.meaning = "for each open stage of teams, outermost first: 1 + the current team, the seat's first"

    def write(self, seen: Seen) -> bytes:
        cycles = seen.observation.cycles["teams"]
        return bytes(1 + seen.teams.index(team) for team in cycles).ljust(self.size, b"\0")

    def read(self, data: bytes, found: Decoded) -> None:
        found.team_cycles = [found.teams[turn - 1] for turn in data if turn]


def parts_of(content: Content) -> Iterator[Part]:
    """The parts of an observation, in their order."""
    for group in content.places:
        seen = PlaceList(content, group, True)
        if group.cls == "mem":
            yield MemoryPart(content, seen)
        elif seen.count:
            cards = CardsPart(content, seen)
            yield cards
            if group.ordered and not cards.folds:
                yield DepthPart(content, seen)
    for group in content.places:
        counted = PlaceList(content, group, group.cls == "mem")
        if counted.count:
            yield CountsPart(content, counted)
    yield from (StringsPart(content, strings) for strings in content.strings)
    yield from (NumbersPart(content, numbers) for numbers in content.numbers)
    yield PhasePart(content)
    yield SeatPart(content)
    yield ToMovePart(content)
    if content.fixed_teams is None:
        yield TeamsPart(content)
    yield SeatCyclesPart(content)
    if content.team_levels:
        yield TeamCyclesPart(content)
