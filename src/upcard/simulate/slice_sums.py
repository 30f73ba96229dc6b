"""Sums of a slice of games: the kernels that add rows, and the memory in which they add."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Iterator
from itertools import accumulate as running_sums

from upcard.engine.api import ENDINGS
from upcard.engine.native import machine_memory
from upcard.engine.native.backends.select import Backend
from upcard.engine.native.buffer import Buffer
from upcard.engine.native.kernels import accumulate, game_columns, playout, random_numbers, trace
from upcard.engine.native.kernels.accumulate import LengthSums, ScoreSums, SliceSums, SliceTotals
from upcard.engine.native.kernels.language import Memory
from upcard.engine.native.kernels.loaded_kernels import load_kernels
from upcard.engine.native.kernels.trace import SlopeSums, TracedSums
from upcard.simulate.game_sums import GameSums
from upcard.simulate.trace_sums import Sides
from upcard.stats.moments import Tally

INT, PTR = ctypes.c_int64, ctypes.c_void_p
TOTAL_WORDS, SCORE_WORDS, LENGTH_WORDS, SLOPE_WORDS = (
    table.size // 8 for table in (SliceTotals, ScoreSums, LengthSums, SlopeSums)
)

KERNELS = (
    *random_numbers.KERNELS,
    playout.deal_name,
    playout.seat_streams,
    playout.write_row,
    *accumulate.KERNELS,
    *trace.KERNELS,
    *game_columns.KERNELS,
)
EXPORTED = (accumulate.add_rows, trace.trace_games, trace.add_traces, game_columns.write_columns)


class RecordingCode:
    """The kernels in machine code, compiled once for all games."""

    def __init__(self, backend: Backend) -> None:
        self._loaded = load_kernels("recording", KERNELS, EXPORTED, backend=backend)
        self.add_rows = self._loaded.function("add_rows", INT, PTR, INT)
        self.trace_games = self._loaded.function("trace_games", INT, PTR, INT, INT)
        self.add_traces = self._loaded.function("add_traces", INT, PTR, PTR, INT)
        self.write_columns = self._loaded.function("write_columns", INT, PTR, PTR, INT, INT)


recording_code = functools.cache(RecordingCode)


class SumBlock:
    """Memory for the sums of a slice. `columns` are the numbers of choices that are counted: 0 without
    traces."""

    def __init__(self, seats: int, sides: Sides, highest: bool, lengths: int, columns: int = 0) -> None:
        self.seats, self.sides, self.columns = seats, sides, columns
        self._side_of = machine_memory.words_of(
            [next(n for n, side in enumerate(sides) if seat in side) for seat in range(seats)]
        )
        sizes = {
            "totals": TOTAL_WORDS,
            "winners": len(sides),
            "firsts": len(sides) ** 2,
            "scores": seats * SCORE_WORDS,
            "by_length": lengths * LENGTH_WORDS,
            "slopes": lengths * SLOPE_WORDS if columns else 0,
            "counts": lengths * columns,
        }
        self._at = dict(zip(sizes, running_sums(sizes.values(), initial=0), strict=False))
        self._block = Buffer(8 * sum(sizes.values()))
        tables = {name: self._block.address + 8 * at for name, at in self._at.items()}
        self.traced = TracedSums.pack(
            heads=0,
            decisions=0,
            sides=len(sides),
            side_of=Memory(self._side_of),
            columns=columns,
            **{name: tables.pop(name) for name in ("winners", "slopes", "counts")},
        )
        self.sums = SliceSums.pack(
            rows=0,
            aside=0,
            seats=seats,
            highest=int(highest),
            lengths=lengths,
            block=self._block.address,
            block_words=sum(sizes.values()),
            **tables,
        )

    @property
    def longest(self) -> int:
        """The largest number of decisions in a game."""
        return self._row("totals", 0, TOTAL_WORDS)[1]

    def _row(self, table: str, index: int, words: int) -> tuple[int, ...]:
        return self._block.words(self._at[table] + index * words, words)

    def add_to(self, sums: GameSums) -> None:
        """Adds what both levels of detail count, and the slopes of traces."""
        shortest, longest, _, *ends = self._row("totals", 0, TOTAL_WORDS)
        for ending, count in zip(ENDINGS, ends, strict=True):
            sums.ends[ending] += count
        sides = len(self.sides)
        sums.add_firsts(self._row("firsts", side, sides) for side in range(sides))
        for decisions in range(shortest, longest + 1):
            games, choices, low, high, *forced = self._row("by_length", decisions, LENGTH_WORDS)
            if not games:
                continue
            numbers = [games, choices, wide(low, high), *forced]
            if self.columns:
                total, low, high = self._row("slopes", decisions, SLOPE_WORDS)
                numbers += [total, wide(low, high)]
            sums.add_length(decisions, numbers)

    def tallies(self) -> Iterator[Tally]:
        """The scores of each seat."""
        games = sum(self._row("totals", 0, TOTAL_WORDS)[2:])
        for seat in range(self.seats if games else 0):
            total, low, high, least, most = self._row("scores", seat, SCORE_WORDS)
            yield Tally(games, total, wide(low, high), least, most)

    def choices(self) -> Iterator[dict[int, int]]:
        """Per decision of a game, how often it had each number of choices."""
        for decision in range(self.longest):
            counts = self._row("counts", decision, self.columns)
            yield {number: count for number, count in enumerate(counts) if count}


def wide(low: int, high: int) -> int:
    return (high << 64) + low % (1 << 64)
