"""Batches of random games in machine code on all cores, independent of how they are sliced.

Calls into machine code release the interpreter's lock, so threads are enough. A slice is short: Ctrl-C and
progress wait for no more than one.
"""

from __future__ import annotations

import ctypes
import os
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from threading import local
from typing import NamedTuple, TypeVar
from weakref import WeakSet

from upcard.engine.api import ENDINGS, Failure, Limits, rank
from upcard.engine.native.buffer import STATE_INSET, Buffer
from upcard.engine.native.fork import ForkSafeLock
from upcard.engine.native.kernels import accumulate as summing
from upcard.engine.native.kernels.language import signed
from upcard.engine.native.playout_code import PlayoutFacts, Playouts
from upcard.engine.native.stop_word import STOP
from upcard.engine.native.workspace import Workspace
from upcard.parallel.cores import cores
from upcard.simulate.summary import Length, Row, Summary
from upcard.stats.moments import Tally

FIRST_SLICE, MOST_SLICE = 4, 1 << 16
WANTED_SECONDS = 0.025
ASK_SECONDS = 0.1
"""Some systems hear Ctrl-C only between waits."""

assert MOST_SLICE <= summing.MOST_ROWS

T = TypeVar("T")


@dataclass
class _Memory:
    """What one thread works on."""

    state: Buffer
    work: Workspace
    rows: ctypes.Array[ctypes.c_int64]
    sums: Buffer
    aside: ctypes.Array[ctypes.c_int64]


class Ended(NamedTuple):
    """The end of a deal; its scores mean nothing where it failed."""

    scores: tuple[int, ...]
    failure: Failure | None
    notes: tuple[int, ...]


class Stopper:
    """Makes the machine code of other threads come back before it is done: what it gives means nothing."""

    def __init__(self) -> None:
        self.stopped = False
        self._workspaces: WeakSet[Workspace] = WeakSet()
        self._lock = ForkSafeLock()

    def watch(self, work: Workspace) -> Workspace:
        """A workspace that one of the threads begins to use."""
        with self._lock:
            self._workspaces.add(work)
            work.set_word(STOP, int(self.stopped))
        return work

    def stop(self) -> None:
        with self._lock:
            self.stopped = True
            for work in self._workspaces:
                work.set_word(STOP, 1)


class Batch:
    """Random games of one program."""

    def __init__(self, playouts: Playouts, seed: int, limits: Limits) -> None:
        self.playouts = playouts
        self.facts = playouts.facts
        self.seats = self.facts.seats
        self.seed = signed(seed)
        self.limits = limits
        self.width = summing.ROW_WORDS + self.seats + 1
        self.lengths = min(limits.decisions + 1, summing.MOST_LENGTHS)
        self._own = local()
        self._stopper = Stopper()

    def summaries(self, games: int, workers: int | None = None) -> Iterator[Summary]:
        """Parts of the whole, in deal order."""
        _ = self.playouts.add_rows  # compiled or loaded before there are threads
        return in_slices(self.summed, 0, games, workers, self._stopper)

    def rows(self, games: int, workers: int | None = None) -> Iterator[Row]:
        """Game by game, in deal order: for those who look at single games."""
        for found in in_slices(self.played, 0, games, workers, self._stopper):
            yield from found

    def played(self, first: int, count: int) -> list[Row]:
        """The rows of some deals."""
        rows = self._play(first, count).rows
        return [self._row(rows, n) for n in range(count)]

    def noted(self, first: int, count: int, words: Sequence[int]) -> Iterator[Ended]:
        """How some deals ended, one by one, with some words of their last states. All are played at once, but
        whoever stops early reads no further; who comes back to it finds the thread's next deals there."""
        memory = self._memory(count)
        many, wanted, notes = len(words), words_for(len(words)), words_for(count * len(words))
        wanted[:] = list(words)
        self.playouts.noted_games(
            memory.state.address,
            memory.work.address,
            self.seed,
            first,
            count,
            memory.rows,
            wanted,
            many,
            notes,
        )
        rows, width, scores = memory.rows, self.width, summing.ROW_WORDS
        for n in range(count):
            at = n * width
            failure = self._row(rows, n).failure if rows[at + width - 1] else None
            found = tuple(rows[at + scores : at + width - 1])
            yield Ended(found, failure, tuple(notes[n * many : (n + 1) * many]))

    def summed(self, first: int, count: int) -> Summary:
        """What some deals come to."""
        memory, facts = self._play(first, count), self.facts
        left_out = self.playouts.add_rows(
            memory.sums.address, memory.rows, count, self.seats, facts.highest, self.lengths, memory.aside
        )
        summary = taken_over(memory.sums.words, self.seats)
        noted = min(summary.ends["failed"], summing.NOTED)
        indices = memory.sums.words(summing.FAILED_AT, noted)
        for n in indices:
            failure = self._row(memory.rows, n).failure
            assert failure is not None
            summary.keep_failures([(first + n, failure)])
        for n in memory.aside[:left_out]:
            summary.add(self._row(memory.rows, n), first + n)
        return summary

    def _play(self, first: int, count: int) -> _Memory:
        memory = self._memory(count)
        self.playouts.random_games(
            memory.state.address, memory.work.address, self.seed, first, count, memory.rows
        )
        return memory

    def _row(self, rows: ctypes.Array[ctypes.c_int64], n: int) -> Row:
        ending, decisions, choices, forced, *rest = rows[n * self.width : (n + 1) * self.width]
        fault = rest.pop()
        if fault:
            failure = self.facts.failure(fault, decisions)
            return Row(ENDINGS[ending - 1], decisions, choices, forced, None, (), failure)
        ranks = rank(rest, self.facts.highest)
        winners = tuple(seat for seat, place in enumerate(ranks) if place == 0)
        return Row(ENDINGS[ending - 1], decisions, choices, forced, tuple(rest), winners, None)

    def _memory(self, count: int) -> _Memory:
        """Of the thread that asks, with room for so many rows."""
        memory: _Memory | None = getattr(self._own, "memory", None)
        if memory is None:
            work = self._stopper.watch(workspace(self.facts, self.limits))
            sums = Buffer(8 * summing.block_words(self.seats, self.lengths))
            memory = _Memory(
                Buffer(self.facts.state_size, STATE_INSET), work, words_for(0), sums, words_for(0)
            )
            self._own.memory = memory
        if len(memory.aside) < count:
            memory.rows, memory.aside = words_for(count * self.width), words_for(count)
        return memory


