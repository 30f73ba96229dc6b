"""Append-only JSON lines with checksums: records that survive crashes and detect damage.

A line is one JSON object. Its last member is a checksum of everything before it in the line:

    {"do":"game","index":0,...,"crc":"1c291ca3"}

`crc` is the CRC-32 (as in zlib and gzip) of the bytes before `,"crc"`, as eight hexadecimal digits. Lines of
old versions have none; once a line has one, every line after it needs one.

A line is written by one call, so a process that dies leaves at most a torn last line. Readers ignore it, and
the next writer removes it.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from upcard.files.bounded import MAX_RECORD, read_file
from upcard.recycle.diagnostics import Refused
from upcard.storage.lock import Changed, Locked, try_lock

_MEMBER = b',"crc":"'
_SUFFIX = len(_MEMBER) + len('12345678"}')


class Damaged(Refused):
    """A line that differs from what was written."""

    is_answer = True

    def __init__(self, path: Path, number: int, what: str) -> None:
        self.path, self.number = path, number
        remedy = "choose another file"
        if number > 1:
            remedy = f"delete the file's lines from there on, or {remedy}"
        super().__init__(f"{path}, line {number}: {what}, so the file is damaged; {remedy}")


class Contents(NamedTuple):
    lines: list[str]
    """Complete lines, without their checksums."""
    torn: bytes = b""
    """The incomplete last line."""
    ended: bool = True
    """Whether the last complete line ends with a line feed."""

    def fits(self, kind: str) -> bool:
        """Whether a file without a complete line can be the beginning of a record of this kind."""
        begin = f'{{"do":"{kind}"'.encode()
        return bool(self.lines) or self.torn.startswith(begin) or begin.startswith(self.torn)


def to_line(record: object) -> str:
    return json.dumps(record, separators=(",", ":"), ensure_ascii=False)


def with_checksum(record: dict[str, Any]) -> bytes:
    """The line of a nonempty record, with its checksum."""
    try:
        text = to_line(record).encode()
    except UnicodeEncodeError:  # a lone surrogate, which JSON can escape but UTF-8 cannot encode
        text = json.dumps(record, separators=(",", ":")).encode()
    body = text[:-1]
    return body + _MEMBER + b'%08x"}' % zlib.crc32(body)


def without_checksum(path: Path, number: int, line: bytes) -> tuple[bytes, bool]:
    """A line without its checksum, and whether it had one. Raises `Damaged` if the checksum is wrong.

    A carriage return at the end is ignored: some tools add it when they copy a file.
    """
    line = line.removesuffix(b"\r")
    body, suffix = line[:-_SUFFIX], line[-_SUFFIX:]
    if suffix == _MEMBER + b'%08x"}' % zlib.crc32(body):
        return body + b"}", True
    # one damaged byte in the member's name must not make a line look like one without a checksum
    if sum(a != b for a, b in zip(suffix, _MEMBER, strict=False)) <= 1 and len(line) > _SUFFIX:
        raise Damaged(path, number, "the checksum does not match")
    return line, False


def read(path: Path) -> Contents:
    """Reads a file and verifies its checksums. Another process may be writing it meanwhile."""
    return _contents(path, read_file(path, MAX_RECORD))


def read_if_exists(path: Path) -> Contents:
    """The same, but empty for a missing file, and for a pipe that a record is written to."""
    return Contents([]) if not path.exists() or path.is_fifo() else read(path)


def _contents(path: Path, data: bytes) -> Contents:
    *whole, last = data.split(b"\n")
    lines: list[str] = []
    checked = False
    for number, line in enumerate(whole, 1):
        text, has_one = without_checksum(path, number, line)
        if checked and not has_one and line:
            raise Damaged(path, number, "the checksum is missing")
        checked = checked or has_one
        lines.append(_decode(path, number, text))
    if not last:
        return Contents(lines)
    number = len(lines) + 1
    complete = _complete(path, number, last)
    if complete is not None:
        return Contents([*lines, complete], ended=False)
    if _complete(path, number, last[:-1]) is not None:
        raise Damaged(path, number, "the line does not end with a line feed")
    return Contents(lines, torn=last)


def _decode(path: Path, number: int, text: bytes) -> str:
    try:
        return text.decode()
    except UnicodeDecodeError:
        raise Damaged(path, number, "this is not UTF-8 text") from None


def _complete(path: Path, number: int, last: bytes) -> str | None:
    """The last line, if only its line feed is missing: no proper prefix of an object is an object."""
    text, checked = without_checksum(path, number, last) if last.endswith(b"}") else (last, False)
    decoded = text.decode("utf-8", "replace")
    return decoded if checked or isinstance(_object(decoded), dict) else None


def _object(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


class Log:
    """An append-only file, locked against other writers.

    A line is in the file when `write` returns, and on disk when the log is closed.
    """

    def __init__(self, path: Path, *expected: int) -> None:
        """Opens a file to append to, and removes a torn line.

        `expected` are the allowed numbers of lines: those read before the file was locked.
        """
        self.path = path
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
        self._handle = os.open(path, flags, 0o666)
        with self.closed_on_error():
            self.lines = self._resume(expected)

    def _resume(self, expected: Collection[int]) -> int:
        if not try_lock(self._handle):
            raise Locked(
                f"{self.path} is being written by another process; wait for it to finish, or choose "
                "another file"
            )
        contents = read_if_exists(self.path)
        lines = sum(map(bool, contents.lines))
        if lines not in expected:
            raise Changed(self.path)
        if contents.torn:
            os.ftruncate(self._handle, os.fstat(self._handle).st_size - len(contents.torn))
        if not contents.ended:
            self._append(b"\n")
        return lines

    @contextmanager
    def closed_on_error(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            handle, self._handle = self._handle, -1
            os.close(handle)
            raise

    def write(self, records: Iterable[dict[str, Any]]) -> None:
        self._append(b"".join(with_checksum(record) + b"\n" for record in records))

    def _append(self, data: bytes) -> None:
        """Writes all of the data or, as far as the system allows, nothing."""
        left = memoryview(data)
        try:
            while left:
                left = left[os.write(self._handle, left) :]
        except OSError as error:
            with suppress(OSError):
                written = len(data) - len(left)
                if written:
                    os.ftruncate(self._handle, os.fstat(self._handle).st_size - written)
            error.filename = str(self.path)
            raise

    def close(self) -> None:
        if self._handle < 0:
            return
        handle, self._handle = self._handle, -1
        try:
            os.fsync(handle)
        except OSError as error:
            if self.path.is_file():  # pipes cannot be synced and need not be
                error.filename = str(self.path)
                raise
        finally:
            os.close(handle)

    def __enter__(self) -> Log:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
