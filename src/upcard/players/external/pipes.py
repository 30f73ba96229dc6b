"""Pipes of an external player: one line out, one line back, within a time limit.

Nothing here waits for the end of a pipe: a player may have handed its ends to a process that outlives it, and
such a pipe never ends. Where the system can wait for pipes, one thread does all of it and leaves nothing
behind; elsewhere (Windows) each pipe has a thread of its own.
"""

from __future__ import annotations

import os
import queue
import selectors
import threading
import time
from contextlib import suppress
from typing import Protocol

LONGEST_LINE = 1 << 16
"""Bytes of an answer, and of what is kept from standard error."""


class Late(Exception):
    """No answer came within the time limit."""


class Pipes(Protocol):
    def ask(self, line: bytes, seconds: float) -> bytes:
        """The line that answers a line; without a newline at its end where it is too long or cut off, and
        empty where the process closed its output. Raises `Late`."""

    def last_words(self) -> str:
        """The last line on standard error."""

    def close(self) -> None: ...


class PolledPipes:
    """Waits for all pipes at once."""

    def __init__(self, stdin: int, stdout: int, stderr: int) -> None:
        """Takes over these file descriptors."""
        self._stdin, self._stdout, self._stderr = stdin, stdout, stderr
        for descriptor in (stdin, stdout, stderr):
            os.set_blocking(descriptor, False)
        self._answers = bytearray()
        self._words = b""
        self._selector = selectors.DefaultSelector()
        self._selector.register(stdout, selectors.EVENT_READ)
        self._selector.register(stderr, selectors.EVENT_READ)

    def ask(self, line: bytes, seconds: float) -> bytes:
        until = time.monotonic() + seconds
        unsent = memoryview(line)
        ended = False
        self._watch(self._stdin, selectors.EVENT_WRITE, bool(unsent))
        try:
            while unsent or self._line() is None:
                if ended and self._line() is None:
                    break
                # a player that answers without end is not read faster than it is asked
                self._watch(self._stdout, selectors.EVENT_READ, not ended and self._line() is None)
                left = until - time.monotonic()
                if left <= 0:
                    raise Late
                for key, _ in self._selector.select(left):
                    if key.fd == self._stdin:
                        unsent = self._send(unsent)
                        self._watch(self._stdin, selectors.EVENT_WRITE, bool(unsent))
                    elif key.fd == self._stdout:
                        ended = not self._receive()
                    else:
                        self._listen()
        finally:
            self._watch(self._stdin, selectors.EVENT_WRITE, False)
            self._watch(self._stdout, selectors.EVENT_READ, True)
        said = self._line() or bytes(self._answers)
        del self._answers[: len(said)]
        return said

    def _line(self) -> bytes | None:
        """The first line received, or as much of it as a line may have."""
        end = self._answers.find(b"\n", 0, LONGEST_LINE)
        if end < 0 and len(self._answers) < LONGEST_LINE:
            return None
        return bytes(self._answers[: end + 1 or LONGEST_LINE])

    def _watch(self, descriptor: int, event: int, wanted: bool) -> None:
        if (descriptor in self._selector.get_map()) != wanted:
            if wanted:
                self._selector.register(descriptor, event)
            else:
                self._selector.unregister(descriptor)

    def _send(self, unsent: memoryview) -> memoryview:
        try:
            return unsent[os.write(self._stdin, unsent) :]
        except BlockingIOError:
            return unsent
        except OSError:  # nobody reads: what the process has written before is all that comes
            return unsent[:0]

    def _receive(self) -> bool:
        """Whether there can be more."""
        try:
            got = os.read(self._stdout, LONGEST_LINE)
        except BlockingIOError:
            return True
        except OSError:
            return False
        self._answers += got
        return bool(got)

    def _listen(self) -> bool:
        """Reads some of standard error; whether there can be more at once."""
        try:
            got = os.read(self._stderr, LONGEST_LINE)
        except BlockingIOError:
            return False
        except OSError:
            got = b""
        if not got:
            self._watch(self._stderr, selectors.EVENT_READ, False)
        self._words = (self._words + got)[-LONGEST_LINE:]
        return bool(got)

    def last_words(self) -> str:
        for _ in range(64):  # some process may still be writing
            if self._stderr not in self._selector.get_map() or not self._listen():
                break
        return _last_line(self._words)

    def close(self) -> None:
        self._selector.close()
        for descriptor in (self._stdin, self._stdout, self._stderr):
            with suppress(OSError):
                os.close(descriptor)


class ThreadedPipes:
    """Has a thread for each pipe."""

    def __init__(self, stdin: int, stdout: int, stderr: int) -> None:
        """Takes over these file descriptors."""
        self._questions: queue.Queue[bytes | None] = queue.Queue()
        self._answers: queue.Queue[bytes] = queue.Queue(16)
        self._words = b""
        self._listener: threading.Thread
        for target, descriptor in ((self._send, stdin), (self._receive, stdout), (self._listen, stderr)):
            self._listener = threading.Thread(target=target, args=(descriptor,), daemon=True)
            self._listener.start()

    def ask(self, line: bytes, seconds: float) -> bytes:
        self._questions.put(line)
        try:
            return self._answers.get(timeout=seconds)
        except queue.Empty:
            raise Late from None

    def _send(self, descriptor: int) -> None:
        with suppress(OSError, ValueError), os.fdopen(descriptor, "wb", buffering=0) as pipe:
            while (line := self._questions.get()) is not None:
                unsent = memoryview(line)
                while unsent:
                    unsent = unsent[pipe.write(unsent) :]

    def _receive(self, descriptor: int) -> None:
        with suppress(OSError, ValueError), os.fdopen(descriptor, "rb") as pipe:
            while line := pipe.readline(LONGEST_LINE):
                self._answers.put(line)
        self._answers.put(b"")

    def _listen(self, descriptor: int) -> None:
        with suppress(OSError, ValueError), os.fdopen(descriptor, "rb", buffering=0) as pipe:
            while got := pipe.read(LONGEST_LINE):
                self._words = (self._words + got)[-LONGEST_LINE:]

    def last_words(self) -> str:
        self._listener.join(1.0)
        return _last_line(self._words)

    def close(self) -> None:
        """The threads end with the process."""
        self._questions.put(None)
        with suppress(queue.Empty):
            while True:
                self._answers.get_nowait()


def _last_line(words: bytes) -> str:
    lines = [line for line in words.splitlines() if line.strip()]
    return lines[-1].decode("utf-8", "replace") if lines else ""


def pipes_to(stdin: int, stdout: int, stderr: int) -> Pipes:
    """The pipes of this system."""
    return PolledPipes(stdin, stdout, stderr) if os.name == "posix" else ThreadedPipes(stdin, stdout, stderr)
