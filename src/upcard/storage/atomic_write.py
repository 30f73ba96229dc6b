"""Replaces files atomically: a full disk, a crash or Ctrl-C leaves the old contents or the new.

The new contents are written to a hidden file in the same folder, synced, and renamed. Mode, owner and
extended attributes are kept where the system allows it. A symbolic link is followed, so its target is
replaced; another hard link keeps the old contents. Files that cannot be renamed (pipes, devices, this
process's own output) are written directly.
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
"""Windows can neither rename nor delete open files."""
_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)


def write_text(path: Path, text: str) -> None:
    """Writes text without converting line ends."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, data: bytes) -> None:
    with atomic_writer(path) as file:
        file.write(data)


@contextmanager
def atomic_writer(path: Path, sync: bool = True, private: bool = False) -> Iterator[BinaryIO]:
    """A file to write to, which replaces `path` when the block ends without an error.

    `sync=False` is for contents with a checksum: after a power failure they may be incomplete.
    `private=True` ignores the mode and the link target of the previous file: the new one is a regular file
    that only this user can read and write.
    """
    before = None if private else _status(path)
    if before is not None and not _can_be_renamed(before):
        with _errors_naming(path, None), open(path, "wb") as direct:
            yield direct
        return
    target = os.path.abspath(path) if private else os.path.realpath(path)
    if before is not None and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    with _errors_naming(path, os.path.dirname(target)):
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
            os.replace(aside, target)  # still locked, so that no process reuses it as a leftover
        except BaseException:
            with suppress(OSError):
                if WINDOWS:
                    file.close()
                os.unlink(aside)
            raise
        finally:
            with suppress(OSError):  # closing would retry a failed write
                file.close()


def _status(path: Path) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _can_be_renamed(status: os.stat_result) -> bool:
    """Whether this is a regular file, and not this process's output under another name such as
    /dev/stdout."""
    if stat.S_ISDIR(status.st_mode):
        return False  # opening it raises the right error
    return stat.S_ISREG(status.st_mode) and not any(_is_open_as(handle, status) for handle in (1, 2))


def _is_open_as(handle: int, status: os.stat_result) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), status)
    except OSError:
        return False


def _open_aside(target: str) -> tuple[int, str]:
    """Opens an empty file beside the target, reusing the leftover of a killed process."""
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
    """Whether a file that was just locked still exists and belongs to this user alone."""
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
def _errors_naming(path: Path, folder: str | None) -> Iterator[None]:
    """Makes errors name the requested file, not the one beside it or, on a full disk, none."""
    try:
        yield
    except OSError as error:
        named = error.filename
        if named is not None and not _is_aside(str(named), folder):
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error


def _is_aside(named: str, folder: str | None) -> bool:
    return named.endswith(".part") and os.path.dirname(named) == folder
