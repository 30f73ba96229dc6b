"""A game's tree as flat arrays in depth order, with its information sets."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field

CHANCE, END = -1, -2
"""What stands for the seat of a node at which nobody decides."""


@dataclass(frozen=True)
class Action:
    """One choice at an information set."""

    text: str
    """A description for people."""
    keys: tuple[str, ...]
    """The moves that it stands for (`Move.key`). There are several if the seat cannot tell them apart."""


@dataclass(frozen=True)
class InformationSet:
    """What a seat knows at a decision, and what it can do there."""

    seat: int
    key: str
    """`Observation.key`."""
    actions: tuple[Action, ...]
    holding: str
    """The cards that only this seat sees, in words."""
    table: str
    """The cards that every seat sees, in words."""
    history: tuple[str, ...]
    """What the seats did so far, as this seat saw it."""
    storages: tuple[tuple[str, str], ...]
    """What is stored, in words: it tells sets apart that are alike in all else."""
    parent: tuple[int, int] | None
    """The information set and the action of the same seat before; None at its first decision."""


@dataclass
class GameTree:
    """The children of a node lie side by side, and behind every node before them."""

    seats: int
    information_sets: list[InformationSet] = field(default_factory=list)
    """Each behind its parent."""
    seat: array[int] = field(default_factory=lambda: array("q"))
    """For each node who decides: a seat, CHANCE or END."""
    at: array[int] = field(default_factory=lambda: array("q"))
    """The information set of a decision; of an end its number, by which `payoffs` are found."""
    first: array[int] = field(default_factory=lambda: array("q"))
    """The first child; children are in the order of the actions."""
    count: array[int] = field(default_factory=lambda: array("q"))
    """The number of children."""
    probability: array[float] = field(default_factory=lambda: array("d"))
    """Of coming here from the parent, if chance decides there; otherwise 1."""
    payoffs: array[float] = field(default_factory=lambda: array("d"))
    """For each end what every seat gets."""

    @property
    def nodes(self) -> int:
        return len(self.seat)

    @property
    def ends(self) -> int:
        return len(self.payoffs) // self.seats

    def payoff(self, node: int) -> tuple[float, ...]:
        """What every seat gets at an end."""
        first = self.at[node] * self.seats
        return tuple(self.payoffs[first : first + self.seats])
