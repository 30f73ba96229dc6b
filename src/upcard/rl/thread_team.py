"""A team of threads that call machine code at the same time, each its own part, again and again."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeAlias

Call: TypeAlias = tuple[Callable[..., int], tuple[Any, ...]]
"""A function and its arguments."""


class ThreadTeam:
    """Threads that wait for calls. The calling thread is one of the team."""

    def __init__(self) -> None:
        self._threads: list[Thread] = []
        self._tasks: list[SimpleQueue[Call | None]] = []
        self._results: SimpleQueue[int] = SimpleQueue()
        self._owner = 0

    def run(self, calls: Sequence[Call], stop: Callable[[], None]) -> int:
        """The sum of what the calls return. If the caller is interrupted, `stop` is called, and all calls are
        over before the exception leaves this function."""
        function, arguments = calls[0]
        if len(calls) == 1:
            return function(*arguments)
        try:
            self._assemble(len(calls) - 1)
            for tasks, call in zip(self._tasks, calls[1:], strict=True):
                tasks.put(call)
            total = function(*arguments)
            for _ in self._tasks:
                total += self._results.get()
        except BaseException:
            stop()
            threads = self._threads
            self.dismiss()
            for thread in threads:
                while thread.is_alive():
                    with suppress(KeyboardInterrupt):  # a second one while the first is handled
                        thread.join()
            raise
        return total

    def _assemble(self, size: int) -> None:
        """Starts the threads, unless they are there; a forked child has none of its parent's."""
        if self._owner == os.getpid():
            return
        self._owner, self._results = os.getpid(), SimpleQueue()
        self._tasks = [SimpleQueue() for _ in range(size)]
        self._threads = [
            Thread(target=_work, args=(tasks, self._results), name="upcard-vector", daemon=True)
            for tasks in self._tasks
        ]
        for thread in self._threads:
            thread.start()

    def dismiss(self) -> None:
        """Ends the threads, once their calls are over. Others start when there is something to do again."""
        if self._owner == os.getpid():
            for tasks in self._tasks:
                tasks.put(None)
        self._owner, self._tasks, self._threads = 0, [], []


def _work(tasks: SimpleQueue[Call | None], results: SimpleQueue[int]) -> None:
    while (call := tasks.get()) is not None:
        function, arguments = call
        results.put(function(*arguments))
