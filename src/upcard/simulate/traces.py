"""Traces of games, and their exact sums.

A game's course is who chose among how many, decision by decision. Sums are exact, so they are the same
however games were cut into parts, whoever played them and in whatever order the parts were put together; they
take no more room for a million games than for a thousand. A failed game counts among the endings and nowhere
else. Partners are one side: a side is first when any of its seats is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import add
from typing import Annotated, NamedTuple, TypeAlias

from upcard.engine.api import ENDINGS, MOST_LIMIT, Ending, Record, rank
from upcard.files.decode import Key, Mismatch, Range, decode
from upcard.stats.histogram import Histogram
from upcard.stats.moments import Spread, ratio

Sides: TypeAlias = Sequence[Sequence[int]]
"""Partnerships, or each seat for itself."""


class Outline(NamedTuple):
    """One game without its single decisions."""

    ending: Ending
    decisions: int
    choices: int
    forced: int
    slope: int
    """See `slope_of`."""
    scores: tuple[int, ...] | None
    """None where the game failed."""


class Trace(NamedTuple):
    """One game, decision by decision."""

    ending: Ending
    seats: tuple[int, ...]
    choices: tuple[int, ...]
    scores: tuple[int, ...] | None

    @property
    def outline(self) -> Outline:
        offered = self.choices
        return Outline(
            self.ending, len(offered), sum(offered), offered.count(1), slope_of(offered), self.scores
        )


def slope_of(choices: Sequence[int]) -> int:
    """The slope of the least-squares line through the points (1, first), (2, second), ..., times
    `slope_scale`: a whole number."""
    weighted = sum(number * offered for number, offered in enumerate(choices, 1))
    return 12 * weighted - 6 * (len(choices) + 1) * sum(choices)


def slope_scale(decisions: int) -> int:
    """What a slope has to be divided by; below two points it is 0, whatever that is."""
    return decisions * (decisions * decisions - 1) if decisions > 1 else 1


@dataclass
class TraceSums:
    sides: Sides
    highest: bool
    ends: dict[str, int] = field(default_factory=lambda: dict.fromkeys(ENDINGS, 0))
    first_failed: int | None = None
    """The lowest deal that failed."""
    lengths: dict[int, list[int]] = field(default_factory=dict)
    """By number of decisions: games; then choices, forced decisions and slopes, each summed and squared."""
    firsts: list[list[int]] = field(default_factory=list)
    """Per side, how often it was first alone, among two sides, among three, .."""
    scores: list[Histogram] = field(default_factory=list)
    """Per seat."""
    choices: list[Histogram] = field(default_factory=list)
    """Per decision of a game, the first one first."""

    def __post_init__(self) -> None:
        count = len(self.sides)
        self.firsts = self.firsts or [[0] * count for _ in range(count)]
        self.scores = self.scores or [Histogram() for side in self.sides for _ in side]

    # --- adding up -----------------------------------------------------------------------------

    def add(self, course: Trace, deal: int) -> None:
        self.ends[course.ending] += 1
        if course.scores is None:
            self.fail_at(deal)
            return
        of = course.outline
        numbers = (of.choices, of.forced, of.slope)
        squared = [word for number in numbers for word in (number, number * number)]
        self.add_length(of.decisions, [1, *squared])
        ranks = rank(course.scores, self.highest)
        first = [n for n, side in enumerate(self.sides) if any(ranks[seat] == 0 for seat in side)]
        for side in first:
            self.firsts[side][len(first) - 1] += 1
        for histogram, score in zip(self.scores, course.scores, strict=True):
            histogram.add(score)
        for histogram, offered in zip(self.at_least(of.decisions), course.choices, strict=False):
            histogram.add(offered)

    def fail_at(self, deal: int) -> None:
        self.first_failed = deal if self.first_failed is None else min(deal, self.first_failed)

    def add_length(self, decisions: int, sums: Sequence[int]) -> None:
        before = self.lengths.get(decisions)
        self.lengths[decisions] = list(sums if before is None else map(add, before, sums))

    def at_least(self, decisions: int) -> list[Histogram]:
        """The histograms of choices, for so many decisions at least."""
        self.choices += [Histogram() for _ in range(decisions - len(self.choices))]
        return self.choices

    def merge(self, other: TraceSums) -> None:
        """Adds other deals of the same game."""
        for word, count in other.ends.items():
            self.ends[word] += count
        if other.first_failed is not None:
            self.fail_at(other.first_failed)
        for decisions, sums in other.lengths.items():
            self.add_length(decisions, sums)
        self.firsts = [list(map(add, *both)) for both in zip(self.firsts, other.firsts, strict=True)]
        for mine, theirs in zip(self.scores, other.scores, strict=True):
            mine.merge(theirs)
        for mine, theirs in zip(self.at_least(len(other.choices)), other.choices, strict=False):
            mine.merge(theirs)

    def __add__(self, other: TraceSums) -> TraceSums:
        """Something new: whoever is interrupted meanwhile still has both as they were."""
        made = TraceSums(self.sides, self.highest)
        made.merge(self)
        made.merge(other)
        return made

    # --- what it comes to ----------------------------------------------------------------------

    @property
    def games(self) -> int:
        return sum(self.ends.values())

    @property
    def scored(self) -> int:
        """Games that did not fail."""
        return self.games - self.ends["failed"]

    @property
    def length(self) -> Spread:
        counts = {decisions: sums[0] for decisions, sums in self.lengths.items()}
        return Histogram.of(counts).tally.spread

    @property
    def choices_each(self) -> Spread:
        """Choices a decision, of each game."""
        return self._ratio(1, _decisions, least=1)

    @property
    def forced_share(self) -> Spread:
        """The share of decisions with one alternative, of each game."""
        return self._ratio(3, _decisions, least=1)

    @property
    def slope(self) -> Spread:
        """Of the line through the numbers of choices, of each game."""
        return self._ratio(5, slope_scale)

    def _ratio(self, at: int, scale: Callable[[int], int], least: int = 0) -> Spread:
        return ratio(
            (scale(decisions), sums[0], sums[at], sums[at + 1])
            for decisions, sums in self.lengths.items()
            if decisions >= least
        )

    @property
    def ties(self) -> Spread:
        """The share of games in which several sides are first."""
        # a tie of k sides was counted by each of them
        tied = sum(sum(among[k - 1] for among in self.firsts) // k for k in range(2, len(self.sides) + 1))
        return Spread(self.scored, tied, tied)

    def first_place(self, side: int) -> Spread:
        """The share of games that a side wins; those who are first together share."""
        whole = math.lcm(*range(1, len(self.sides) + 1))
        parts = [(count, whole // k) for k, count in enumerate(self.firsts[side], 1)]
        total = sum(count * part for count, part in parts)
        squares = sum(count * part * part for count, part in parts)
        return Spread(self.scored, total, squares, scale=whole)

    def won(self, side: int) -> Spread:
        """The share of games in which a side is first, alone or with others."""
        count = sum(self.firsts[side])
        return Spread(self.scored, count, count)

    # --- kept ----------------------------------------------------------------------------------

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
        """Raises `Mismatch` for what is none."""
        line = decode(_Line, data)
        made = cls(
            sides,
            highest,
            dict(zip(ENDINGS, line.ends, strict=True)),
            line.first_failed,
            {decisions: sums for decisions, *sums in line.lengths},
            [list(among) for among in line.firsts],
            _histograms(line.scores, "scores"),
            _histograms(line.choices, "choices"),
        )
        made._check_lengths(len(line.lengths))
        made._check_firsts()
        made._check_counts()
        return made

    def _check_lengths(self, lines: int) -> None:
        if len(self.lengths) != lines:
            raise Mismatch("must have each number of decisions once", "lengths")
        for n, (games, *sums) in enumerate(self.lengths.values()):
            if any(
                total * total > games * squares for total, squares in zip(sums[::2], sums[1::2], strict=True)
            ):
                raise Mismatch("has sums and sums of squares that do not fit each other", "lengths", n)
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
                raise Mismatch(f"must have {going_on} games, those with so many decisions", "choices", n)


Count: TypeAlias = Annotated[int, Range(0)]
Sum: TypeAlias = Annotated[int, Range(-(1 << 256), 1 << 256)]
"""Of squares of numbers of 64 bits, however many."""


@dataclass(frozen=True)
class _Line:
    """Sums as they are kept."""

    ends: tuple[Count, Count, Count, Count]
    first_failed: Annotated[Count | None, Key("first failed")]
    lengths: tuple[tuple[Annotated[int, Range(0, MOST_LIMIT)], Count, Sum, Sum, Sum, Sum, Sum, Sum], ...]
    firsts: tuple[tuple[Count, ...], ...]
    scores: tuple[tuple[Sum | None, ...], ...]
    choices: tuple[tuple[Sum | None, ...], ...]


def _histograms(lines: Sequence[Sequence[int | None]], key: str) -> list[Histogram]:
    found = []
    for number, line in enumerate(lines):
        try:
            found.append(Histogram.from_json(line))
        except Mismatch as mismatch:
            raise mismatch.below(key, number) from None
    return found


def _decisions(decisions: int) -> int:
    return decisions
