"""Pipes of an external player: one line out, one line back, within a time limit.

Nothing here waits for the end of a pipe: a player may have passed its ends to a process that outlives it, and
then the pipe never ends. Where the system can poll pipes, one thread serves all of them; elsewhere (Windows)
each pipe has its own thread.
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
"""Maximum bytes of an answer, and of standard error that is kept."""


class TimedOut(Exception):
    """No answer came within the time limit."""


class Pipes(Protocol):
    def ask(self, line: bytes, seconds: float) -> bytes:
        """Sends a line and returns the answer: without a newline at its end if it is too long or cut off, and
        empty if the process closed its output. Raises `TimedOut`."""

    def last_error_line(self) -> str:
        """The last line on standard error."""

    def close(self) -> None: ...


class PolledPipes:
    """Polls all pipes in one thread."""

    def __init__(self, stdin: int, stdout: int, stderr: int) -> None:
        """Takes over these file descriptors."""
        self._stdin, self._stdout, self._stderr = stdin, stdout, stderr
        for descriptor in (stdin, stdout, stderr):
            os.set_blocking(descriptor, False)
        self._answers = bytearray()
        self._errors = b""
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
                # reads no more than the answer, so that endless output cannot pile up here
                self._watch(self._stdout, selectors.EVENT_READ, not ended and self._line() is None)
                left = until - time.monotonic()
                if left <= 0:
                    raise TimedOut
                for key, _ in self._selector.select(left):
                    if key.fd == self._stdin:
                        unsent = self._send(unsent)
                        self._watch(self._stdin, selectors.EVENT_WRITE, bool(unsent))
                    elif key.fd == self._stdout:
                        ended = not self._receive()
                    else:
                        self._read_errors()
        finally:
            self._watch(self._stdin, selectors.EVENT_WRITE, False)
            self._watch(self._stdout, selectors.EVENT_READ, True)
        answer = self._line() or bytes(self._answers)
        del self._answers[: len(answer)]
        return answer

    def _line(self) -> bytes | None:
        """The first line received, cut to `LONGEST_LINE`; None while it is incomplete."""
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
        except OSError:  # the process closed its input: only what it has already written can follow
            return unsent[:0]

    def _receive(self) -> bool:
        """Reads some of standard output; returns whether more can follow."""
        try:
            data = os.read(self._stdout, LONGEST_LINE)
        except BlockingIOError:
            return True
        except OSError:
            return False
        self._answers += data
        return bool(data)

    def _read_errors(self) -> bool:
        """Reads some of standard error; returns whether more may be there at once."""
        try:
            data = os.read(self._stderr, LONGEST_LINE)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        if not data:
            self._watch(self._stderr, selectors.EVENT_READ, False)
        self._errors = (self._errors + data)[-LONGEST_LINE:]
        return bool(data)

    def last_error_line(self) -> str:
        for _ in range(64):  # some process may still be writing
            if self._stderr not in self._selector.get_map() or not self._read_errors():
                break
        return _last_line(self._errors)

    def close(self) -> None:
        self._selector.close()
        for descriptor in (self._stdin, self._stdout, self._stderr):
            with suppress(OSError):
                os.close(descriptor)


class ThreadedPipes:
    """Has a thread for each pipe."""

    def __init__(self, stdin: int, stdout: int, stderr: int) -> None:
        """Takes over these file descriptors."""
        self._requests: queue.Queue[bytes | None] = queue.Queue()
        self._answers: queue.Queue[bytes] = queue.Queue(16)
        self._errors = b""
        self._error_reader: threading.Thread
        for target, descriptor in ((self._send, stdin), (self._receive, stdout), (self._read_errors, stderr)):
            self._error_reader = threading.Thread(target=target, args=(descriptor,), daemon=True)
            self._error_reader.start()

    def ask(self, line: bytes, seconds: float) -> bytes:
        self._requests.put(line)
        try:
            return self._answers.get(timeout=seconds)
        except queue.Empty:
            raise TimedOut from None

    def _send(self, descriptor: int) -> None:
        with suppress(OSError, ValueError), os.fdopen(descriptor, "wb", buffering=0) as pipe:
            while (line := self._requests.get()) is not None:
                unsent = memoryview(line)
                while unsent:
                    unsent = unsent[pipe.write(unsent) :]

    def _receive(self, descriptor: int) -> None:
        with suppress(OSError, ValueError), os.fdopen(descriptor, "rb") as pipe:
            while line := pipe.readline(LONGEST_LINE):
                self._answers.put(line)
        self._answers.put(b"")

    def _read_errors(self, descriptor: int) -> None:
        with suppress(OSError, ValueError), os.fdopen(descriptor, "rb", buffering=0) as pipe:
            while data := pipe.read(LONGEST_LINE):
                self._errors = (self._errors + data)[-LONGEST_LINE:]

    def last_error_line(self) -> str:
        self._error_reader.join(1.0)
        return _last_line(self._errors)

    def close(self) -> None:
        """The threads end with the process."""
        self._requests.put(None)
        with suppress(queue.Empty):
            while True:
                self._answers.get_nowait()


def _last_line(errors: bytes) -> str:
    lines = [line for line in errors.splitlines() if line.strip()]
    return lines[-1].decode("utf-8", "replace") if lines else ""


def pipes_to(stdin: int, stdout: int, stderr: int) -> Pipes:
    """The implementation for this system."""
    return PolledPipes(stdin, stdout, stderr) if os.name == "posix" else ThreadedPipes(stdin, stdout, stderr)
