"""Ctrl-C while machine code runs.

Python handles signals between two of its own instructions, so a long call into machine code delays them.
Machine code therefore checks a word of its workspace at every decision that it plays or lists, and returns
when the word is not 0. Its results are then meaningless, and the caller raises.

Python writes a byte to a socket as soon as the signal arrives (`set_wakeup_fd`); a thread that waits for it
sets the words of the main thread's workspaces. When the machine code has returned, the handler clears them
and raises `KeyboardInterrupt`. Ordinary calls cost nothing.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from upcard.engine.native.workspace import Workspace

T = TypeVar("T")

ASK_SECONDS = 0.1
"""Some systems deliver Ctrl-C only between waits."""

_watched: list[weakref.ref[Workspace]] = []
"""Workspaces that the main thread uses."""
_unfinished: list[threading.Event] = []
"""Events of work in other threads, set when it is done."""


def watch(workspace: Workspace) -> None:
    """Registers a workspace of the main thread, so that Ctrl-C stops its machine code."""
    if threading.current_thread() is threading.main_thread():
        _watched.append(weakref.ref(workspace, _watched.remove))


def _set_all(value: int) -> None:
    for reference in list(_watched):
        workspace = reference()
        if workspace is not None:
            workspace.head.stop = value


@contextmanager
def handle_interrupts() -> Iterator[None]:
    """In this block Ctrl-C also stops machine code. It does nothing outside the main thread, or if the
    process ignores the signal or has its own handler."""
    plain = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not plain or threading.current_thread() is not threading.main_thread():
        yield
        return
    listener = _InterruptListener()
    try:
        yield
    finally:
        listener.close()


class _InterruptListener:
    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._receiver, self._sender = socket.socketpair()
        self._receiver.setblocking(False)
        self._sender.setblocking(False)
        self._before = signal.set_wakeup_fd(self._sender.fileno(), warn_on_full_buffer=False)
        self._handler: Callable[..., None] = self._interrupt
        signal.signal(signal.SIGINT, self._handler)
        _listeners.append(self)
        self._thread = threading.Thread(target=self._listen, name="upcard-interrupt", daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        """Runs until the other end is closed."""
        while True:
            with suppress(OSError, ValueError):
                select.select([self._receiver], [], [])
            # atomic: a signal that the handler has already seen must not set a word afterwards
            with self._lock:
                try:
                    signals = self._receiver.recv(4096)
                except BlockingIOError:
                    continue
                except OSError:
                    return
                if not signals:
                    return
                if signal.SIGINT in signals and signal.getsignal(signal.SIGINT) == self._handler:
                    _set_all(1)

    def _interrupt(self, *_: object) -> None:
        """The handler: machine code has returned to the main thread."""
        with self._lock:
            with suppress(OSError):
                while self._receiver.recv(4096):
                    pass
            _set_all(0)
        raise KeyboardInterrupt

    def stop_listening(self) -> None:
        """Restores Python's handler, unless it was replaced meanwhile."""
        _listeners.remove(self)
        if signal.getsignal(signal.SIGINT) == self._handler:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        given = signal.set_wakeup_fd(self._before)
        if given != self._sender.fileno():
            signal.set_wakeup_fd(given)

    def close(self) -> None:
        self.stop_listening()
        self._sender.close()
        self._thread.join()
        self._receiver.close()


_listeners: list[_InterruptListener] = []


def _leave_to_the_parent() -> None:
    """A forked child has no listening thread, and the socket belongs to its parent."""
    for listener in list(_listeners):
        with suppress(ValueError):  # forked by another thread than the main one
            listener.stop_listening()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_to_the_parent)


# --- calls that cannot be stopped ----------------------------------------------------------------


def run_interruptibly(work: Callable[[], T]) -> T:
    """Runs work that cannot be stopped, such as LLVM's passes, in another thread, so that Ctrl-C can abandon
    it. Check `has_abandoned_work` before ending the process."""
    if threading.current_thread() is not threading.main_thread():
        return work()
    done: list[T] = []
    failed: list[BaseException] = []
    over = threading.Event()  # not join: an interrupted join reports the thread as ended

    def run() -> None:
        try:
            done.append(work())
        except BaseException as error:
            failed.append(error)
        finally:
            over.set()

    _unfinished.append(over)
    try:
        threading.Thread(target=run, name="upcard-work", daemon=True).start()
    except RuntimeError:  # the system has no thread for it
        run()
    while not over.wait(ASK_SECONDS):
        pass
    _unfinished.remove(over)
    if failed:
        raise failed[0]
    return done[0]


def has_abandoned_work() -> bool:
    """Whether an abandoned thread is still running: libraries must not be unloaded under it."""
    return not all(over.is_set() for over in _unfinished)
