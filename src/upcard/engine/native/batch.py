"""Batches of random games in machine code: all cores, in slices, the same rows whatever the slices.

Calls into machine code release the interpreter's lock, so threads are enough. A slice is short: Ctrl-C and
progress wait for no more than one.
"""

from __future__ import annotations

import ctypes
import os
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from threading import local

from upcard.engine.contract import Failure, Limits
from upcard.engine.native.compiled import Compiled, Workspace
from upcard.engine.native.lower.whole import ROW_WORDS

FIRST_SLICE, MOST_SLICE = 64, 1 << 16
WANTED_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class GameRow:
    """One game, as numbers: which ending, how many decisions, choices and forced decisions, the scores."""

    ending: int
    decisions: int
    choices: int
    forced: int
    scores: tuple[int, ...]
    fault: int


class Batch:
    """Random games of one program."""

    def __init__(self, compiled: Compiled, seed: int, limits: Limits) -> None:
        self.compiled = compiled
        self.seed = seed
        self.limits = limits
        self.seats = compiled.layout.seats
        self._own = local()

    def rows(self, games: int, workers: int | None = None) -> Iterator[GameRow]:
        """In deal order."""
        workers = workers or os.cpu_count() or 1
        size, start = FIRST_SLICE, 0
        waiting: deque[Future[tuple[list[GameRow], float]]] = deque()
        with ThreadPoolExecutor(workers) as pool:
            try:
                while start < games or waiting:
                    while start < games and len(waiting) < 2 * workers:
                        count = min(size, games - start)
                        waiting.append(pool.submit(self._slice, start, count))
                        start += count
                    found, seconds = waiting.popleft().result()
                    if seconds < WANTED_SECONDS / 2:
                        size = min(2 * size, MOST_SLICE)
                    elif seconds > 2 * WANTED_SECONDS:
                        size = max(size // 2, 1)
                    yield from found
            finally:
                for future in waiting:
                    future.cancel()

    def _slice(self, first: int, count: int) -> tuple[list[GameRow], float]:
        state, work = self._memory()
        width = ROW_WORDS + self.seats + 1
        out = (ctypes.c_int64 * (count * width))()
        started = time.perf_counter()
        self.compiled.random_games(state, work.address, _signed(self.seed), first, count, out)
        seconds = time.perf_counter() - started
        made = []
        for at in range(0, count * width, width):
            ending, decisions, choices, forced, *rest = out[at : at + width]
            made.append(GameRow(ending, decisions, choices, forced, tuple(rest[:-1]), rest[-1]))
        return made, seconds

    def _memory(self) -> tuple[ctypes.Array[ctypes.c_char], Workspace]:
        """State and workspace of the thread that asks."""
        if not hasattr(self._own, "memory"):
            work = Workspace(self.compiled.lowered.work_size)
            work.limits(self.limits.decisions, self.limits.steps)
            self._own.memory = (ctypes.create_string_buffer(self.compiled.size), work)
        memory: tuple[ctypes.Array[ctypes.c_char], Workspace] = self._own.memory
        return memory

    def failure(self, row: GameRow) -> Failure | None:
        if not row.fault:
            return None
        node, message = self.compiled.lowered.faults[row.fault - 1]
        source = self.compiled.layout.program.source
        form = " ".join(source.text[node.span.start : node.span.end].split())
        return Failure(
            message,
            source.line(node.span.start),
            source.column(node.span.start),
            form if len(form) <= 100 else form[:97] + "...",
            source.line(node.span.start),
            row.decisions,
            {},
        )


def _signed(seed: int) -> int:
    """A seed is 64 bits; which sign they are read with makes no difference."""
    seed &= (1 << 64) - 1
    return seed - (1 << 64) if seed >> 63 else seed
