"""Reads files up to a size limit.

A pipe or a device may never end, and opening a pipe waits for its writer, so only `read_stream` reads them.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from upcard.recycle.diagnostics import Refused

MAX_TEXT = 4 << 20
"""Bytes of a file written by hand: a program, a sheet, positions."""
MAX_RECORD = 256 << 20
"""Bytes of a record that a command writes line by line."""


class Unreadable(Refused):
    """A file that cannot be read: too large, a pipe or device, or not text."""


def read_file(path: Path, most: int = MAX_TEXT) -> bytes:
    """Reads a regular file. Errors of the system (no such file, no permission) stay `OSError`."""
    with open(path, "rb", opener=_without_waiting) as file:
        _check(path, os.fstat(file.fileno()), most)
        data = file.read(most + 1)
    if len(data) > most:  # it grew, or it is a system file without a size
        raise _too_large(path, most)
    return data


def read_stream(path: Path, most: int = MAX_TEXT) -> bytes:
    """Reads a file or a pipe, such as a shell's `<(...)` or /dev/stdin."""
    with open(path, "rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise _too_large(path, most)
    return data


def check_file(path: Path, most: int = MAX_RECORD) -> Path:
    """Returns the path, after the checks of `read_file`, for callers that read it themselves."""
    if path.exists():
        _check(path, path.stat(), most)
    return path


def read_text(path: Path, most: int = MAX_TEXT) -> str:
    """Reads UTF-8 text, without a byte order mark."""
    data = read_file(path, most)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Unreadable(f"{path}, line {line}: this is not UTF-8 text; save the file as UTF-8") from None


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _check(path: Path, status: os.stat_result, most: int) -> None:
    mode = status.st_mode
    if stat.S_ISREG(mode):
        if status.st_size > most:
            raise _too_large(path, most)
    elif not stat.S_ISDIR(mode) and path != Path(os.devnull):  # opening a directory raises its own error
        what = "a pipe" if stat.S_ISFIFO(mode) else "a device"
        raise Unreadable(f"{path} is {what}, not a file; give the path of a file")


def _too_large(path: Path, most: int) -> Unreadable:
    return Unreadable(
        f"{path} is larger than {most >> 20} MB, the most that can be read; choose another file"
    )