def workspace(facts: PlayoutFacts, limits: Limits) -> Workspace:
    work = Workspace(facts.work)
    work.limits(limits.decisions, limits.steps)
    return work


def taken_over(words: Callable[[int, int], tuple[int, ...]], seats: int) -> Summary:
    """A summary out of a block of sums, which `words` reads: so many from such an index on."""
    s = summing
    ends = words(s.ENDS + 1, len(ENDINGS))
    summary = Summary(seats, dict(zip(ENDINGS, ends, strict=True)))
    scored = sum(ends) - summary.ends["failed"]
    stride = s.FIRSTS + seats
    for seat in range(seats if scored else 0):
        total, low, high, least, most, *firsts = words(s.HEAD + seat * stride, stride)
        summary.tallies[seat] = Tally(scored, total, two_words(low, high), least, most)
        summary.firsts[seat] = {k: count for k, count in enumerate(firsts, 1) if count}
    shortest, longest = words(s.SHORTEST, 2)
    table = s.HEAD + seats * stride
    for decisions in range(shortest, longest + 1):
        games, choices, low, high, forced, squares = words(table + decisions * s.LENGTH_WORDS, s.LENGTH_WORDS)
        if games:
            summary.lengths[decisions] = Length(games, choices, two_words(low, high), forced, squares)
    return summary


def in_slices(
    do: Callable[[int, int], T],
    start: int,
    end: int,
    workers: int | None = None,
    stopper: Stopper | None = None,
) -> Generator[T, None, None]:
    """`do(first, count)` for every slice of range(start, end), on so many threads, in order. Where somebody
    leaves early, slices that are being done are stopped."""
    stopper = stopper or Stopper()
    stopper.stopped = False
    workers, size, owner = workers or cores(), FIRST_SLICE, os.getpid()
    waiting: deque[tuple[int, int, Future[tuple[T, float]]]] = deque()

    def timed(first: int, count: int) -> tuple[T, float]:
        started = time.perf_counter()
        return do(first, count), time.perf_counter() - started

    with ExitStack() as pools:
        pool = pools.enter_context(ThreadPoolExecutor(workers))
        try:
            while start < end or waiting:
                if os.getpid() != owner:  # forked meanwhile: the threads stayed with the parent
                    owner, pool = os.getpid(), pools.enter_context(ThreadPoolExecutor(workers))
                    waiting = deque((a, n, pool.submit(timed, a, n)) for a, n, _ in waiting)
                while start < end and len(waiting) < 2 * workers:
                    count = min(size, end - start)
                    waiting.append((start, count, pool.submit(timed, start, count)))
                    start += count
                found, seconds = _result(waiting[0][2])
                waiting.popleft()
                if seconds < WANTED_SECONDS / 2:
                    size = min(2 * size, MOST_SLICE)
                elif seconds > 2 * WANTED_SECONDS:
                    size = max(size // 2, 1)
                yield found
        except BaseException:
            if os.getpid() == owner:
                for _, _, future in waiting:
                    future.cancel()
                stopper.stop()
            raise


def _result(future: Future[T]) -> T:
    while True:
        try:
            return future.result(timeout=ASK_SECONDS)
        except TimeoutError:
            if future.done():
                raise


def words_for(count: int) -> ctypes.Array[ctypes.c_int64]:
    return (ctypes.c_int64 * count)()


def two_words(low: int, high: int) -> int:
    return (high << 64) + low % (1 << 64)
