"""A function and its context, sent to each worker process once and called there for range after range.

A task carries the version of Upcard, the digest of the job, and a range. A worker process that does not have
the job yet answers so, and the range is sent again with the job itself. So an executor needs to know nothing:
neither which worker runs a task, nor which workers have joined since the start.

Answers consist of numbers, strings and bytes, so that two versions of Upcard can tell each other apart
before either reads an object of the other.
"""

from __future__ import annotations

import hashlib
import pickle
import socket
import threading
import time
import traceback
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, TypeVar, runtime_checkable

import upcard
from upcard.recycle.diagnostics import Refused

C = TypeVar("C")

KEPT_JOBS = 8
"""Jobs that a worker process keeps: a comparison goes from one to the next, and back for stragglers."""


class OtherVersion(Refused):
    """A worker runs another version of Upcard."""


class UnreadableJob(Refused):
    """A worker lacks something that the job refers to."""


class Done(NamedTuple):
    """The pickled result of a range, and how long it took."""

    seconds: float
    result: bytes


class Raised(NamedTuple):
    """The pickled exception of a range, and its traceback as text."""

    error: bytes
    traceback: str


class Missing(NamedTuple):
    """The worker process does not have the job."""


class Wrong(NamedTuple):
    """The worker cannot take part: it has another `version`, or cannot read the job (`why`)."""

    machine: str
    version: str
    why: str = ""


Answer = Done | Raised | Missing | Wrong
"""Sent as a plain tuple: the name of the class, then its fields."""

_KINDS: dict[str, Callable[..., Answer]] = {kind.__name__: kind for kind in (Done, Raised, Missing, Wrong)}


@runtime_checkable
class Portable(Protocol):
    """A context, or a part of one, that needs something of the machine where it is used."""

    def on_this_machine(self) -> Any:
        """The same for this machine. Raises `Refused` if the machine lacks something."""


def on_this_machine(value: C) -> C:
    """The value, or what it is on this machine if it says so."""
    return value.on_this_machine() if isinstance(value, Portable) else value


class Job:
    """`task(context, start, end)` for any range. Both are pickled at once, and only once."""

    def __init__(self, task: Callable[[Any, int, int], Any], context: object) -> None:
        self.pickled = pickle.dumps((task, context))
        self.digest = hashlib.sha256(self.pickled).hexdigest()

    def arguments(self, start: int, end: int, with_job: bool) -> tuple[str, str, bytes | None, int, int]:
        """The arguments of `run` for a range."""
        return upcard.__version__, self.digest, self.pickled if with_job else None, start, end


def read_answer(answer: tuple[Any, ...]) -> Answer:
    """What a worker answered. Raises a sentence if the worker cannot take part."""
    kind, *fields = answer
    found = _KINDS[kind](*fields)
    if isinstance(found, Wrong) and found.why:
        raise UnreadableJob(
            f"the worker on {found.machine} cannot read the work: {found.why}; install the same packages on "
            "every machine, and keep classes of your own in modules that it can import"
        )
    if isinstance(found, Wrong):
        raise OtherVersion(
            f"the worker on {found.machine} has Upcard {found.version}, and this is {upcard.__version__}; "
            "install the same version on every machine"
        )
    return found


# --- in a worker ---------------------------------------------------------------------------------

_jobs: OrderedDict[str, tuple[Callable[[Any, int, int], Any], Any]] = OrderedDict()
_one_at_a_time = threading.Lock()
"""Players and games are not made for several threads; a worker process with several works on one range."""


def run(version: str, digest: str, pickled: bytes | None, start: int, end: int) -> tuple[Any, ...]:
    """Works on a range in a worker process. All versions share the first argument and the form of `Wrong`."""
    if version != upcard.__version__:
        return ("Wrong", socket.gethostname(), upcard.__version__, "")
    with _one_at_a_time:
        answer = _answer(digest, pickled, start, end)
    return type(answer).__name__, *answer


def _answer(digest: str, pickled: bytes | None, start: int, end: int) -> Answer:
    try:
        if digest not in _jobs:
            if pickled is None:
                return Missing()
            try:
                task, context = pickle.loads(pickled)
            except (ImportError, AttributeError) as error:
                return Wrong(socket.gethostname(), upcard.__version__, str(error))
            while len(_jobs) >= KEPT_JOBS:
                _jobs.popitem(last=False)
            _jobs[digest] = task, on_this_machine(context)
        task, context = _jobs[digest]
        started = time.perf_counter()
        result = pickle.dumps(task(context, start, end))
        return Done(time.perf_counter() - started, result)
    except Exception as error:
        return _raised(error)


def _raised(error: Exception) -> Raised:
    text = traceback.format_exc()
    try:
        pickled = pickle.dumps(error)
        pickle.loads(pickled)
    except Exception:
        pickled = pickle.dumps(RuntimeError(f"{type(error).__name__}: {error}"))
    return Raised(pickled, text)
