"""Summary of many games in exact integer sums."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from upcard.arguments import check_path
from upcard.engine.api import Ending, Failure
from upcard.simulate.game_sums import GameSums
from upcard.stats.moments import Spread, Tally

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
    slope: int = 0
    """See `traces.slope_of`; 0 if the game was played without a trace."""


@dataclass(repr=False)
class Summary(GameSums):
    """Sums of many games: `Game.simulate` makes one. Each seat is a side. A failed game counts among endings
    and lengths, but has no score.

    >>> summary = upcard.load("kuhn-poker").simulate(1000, seed=1)
    >>> summary.games, summary.decisions.mean
    (1000, 2.246)
    >>> [round(score.mean, 2) for score in summary.scores]
    [0.16, -0.16]
    """

    seats: int
    tallies: list[Tally] = field(default_factory=list)
    """Scores, per seat."""
    failures: list[tuple[int, Failure]] = field(default_factory=list)
    """Deal and failure, of the lowest deals that failed."""

    def __post_init__(self) -> None:
        self.firsts = self.firsts or [[0] * self.seats for _ in range(self.seats)]
        self.tallies = self.tallies or [Tally() for _ in range(self.seats)]

    def add(self, row: Row, deal: int) -> None:
        self.ends[row.ending] += 1
        c, f = row.choices, row.forced
        self.add_length(row.decisions, (1, c, c * c, f, f * f))
        self.add_first(row.winners)
        for seat, score in enumerate(row.scores or ()):
            self.tallies[seat].add(score)
        if row.failure is not None:
            self._keep_failures([(deal, row.failure)])

    def merge(self, other: Summary) -> None:
        super().merge(other)
        for mine, theirs in zip(self.tallies, other.tallies, strict=True):
            mine.merge(theirs)
        self._keep_failures(other.failures)

    def _keep_failures(self, more: list[tuple[int, Failure]]) -> None:
        if more:
            both = sorted([*self.failures, *more], key=lambda one: one[0])
            self.failures = both[:KEPT_FAILURES]

    @property
    def scores(self) -> list[Spread]:
        """Per seat the `mean` and the standard `error` of its scores."""
        return [tally.spread for tally in self.tallies]

    @property
    def first_place(self) -> list[float | None]:
        """Per seat its share of first places."""
        return [self.first_share(seat).mean if self.scored else None for seat in range(self.seats)]

    def __repr__(self) -> str:
        scores = ", ".join(f"{score.mean:.2f}" for score in self.scores)
        failed = f", {self.ends['failed']:,} failed" if self.ends["failed"] else ""
        length = f"{self.decisions.mean:.1f} decisions"
        return f"<Summary of {self.games:,} games{failed}: {length}, mean scores {scores}>"

    @classmethod
    def from_rows(cls, folder: str | os.PathLike[str]) -> Summary:
        """The summary of the rows that `Game.simulate` wrote into a folder. The simulation may still run.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     played = upcard.load("kuhn-poker").simulate(1000, seed=1, rows=folder)
        ...     upcard.Summary.from_rows(folder) == played
        True
        """
        from upcard.simulate.row_folder import summarize

        check_path("a folder with rows", folder)
        return summarize(Path(folder))[1]

    def to_json(self) -> dict[str, Any]:
        """The summary as data.

        >>> upcard.load("kuhn-poker").simulate(1000, seed=1).to_json()["ends"]["finished"]
        1000
        """
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
