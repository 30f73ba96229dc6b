"""The information sets of a tree as they are found, each with a position in which its seat decides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias

from upcard.solve.chance_script import NotEnumerable
from upcard.solve.game_tree import InformationSet
from upcard.solve.replayed_position import Position

Parent: TypeAlias = tuple[int, int] | None
"""The last information set and action of a seat; None before its first decision."""


@dataclass
class ListedSets:
    game: str
    """The game's name, for messages."""
    digests: list[str] = field(default_factory=list)
    """What the seat knows (`seat_choices.knowledge_digest`)."""
    sets: list[InformationSet] = field(default_factory=list)
    positions: list[Position] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)

    def number(
        self, digest: str, parent: Parent, describe: Callable[[], InformationSet], position: Position
    ) -> int:
        """The number of an information set, which is new or as it was found before."""
        known = self.numbers.get(digest)
        if known is None:
            known = self.numbers[digest] = len(self.sets)
            self.digests.append(digest)
            self.sets.append(describe())
            self.positions.append(position)
        elif self.sets[known].parent != parent:
            raise NotEnumerable(
                f"{self.game} lets a seat forget what it knew or did before, and solving needs seats that "
                "remember; keep what they saw in a place that they see"
            )
        return known

    def add_all(self, others: ListedSets) -> list[int]:
        """Adds the sets of another part of the tree; their numbers here."""
        numbers: list[int] = []
        for digest, one, position in zip(others.digests, others.sets, others.positions, strict=True):
            parent = None if one.parent is None else (numbers[one.parent[0]], one.parent[1])
            numbers.append(self.number(digest, parent, partial(replace, one, parent=parent), position))
        return numbers
