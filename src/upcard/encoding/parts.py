"""Parts of an encoded observation: storages, turns and teams; all parts in their order."""

from __future__ import annotations

from collections.abc import Iterator

from upcard.encoding.card_parts import CardsPart, CountsPart, DepthPart, MemoryPart, Part, PlaceList
from upcard.encoding.content import Content, StoreGroup
from upcard.encoding.fields import BYTE, Decoded, Seen, from_planes, in_planes
from upcard.engine.api import TABLE, owner_text, team_owner

NUMBERS = 1 << 16
"""Numbers of storages are stored modulo this: those from -32,768 to 32,767 are read back as they were."""


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
