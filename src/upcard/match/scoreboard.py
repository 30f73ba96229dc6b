"""Scoreboard of a match: totals, the end, and the winners."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from upcard.library.match_rules import add_points, is_over, leaders
from upcard.library.sheet import MatchRules
from upcard.match.seats import Sides


@dataclass
class Board:
    """Totals per side. The match ends when a side reaches the target, and the side that leads then wins."""

    rules: MatchRules
    sides: Sides
    highest: bool
    shared: bool = True
    """Whether partners share one score, which counts once; otherwise their scores are added."""
    deals: int = 0
    totals: list[int] = field(default_factory=list)
    tallies: dict[str, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.totals:
            self.totals = [0] * len(self.sides)
            self.tallies = {tally.name: [0] * len(self.sides) for tally in self.rules.tallies}

    def copy(self) -> Board:
        counts = {name: list(counted) for name, counted in self.tallies.items()}
        return Board(self.rules, self.sides, self.highest, self.shared, self.deals, list(self.totals), counts)

    def points(self, scores: Sequence[int]) -> list[int]:
        """What a deal is worth to each side, from the scores of persons."""
        if self.shared:
            return [scores[side[0]] for side in self.sides]
        return [sum(scores[person] for person in side) for side in self.sides]

    def add(self, scores: Sequence[int], counted: Mapping[str, Sequence[int]] | None = None) -> list[int]:
        """Add a deal: the scores of persons, and per tally the numbers of the sides. Returns the sides'
        points."""
        self.deals += 1
        points = self.points(scores)
        for tally in self.rules.tallies:
            running = self.tallies[tally.name]
            for side, more in enumerate((counted or {}).get(tally.name, [0] * len(self.sides))):
                running[side] += more
                while running[side] >= tally.every:
                    running[side] -= tally.every
                    points[side] += tally.points
        for side, more in enumerate(points):
            self.totals[side] = add_points(self.rules, self.totals[side], more)
        return points

    @property
    def leaders(self) -> list[int]:
        """The sides that lead now."""
        return leaders(self.totals, self.highest)

    @property
    def over(self) -> bool:
        return is_over(self.rules, self.totals, self.deals, self.highest)
