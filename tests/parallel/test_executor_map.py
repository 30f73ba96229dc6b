"""Work on ranges by an Executor: order, memory, losses, late ranges, other versions, jobs sent once."""

from __future__ import annotations

import pickle
import sys
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from itertools import chain, pairwise
from pathlib import Path
from typing import Any
from weakref import WeakSet

import pytest
from tests.parallel.executor_tasks import Elsewhere, failing, late_once, noted, numbers, total
from tests.parallel.pool_tasks import dying, squares

import upcard
from upcard.arguments import BadArgument, check_workers
from upcard.parallel import executor_map, job
from upcard.parallel.executor_map import over_executor
from upcard.parallel.job import Job, OtherVersion, UnreadableJob, read_answer
from upcard.parallel.pool import in_order
from upcard.parallel.workers import WorkerLost

MANY = 100_000
"""`benchmarks/cluster.py` does it with ten times as many."""


class Watched(Executor):
    """Threads of another executor, and how many tasks were under way at most. `lose` says which calls get
    lost, by their number."""

    def __init__(self, lose: Callable[[int, tuple[Any, ...]], bool] = lambda *_: False) -> None:
        self.threads, self.width, self.lose = ThreadPoolExecutor(2), 2, lose
        self.calls, self.under_way, self.most, self.cancelled = 0, 0, 0, 0
        self.sizes: list[int] = []
        self.lock = threading.Lock()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        with self.lock:
            self.calls += 1
            self.under_way += 1
            self.most = max(self.most, self.under_way)
            self.sizes.append(len(pickle.dumps(args)))
        lost = self.lose(self.calls, args)
        future = self.threads.submit(_lose if lost else fn, *args, **kwargs)
        future.add_done_callback(self._ended)
        return future

    def _ended(self, future: Future[Any]) -> None:
        with self.lock:
            self.under_way -= 1
            self.cancelled += future.cancelled()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self.threads.shutdown(wait, cancel_futures=cancel_futures)


def until_error(parts: Iterator[list[int]], kind: type[Exception]) -> tuple[list[int], Exception]:
    """What comes before an error, and the error."""
    seen: list[int] = []
    try:
        for part in parts:
            seen += part
    except kind as error:
        return seen, error
    raise AssertionError("there was no error")


def _lose(*_: object) -> None:
    raise ConnectionError("the worker is gone")


def test_ranges_come_in_order_and_make_up_the_whole() -> None:
    with Watched() as executor:
        assert list(chain.from_iterable(over_executor(numbers, None, 5, 4321, executor))) == [*range(5, 4321)]
        assert sum(over_executor(total, 2, 0, 4321, executor)) == total(2, 0, 4321)
        assert list(over_executor(numbers, None, 3, 3, executor)) == []


def test_ranges_begin_at_steps() -> None:
    with Watched() as executor:
        parts = list(over_executor(numbers, None, 1, 1000, executor, step=7))
    assert all(part[0] % 7 == 1 for part in parts)
    assert max(map(len, parts)) > 7, "ranges grow"


def test_pieces_are_those_of_one_process() -> None:
    with Watched() as executor:
        assert list(in_order(squares, 2, 100, 3, executor, 10)) == list(in_order(squares, 2, 100, 3, 1, 10))


class Inline(Executor):
    """Finishes every task at once, and counts those whose results have not been taken."""

    width = 3

    def __init__(self) -> None:
        self.futures: WeakSet[Future[Any]] = WeakSet()
        self.most = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        self.futures.add(future)
        self.most = max(self.most, len(self.futures))
        return future


def test_many_ranges_need_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executor_map, "GROWTH", 1)  # every range stays one number
    executor, ranges, result, memory = Inline(), 0, 0, []
    for part in over_executor(total, 1, 0, MANY, executor):
        ranges += 1
        result += part
        if ranges == 1000:
            tracemalloc.start(1)
        elif ranges in (3000, 5000):
            memory.append(tracemalloc.get_traced_memory()[0])
        elif ranges == 5001:
            tracemalloc.stop()
            blocks = sys.getallocatedblocks()
    assert (ranges, result) == (MANY, total(1, 0, MANY))
    assert executor.most <= executor_map.AHEAD * executor.width + 1
    assert memory[1] < memory[0] + 10_000, memory
    assert sys.getallocatedblocks() < blocks + 5000


def test_the_job_is_sent_once_to_a_process(tmp_path: Path) -> None:
    job._jobs.clear()
    context = Elsewhere(str(tmp_path))
    with Watched() as executor:
        list(over_executor(total, context, 0, 5000, executor))
    assert len(list(tmp_path.iterdir())) == 1, "the context is prepared once"
    large = [size for size in executor.sizes if size > max(executor.sizes) - 20]
    assert len(large) <= 4, "only the first tasks of a process carry the job"


def test_an_error_is_raised_in_its_turn() -> None:
    with Watched() as executor:
        parts = over_executor(failing, None, 0, 100, executor)
        seen, error = until_error(parts, LookupError)
    assert 30 not in seen
    assert seen == [*range(len(seen))]
    assert "nothing at 30" in str(error)
    assert "in failing" in error.__notes__[0]


