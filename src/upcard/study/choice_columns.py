"""How many choices there were at each decision: means, true quantiles and shares, as they happened.

Nothing is smoothed: every quantile is a number of choices that some game had at that decision. Only where
a game has more decisions than a figure has room for are neighbouring decisions counted together.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from upcard.simulate.trace_sums import TraceSums
from upcard.stats.histogram import Histogram
from upcard.study.game_log import Watched

FEWEST = 10
"""Columns end where fewer games than this, or a twentieth of them, are still going on."""
STEPS = 64
"""Up to this many decisions are drawn as steps, more as a density strip."""
MAX_COLUMNS = 128
MAX_ROWS = 32


@dataclass(frozen=True)
class Column:
    """The choices at a decision of the game, or at several neighbouring ones."""

    first: int
    last: int
    mean: float
    low: int
    """One decision in ten has fewer choices, at most."""
    high: int
    """One decision in ten has more choices, at most."""
    counts: Mapping[int, int]
    """How many decisions had this many choices."""

    @property
    def count(self) -> int:
        return sum(self.counts.values())


def columns(sums: TraceSums) -> list[Column]:
    games = sums.scored
    least = min(games, max(FEWEST, games // 20))
    kept = [one for one in sums.choices if one.count >= max(1, least)]
    width = max(1, math.ceil(len(kept) / MAX_COLUMNS))
    return [_column(kept[at : at + width], at + 1) for at in range(0, len(kept), width)]


def _column(parts: Sequence[Histogram], first: int) -> Column:
    found = Histogram.together(parts)
    low, high = found.at(int(0.1 * (found.count - 1)), math.ceil(0.9 * (found.count - 1)))
    return Column(first, first + len(parts) - 1, found.mean, low, high, found.counts)


def drawn_as_steps(found: Sequence[Column]) -> bool:
    return not found or found[-1].last <= STEPS


def cells(found: Sequence[Column]) -> tuple[int, list[tuple[Column, int, float]]]:
    """The rows of a density strip: how many numbers of choices a row has, and per column and row (by its
    lowest number) the share of the column's decisions."""
    most = max((value for column in found for value in column.counts), default=1)
    height = math.ceil(most / MAX_ROWS)
    shares: list[tuple[Column, int, float]] = []
    for column in found:
        rows: dict[int, int] = {}
        for value, count in column.counts.items():
            row = (value - 1) // height * height + 1
            rows[row] = rows.get(row, 0) + count
        shares += [(column, row, count / column.count) for row, count in sorted(rows.items())]
    return height, shares


def dots_by_seat(games: Sequence[Watched], seats: int) -> list[Counter[tuple[int, int]]]:
    """Per seat how often it had a number of choices at a decision: (decision, choices)."""
    dots: list[Counter[tuple[int, int]]] = [Counter() for _ in range(seats)]
    for game in games:
        for number, (seat, choices) in enumerate(zip(game.seats, game.choices, strict=True), 1):
            dots[seat][number, choices] += 1
    return dots
