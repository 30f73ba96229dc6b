"""Exact sums of traces.

Sums take no more room for a million games than for a thousand. A failed game counts among the endings and
nowhere else. Partners are one side: a side is first when any of its seats is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, TypeAlias

from upcard.engine.api import ENDINGS, MAX_LIMIT, Record
from upcard.files.decode import Key, Mismatch, Range, decode
from upcard.simulate.game_sums import GameSums
from upcard.simulate.traces import Trace, slope_of, slope_scale
from upcard.stats.histogram import Histogram
from upcard.stats.moments import Spread

Sides: TypeAlias = Sequence[Sequence[int]]
"""Partnerships, or each seat for itself."""


@dataclass
class TraceSums(GameSums):
    """Lengths hold the slopes of choices as well, summed and squared."""

    sides: Sides
    highest: bool
    first_failed: int | None = None
    """The lowest deal that failed."""
    scores: list[Histogram] = field(default_factory=list)
    """Per seat."""
    choices: list[Histogram] = field(default_factory=list)
    """Per decision of a game, the first one first."""

    def __post_init__(self) -> None:
        count = len(self.sides)
        self.firsts = self.firsts or [[0] * count for _ in range(count)]
        self.scores = self.scores or [Histogram() for side in self.sides for _ in side]

    def add(self, trace: Trace, deal: int) -> None:
        self.ends[trace.ending] += 1
        if trace.scores is None:
            self._fail_at(deal)
            return
        offered, winners = trace.choices, trace.winners(self.highest)
        numbers = (sum(offered), offered.count(1), slope_of(offered))
        self.add_length(len(offered), [1, *(word for n in numbers for word in (n, n * n))])
        self.add_first([n for n, side in enumerate(self.sides) if any(seat in winners for seat in side)])
        for histogram, score in zip(self.scores, trace.scores, strict=True):
            histogram.add(score)
        for histogram, count in zip(self.choices_of(len(offered)), offered, strict=True):
            histogram.add(count)

    def _fail_at(self, deal: int) -> None:
        self.first_failed = deal if self.first_failed is None else min(deal, self.first_failed)

    def choices_of(self, decisions: int) -> list[Histogram]:
        """The histograms of choices of the first decisions."""
        self.choices += [Histogram() for _ in range(decisions - len(self.choices))]
        return self.choices[:decisions]

    def merge(self, other: TraceSums) -> None:
        super().merge(other)
        if other.first_failed is not None:
            self._fail_at(other.first_failed)
        for mine, theirs in zip(self.scores, other.scores, strict=True):
            mine.merge(theirs)
        for mine, theirs in zip(self.choices_of(len(other.choices)), other.choices, strict=True):
            mine.merge(theirs)

    def __add__(self, other: TraceSums) -> TraceSums:
        """New sums: Ctrl-C in the middle of this leaves both as they were."""
        both = TraceSums(self.sides, self.highest)
        both.merge(self)
        both.merge(other)
        return both

    @property
    def slope(self) -> Spread:
        """Of the line through the numbers of choices, of each game."""
        return self._ratio(5, slope_scale)

    @property
    def ties(self) -> Spread:
        """The share of games in which several sides are first."""
        # a tie of k sides was counted by each of them
        tied = sum(sum(among[k - 1] for among in self.firsts) // k for k in range(2, len(self.sides) + 1))
        return Spread(self.scored, tied, tied)

    def won(self, side: int) -> Spread:
        """The share of games in which a side is first, alone or with others."""
        count = sum(self.firsts[side])
        return Spread(self.scored, count, count)

    # --- as JSON -------------------------------------------------------------------------------

    def to_json(self) -> Record:
        return {
            "ends": [self.ends[word] for word in ENDINGS],
            "first failed": self.first_failed,
            "lengths": [[decisions, *sums] for decisions, sums in sorted(self.lengths.items())],
            "firsts": self.firsts,
            "scores": [one.to_json() for one in self.scores],
            "choices": [one.to_json() for one in self.choices],
        }

    @classmethod
    def from_json(cls, data: Record, sides: Sides, highest: bool) -> TraceSums:
        """Raises `Mismatch` for anything that `to_json` cannot have written."""
        line = decode(_Line, data)
        sums = cls(
            sides,
            highest,
            line.first_failed,
            _histograms(line.scores, "scores"),
            _histograms(line.choices, "choices"),
            ends=dict(zip(ENDINGS, line.ends, strict=True)),
            lengths={decisions: numbers for decisions, *numbers in line.lengths},
            firsts=[list(among) for among in line.firsts],
        )
        sums._check_lengths(len(line.lengths))
        sums._check_firsts()
        sums._check_counts()
        return sums

    def _check_lengths(self, lines: int) -> None:
        if len(self.lengths) != lines:
            raise Mismatch("must have each number of decisions only once", "lengths")
        for n, (games, *sums) in enumerate(self.lengths.values()):
            if any(
                total * total > games * squares for total, squares in zip(sums[::2], sums[1::2], strict=True)
            ):
                raise Mismatch("has sums and sums of squares that contradict each other", "lengths", n)
        if sum(sums[0] for sums in self.lengths.values()) != self.scored:
            raise Mismatch(f"must have {self.scored} games, those that did not fail", "lengths")
        if (self.first_failed is None) != (self.ends["failed"] == 0):
            raise Mismatch("must be a number where games failed, and only there", "first failed")

    def _check_firsts(self) -> None:
        count = len(self.sides)
        if [len(among) for among in self.firsts] != [count] * count:
            raise Mismatch(f"must be {count} lists of {count}", "firsts")
        won = 0
        for k, column in enumerate(zip(*self.firsts, strict=True), 1):
            games, rest = divmod(sum(column), k)  # a tie of k sides was counted by each of them
            if rest or max(column) > games:
                raise Mismatch(f"has ties of {k} that not every side counted", "firsts")
            won += games
        if won != self.scored:
            raise Mismatch(f"must have {self.scored} games, those that did not fail", "firsts")

    def _check_counts(self) -> None:
        if [one.count for one in self.scores] != [self.scored] * sum(map(len, self.sides)):
            raise Mismatch(f"must have {self.scored} games for each seat", "scores")
        going_on = self.scored
        for n, one in enumerate(self.choices):
            going_on -= self.lengths.get(n, [0])[0]
            if one.count != going_on:
                raise Mismatch(f"must have {going_on} games, those with that many decisions", "choices", n)


Count: TypeAlias = Annotated[int, Range(0)]
Sum: TypeAlias = Annotated[int, Range(-(1 << 256), 1 << 256)]
"""Any number of squares of 64-bit numbers."""


@dataclass(frozen=True)
class _Line:
    """Sums as JSON."""

    ends: tuple[Count, Count, Count, Count]
    first_failed: Annotated[Count | None, Key("first failed")]
    lengths: tuple[tuple[Annotated[int, Range(0, MAX_LIMIT)], Count, Sum, Sum, Sum, Sum, Sum, Sum], ...]
    firsts: tuple[tuple[Count, ...], ...]
    scores: tuple[tuple[Sum | None, ...], ...]
    choices: tuple[tuple[Sum | None, ...], ...]


def _histograms(lines: Sequence[Sequence[int | None]], key: str) -> list[Histogram]:
    histograms = []
    for number, line in enumerate(lines):
        try:
            histograms.append(Histogram.from_json(line))
        except Mismatch as mismatch:
            raise mismatch.below(key, number) from None
    return histograms
