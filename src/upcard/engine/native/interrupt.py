"""Ctrl-C while machine code runs.

Python handles a signal between two of its own instructions, so a long call into machine code keeps it
waiting. Machine code therefore looks at a word of its workspace, at every decision that it plays or lists,
and comes back soon when the word is not 0. What it leaves behind then means nothing: whoever set the word
raises.

Python's own handler writes a byte to a socket at once, whatever the main thread is doing (`set_wakeup_fd`); a
thread that waits for the byte sets the words of the workspaces that the main thread uses. When the machine
code is back, the handler clears them and raises `KeyboardInterrupt`. Ordinary calls cost nothing.
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

from upcard.engine.native.stop_word import STOP

if TYPE_CHECKING:
    from upcard.engine.native.buffer import Buffer

T = TypeVar("T")

ASK_SECONDS = 0.1
"""Some systems hear Ctrl-C only between waits."""

_watched: list[weakref.ref[Buffer]] = []
"""Workspaces that the main thread uses."""
_left: list[threading.Event] = []
"""Set when work is done that nobody waits for any more."""


def watch(block: Buffer) -> None:
    """A workspace whose machine code comes back on Ctrl-C, if it is the main thread's."""
    if threading.current_thread() is threading.main_thread():
        _watched.append(weakref.ref(block, _watched.remove))


def _set_all(value: int) -> None:
    for reference in list(_watched):
        block = reference()
        if block is not None:
            block.set_word(STOP, value)


@contextmanager
def handle_interrupts() -> Iterator[None]:
    """Inside, Ctrl-C is heard by machine code too. Where the process ignores the signal, or handles it in its
    own way, or this is not the main thread, everything stays as it is."""
    plain = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not plain or threading.current_thread() is not threading.main_thread():
        yield
        return
    ear = _Ear()
    try:
        yield
    finally:
        ear.close()


class _Ear:
    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._heard, self._told = socket.socketpair()
        self._heard.setblocking(False)
        self._told.setblocking(False)
        self._before = signal.set_wakeup_fd(self._told.fileno(), warn_on_full_buffer=False)
        self._handler: Callable[..., None] = self._interrupt
        signal.signal(signal.SIGINT, self._handler)
        _ears.append(self)
        self._thread = threading.Thread(target=self._listen, name="upcard-interrupt", daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        """Until the other end is closed."""
        while True:
            with suppress(OSError, ValueError):
                select.select([self._heard], [], [])
            # read and acted upon in one go: a signal that the handler has seen must not set a word after it
            with self._lock:
                try:
                    came = self._heard.recv(4096)
                except BlockingIOError:
                    continue
                except OSError:
                    return
                if not came:
                    return
                if signal.SIGINT in came and signal.getsignal(signal.SIGINT) == self._handler:
                    _set_all(1)

    def _interrupt(self, *_: object) -> None:
        """Python's turn: the main thread is back."""
        with self._lock:
            with suppress(OSError):
                while self._heard.recv(4096):
                    pass
            _set_all(0)
        raise KeyboardInterrupt

    def stop_listening(self) -> None:
        """The signal is Python's alone again, unless somebody else has taken it meanwhile."""
        _ears.remove(self)
        if signal.getsignal(signal.SIGINT) == self._handler:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        given = signal.set_wakeup_fd(self._before)
        if given != self._told.fileno():
            signal.set_wakeup_fd(given)

    def close(self) -> None:
        self.stop_listening()
        self._told.close()
        self._thread.join()
        self._heard.close()


_ears: list[_Ear] = []


def _leave_to_the_parent() -> None:
    """A forked process has no thread that listens, and the socket is its parent's."""
    for ear in list(_ears):
        with suppress(ValueError):  # forked by another thread than the main one
            ear.stop_listening()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_to_the_parent)


# --- calls that cannot be stopped ----------------------------------------------------------------


def run_interruptibly(work: Callable[[], T]) -> T:
    """Does something that hears nothing until it is done, such as LLVM's passes, in another thread: Ctrl-C
    leaves it there. Whoever ends the process then asks `has_abandoned_work`."""
    if threading.current_thread() is not threading.main_thread():
        return work()
    done: list[T] = []
    failed: list[BaseException] = []
    over = threading.Event()  # a thread whose join was interrupted says that it has ended

    def run() -> None:
        try:
            done.append(work())
        except BaseException as error:
            failed.append(error)
        finally:
            over.set()

    _left.append(over)
    try:
        threading.Thread(target=run, name="upcard-work", daemon=True).start()
    except RuntimeError:  # the system has no thread for it
        run()
    while not over.wait(ASK_SECONDS):
        pass
    _left.remove(over)
    if failed:
        raise failed[0]
    return done[0]


def has_abandoned_work() -> bool:
    """Whether a thread is still at work that nobody waits for: libraries must not be torn down around it."""
    return not all(over.is_set() for over in _left)
