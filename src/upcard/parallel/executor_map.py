"""Work on ranges by any Executor: results in order, with a bounded number of ranges under way.

How a range is cut follows measured time, so results must not depend on it: they are exact sums, or lists of
results for each piece (`pool.in_order`). Ranges begin and end at multiples of a step.

Executors lose work: a machine is switched off, a scheduler restarts. A lost range is tried again, in two
halves where possible, so that a range which ends every worker becomes small before it is named and given up.
A range that takes much longer than others is handed out a second time, and the first result counts.
"""

from __future__ import annotations

import pickle
import time
from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from dataclasses import dataclass, field
from os import cpu_count
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from upcard.parallel.job import Done, Job, Missing, Raised, UnreadableJob, read_answer, run
from upcard.parallel.workers import WorkerLost
from upcard.recycle.diagnostics import Refused

R = TypeVar("R")

WANTED_SECONDS = 2.0
"""How long a range should take: much longer than sending it, and soon enough to lose little with a worker."""
LEAST_SECONDS = 0.1
"""Ranges take no less than this, however many workers are lost."""
GROWTH = 4
"""A range is at most this many times as long as the last one that was measured."""
HELD = 2
"""Ranges under way for each worker: the one it works on and the next."""
AHEAD = 4
"""Ranges for each worker that may be done or under way behind the one that the reader waits for."""
TRIES = 3
"""How often a range is lost before it is given up."""
SLOW, SLOW_SECONDS = 4, 5.0
"""A range is late when it takes this many times as long as expected, and this many seconds more."""
POLL_SECONDS = 0.1
"""Some systems notice Ctrl-C only between waits."""


def over_executor(
    task: Callable[[Any, int, int], R],
    context: object,
    start: int,
    end: int,
    executor: Executor,
    step: int = 1,
) -> Generator[R, None, None]:
    """`task(context, start, end)` for ranges that together make up range(start, end), in order.

    Ranges begin at `start` plus a multiple of `step`. `task` is a function of a module, and `context` can be
    pickled; a worker calls the task with `on_this_machine(context)`. Closing the generator cancels what is
    under way; the executor stays open.
    """
    ranges = _Ranges(Job(task, context), range(start, max(start, end), step), _with_width(executor))
    try:
        yield from ranges.results()
    finally:
        ranges.cancel()


@dataclass(eq=False)
class _Range:
    start: int
    end: int
    steps: int
    losses: int = 0
    futures: set[Future[Any]] = field(default_factory=set)
    handed_out: float = 0.0
    """When its last copy was, by the monotonic clock."""
    answer: Done | Raised | Refused | None = None


