"""Who does the work: a number of threads or processes, any Executor, or whatever suits the work."""

from __future__ import annotations

from concurrent.futures import Executor
from typing import TypeAlias

from upcard.recycle.diagnostics import Refused

Workers: TypeAlias = int | Executor | None
"""A number of threads or processes of this machine; an executor, such as that of a cluster, which stays open;
or None, which lets the function decide."""


def at_most(workers: int | Executor, pieces: int) -> int | Executor:
    """No more processes than there are pieces of work. An executor has the workers that it has."""
    return workers if isinstance(workers, Executor) else max(1, min(workers, pieces))


class WorkerLost(Refused):
    """Workers ended before their work was done."""

    is_answer = True
