"""Traces of random games in machine code on all cores, independent of how they are sliced.

These are the games that a batch of the same seed plays. Memory does not grow with the number of games: rows
and decisions lie in room for one slice, and a slice that needs more is played in several goes.
"""

from __future__ import annotations

import ctypes
import functools
from collections import Counter
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from threading import local
from typing import TypeAlias

from upcard.engine.api import ENDINGS, Limits
from upcard.engine.native.backends.select import Backend, choose_backend, load_module
from upcard.engine.native.buffer import STATE_INSET, Buffer
from upcard.engine.native.kernels import accumulate as summing
from upcard.engine.native.kernels import random_numbers as chance_kernels
from upcard.engine.native.kernels import trace as kernels
from upcard.engine.native.kernels.compiler import compile_kernels
from upcard.engine.native.kernels.language import signed
from upcard.engine.native.kernels.playout import FAILED, seat_streams
from upcard.engine.native.playout_code import Playouts
from upcard.engine.native.workspace import Workspace
from upcard.simulate.native_batch import Stopper, in_slices, two_words, words_for, workspace
from upcard.simulate.traces import Outline, Sides, Trace, TraceSums
from upcard.stats.histogram import Histogram

Words: TypeAlias = "ctypes.Array[ctypes.c_int64]"
INT, PTR = ctypes.c_int64, ctypes.c_void_p

ROOM = 1 << 19
"""Decisions that a thread has room for, if no single game has more."""
WIDE, WIDEST = 32, 1 << 20
"""Numbers of choices that are counted in machine code, at first; words for all of them, at most."""


class _Code:
    """One for all games."""

    def __init__(self, backend: Backend) -> None:
        shared = (*chance_kernels.KERNELS, summing.count_up, seat_streams)
        self._loaded = load_module(compile_kernels("courses", (*shared, *kernels.KERNELS)), backend)
        function = self._loaded.function
        self.trace_games = function("trace_games", INT, *[PTR] * 3, *[INT] * 3, PTR, PTR, INT, INT)
        self.add_courses = function("add_courses", INT, *[PTR] * 3, *[INT] * 3, PTR, INT, INT, INT, PTR)


_backends: dict[tuple[str, ...], Backend] = {}


@functools.cache
def _code_of(identity: tuple[str, ...]) -> _Code:
    return _Code(_backends[identity])


def code() -> _Code:
    backend = choose_backend()
    _backends[backend.identity] = backend
    return _code_of(backend.identity)


@dataclass
class _Memory:
    """What one thread works on."""

    state: Buffer
    work: Workspace
    trace: Buffer
    rows: Words
    aside: Words
    sums: Buffer
    wide: int


