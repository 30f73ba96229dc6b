"""Batches of random games in machine code on all cores, at either level of detail.

A recorder is what one thread works with: it plays deals into rows in its own memory and adds the rows up.
A batch cuts a range of deals into slices and gives each thread a recorder. Memory does not grow with the
number of games: there are rows for one slice.

Machine code sums a slice in words. A game that failed or that has no room there is set aside, and Python adds
it. So every sum is exact, and the same however deals are sliced.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator, Mapping
from threading import local
from typing import Generic, TypeVar
from weakref import WeakSet

from upcard.engine.api import ENDINGS, Limits
from upcard.engine.native import machine_memory
from upcard.engine.native.buffer import STATE_INSET, Buffer
from upcard.engine.native.fork import ForkSafeLock
from upcard.engine.native.kernels.accumulate import MAX_LENGTHS, MAX_ROWS
from upcard.engine.native.kernels.language import Memory, signed
from upcard.engine.native.kernels.playout import GameRow, row_bytes
from upcard.engine.native.playout_code import Playouts
from upcard.engine.native.workspace import GivenWord, Workspace
from upcard.parallel.slices import MAX_SLICE, in_slices
from upcard.simulate.game_sums import GameSums
from upcard.simulate.slice_sums import SumBlock, recording_code
from upcard.simulate.summary import Row
from upcard.simulate.traces import Trace, winners_of

G = TypeVar("G")
S = TypeVar("S", bound=GameSums)
T = TypeVar("T")
HEAD_WORDS = GameRow.size // 8

assert MAX_SLICE <= MAX_ROWS


class Detail(ABC, Generic[G, S]):
    """A level of detail: what is recorded of each game (`G`), and how games are added (`S`)."""

    @abstractmethod
    def no_games(self, seats: int, highest: bool) -> S:
        """Sums of no games; `highest` says whether more points are better."""

    @abstractmethod
    def game(self, trace: Trace, highest: bool) -> G:
        """The same for a game that the reference engine played."""

    @abstractmethod
    def recorder(self, batch: NativeBatch[G, S]) -> Recorder[G, S]:
        """Records games that machine code plays."""


class Recorder(ABC, Generic[G, S]):
    """One thread's memory, where machine code records games."""

    block: SumBlock

    def __init__(self, batch: NativeBatch[G, S]) -> None:
        self.batch = batch
        self.facts = batch.facts
        self.seed = signed(batch.seed)
        self.state = Buffer(self.facts.state_size, STATE_INSET)
        self.work = Workspace(self.facts.work, batch.code.backend)
        self.work.limits(batch.limits.decisions, batch.limits.steps)
        self.work.give([GivenWord(self.facts.ints[name], 0, cycle) for name, cycle in batch.turns.items()])
        self.width = row_bytes(self.facts.seats) // 8
        self.lengths = min(batch.limits.decisions + 1, MAX_LENGTHS)
        self.rows, self.aside = machine_memory.words(0), machine_memory.words(0)

    @abstractmethod
    def play(self, first: int, count: int) -> int:
        """Plays deals into rows, all or as many as fit; returns their number."""

    @abstractmethod
    def add(self, sums: S, played: int) -> int:
        """Adds the rows, except those set aside; returns the number of these, `aside` has their indices."""

    @abstractmethod
    def game(self, n: int) -> G:
        """The game in row n."""

    def row(self, n: int) -> Row:
        at, end = n * self.width, (n + 1) * self.width
        end, decisions, choices, forced, fault, *scores = self.rows[at:end]
        if fault:
            failure = self.facts.failure(fault, decisions)
            return Row(ENDINGS[end - 1], decisions, choices, forced, None, (), failure)
        winners = winners_of(scores, self.facts.highest)
        return Row(ENDINGS[end - 1], decisions, choices, forced, tuple(scores), winners, None)

    def column(self, word: int, played: int) -> list[int]:
        """One word of every row."""
        return self.rows[word : played * self.width : self.width]

    def make_room(self, rows: int) -> None:
        if len(self.aside) < rows:
            self.rows = machine_memory.words(rows * self.width)
            self.aside = machine_memory.words(rows)

    def played(self, first: int, count: int) -> Iterator[tuple[int, int]]:
        """Plays deals in as many goes as needed; after each, its first deal and the number of its rows."""
        self.make_room(count)
        end = first + count
        while first < end:
            played = self.play(first, end - first)
            yield first, played
            first += played

    def sums(self, first: int, count: int) -> S:
        sums = self.batch.no_games()
        for start, played in self.played(first, count):
            self.block.sums.rows, self.block.sums.aside = Memory(self.rows), Memory(self.aside)
            for n in self.aside[: self.add(sums, played)]:
                sums.add(self.game(n), start + n)
        return sums

    def games(self, first: int, count: int) -> list[G]:
        return [self.game(n) for _, played in self.played(first, count) for n in range(played)]

    def all_rows(self, first: int, count: int) -> list[Row]:
        return [self.row(n) for _, played in self.played(first, count) for n in range(played)]


