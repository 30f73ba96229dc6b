"""Thread pool: cuts a range into slices that take about equally long and yields their results in order.

For machine code, which releases the interpreter's lock. A slice is short: Ctrl-C and progress wait for no
more than one.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from typing import TypeVar

from upcard.parallel.cores import cores

T = TypeVar("T")

FIRST_SLICE, MAX_SLICE = 4, 1 << 16
WANTED_SECONDS = 0.025
POLL_SECONDS = 0.1
"""Some systems notice Ctrl-C only between waits."""


def in_slices(
    task: Callable[[int, int], T],
    start: int,
    end: int,
    workers: int | None = None,
    stop: Callable[[], None] = lambda: None,
) -> Generator[T, None, None]:
    """`task(first, count)` for every slice of range(start, end), in order.

    Without a number of workers there is a thread for each core. When the reader leaves early, `stop` is
    called to end the slices that are running.
    """
    workers, size, owner = workers or cores(), FIRST_SLICE, os.getpid()
    waiting: deque[tuple[int, int, Future[tuple[T, float]]]] = deque()

    def timed(first: int, count: int) -> tuple[T, float]:
        started = time.perf_counter()
        return task(first, count), time.perf_counter() - started

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
                result, seconds = _result(waiting[0][2])
                waiting.popleft()
                if seconds < WANTED_SECONDS / 2:
                    size = min(2 * size, MAX_SLICE)
                elif seconds > 2 * WANTED_SECONDS:
                    size = max(size // 2, 1)
                yield result
        except BaseException:
            if os.getpid() == owner:
                for _, _, future in waiting:
                    future.cancel()
                stop()
            raise


def _result(future: Future[T]) -> T:
    while True:
        try:
            return future.result(timeout=POLL_SECONDS)
        except TimeoutError:
            if future.done():
                raise