class TraceBatch:
    """TraceSums of random games of one program. Raises `NoMachineCode` where there is none."""

    def __init__(self, playouts: Playouts, seed: int, limits: Limits, sides: Sides) -> None:
        self._playouts = playouts
        self._code = code()
        self._limits = limits
        self._seed = signed(seed)
        self._sides = sides
        facts = playouts.facts
        self._seats, self._highest = facts.seats, facts.highest
        addresses = [playouts.address(name) for name in ("deal", "advance", "apply")]
        self._facts = words_for(kernels.FACTS)
        self._facts[:] = [*facts.kernel_facts, *addresses]
        self._side_of = words_for(self._seats)
        for number, side in enumerate(sides):
            for seat in side:
                self._side_of[seat] = number
        self._width = kernels.ROW_SCORES + self._seats + 1
        self._room = max(ROOM, limits.decisions)
        self._lengths = min(limits.decisions + 1, summing.MOST_LENGTHS)
        self._wide = WIDE
        self._own = local()
        self._stopper = Stopper()

    def sums(self, start: int, end: int, workers: int | None = None) -> Generator[TraceSums, None, None]:
        """Parts of the whole, in deal order."""
        return in_slices(self.summed, start, end, workers, self._stopper)

    def courses(self, start: int, end: int) -> Iterator[Trace]:
        """Game by game, in deal order."""
        for found in in_slices(self._courses, start, end, 1, self._stopper):
            yield from found

    def outlines(self, start: int, end: int) -> Iterator[Outline]:
        """The same without single decisions."""
        for found in in_slices(self._outlines, start, end, 1, self._stopper):
            yield from found

    def summed(self, first: int, count: int) -> TraceSums:
        """What some deals come to."""
        whole = TraceSums(self._sides, self._highest)
        for memory, number, played in self._played(first, count):
            left_out = self._code.add_courses(
                memory.sums.address,
                memory.rows,
                memory.trace.address,
                played,
                self._seats,
                len(self._sides),
                self._side_of,
                self._highest,
                self._lengths,
                memory.wide,
                memory.aside,
            )
            self._take_over(whole, memory, memory.aside[:left_out], number, played)
        return whole

    def _courses(self, first: int, count: int) -> list[Trace]:
        return [
            self._course(memory, n, at)
            for memory, _, played in self._played(first, count)
            for n, at in enumerate(self._starts(memory, played))
        ]

    def _outlines(self, first: int, count: int) -> list[Outline]:
        return [
            self._outline(memory, n)
            for memory, _, played in self._played(first, count)
            for n in range(played)
        ]

    def _played(self, first: int, count: int) -> Iterator[tuple[_Memory, int, int]]:
        """Plays some deals, in as many goes as there is room for: memory, first deal and number of each."""
        memory, end = self._memory(count), first + count
        while first < end:
            played = self._code.trace_games(
                self._facts,
                memory.state.address,
                memory.work.address,
                self._seed,
                first,
                end - first,
                memory.rows,
                memory.trace.address,
                self._room,
                self._limits.decisions,
            )
            yield memory, first, played
            first += played

    def _starts(self, memory: _Memory, played: int) -> list[int]:
        """Where in the trace each game begins."""
        starts, at = [], 0
        for decisions in memory.rows[1 : played * self._width : self._width]:
            starts.append(at)
            at += decisions
        return starts

    def _outline(self, memory: _Memory, n: int) -> Outline:
        at = n * self._width
        ending, decisions, choices, forced, slope, *scores, fault = memory.rows[at : at + self._width]
        found = None if fault else tuple(scores)
        return Outline(ENDINGS[ending - 1], decisions, choices, forced, slope, found)

    def _course(self, memory: _Memory, n: int, at: int) -> Trace:
        outline = self._outline(memory, n)
        words = memory.trace.words(at, outline.decisions)
        seats = tuple(word & (1 << kernels.SEAT_BITS) - 1 for word in words)
        choices = tuple(word >> kernels.SEAT_BITS for word in words)
        return Trace(outline.ending, seats, choices, outline.scores)

    def _take_over(
        self, whole: TraceSums, memory: _Memory, aside: list[int], number: int, played: int
    ) -> None:
        """Out of a block of sums, which numbers could leave some day, into whole numbers without end."""
        k, words = kernels, memory.sums.words
        ends = words(k.ENDS + 1, len(ENDINGS))
        for word, count in zip(ENDINGS, ends, strict=True):
            whole.ends[word] += count
        rows, width, sides = memory.rows, self._width, len(self._sides)
        left = set(aside)
        if ends[FAILED - 1]:
            failed = [n for n, end in enumerate(rows[0 : played * width : width]) if end == FAILED]
            whole.fail_at(number + failed[0])
            left.update(failed)
        for side, among in enumerate(whole.firsts):
            found = words(k.HEAD + side * sides, sides)
            whole.firsts[side] = [one + more for one, more in zip(among, found, strict=True)]
        longest = words(k.LONGEST, 1)[0]
        groups = k.HEAD + sides * sides
        for decisions in range(longest + 1):
            games, choices, *squares, forced, forced_squares, slopes, low, high = words(
                groups + decisions * k.LENGTH_WORDS, k.LENGTH_WORDS
            )
            if games:
                numbers = (choices, two_words(*squares), forced, forced_squares, slopes, two_words(low, high))
                whole.add_length(decisions, (games, *numbers))
        for seat, histogram in enumerate(whole.scores):
            scores = rows[k.ROW_SCORES + seat : played * width : width]
            if left:
                scores = [score for n, score in enumerate(scores) if n not in left]
            histogram.merge(Histogram.of(Counter(scores)))
        table = groups + self._lengths * k.LENGTH_WORDS
        for decision, histogram in zip(range(longest), whole.at_least(longest), strict=False):
            counts = words(table + decision * memory.wide, memory.wide)
            histogram.merge(Histogram.of({n: count for n, count in enumerate(counts) if count}))
        if aside:
            self._add_aside(whole, memory, aside, number, played)

    def _add_aside(
        self, whole: TraceSums, memory: _Memory, aside: list[int], number: int, played: int
    ) -> None:
        """Games that the block has no room for; the next one will have, as far as that goes."""
        starts = self._starts(memory, played)
        for n in aside:
            course = self._course(memory, n, starts[n])
            whole.add(course, number + n)
            most = max(course.choices, default=0)
            while self._wide <= most and 2 * self._wide * self._lengths <= WIDEST:
                self._wide *= 2

    def _memory(self, count: int) -> _Memory:
        """Of the thread that asks, with room for so many rows."""
        memory: _Memory | None = getattr(self._own, "memory", None)
        facts = self._playouts.facts
        if memory is None:
            memory = self._own.memory = _Memory(
                Buffer(facts.state_size, STATE_INSET),
                self._stopper.watch(workspace(facts, self._limits)),
                Buffer(8 * self._room),
                words_for(0),
                words_for(0),
                Buffer(0),
                0,
            )
        if len(memory.aside) < count:
            memory.rows, memory.aside = words_for(count * self._width), words_for(count)
        if memory.wide < self._wide:
            memory.wide = self._wide
            memory.sums = Buffer(8 * kernels.sums_words(len(self._sides), self._lengths, memory.wide))
        return memory
