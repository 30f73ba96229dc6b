"""Fork safety: locks that a forked child must not inherit locked.

A fork copies the memory and one thread. A lock held by any other thread stays locked in the child for ever.
"""

from __future__ import annotations

import os
import threading
import weakref
from typing import Any


class ForkSafeLock:
    """A reentrant lock that is free in a forked child, unless the forking thread holds it."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._depth = 0
        _locks.add(self)

    def __enter__(self) -> None:
        self._lock.acquire()
        self._depth += 1

    def __exit__(self, *error: object) -> None:
        self._depth -= 1
        self._lock.release()

    def reset(self) -> None:
        """In a child: keeps the lock only if its one thread held it."""
        mine = self._lock._is_owned()  # type: ignore[attr-defined]
        self._lock, self._depth = threading.RLock(), self._depth if mine else 0
        for _ in range(self._depth):
            self._lock.acquire()


_locks: weakref.WeakSet[ForkSafeLock] = weakref.WeakSet()


def _reset_all() -> None:
    for lock in list(_locks):
        lock.reset()


def hold_over_forks(lock: Any) -> None:
    """Makes forks wait for a library's lock, so that parent and child both find consistent data."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(
            before=lock.__enter__,
            after_in_parent=lambda: lock.__exit__(None, None, None),
            after_in_child=lambda: lock.__exit__(None, None, None),
        )


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_reset_all)
