"""Advisory file locks: one writer among all processes.

The system releases a lock when its file is closed or its process ends. Reading needs no lock. A forked
process shares its parent's locks and keeps them until it ends as well.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from upcard.recycle.diagnostics import Refused

if sys.platform == "win32":
    import msvcrt

    _BEHIND = 0x7FFF_0000
    """A byte beyond the end of the file, because Windows does not let anybody read locked bytes."""

    def try_lock(handle: int) -> bool:
        at = os.lseek(handle, 0, os.SEEK_CUR)
        try:
            os.lseek(handle, _BEHIND, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(handle, at, os.SEEK_SET)
        return True

else:
    import fcntl

    def try_lock(handle: int) -> bool:
        """Locks an open file; False if another process, or another open file of this one, holds the lock.

        Returns True on file systems without locks, such as some network folders, where records are unguarded.
        """
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            pass
        return True


class Locked(Refused):
    """Another process is writing."""


class Changed(Refused):
    """Another process wrote between reading and locking."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} was changed by another process; run the same command again")


@contextmanager
def folder_lock(path: Path, what: Path) -> Iterator[None]:
    """Locks a whole folder, `what`, by an empty file in it."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        if not try_lock(handle):
            raise Locked(
                f"{what} is being written by another process; wait for it to finish, or choose another folder"
            )
        yield
    finally:
        os.close(handle)
