"""Random games summed up: a row of each game, and a summary of many."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from upcard.engine.api import Failure
from upcard.engine.native import machine_memory
from upcard.engine.native.kernels.playout import FinalWords, GameRow
from upcard.simulate.native_batch import HEAD_WORDS, Detail, NativeBatch, Recorder
from upcard.simulate.slice_sums import SumBlock
from upcard.simulate.summary import Row, Summary
from upcard.simulate.traces import Trace

FAULT = GameRow.fields["fault"].word


@dataclass(frozen=True)
class Sums(Detail[Row, Summary]):
    def no_games(self, seats: int, highest: bool) -> Summary:
        return Summary(seats)

    def game(self, trace: Trace, highest: bool) -> Row:
        return trace.row(highest)._replace(slope=0)

    def recorder(self, batch: NativeBatch[Row, Summary]) -> SumRecorder:
        return SumRecorder(batch)


class FinalState(NamedTuple):
    """The end of a deal; its scores mean nothing where it failed."""

    scores: tuple[int, ...]
    failure: Failure | None
    words: tuple[int, ...]


class SumRecorder(Recorder[Row, Summary]):
    """Plays in the game's own code, which counts choices on the way."""

    def __init__(self, batch: NativeBatch[Row, Summary]) -> None:
        super().__init__(batch)
        seats = self.facts.seats
        self.block = SumBlock(seats, [(seat,) for seat in range(seats)], self.facts.highest, self.lengths)

    def play(self, first: int, count: int) -> int:
        work, state = self.work.address, self.state.address
        self.batch.code.random_games(state, work, self.seed, first, count, self.rows)
        return count

    def add(self, sums: Summary, played: int) -> int:
        aside: int = self.batch.kernels.add_rows(self.block.sums.address, played)
        self.block.add_to(sums)
        for mine, tally in zip(sums.tallies, self.block.tallies(), strict=False):
            mine.merge(tally)
        return aside

    def game(self, n: int) -> Row:
        return self.row(n)

    def final_states(self, first: int, count: int, words: Sequence[int]) -> Iterator[FinalState]:
        """How deals ended, one by one, with some words of their final states. All are played at once, into
        memory that the thread's next deals overwrite."""
        self.make_room(count)
        wanted, kept = machine_memory.words_of(list(words)), machine_memory.words(count * len(words))
        final = FinalWords.pack(
            count=len(words), wanted=ctypes.addressof(wanted), kept=ctypes.addressof(kept)
        )
        work, state = self.work.address, self.state.address
        self.batch.code.games_to_words(state, work, self.seed, first, count, self.rows, final.address)
        for n in range(count):
            at, end = n * self.width, (n + 1) * self.width
            failure = self.row(n).failure if self.rows[at + FAULT] else None
            scores, words_kept = self.rows[at + HEAD_WORDS : end], kept[n * len(words) : (n + 1) * len(words)]
            yield FinalState(tuple(scores), failure, tuple(words_kept))
