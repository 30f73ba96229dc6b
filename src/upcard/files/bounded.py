"""Reads files up to a size limit.

A pipe or a device may never end, and opening a pipe waits for its writer, so only `read_stream` reads them.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from upcard.recycle.diagnostics import Refused

MOST_TEXT = 4 << 20
"""Bytes of a file that a person writes: a program, a sheet, positions, a pack."""
MOST_RECORD = 256 << 20
"""Bytes of a file that a command writes line by line."""


class Unreadable(Refused):
    """A file whose bytes cannot be taken as they are: too many, of no end, or not text."""


def read_file(path: Path, most: int = MOST_TEXT) -> bytes:
    """All of a file. An `OSError` says what the system says: no such file, a directory, no permission."""
    with open(path, "rb", opener=_without_waiting) as file:
        _check(path, os.fstat(file.fileno()), most)
        data = file.read(most + 1)
    if len(data) > most:  # it grew, or it is one of the system's files that do not know their size
        raise _too_large(path, most)
    return data


def read_stream(path: Path, most: int = MOST_TEXT) -> bytes:
    """The same, but pipes are read too, such as `<(...)` of a shell and /dev/stdin."""
    with open(path, "rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise _too_large(path, most)
    return data


def check_file(path: Path, most: int = MOST_RECORD) -> Path:
    """The path, if a file there can be read to its end; for those who read it themselves."""
    if path.exists():
        _check(path, path.stat(), most)
    return path


def read_text(path: Path, most: int = MOST_TEXT) -> str:
    """A file of UTF-8 text; a byte order mark at its start is dropped."""
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
    elif not stat.S_ISDIR(mode) and path != Path(os.devnull):  # opening a directory is an error of its own
        what = "a pipe" if stat.S_ISFIFO(mode) else "a device"
        raise Unreadable(f"{path} is {what}, not a file; give the path of a file")


def _too_large(path: Path, most: int) -> Unreadable:
    return Unreadable(f"{path} has more than {most >> 20} MB, the most that can be read; give another file")
