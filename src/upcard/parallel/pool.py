"""Process pool: splits a range into pieces and yields their results in order.

Each worker has its own pipe, and nothing is shared: no queue, no lock, no thread of ours. So a worker can be
ended at any moment without harm to the others, and a reader that leaves early (an error, Ctrl-C, enough
results) leaves nothing behind: no process, and no error message of one.
"""

from __future__ import annotations

import atexit
import os
import pickle
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from upcard.arguments import check_whole, check_workers
from upcard.parallel.child_signals import without_interrupts
from upcard.parallel.executor_map import over_executor
from upcard.parallel.job import on_this_machine
from upcard.parallel.workers import WorkerLost

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

C = TypeVar("C")
R = TypeVar("R")
Piece: TypeAlias = tuple[int, int]

HELD = 2
"""Pieces that a worker has at once: the one it works on and the next."""
AHEAD = 3
"""Times the number of workers: how many pieces may be done ahead of the one that the reader waits for."""
GRACE = 5.0
"""Seconds that a worker has to exit by itself, which ends the programs that it started."""


def in_order(
    task: Callable[[C, int, int], R],
    context: C,
    count: int,
    piece: int,
    workers: int | Executor,
    first: int = 0,
) -> Generator[R, None, None]:
    """`task(context, start, end)` for every piece of range(first, first + count), in order.

    `task` is a function of a module and `context` can be pickled. Workers run only a few pieces ahead of the
    reader, so a million pieces need no memory. A single worker is this process. An executor gets several
    pieces at a time, as `over_executor` says.
    """
    check_whole("count", count, 0)
    check_whole("piece", piece, 1)
    check_workers(workers)
    if isinstance(workers, Executor):
        return _by_executor(_Pieces(task, context, piece), first, first + count, workers)
    return _in_order(task, context, range(first, first + count, piece), workers)


@dataclass(frozen=True)
class _Pieces:
    """A task for every piece of a range."""

    task: Callable[[Any, int, int], Any]
    context: Any
    piece: int

    def on_this_machine(self) -> _Pieces:
        return _Pieces(self.task, on_this_machine(self.context), self.piece)

    def results(self, start: int, end: int) -> list[Any]:
        starts = range(start, end, self.piece)
        return [self.task(self.context, *_piece(starts, at)) for at in starts]


def _by_executor(pieces: _Pieces, first: int, end: int, executor: Executor) -> Generator[Any, None, None]:
    with closing(over_executor(_Pieces.results, pieces, first, end, executor, pieces.piece)) as parts:
        for part in parts:
            yield from part


def _in_order(
    task: Callable[[C, int, int], R], context: C, starts: range, workers: int
) -> Generator[R, None, None]:
    if workers == 1:
        for start in starts:
            yield task(context, *_piece(starts, start))
        return
    crew: list[_Worker] = []
    try:
        _crews.append(crew)
        for _ in range(min(workers, len(starts))):
            crew.append(_Worker(task, context))
        yield from _results(crew, starts)
    finally:
        _end(crew)


def _piece(starts: range, start: int) -> Piece:
    return start, min(start + starts.step, starts.stop)


def _results(crew: Sequence[_Worker], starts: range) -> Iterator[Any]:
    from multiprocessing.connection import wait

    done: dict[int, _Answer] = {}
    given = 0
    for wanted in range(len(starts)):
        while wanted not in done:
            if not crew:  # a forked child goes on with what its parent began
                raise WorkerLost("these games were started by another process; start them again in this one")
            last = min(len(starts), wanted + AHEAD * len(crew))
            for held in range(HELD):  # every worker gets one piece before any gets two
                for worker in crew:
                    if len(worker.held) == held and given < last:
                        worker.give(given, _piece(starts, starts[given]))
                        given += 1
            busy = {worker.connection: worker for worker in crew if worker.held}
            for connection in wait(list(busy)):
                worker = busy[connection]  # type: ignore[index]
                done[worker.held[0]] = worker.take()
                worker.held.popleft()
        value, error, traceback = done.pop(wanted)
        if error is not None:
            error.add_note(traceback)
            raise error
        yield value