def test_closing_cancels_what_is_under_way(tmp_path: Path) -> None:
    executor = Watched()
    parts = over_executor(noted, str(tmp_path), 0, 10**6, executor)
    next(parts)
    parts.close()
    executor.shutdown()
    assert executor.under_way == 0
    assert len(list(tmp_path.iterdir())) < 20, "nothing more was started"


def test_lost_ranges_are_tried_again() -> None:
    lost: set[int] = set()

    def lose(_: int, arguments: tuple[str, str, bytes | None, int, int]) -> bool:
        """Every range, once; its halves come through."""
        ends = set(arguments[3:])
        new = not ends & lost
        lost.update(ends if new else ())
        return new

    with Watched(lose) as executor:
        found = list(chain.from_iterable(over_executor(numbers, None, 0, 3000, executor)))
    assert found == [*range(3000)]
    assert len(lost) > 5


def test_a_cancelled_range_is_tried_again() -> None:
    cancelled: list[int] = []

    class Forgetful(Watched):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            if self.calls != 5 or cancelled:
                return super().submit(fn, *args, **kwargs)
            cancelled.append(self.calls)
            forgotten: Future[Any] = Future()
            forgotten.cancel()
            forgotten.set_running_or_notify_cancel()
            return forgotten

    with Forgetful() as executor:
        assert sum(over_executor(total, 1, 0, 3000, executor)) == total(1, 0, 3000)
    assert cancelled


def test_a_poisoned_range_is_named_after_three_tries() -> None:
    tries: list[tuple[int, int]] = []

    def lose(_: int, arguments: tuple[str, str, bytes | None, int, int]) -> bool:
        start, end = arguments[3:]
        if start <= 700 < end:
            tries.append((start, end))
        return bool(start <= 700 < end)

    with Watched(lose) as executor:
        seen, error = until_error(over_executor(numbers, None, 0, 3000, executor), WorkerLost)
    assert len(tries) == executor_map.TRIES
    assert seen == [*range(tries[-1][0])], "everything before it is there"
    start, end = tries[-1]
    named = f"number {start}" if end == start + 1 else f"numbers {start} to {end - 1}"
    assert str(error).startswith(f"{named} of the work did not come back in 3 tries (ConnectionError")
    assert all(b - a <= y - x for (x, y), (a, b) in pairwise(tries)), "the range gets smaller"


def test_a_late_range_is_handed_out_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executor_map, "SLOW_SECONDS", 0.2)
    monkeypatch.setattr(executor_map, "GROWTH", 1)
    with ProcessPoolExecutor(2) as executor:
        assert list(over_executor(late_once, str(tmp_path), 0, 4, executor)) == [0, 1, 2, 3]
    assert Path(tmp_path, "second").exists()


def test_an_executor_that_broke_is_said_in_a_sentence() -> None:
    with ProcessPoolExecutor(1) as executor, pytest.raises(WorkerLost, match="takes no more work") as raised:
        list(in_order(dying, None, 9, 1, executor))
    assert "\n" not in str(raised.value)


def test_another_version_is_refused_before_anything_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = job.run("0.0.1", "digest", b"this is not a pickle", 0, 1)
    assert answer[0] == "Wrong"
    with pytest.raises(
        OtherVersion, match=f"has Upcard {upcard.__version__}, and this is {upcard.__version__}"
    ):
        read_answer(answer)
    asked = Job(total, 1).arguments(0, 5, with_job=True)
    monkeypatch.setattr(upcard, "__version__", "9.9")
    answer = job.run(*asked)
    monkeypatch.undo()
    with pytest.raises(OtherVersion, match=rf"has Upcard 9\.9, and this is {upcard.__version__}"):
        read_answer(answer)


def test_a_job_that_a_worker_cannot_read_is_said_in_a_sentence() -> None:
    unreadable = pickle.dumps((total, Elsewhere("x"))).replace(b"Elsewhere", b"Nowhere12")
    answer = job.run(upcard.__version__, "unreadable", unreadable, 0, 1)
    with pytest.raises(UnreadableJob, match="cannot read the work: Can't get attribute 'Nowhere12'"):
        read_answer(answer)


def test_a_worker_without_upcard_is_said_in_a_sentence() -> None:
    class Bare(Inline):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            future: Future[Any] = Future()
            future.set_exception(ModuleNotFoundError("No module named 'upcard'"))
            return future

    with pytest.raises(UnreadableJob, match="a worker cannot import Upcard: No module named 'upcard'; in"):
        list(over_executor(total, 1, 0, 5, Bare()))


def test_workers_are_a_number_an_executor_or_nothing() -> None:
    with ThreadPoolExecutor(1) as executor:
        for workers in (None, 1, 7, executor):
            check_workers(workers)
    for wrong in (0, True, 2.0, "local:2", object()):
        with pytest.raises(BadArgument, match="workers must be"):
            check_workers(wrong)
