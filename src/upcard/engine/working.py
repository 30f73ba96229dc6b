"""Work cut into pieces for several processes, its results in order whatever the number of processes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

C = TypeVar("C")
R = TypeVar("R")


def in_order(
    task: Callable[[C, int, int], R], context: C, count: int, piece: int, workers: int
) -> Iterator[R]:
    """`task(context, start, end)` for every piece of range(count), in order.

    `task` is a function of a module and `context` can be pickled. Pieces are made a few ahead of the reader,
    so that a million of them need no memory. One worker means: in this process.
    """
    pieces = [(start, min(start + piece, count)) for start in range(0, count, piece)]
    if workers == 1:
        for start, end in pieces:
            yield task(context, start, end)
        return
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    # spawn works alike on every system and never copies a half-locked process
    pool = ProcessPoolExecutor(
        workers, multiprocessing.get_context("spawn"), initializer=_start, initargs=(task, context)
    )
    waiting: deque[Future[R]] = deque()
    try:
        for start, end in pieces:
            with _deaf():
                waiting.append(pool.submit(_do, start, end))
            if len(waiting) > 2 * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


@contextmanager
def _deaf() -> Iterator[None]:
    """Processes started in here never hear Ctrl-C, not even before they get to their first line; if it is
    pressed meanwhile, we hear it afterwards."""
    import signal
    from multiprocessing import resource_tracker

    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # it would give the signal free again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_work: tuple[Callable[[Any, int, int], Any], Any] | None = None


def _start(task: Callable[[C, int, int], R], context: C) -> None:
    import signal

    global _work
    _work = (task, context)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle


def _do(start: int, end: int) -> Any:
    assert _work is not None, "set when the worker starts"
    task, context = _work
    return task(context, start, end)