class NativeBatch(Generic[G, S]):
    """Random games of one program."""

    def __init__(
        self,
        code: Playouts,
        seed: int,
        limits: Limits,
        detail: Detail[G, S],
        turns: Mapping[str, int] | None = None,
    ) -> None:
        """`turns`: storages that hold the number of the deal (`LoadedGame.turns`)."""
        self.code = code
        self.turns = {name: cycle for name, cycle in (turns or {}).items() if name in code.facts.ints}
        self.facts = code.facts
        self.kernels = recording_code(code.backend)
        self.seed = seed
        self.limits = limits
        self.detail = detail
        self._own = local()

    def no_games(self) -> S:
        return self.detail.no_games(self.facts.seats, self.facts.highest)

    def sums(self, start: int, end: int, workers: int | None = None) -> Generator[S, None, None]:
        """Sums of the deals from `start` to before `end`, in parts, in order."""
        return self.slices(lambda recorder: recorder.sums, start, end, workers)

    def games(self, start: int, end: int, workers: int | None = None) -> Iterator[G]:
        """The same deals one by one."""
        return self._each(lambda recorder: recorder.games, start, end, workers)

    def rows(self, start: int, end: int, workers: int | None = None) -> Iterator[Row]:
        """The same deals one by one, without their single decisions."""
        return self._each(lambda recorder: recorder.all_rows, start, end, workers)

    @property
    def recorder(self) -> Recorder[G, S]:
        """The recorder of the calling thread, for single slices."""
        if not hasattr(self._own, "recorder"):
            self._own.recorder = self.detail.recorder(self)
        recorder: Recorder[G, S] = self._own.recorder
        return recorder

    def _each(
        self,
        task_of: Callable[[Recorder[G, S]], Callable[[int, int], list[T]]],
        start: int,
        end: int,
        workers: int | None,
    ) -> Iterator[T]:
        for some in self.slices(task_of, start, end, workers):
            yield from some

    def slices(
        self,
        task_of: Callable[[Recorder[G, S]], Callable[[int, int], T]],
        start: int,
        end: int,
        workers: int | None,
    ) -> Generator[T, None, None]:
        """What tasks return for each slice, in order; `task_of` gives the task of a thread's recorder."""
        own, stopper = local(), _Stopper()

        def task(first: int, count: int) -> T:
            if not hasattr(own, "task"):
                recorder = self.detail.recorder(self)
                stopper.watch(recorder.work)
                own.task = task_of(recorder)
            result: T = own.task(first, count)
            return result

        return in_slices(task, start, end, workers, stopper.stop)


class _Stopper:
    """Makes machine code in other threads return early; its results are then meaningless."""

    def __init__(self) -> None:
        self._stopped = False
        self._workspaces: WeakSet[Workspace] = WeakSet()
        self._lock = ForkSafeLock()

    def watch(self, work: Workspace) -> None:
        """Includes the workspace of a thread that starts."""
        with self._lock:
            self._workspaces.add(work)
            work.head.stop = int(self._stopped)

    def stop(self) -> None:
        with self._lock:
            self._stopped = True
            for work in self._workspaces:
                work.head.stop = 1