_Answer: TypeAlias = tuple[Any, BaseException | None, str]
"""The result of a piece, or its exception and traceback."""


class _Worker:
    """A worker process and this process's end of its pipe."""

    def __init__(self, task: Callable[[Any, int, int], Any], context: object) -> None:
        import multiprocessing

        # spawn works alike on every system and never copies a half-locked process
        spawn = multiprocessing.get_context("spawn")
        self.held: deque[int] = deque()
        self.connection, theirs = spawn.Pipe()
        self.process = spawn.Process(target=_serve, args=(theirs, task, context), daemon=True)
        try:
            with without_interrupts(), _without_main_module(task, context):
                self.process.start()
        except BaseException:
            self.connection.close()
            raise
        finally:
            theirs.close()  # so that this process notices when the worker ends

    def give(self, number: int, piece: Piece) -> None:
        try:
            self.connection.send(piece)
        except OSError:
            raise _lost() from None
        self.held.append(number)

    def take(self) -> _Answer:
        try:
            answer: _Answer = self.connection.recv()
        except (EOFError, OSError):
            raise _lost() from None
        return answer


def _lost() -> WorkerLost:
    return WorkerLost("a worker process ended unexpectedly; run the command again")


_crews: list[list[_Worker]] = []
"""All workers of this process, by the call that started them."""


def _disown_all() -> None:
    """In a forked child: the workers belong to the parent. The child must not end them, and its open copies
    of the pipes would keep them from noticing that the parent is gone."""
    from multiprocessing import process

    for crew in _crews:
        for worker in crew:
            worker.connection.close()
            process._children.discard(worker.process)  # type: ignore[attr-defined]
        crew.clear()
    _crews.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_disown_all)


def _end(crew: list[_Worker]) -> None:
    """Ends the workers, whatever they are doing, and waits for them. Ctrl-C is handled afterwards."""
    if crew not in _crews:
        return
    if not crew:  # none could be started
        _crews.remove(crew)
        return
    with without_interrupts():
        for worker in crew:
            worker.connection.close()
            worker.process.terminate()
        for worker in crew:
            worker.process.join(GRACE)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
            worker.process.close()
        crew.clear()
        _crews.remove(crew)


@atexit.register
def _end_all() -> None:
    """A generator left open would be closed too late, when nothing can be imported any more."""
    for crew in list(_crews):
        _end(crew)


@contextmanager
def _without_main_module(task: object, context: object) -> Iterator[None]:
    """Processes started inside do not run the main program again, as multiprocessing would make them do.

    It may be a script without a guard, which would start its work once more, or come from a pipe, without a
    file. Only a task that refers to the main program needs it.
    """
    main = sys.modules["__main__"]
    if b"__main__" not in pickle.dumps((task, context)):
        sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


# --- in a worker ---------------------------------------------------------------------------------


def _serve(connection: Connection, task: Callable[[C, int, int], R], context: C) -> None:
    """Works on pieces until the other end of the pipe is closed."""
    import signal
    import traceback

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    if hasattr(signal, "pthread_sigmask"):  # programs started here would inherit that it is blocked
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    signal.signal(signal.SIGTERM, _exit)
    answer: _Answer
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            start, end = connection.recv()
            try:
                answer = task(context, start, end), None, ""
            except Exception as error:
                answer = None, error, traceback.format_exc()
            try:
                connection.send(answer)
            except (BrokenPipeError, ConnectionResetError):
                raise
            except Exception as error:  # it cannot be pickled
                connection.send((None, TypeError(f"{answer[1] or answer[0]!r}: {error}"), answer[2]))


def _exit(*_: object) -> None:
    """Exits normally, which ends the programs that were started here. Nobody reads the output any more."""
    import signal

    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    sys.exit(0)
