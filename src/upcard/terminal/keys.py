"""Reads single keys from a terminal on POSIX and Windows, and always restores it."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO

from upcard.output import write_styled

RESIZE = "resize"
END = "end of input"

_AFTER_ESCAPE = {
    **{f"{lead}A": "up" for lead in "[O"},
    **{f"{lead}B": "down" for lead in "[O"},
    **{f"{lead}C": "right" for lead in "[O"},
    **{f"{lead}D": "left" for lead in "[O"},
    **{f"{lead}H": "home" for lead in "[O"},
    **{f"{lead}F": "last" for lead in "[O"},
    "[1~": "home",
    "[4~": "last",
    "[5~": "page up",
    "[6~": "page down",
    "[3~": "delete",
}
_SINGLE = {"\r": "enter", "\n": "enter", "\x7f": "delete", "\x08": "delete", "\t": "right", " ": "space"}
_ON_WINDOWS = {"H": "up", "P": "down", "K": "left", "M": "right", "G": "home", "O": "last"}
ESCAPE_WAIT = 0.05
"""Seconds to wait for the rest of an escape sequence."""

ENTER_SCREEN = "\x1b[?1049h\x1b[?25l\x1b[2J"
LEAVE_SCREEN = "\x1b[0m\x1b[?25h\x1b[?1049l"


class Keys:
    """Reads keys inside `open()`; resizing the window counts as a key."""

    def __init__(self) -> None:
        self._resized = False
        self._wake_read = self._wake_write = -1
        self._pending = b""
        self._saved: Any = None

    @staticmethod
    def size() -> tuple[int, int]:
        """Current columns and rows of the terminal."""
        with suppress(OSError, ValueError):
            size = os.get_terminal_size(sys.stdout.fileno())
            if size.columns > 0 and size.lines > 0:
                return size.columns, size.lines
        return tuple(shutil.get_terminal_size((80, 24)))  # type: ignore[return-value]

    @contextmanager
    def open(self) -> Iterator[Keys]:
        """Switch to the alternate screen and unbuffered keys; always restores both."""
        if os.name != "posix":
            os.system("")  # the console then understands escape sequences
            self._write(ENTER_SCREEN)
            try:
                yield self
            finally:
                self._write(LEAVE_SCREEN)
            return
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_write, False)
        previous_handlers = {
            name: signal.signal(name, handler)
            for name, handler in (
                (signal.SIGWINCH, self._on_resize),
                (signal.SIGTSTP, self._on_stop),
                (signal.SIGTERM, _on_terminate),
                (signal.SIGHUP, _on_terminate),
            )
        }
        previous_wakeup = signal.set_wakeup_fd(self._wake_write, warn_on_full_buffer=False)
        self._enter_screen()
        try:
            yield self
        finally:
            self._leave_screen()
            signal.set_wakeup_fd(previous_wakeup)
            for name, handler in previous_handlers.items():
                signal.signal(name, handler)
            os.close(self._wake_read)
            os.close(self._wake_write)

    def read(self, seconds: float | None = None) -> str | None:
        """The next key by name or character; None after a timeout."""
        if os.name != "posix":
            return self._read_on_windows(seconds)
        end = None if seconds is None else time.monotonic() + seconds
        while True:
            if self._resized:
                self._resized = False
                return RESIZE
            if self._pending and (key := self._next_key()) is not None:
                return key
            left = None if end is None else max(0.0, end - time.monotonic())
            if not self._read_more(left) and not self._resized and left == 0.0:
                return None

    def discard(self) -> None:
        """Drop keys that were pressed before now, so that nothing typed ahead answers what is shown next."""
        self._pending = b""
        if os.name != "posix":
            import msvcrt

            console: Any = msvcrt
            while console.kbhit():
                console.getwch()
            return
        drop_input(sys.stdin)

    def pause(self, seconds: float) -> bool:
        """Wait without reading keys; returns True at once if the window is resized."""
        if os.name != "posix":
            time.sleep(seconds)
            return False
        import select

        end = time.monotonic() + seconds
        while not self._resized and (left := end - time.monotonic()) > 0:
            if select.select([self._wake_read], [], [], left)[0]:
                os.read(self._wake_read, 512)
        resized, self._resized = self._resized, False
        return resized

    # --- POSIX ---------------------------------------------------------------------------------

    def _read_more(self, seconds: float | None) -> bool:
        """Read more bytes from the terminal, waiting up to `seconds`."""
        import select

        stdin = sys.stdin.fileno()
        ready = select.select([stdin, self._wake_read], [], [], seconds)[0]
        if self._wake_read in ready:
            os.read(self._wake_read, 512)
        if stdin not in ready:
            return False
        data = os.read(stdin, 1024)
        self._pending += data if data else b"\x04"  # the terminal is gone
        return True

    def _next_key(self) -> str | None:
        first = self._pending[:1]
        if first == b"\x1b":
            return self._escape()
        size = 1 if first < b"\xc0" else 2 if first < b"\xe0" else 3 if first < b"\xf0" else 4
        if len(self._pending) < size and self._read_more(ESCAPE_WAIT):
            return self._next_key()
        char = self._take_bytes(size).decode("utf-8", "replace")
        return END if char == "\x04" else _SINGLE.get(char, char)

    def _escape(self) -> str:
        """A complete escape sequence, or the escape key alone."""
        while True:
            rest = self._pending[1:].decode("ascii", "replace")
            for known, name in _AFTER_ESCAPE.items():
                if rest.startswith(known):
                    self._take_bytes(1 + len(known))
                    return name
            unfinished = rest == "" or (
                rest[0] in "[O" and not any(c.isalpha() or c == "~" for c in rest[1:])
            )
            if unfinished and self._read_more(ESCAPE_WAIT):
                continue
            if (
                rest[:1] in ("[", "O") and len(rest) > 1
            ):  # an unknown sequence: skip all of it, so that its letters are not read as keys
                end = next((at for at, c in enumerate(rest[1:], 1) if c.isalpha() or c == "~"), len(rest) - 1)
                self._take_bytes(2 + end)
                return "unknown"
            self._take_bytes(1)
            return "escape"

    def _take_bytes(self, count: int) -> bytes:
        taken, self._pending = self._pending[:count], self._pending[count:]
        return taken

    def _enter_screen(self) -> None:
        import termios
        import tty

        stdin = sys.stdin.fileno()
        self._saved = termios.tcgetattr(stdin)
        tty.setcbreak(stdin)
        self._write(ENTER_SCREEN)

    def _leave_screen(self) -> None:
        import termios

        self._write(LEAVE_SCREEN)
        with suppress(termios.error):
            termios.tcsetattr(sys.stdin.fileno(), termios.TCSADRAIN, self._saved)

    def _on_resize(self, *_: object) -> None:
        self._resized = True

    def _on_stop(self, *_: object) -> None:
        """Ctrl-Z: restore the shell's screen; draw the table again when the process continues."""
        self._leave_screen()
        mine = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTSTP})
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, mine)
        self._enter_screen()
        self._resized = True

    @staticmethod
    def _write(text: str) -> None:
        with suppress(OSError, ValueError):
            write_styled(text)
            sys.stdout.flush()

    # --- Windows -------------------------------------------------------------------------------

    def _read_on_windows(self, seconds: float | None) -> str | None:
        import msvcrt

        console: Any = msvcrt
        end = None if seconds is None else time.monotonic() + seconds
        size = self.size()
        while not console.kbhit():
            if self.size() != size:
                return RESIZE
            if end is not None and time.monotonic() >= end:
                return None
            time.sleep(0.02)
        char = console.getwch()
        if char in ("\x00", "\xe0"):
            return _ON_WINDOWS.get(console.getwch(), "unknown")
        if char == "\x03":
            raise KeyboardInterrupt
        return END if char in ("\x04", "\x1a") else "escape" if char == "\x1b" else _SINGLE.get(char, char)


def drop_input(stream: TextIO) -> None:
    """Drop what was typed on a terminal and not read yet; a pipe keeps everything."""
    if os.name != "posix":
        return
    import termios

    with suppress(termios.error, OSError, ValueError):  # a pipe, or a terminal that is gone
        termios.tcflush(stream.fileno(), termios.TCIFLUSH)


def _on_terminate(*_: object) -> None:
    """The terminal was closed or the process terminated: everything is recorded, so just end."""
    raise KeyboardInterrupt
