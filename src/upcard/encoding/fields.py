"""Fields of an encoded observation: what each is called, where it lies, and what its bytes mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from upcard.engine.api import Observation

BYTE = 255
"""The highest value of a byte."""


@dataclass(frozen=True)
class Field:
    """Some bytes of an encoded observation.

    >>> field = upcard.load("euchre").encoding.fields[0]
    >>> field.name, field.offset, field.size, field.highest
    ('table.vloc.UPCARD', 0, 24, 24)
    """

    name: str
    offset: int
    """The first byte."""
    size: int
    """Number of bytes."""
    highest: int
    """The highest value that a byte of it can have; the lowest is 0."""
    meaning: str
    values: tuple[str, ...] = ()
    """The words that its values stand for, if they stand for words."""

    def to_json(self) -> dict[str, Any]:
        """The field as data.

        >>> upcard.load("euchre").encoding.fields[0].to_json()["size"]
        24
        """
        return {
            "name": self.name,
            "offset": self.offset,
            "size": self.size,
            "highest": self.highest,
            "meaning": self.meaning,
            "values": list(self.values),
        }


def in_row(fields: Iterable[Field]) -> tuple[Field, ...]:
    """Fields that lie one behind the other."""
    found: list[Field] = []
    offset = 0
    for one in fields:
        found.append(replace(one, offset=offset))
        offset += one.size
    return tuple(found)


class Seen:
    """An observation with what fields are written from: seats and teams from the observer on, the phase."""

    def __init__(self, observation: Observation, phase: int | None, decided: list[int]) -> None:
        self.observation = observation
        self.seats = seats_from(observation.seat, observation.seats)
        self.teams = teams_from(observation.seat, observation.teams)
        self.phase = phase
        """Which choice of the text is open, from 0; None when the game is over."""
        self.decided = decided
        """The phases of the decisions so far."""

    def turn(self, seat: int) -> int:
        """How many seats after the observer a seat is."""
        return (seat - self.observation.seat) % self.observation.seats


@dataclass
class Decoded:
    """What the bytes of an observation say, as far as they have been read."""

    seats: list[int]
    """From the observer on."""
    members: tuple[tuple[int, ...], ...] | None
    """The teams; None until they are read."""
    phase: int | None = None
    to_move: int | None = None
    lying: dict[str, list[int]] = field(default_factory=dict)
    """Of places by group: for each card which place it lies in, or -1."""
    depths: dict[str, list[int]] = field(default_factory=dict)
    """Of the same: how many cards lie on top of it."""
    memories: dict[str, list[str]] = field(default_factory=dict)
    """By place: the cards that are remembered, bottom to top."""
    hidden: dict[str, dict[str, int]] = field(default_factory=dict)
    """By place: how many cards of each back."""
    integers: dict[str, int] = field(default_factory=dict)
    strings: dict[str, str] = field(default_factory=dict)
    seat_cycles: list[list[int | None]] = field(default_factory=list)
    team_cycles: list[int] = field(default_factory=list)

    @property
    def teams(self) -> list[int]:
        """From the observer's own on."""
        assert self.members is not None, "the teams are read first"
        return teams_from(self.seats[0], self.members)


def seats_from(seat: int, seats: int) -> list[int]:
    return [(seat + turn) % seats for turn in range(seats)]


def teams_from(seat: int, teams: Sequence[Sequence[int]]) -> list[int]:
    """The teams from the seat's own on."""
    own = next((number for number, team in enumerate(teams) if seat in team), 0)
    return [(own + turn) % len(teams) for turn in range(len(teams))]


def in_planes(values: Sequence[int], width: int) -> bytes:
    """Numbers of one or two bytes: all low bytes, then all high bytes."""
    return b"".join(bytes(value >> (8 * n) & BYTE for value in values) for n in range(width))


def from_planes(data: bytes, width: int) -> list[int]:
    count = len(data) // width
    return [sum(data[i + n * count] << (8 * n) for n in range(width)) for i in range(count)]
