"""What both levels of detail count: endings, lengths and first places, in exact integers."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from operator import add
from typing import Any, Self

from upcard.engine.api import ENDINGS
from upcard.stats.moments import Spread, ratio


@dataclass(kw_only=True)
class GameSums(ABC):
    """Sums are the same however the games were divided into parts, and in whatever order parts are merged.
    Means and errors are computed on demand, each rounded once."""

    ends: dict[str, int] = field(default_factory=lambda: dict.fromkeys(ENDINGS, 0))
    lengths: dict[int, list[int]] = field(default_factory=dict)
    """By number of decisions: the games; then choices, forced decisions and perhaps slopes, each as a sum and
    a sum of squares. Ratios per game have the number of decisions as denominator, so numerators are added."""
    firsts: list[list[int]] = field(default_factory=list)
    """Per side, how often it was first alone, with one other side, with two others, ..."""

    @abstractmethod
    def add(self, game: Any, deal: int) -> None:
        """Adds one game."""

    def add_length(self, decisions: int, sums: Iterable[int]) -> None:
        before = self.lengths.get(decisions)
        self.lengths[decisions] = list(sums if before is None else map(add, before, sums))

    def add_first(self, sides: Sequence[int]) -> None:
        """A game that these sides won together."""
        for side in sides:
            self.firsts[side][len(sides) - 1] += 1

    def add_firsts(self, more: Iterable[Sequence[int]]) -> None:
        self.firsts = [list(map(add, *both)) for both in zip(self.firsts, more, strict=True)]

    def merge(self, other: Self) -> None:
        """Adds other deals of the same game."""
        for ending, count in other.ends.items():
            self.ends[ending] += count
        for decisions, sums in other.lengths.items():
            self.add_length(decisions, sums)
        self.add_firsts(other.firsts)

    @property
    def games(self) -> int:
        return sum(self.ends.values())

    @property
    def scored(self) -> int:
        """Games that did not fail."""
        return self.games - self.ends["failed"]

    @property
    def decisions(self) -> Spread:
        """Decisions per game."""
        counts = {decisions: sums[0] for decisions, sums in self.lengths.items()}
        total = sum(d * games for d, games in counts.items())
        squares = sum(d * d * games for d, games in counts.items())
        return Spread(
            sum(counts.values()), total, squares, min(counts, default=None), max(counts, default=None)
        )

    @property
    def branching(self) -> Spread:
        """Choices per decision: the mean over games, each with the same weight."""
        return self._ratio(1, least=1)

    @property
    def forced_share(self) -> Spread:
        """The share of decisions with one alternative, of each game."""
        return self._ratio(3, least=1)

    def _ratio(
        self, at: int, scale: Callable[[int], int] = lambda decisions: decisions, least: int = 0
    ) -> Spread:
        """Sums of `lengths` from an index on, over what `scale` makes of the number of decisions."""
        return ratio(
            (scale(decisions), sums[0], sums[at], sums[at + 1])
            for decisions, sums in self.lengths.items()
            if decisions >= least
        )

    def first_share(self, side: int) -> Spread:
        """The share of games that a side wins; a first place that k sides share counts 1/k for each."""
        whole = math.lcm(*range(1, len(self.firsts) + 1))
        parts = [(count, whole // k) for k, count in enumerate(self.firsts[side], 1)]
        total = sum(count * part for count, part in parts)
        squares = sum(count * part * part for count, part in parts)
        return Spread(self.scored, total, squares, scale=whole)
