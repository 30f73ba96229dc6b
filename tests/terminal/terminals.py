"""A real pseudo-terminal with the table in it: keys go in, the screen comes out."""

from __future__ import annotations

import codecs
import errno
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

PATIENCE = 60.0
"""Seconds until a screen that does not come is a failure; a busy machine is no failure."""
STYLE = re.compile(r"\x1b\[[0-9;]*m")
ENTER_SCREEN, LEAVE_SCREEN = "\x1b[?1049h", "\x1b[?1049l"


class Terminal:
    """`upcard` with arguments in a pseudo-terminal."""

    def __init__(
        self, arguments: Sequence[str], data: Path, width: int = 80, height: int = 24, **env: str
    ) -> None:
        self.output = ""
        self._done = False
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        source = str(Path(__file__).resolve().parents[2] / "src")
        environment = {**os.environ, "UPCARD_DATA": str(data), "TERM": "xterm-256color", "PYTHONPATH": source}
        environment.update({"PYTHONIOENCODING": "utf-8", **env})
        if "NO_COLOR" not in env:
            environment.pop("NO_COLOR", None)
        self._process, self._screen = _spawn(
            [sys.executable, "-m", "upcard", *arguments], environment, width, height
        )

    # --- what is on it -------------------------------------------------------------------------

    @property
    def lines(self) -> list[str]:
        """The screen as it was drawn last."""
        end = self.output.rfind("\x1b[J")
        start = self.output.rfind("\x1b[H", 0, max(end, 0))
        return [] if start < 0 else _plain(self.output[start + 3 : end]).split("\n")

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def after(self) -> str:
        """What was printed when the screen had been given back."""
        return _plain(self.output[self.output.rfind(LEAVE_SCREEN) + len(LEAVE_SCREEN) :])

    def wait_for(self, wanted: str | Callable[[str], bool]) -> str:
        """Reads until the screen is as wanted."""
        fits = wanted if callable(wanted) else lambda text: wanted in text
        end = time.monotonic() + PATIENCE
        while not fits(self.text):
            assert time.monotonic() < end, f"waited in vain for {wanted}; the screen is:\n{self.text}"
            assert self._read(1.0), f"it ended before {wanted}:\n{self.output[-2000:]}"
        return self.text

    def press(self, keys: str) -> None:
        os.write(self._screen, keys.encode())

    def pressed(self, keys: str, wanted: str) -> str:
        """The screen after keys that make it show something."""
        self.press(keys)
        return self.wait_for(wanted)

    @property
    def frames(self) -> int:
        """How many whole screens were drawn."""
        return self.output.count("\x1b[J")

    def play_on(self, wanted: str) -> str:
        """Press Enter at every question until the screen is as wanted or the program ends."""
        while True:
            drawn = self.frames
            self.press("\r")
            while self.frames == drawn or not _asks(self.text):
                if not self._read(1.0):
                    return ""
            if wanted in self.text:
                return self.text

    def resize(self, width: int, height: int) -> None:
        _set_size(self._screen, width, height)
        os.kill(self._process, signal.SIGWINCH)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is left behind, however a test ends."""
        if not self._done:
            os.kill(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)
            os.close(self._screen)

    def send_signal(self, number: signal.Signals) -> None:
        os.kill(self._process, number)

    def keep_pressing(self, keys: str) -> int:
        """Presses keys until the program ends, since those that come before a question are dropped."""
        end = time.monotonic() + PATIENCE
        while self._read(0.2):
            assert time.monotonic() < end, f"it does not end; the screen is:\n{self.text}"
            self.press(keys)
        return self.ended()

    def ended(self) -> int:
        """Its exit code."""
        end = time.monotonic() + PATIENCE
        while self._read(1.0):
            assert time.monotonic() < end, f"it does not end; the screen is:\n{self.text}"
        _, status = os.waitpid(self._process, 0)
        os.close(self._screen)
        self._done = True
        return os.waitstatus_to_exitcode(status)

    def _read(self, seconds: float) -> bool:
        """More output if there is some; False at its end."""
        if not select.select([self._screen], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self._screen, 65536)
        except OSError as error:
            if error.errno == errno.EIO:  # the other side is gone
                return False
            raise
        self.output += self._decoder.decode(data)  # a read may end in the middle of a character
        return bool(data)


def _asks(screen: str) -> bool:
    """Whether the screen waits for a key."""
    return any(words in screen for words in ("Your turn", "Enter: ", "Enter continues", "Enter goes back"))


def _spawn(
    command: Sequence[str], environment: Mapping[str, str], width: int, height: int
) -> tuple[int, int]:
    screen, terminal = pty.openpty()
    _set_size(screen, width, height)
    process = os.posix_spawn(
        command[0],
        list(command),
        dict(environment),
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, os.ttyname(terminal), os.O_RDWR, 0),
            (os.POSIX_SPAWN_DUP2, 0, 1),
            (os.POSIX_SPAWN_DUP2, 0, 2),
        ],
        setsid=True,
    )
    os.close(terminal)
    return process, screen


def _set_size(screen: int, width: int, height: int) -> None:
    fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))


def _plain(text: str) -> str:
    return STYLE.sub("", text).replace("\x1b[K", "").replace("\x1b[H", "").replace("\r", "")
