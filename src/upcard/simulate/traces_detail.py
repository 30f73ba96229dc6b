"""Random games traced decision by decision, and exact sums of traces."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from upcard.engine.native import machine_memory
from upcard.engine.native.buffer import Buffer
from upcard.engine.native.kernels.language import Memory
from upcard.engine.native.kernels.playout import GameFacts
from upcard.engine.native.kernels.trace import SEAT_BITS, TraceHeads, Tracing
from upcard.simulate.native_batch import HEAD_WORDS, Detail, NativeBatch, Recorder
from upcard.simulate.slice_sums import SumBlock
from upcard.simulate.summary import Row
from upcard.simulate.trace_sums import Sides, TraceSums
from upcard.simulate.traces import Trace
from upcard.stats.histogram import Histogram

ROOM = 1 << 19
"""Decisions that a thread has room for, if no single game has more."""
COLUMNS, MAX_WORDS = 32, 1 << 20
"""How many numbers of choices machine code counts at first; the most words for all of them."""


@dataclass(frozen=True)
class Traces(Detail[Trace, TraceSums]):
    sides: Sides = ()
    """Needed for sums only."""

    def no_games(self, seats: int, highest: bool) -> TraceSums:
        return TraceSums(self.sides, highest)

    def game(self, trace: Trace, highest: bool) -> Trace:
        return trace

    def recorder(self, batch: NativeBatch[Trace, TraceSums]) -> TraceRecorder:
        return TraceRecorder(batch, self.sides)


class TraceRecorder(Recorder[Trace, TraceSums]):
    """Plays decision by decision. A slice that needs more room for decisions is played in several goes."""

    def __init__(self, batch: NativeBatch[Trace, TraceSums], sides: Sides) -> None:
        super().__init__(batch)
        room = max(ROOM, batch.limits.decisions)
        self._sides = sides
        self._heads = machine_memory.words(0)
        self._decisions = Buffer(8 * room)
        self._facts = GameFacts.pack(**self.facts.kernel_facts)
        self._tracing = Tracing.pack(
            facts=self._facts,
            **{name: batch.code.address(name) for name in ("deal", "advance", "apply")},
            state=self.state.address,
            work=self.work.address,
            seed=self.seed,
            most_decisions=batch.limits.decisions,
            rows=0,
            heads=0,
            decisions=self._decisions.address,
            room=room,
        )
        self._columns = COLUMNS

    def make_room(self, rows: int) -> None:
        super().make_room(rows)
        if 2 * len(self.aside) > len(self._heads):
            self._heads = machine_memory.words(2 * len(self.aside))
            self._tracing.heads = TraceHeads.at(self._heads)
            self._tracing.rows = Memory(self.rows)

    def play(self, first: int, count: int) -> int:
        played: int = self.batch.kernels.trace_games(self._tracing.address, first, count)
        return played

    def sums(self, first: int, count: int) -> TraceSums:
        if getattr(self, "block", None) is None or self.block.columns < self._columns:
            self.block = SumBlock(
                self.facts.seats, self._sides, self.facts.highest, self.lengths, self._columns
            )
            self.block.traced.decisions = self._tracing.decisions
        return super().sums(first, count)

    def add(self, sums: TraceSums, played: int) -> int:
        block = self.block
        block.traced.heads = self._tracing.heads
        count: int = self.batch.kernels.add_traces(block.sums.address, block.traced.address, played)
        block.add_to(sums)
        aside = set(self.aside[:count])
        for seat, histogram in enumerate(sums.scores):
            scores = self.column(HEAD_WORDS + seat, played)
            if aside:
                scores = [score for n, score in enumerate(scores) if n not in aside]
            histogram.merge(Histogram.of(Counter(scores)))
        for histogram, counts in zip(sums.choices_of(block.longest), block.choices(), strict=True):
            histogram.merge(Histogram.of(counts))
        return count

    def row(self, n: int) -> Row:
        return super().row(n)._replace(slope=self._heads[2 * n])

    def game(self, n: int) -> Trace:
        row = self.row(n)
        words = self._decisions.words(self._heads[2 * n + 1], row.decisions)
        seats = tuple(word & (1 << SEAT_BITS) - 1 for word in words)
        choices = tuple(word >> SEAT_BITS for word in words)
        self._widen(max(choices, default=0))
        return Trace(row.ending, seats, choices, row.scores, row.failure)

    def _widen(self, most: int) -> None:
        """Makes room for as many choices in the sums of the next slice, within limits."""
        while self._columns <= most and 2 * self._columns * self.lengths <= MAX_WORDS:
            self._columns *= 2
