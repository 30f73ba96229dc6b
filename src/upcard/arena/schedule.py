"""Pairings and seats: each deal is repeated until every player has sat in every seat.

A place is a side of the game: a partnership, or a seat for itself. A group of players plays a deal once for
each rotation over the places, so that each of them holds the same cards. With more players than places, every
combination that fills the places is a group; with fewer, a player sits in several places.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from upcard.lazy import lazy_property


@dataclass(frozen=True)
class Sitting:
    """One game of a deal: the group, and the player at each place."""

    group: int
    players: tuple[int, ...]


@dataclass(frozen=True)
class Schedule:
    """The groups that play each deal."""

    players: int
    places: int
    groups: tuple[tuple[int, ...], ...]

    @classmethod
    def everybody(cls, players: int, places: int) -> Schedule:
        """Every combination of players that fills the places, or one group of all players."""
        return cls(players, places, tuple(combinations(range(players), min(players, places))))

    @classmethod
    def neighbours(cls, players: int, places: int) -> Schedule:
        """A ladder: each player against the next."""
        return cls(players, places, tuple((i, i + 1) for i in range(players - 1)))

    @lazy_property
    def sittings(self) -> tuple[Sitting, ...]:
        """The games of one deal, in order."""
        return tuple(
            Sitting(number, tuple(group[(place + turn) % len(group)] for place in range(self.places)))
            for number, group in enumerate(self.groups)
            for turn in range(len(group))
        )

    def game(self, index: int) -> tuple[int, Sitting]:
        """The deal and the sitting of a game of the contest."""
        deal, sitting = divmod(index, len(self.sittings))
        return deal, self.sittings[sitting]
