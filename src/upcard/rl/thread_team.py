"""A team of threads that call machine code at the same time, each its own part, again and again."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeAlias

Call: TypeAlias = tuple[Callable[..., int], tuple[Any, ...]]
"""A function and its arguments."""


class ThreadTeam:
    """Threads that wait for calls. The calling thread is one of the team."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._tasks: list[SimpleQueue[Call | None]] = []
        self._results: SimpleQueue[int | BaseException] = SimpleQueue()
        self._owner = 0

    def run(self, calls: Sequence[Call], stop: Callable[[], None]) -> int:
        """The sum of what the calls return; there is one for each member. If the caller is interrupted, `stop`
        is called, and all calls are over before the exception leaves this function."""
        function, arguments = calls[0]
        if len(calls) == 1:
            return function(*arguments)
        self._assemble()
        waiting = 0
        try:
            for tasks, call in zip(self._tasks, calls[1:], strict=True):
                tasks.put(call)
                waiting += 1
            total = function(*arguments)
            while waiting:
                result = self._results.get()
                waiting -= 1
                if isinstance(result, BaseException):
                    raise result
                total += result
        except BaseException:
            if waiting:
                stop()
            while waiting:
                self._results.get()
                waiting -= 1
            raise
        return total

    def _assemble(self) -> None:
        """Starts the threads; in a forked child, where they do not exist, anew."""
        if self._owner == os.getpid():
            return
        self._owner, self._results = os.getpid(), SimpleQueue()
        self._tasks = [SimpleQueue() for _ in range(self.size - 1)]
        for tasks in self._tasks:
            Thread(target=_work, args=(tasks, self._results), name="upcard-vector", daemon=True).start()

    def dismiss(self) -> None:
        """Ends the threads."""
        if self._owner == os.getpid():
            for tasks in self._tasks:
                tasks.put(None)
        self._owner, self._tasks = 0, []


def _work(tasks: SimpleQueue[Call | None], results: SimpleQueue[int | BaseException]) -> None:
    while True:
        call = tasks.get()
        if call is None:
            return
        try:
            results.put(call[0](*call[1]))
        except BaseException as error:
            results.put(error)
        del call  # holds the memory of an environment
