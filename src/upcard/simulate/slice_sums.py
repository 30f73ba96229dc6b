"""Sums of a slice of games: the kernels that add rows, and the memory in which they add."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Iterator
from typing import TypeAlias

from upcard.engine.api import ENDINGS
from upcard.engine.native import cache
from upcard.engine.native.backends.select import Backend
from upcard.engine.native.buffer import Buffer
from upcard.engine.native.kernels import accumulate, playout, random_numbers, trace
from upcard.engine.native.kernels.accumulate import LengthSums, ScoreSums, SliceSums
from upcard.engine.native.kernels.trace import ChoiceCounts
from upcard.simulate.game_sums import GameSums
from upcard.simulate.trace_sums import Sides
from upcard.stats.moments import Tally

Words: TypeAlias = "ctypes.Array[ctypes.c_int64]"
INT, PTR = ctypes.c_int64, ctypes.c_void_p

KERNELS = (
    *random_numbers.KERNELS,
    playout.deal_name,
    playout.seat_streams,
    playout.write_row,
    *accumulate.KERNELS,
    *trace.KERNELS,
)


class RecordingCode:
    """The kernels in machine code, compiled once for all games."""

    def __init__(self, backend: Backend) -> None:
        key = cache.key_of("recording", cache.code_digest("engine"), *backend.identity)
        self._loaded = backend.load(cache.fetch(key, lambda: _compiled(backend)))
        self.add_rows = self._loaded.function("add_rows", INT, PTR, INT)
        self.trace_games = self._loaded.function("trace_games", INT, PTR, INT, INT)
        self.add_traces = self._loaded.function("add_traces", INT, PTR, PTR, INT)


def _compiled(backend: Backend) -> bytes:
    from upcard.engine.native.kernels.compiler import compile_kernels

    exported = (accumulate.add_rows, trace.trace_games, trace.add_traces)
    return backend.compile(backend.text(compile_kernels("recording", KERNELS, exported=exported)))


recording_code = functools.cache(RecordingCode)


class SumBlock:
    """Memory for the sums of a slice. `columns` are the numbers of choices that are counted: 0 without
    traces."""

    def __init__(self, seats: int, sides: Sides, highest: bool, lengths: int, columns: int = 0) -> None:
        self.seats, self.sides, self.columns = seats, sides, columns
        self._side_of = words_of(
            [next(n for n, side in enumerate(sides) if seat in side) for seat in range(seats)]
        )
        tables = (
            len(sides),
            len(sides) ** 2,
            seats * ScoreSums.size // 8,
            lengths * LengthSums.size // 8,
            lengths * columns,
        )
        starts = [sum(tables[:n]) for n in range(len(tables) + 1)]
        self._block = Buffer(8 * starts[-1])
        winners, firsts, scores, by_length, counts, _ = (self._block.address + 8 * start for start in starts)
        _, self._firsts, self._scores, self._lengths, self._counts, _ = starts
        self.sums = SliceSums.pack(
            rows=0,
            aside=0,
            seats=seats,
            sides=len(sides),
            side_of=ctypes.addressof(self._side_of),
            highest=int(highest),
            lengths=lengths,
            block=self._block.address,
            block_words=starts[-1],
            winners=winners,
            firsts=firsts,
            scores=scores,
            by_length=by_length,
        )
        self.counts = ChoiceCounts.pack(decisions=0, columns=columns, counts=counts)

    def add_to(self, sums: GameSums) -> None:
        """Adds what both levels of detail count."""
        for ending, count in zip(ENDINGS, list(self.sums.ends)[1:], strict=True):
            sums.ends[ending] += count
        words, sides = self._block.words, len(self.sides)
        sums.add_firsts(words(self._firsts + side * sides, sides) for side in range(sides))
        size = LengthSums.size // 8
        for decisions in range(self.sums.shortest, self.sums.longest + 1):
            games, choices, *squares, forced, forced_squares, slopes, low, high = words(
                self._lengths + decisions * size, size
            )
            if games:
                numbers = [games, choices, wide(*squares), forced, forced_squares]
                sums.add_length(decisions, [*numbers, slopes, wide(low, high)] if self.columns else numbers)

    def tallies(self) -> Iterator[Tally]:
        """The scores of each seat."""
        games, size = sum(self.sums.ends), ScoreSums.size // 8
        for seat in range(self.seats if games else 0):
            total, low, high, least, most = self._block.words(self._scores + seat * size, size)
            yield Tally(games, total, wide(low, high), least, most)

    def choices(self) -> Iterator[dict[int, int]]:
        """Per decision of a game, how often it had each number of choices."""
        for decision in range(self.sums.longest):
            counts = self._block.words(self._counts + decision * self.columns, self.columns)
            yield {number: count for number, count in enumerate(counts) if count}


def words_of(values: list[int]) -> Words:
    return (ctypes.c_int64 * len(values))(*values)


def wide(low: int, high: int) -> int:
    return (high << 64) + low % (1 << 64)
