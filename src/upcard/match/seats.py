"""Seats of a match: players keep partners and neighbours, and the deal rotates to the left.

In a program the last seat always deals, so the persons move along the seats: person i sits at seat i - turn.
Partners stay partners: where the program's teams would differ after a turn, the deal does not rotate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

Sides = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Seating:
    """The persons at the seats of one deal."""

    seats: int
    turn: int

    def person(self, seat: int) -> int:
        return (seat + self.turn) % self.seats

    def seat(self, person: int) -> int:
        return (person - self.turn) % self.seats

    @property
    def persons(self) -> list[int]:
        """The persons at the program's seats 0, 1, ..."""
        return [self.person(seat) for seat in range(self.seats)]

    def by_person(self, values: Sequence[int]) -> list[int]:
        """Values of seats in the order of persons."""
        return [values[self.seat(person)] for person in range(len(values))]

    @property
    def dealer(self) -> int:
        return self.person(self.seats - 1)


@lru_cache
def can_turn(seats: int, sides: Sides) -> bool:
    """Whether partners stay partners when everybody moves by one seat."""
    turned = {frozenset((seat + 1) % seats for seat in side) for side in sides}
    return turned == {frozenset(side) for side in sides}


def seating_of(deal: int, seats: int, sides: Sides) -> Seating:
    return Seating(seats, deal % seats if can_turn(seats, sides) else 0)


def side_of(person: int, sides: Sides) -> int:
    return next(number for number, side in enumerate(sides) if person in side)


def names_of_sides(names: Sequence[str], sides: Sides) -> list[str]:
    return [" and ".join(names[person] for person in side) for side in sides]
