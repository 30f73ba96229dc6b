"""Summary of many games in exact integer sums.

Everything is counted and summed in integers, so a summary is the same however the games were cut into parts,
whoever played them and in whatever order the parts were put together. Means and errors are worked out when
they are asked for, each rounded once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from upcard.engine.api import ENDINGS, Ending, Failure
from upcard.stats.moments import Spread, Tally, ratio

KEPT_FAILURES = 3
"""How many failed games a summary remembers: those with the lowest deals."""


class Row(NamedTuple):
    """One game."""

    ending: Ending
    decisions: int
    choices: int
    forced: int
    scores: tuple[int, ...] | None
    winners: tuple[int, ...]
    failure: Failure | None


@dataclass(slots=True)
class Length:
    """The games with one number of decisions. Ratios per game have that number as denominator, so their
    numerators can be summed."""

    games: int = 0
    choices: int = 0
    choices_squares: int = 0
    forced: int = 0
    forced_squares: int = 0

    def merge(self, other: Length) -> None:
        self.games += other.games
        self.choices += other.choices
        self.choices_squares += other.choices_squares
        self.forced += other.forced
        self.forced_squares += other.forced_squares


@dataclass
class Summary:
    """A failed game counts among the endings, but has no score."""

    seats: int
    ends: dict[str, int] = field(default_factory=lambda: dict.fromkeys(ENDINGS, 0))
    lengths: dict[int, Length] = field(default_factory=dict)
    """By number of decisions."""
    tallies: list[Tally] = field(default_factory=list)
    """Scores, per seat."""
    firsts: list[dict[int, int]] = field(default_factory=list)
    """Per seat, how often it was among so many winners."""
    failures: list[tuple[int, Failure]] = field(default_factory=list)
    """Deal and failure, of the lowest deals that failed."""

    def __post_init__(self) -> None:
        self.tallies = self.tallies or [Tally() for _ in range(self.seats)]
        self.firsts = self.firsts or [{} for _ in range(self.seats)]

    def add(self, row: Row, deal: int) -> None:
        self.ends[row.ending] += 1
        c, f = row.choices, row.forced
        self.lengths.setdefault(row.decisions, Length()).merge(Length(1, c, c * c, f, f * f))
        for seat, score in enumerate(row.scores or ()):
            self.tallies[seat].add(score)
        for seat in row.winners:
            among = self.firsts[seat]
            among[len(row.winners)] = among.get(len(row.winners), 0) + 1
        if row.failure is not None:
            self.keep_failures([(deal, row.failure)])

    def merge(self, other: Summary) -> None:
        """Adds another part of the same run: other deals of the same game."""
        for word, count in other.ends.items():
            self.ends[word] += count
        for decisions, length in other.lengths.items():
            self.lengths.setdefault(decisions, Length()).merge(length)
        for mine, theirs in zip(self.tallies, other.tallies, strict=True):
            mine.merge(theirs)
        for among, more in zip(self.firsts, other.firsts, strict=True):
            for winners, count in more.items():
                among[winners] = among.get(winners, 0) + count
        self.keep_failures(other.failures)

    def keep_failures(self, found: list[tuple[int, Failure]]) -> None:
        if found:
            both = sorted([*self.failures, *found], key=lambda one: one[0])
            self.failures = both[:KEPT_FAILURES]

    @property
    def games(self) -> int:
        return sum(self.ends.values())

    @property
    def decisions(self) -> Spread:
        total = sum(d * length.games for d, length in self.lengths.items())
        squares = sum(d * d * length.games for d, length in self.lengths.items())
        least, most = min(self.lengths, default=None), max(self.lengths, default=None)
        return Spread(self.games, total, squares, least, most)

    @property
    def branching(self) -> Spread:
        """Choices a decision, of each game: the mean over games, each of the same weight."""
        return ratio((d, n.games, n.choices, n.choices_squares) for d, n in self.lengths.items() if d)

    @property
    def forced_share(self) -> Spread:
        """The share of decisions with one alternative, of each game."""
        return ratio((d, n.games, n.forced, n.forced_squares) for d, n in self.lengths.items() if d)

    @property
    def scores(self) -> list[Spread]:
        return [tally.spread for tally in self.tallies]

    @property
    def first_place(self) -> list[float | None]:
        """Per seat its share of first places; a place that k seats share counts 1/k for each."""
        scored = self.games - self.ends["failed"]
        whole = math.lcm(*range(1, self.seats + 1))
        return [
            sum(count * (whole // k) for k, count in among.items()) / (whole * scored) if scored else None
            for among in self.firsts
        ]

    def to_json(self) -> dict[str, Any]:
        decisions = self.decisions
        return {
            "ends": self.ends,
            "decisions": {**decisions.to_json(), "min": decisions.least, "max": decisions.most},
            "branching": self.branching.to_json(),
            "forced_share": self.forced_share.to_json(),
            "seats": self.seats,
            "scores": [score.to_json() for score in self.scores],
            "first_place": self.first_place,
        }
