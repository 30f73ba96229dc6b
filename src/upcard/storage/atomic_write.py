"""Replaces files atomically: a full disk, a crash or Ctrl-C leaves the old contents or the new.

The new contents are written to a hidden file in the same folder, synced, and renamed. Mode, owner and
extended attributes are kept where the system allows it. A symbolic link is followed, so its target is
replaced; another hard link keeps the old contents. What cannot be renamed (a pipe, a device, what this
process prints to) is written directly.
"""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from upcard.storage.lock import try_lock

WINDOWS = os.name == "nt"
"""Where an open file can be neither renamed nor deleted."""
_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)


def write_text(path: Path, text: str) -> None:
    """Line ends are written as they are."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, data: bytes) -> None:
    with atomic_writer(path) as file:
        file.write(data)


@contextmanager
def atomic_writer(path: Path, sync: bool = True, private: bool = False) -> Iterator[BinaryIO]:
    """A file to write; when the block is left without an error, it is what `path` names.

    `sync=False` is for contents with a checksum: after a power failure they may not be whole.
    `private=True` takes nothing over from what was there before, neither its mode nor the target of a link:
    the new file is an ordinary one that only this user can read and write.
    """
    before = None if private else _status(path)
    if before is not None and not _can_be_renamed(before):
        with _naming(path, None), open(path, "wb") as direct:
            yield direct
        return
    target = os.path.abspath(path) if private else os.path.realpath(path)
    if before is not None and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    with _naming(path, os.path.dirname(target)):
        handle, aside = _open_aside(target)
        file = os.fdopen(handle, "wb")
        try:
            if before is not None:
                _copy_attributes(target, before, aside)
            elif private:
                os.chmod(aside, 0o600)
            yield file
            file.flush()
            if sync:
                os.fsync(handle)
            if WINDOWS:
                file.close()
            os.replace(aside, target)  # still locked, so that nobody takes it for what a killed process left
        except BaseException:
            with suppress(OSError):
                if WINDOWS:
                    file.close()
                os.unlink(aside)
            raise
        finally:
            with suppress(OSError):  # it would try once more to write what could not be written
                file.close()


def _status(path: Path) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _can_be_renamed(status: os.stat_result) -> bool:
    """Whether this is an ordinary file that is not our own output under another name, as /dev/stdout."""
    if stat.S_ISDIR(status.st_mode):
        return False  # opening it says what is wrong
    return stat.S_ISREG(status.st_mode) and not any(_is_open_as(handle, status) for handle in (1, 2))


def _is_open_as(handle: int, status: os.stat_result) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), status)
    except OSError:
        return False


def _open_aside(target: str) -> tuple[int, str]:
    """An empty file beside the target. What a process that was killed left of one is used again."""
    folder, name = os.path.split(target)
    if not WINDOWS:
        aside = os.path.join(folder, f".{name[:60]}.part")
        with suppress(OSError):
            handle = os.open(aside, _FLAGS, 0o666)
            try:
                if try_lock(handle) and _is_ours(handle, aside):
                    os.ftruncate(handle, 0)
                    return handle, aside
            except OSError:
                pass
            os.close(handle)
    aside = os.path.join(folder, f".{secrets.token_hex(8)}.part")
    return os.open(aside, _FLAGS | os.O_EXCL, 0o666), aside


def _is_ours(handle: int, aside: str) -> bool:
    """Whether a file that we have just locked is still there, and nobody else's."""
    status = os.fstat(handle)
    there = os.lstat(aside)
    return os.path.samestat(status, there) and status.st_uid == os.geteuid() and status.st_nlink == 1


def _copy_attributes(target: str, before: os.stat_result, aside: str) -> None:
    with suppress(OSError):
        if hasattr(os, "chown") and (before.st_uid, before.st_gid) != (os.geteuid(), os.getegid()):
            os.chown(aside, before.st_uid, before.st_gid)
    with suppress(OSError):
        shutil.copystat(target, aside)


@contextmanager
def _naming(path: Path, folder: str | None) -> Iterator[None]:
    """An error names the file that was asked for, not the one beside it; a full disk names none at all."""
    try:
        yield
    except OSError as error:
        named = error.filename
        if named is not None and not _is_aside(str(named), folder):
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error


def _is_aside(named: str, folder: str | None) -> bool:
    return named.endswith(".part") and os.path.dirname(named) == folder