class _Ranges:
    def __init__(self, job: Job, steps: range, executor: Executor) -> None:
        self.job, self.executor = job, executor
        self.steps, self.taken = steps, 0
        self.window: deque[_Range] = deque()
        """Ranges whose results have not been read, in order."""
        self.owners: dict[Future[Any], _Range] = {}
        """The range of each task under way."""
        self.finished: SimpleQueue[Future[Any]] = SimpleQueue()
        self.wanted = WANTED_SECONDS
        self.size = 1
        """Steps of the next range."""
        self.seconds_a_step = 0.0

    def results(self) -> Generator[Any, None, None]:
        while self.taken < len(self.steps) or self.window:
            self._hand_out()
            first = self.window[0]
            if first.answer is None:
                self._wait()
                continue
            self.window.popleft()
            yield _result(first.answer)

    def cancel(self) -> None:
        """Cancels everything under way."""
        owners, self.owners = self.owners, {}
        for future in owners:
            future.cancel()

    def _hand_out(self) -> None:
        width = _width(self.executor)
        while (
            self.taken < len(self.steps)
            and len(self.owners) < HELD * width
            and len(self.window) < AHEAD * width
        ):
            left = len(self.steps) - self.taken
            # ranges get shorter towards the end, so that all workers finish together
            steps = max(1, min(self.size, -(-left // (HELD * width))))
            start = self.steps[self.taken]
            end = min(start + steps * self.steps.step, self.steps.stop)
            self.window.append(_Range(start, end, steps))
            self.taken += steps
            self._submit(self.window[-1])

    def _submit(self, one: _Range, with_job: bool = False) -> None:
        try:
            future = self.executor.submit(run, *self.job.arguments(one.start, one.end, with_job))
        except (BrokenExecutor, RuntimeError) as error:
            raise WorkerLost(f"the executor takes no more work: {_one_line(error)}; start it again") from None
        one.futures.add(future)
        one.handed_out = time.monotonic()
        self.owners[future] = one
        future.add_done_callback(self.finished.put)

    def _wait(self) -> None:
        """Waits for a task, and a moment later for nothing: then the executor may have room for copies."""
        try:
            self._take(self.finished.get(timeout=POLL_SECONDS))
        except Empty:
            self._repeat_late()

    def _take(self, future: Future[Any]) -> None:
        one = self.owners.pop(future, None)
        if one is None:
            return  # a copy of a range that is done
        one.futures.discard(future)
        try:
            answer = read_answer(future.result())
        except Refused as refused:
            self._settle(one, refused)
        except ImportError as error:
            sentence = f"a worker cannot import Upcard: {error}; install the same version on every machine"
            self._settle(one, UnreadableJob(sentence))
        except (Exception, CancelledError) as error:  # errors of the task are answers
            self._lost(one, error)
        else:
            if isinstance(answer, Missing):
                self._submit(one, with_job=True)
            elif isinstance(answer, Done | Raised):
                if isinstance(answer, Done):
                    self._measure(answer.seconds / one.steps)
                self._settle(one, answer)

    def _settle(self, one: _Range, answer: Done | Raised | Refused) -> None:
        one.answer = answer
        for copy in one.futures:
            del self.owners[copy]
            copy.cancel()
        one.futures.clear()

    def _measure(self, seconds_a_step: float) -> None:
        self.seconds_a_step = seconds_a_step
        self.wanted = min(WANTED_SECONDS, 1.1 * self.wanted)
        fitting = int(self.wanted / max(seconds_a_step, 1e-9))
        self.size = max(1, min(fitting, GROWTH * self.size))

    def _lost(self, one: _Range, error: BaseException) -> None:
        """A worker ended, or the scheduler forgot the task."""
        if one.futures:
            return  # a copy is under way
        one.losses += 1
        self.wanted = max(LEAST_SECONDS, self.wanted / 2)
        self.size = max(1, self.size // 2)
        if one.losses >= TRIES:
            last = one.end - 1
            numbers = f"number {one.start}" if one.start == last else f"numbers {one.start} to {last}"
            one.answer = WorkerLost(
                f"{numbers} of the work did not come back in {TRIES} tries ({_one_line(error)}); run it "
                "with --workers 1 to see what happens there"
            )
            return
        for part in self._halves(one):
            self._submit(part)

    def _halves(self, one: _Range) -> list[_Range]:
        """The range in two, in its place in the window; or itself, if it is a single step."""
        if one.steps == 1:
            return [one]
        middle = one.start + one.steps // 2 * self.steps.step
        second = _Range(middle, one.end, one.steps - one.steps // 2, one.losses)
        one.end, one.steps = middle, one.steps // 2
        self.window.insert(self.window.index(one) + 1, second)
        return [one, second]

    def _repeat_late(self) -> None:
        """Hands out late ranges again, while workers have nothing else to do."""
        width, now = _width(self.executor), time.monotonic()
        for one in self.window:
            if len(self.owners) >= width:
                return
            expected = HELD * one.steps * self.seconds_a_step
            if len(one.futures) == 1 and now - one.handed_out > SLOW * expected + SLOW_SECONDS:
                self._submit(one)


def _result(answer: Done | Raised | Refused) -> Any:
    if isinstance(answer, Refused):
        raise answer
    if isinstance(answer, Raised):
        error: Exception = pickle.loads(answer.error)
        error.add_note(answer.traceback)
        raise error
    return pickle.loads(answer.result)


def _one_line(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[:200]}" if text else type(error).__name__


def _with_width(executor: Executor) -> Executor:
    """Dask's own executor does not say how many workers it has; ours does."""
    if type(executor).__module__.partition(".")[0] == "distributed":
        from upcard.parallel.cluster import ClusterExecutor

        return ClusterExecutor(executor._client)  # type: ignore[attr-defined]
    return executor


def _width(executor: Executor) -> int:
    """How many ranges the executor works on at once."""
    for name in ("width", "_max_workers", "num_workers"):
        width = getattr(executor, name, None)
        if isinstance(width, int):
            return max(1, width)
    return cpu_count() or 1
