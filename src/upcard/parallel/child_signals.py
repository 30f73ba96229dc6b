"""Signals of child processes: programs start with default actions, whatever this process ignores.

A shell without job control starts background commands with SIGINT and SIGQUIT ignored, and a child inherits
what its parent ignores. A program that stops its own children with SIGINT would then wait for ever. A handler
that does nothing has the same effect here as ignoring the signal, and the system resets it in the child.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

KEYBOARD = [getattr(signal, name) for name in ("SIGINT", "SIGQUIT") if hasattr(signal, name)]
"""What a terminal sends for Ctrl-C and Ctrl-\\."""


def do_nothing(*_: object) -> None:
    """Handles a signal; unlike SIG_IGN, children do not inherit it."""


@contextmanager
def default_in_children() -> Iterator[None]:
    """Programs started inside the block have default signal handling; this process goes on ignoring what it
    ignores. Only the main thread can do so: elsewhere the block changes nothing."""
    ignored = []
    if threading.current_thread() is threading.main_thread():
        ignored = [number for number in KEYBOARD if signal.getsignal(number) is signal.SIG_IGN]
    for number in ignored:
        signal.signal(number, do_nothing)
    try:
        yield
    finally:
        for number in ignored:
            signal.signal(number, signal.SIG_IGN)


@contextmanager
def without_interrupts() -> Iterator[None]:
    """Blocks Ctrl-C. Processes started inside, or by threads started inside, never receive it, not even
    before their first line; this process handles it afterwards."""
    from multiprocessing import resource_tracker

    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # starting it later would unblock the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
