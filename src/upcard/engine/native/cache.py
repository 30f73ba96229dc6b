"""Object cache: compiled objects kept on disk for the next start.

An object is code, so it is loaded only from a folder and a file that belong to the user and that nobody else
can write, and only if its digest matches: a damaged object may abort the process before anything can be
caught. Anything else is compiled anew and replaced. `UPCARD_CACHE` names another
folder; `UPCARD_CACHE=off` switches it off.

The folder holds up to 256 MB, or `UPCARD_CACHE_SIZE` megabytes. When a new object exceeds that, the least
recently used are removed; a file's modification time is that of its last use. Several processes may do this
at once: an object that disappears before it is read is compiled again.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

from upcard import __version__
from upcard.recycle.diagnostics import Refused
from upcard.storage.atomic_write import atomic_writer

_MAGIC = b"upcard object 1\n"

USUAL_SIZE = 256
"""Megabytes."""
FULL_AGAIN = 0.9
"""Fraction of the size to which objects are removed, so that not every new one removes another."""
RECENT = 3600.0
"""Seconds within which a use is not noted again, so that not every start writes to the folder."""


class BadCacheSize(Refused):
    """`UPCARD_CACHE_SIZE` is not a number."""


def most_bytes() -> int:
    given = os.environ.get("UPCARD_CACHE_SIZE", "").strip()
    if not given:
        return USUAL_SIZE << 20
    if not (given.isascii() and given.isdigit()):
        raise BadCacheSize(f"UPCARD_CACHE_SIZE must be a number of megabytes, not {given}")
    return int(given) << 20


def folder() -> Path | None:
    """The cache folder; None if the cache is off."""
    given = os.environ.get("UPCARD_CACHE")
    if given == "off":
        return None
    if given:
        return Path(given)
    if sys.platform == "win32":
        home = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        home = Path.home() / "Library" / "Caches"
    else:
        home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return home / "upcard"


def key_of(*parts: str) -> str:
    """A key: the digest of all parts, each prefixed by its length."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode()
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()


@cache
def code_digest(*folders: str) -> str:
    """Digest of the package's own files in these folders: any change to them invalidates objects."""
    package = Path(__file__).resolve().parents[2]
    digest = hashlib.sha256(__version__.encode())
    for folder in folders:
        for path in sorted((package / folder).rglob("*.py")):
            data = path.read_bytes()
            name = path.relative_to(package).as_posix()
            digest.update(f"{name} {len(data)} ".encode() + data)
    return digest.hexdigest()


def get_or_compile(key: str, compile: Callable[[], bytes]) -> bytes:
    """The object of this key from the cache, or compiled and added to it."""
    data = get(key)
    if data is None:
        data = compile()
        put(key, data)
    return data


def get(key: str) -> bytes | None:
    """The valid entry of a key, or None."""
    place = prepared_folder()
    return None if place is None else _read(place / f"{key}.o", key)


def put(key: str, data: bytes) -> None:
    place, most = prepared_folder(), most_bytes()
    if place is not None and len(data) < most:
        # a full or read-only disk only costs speed; the digest detects what a power failure cut off
        with suppress(OSError), atomic_writer(place / f"{key}.o", sync=False, private=True) as file:
            file.write(_head(key, data) + data)
        _remove_oldest(place, most, but=f"{key}.o")


def _remove_oldest(place: Path, most: int, but: str) -> None:
    """Removes the least recently used objects until the folder is a little below its size."""
    objects = []
    with suppress(OSError), os.scandir(place) as entries:
        for entry in entries:
            if entry.name.endswith(".o"):
                with suppress(OSError):  # another process removed it
                    status = entry.stat(follow_symlinks=False)
                    objects.append((status.st_mtime, entry.name, status.st_size))
    total = sum(size for _, _, size in objects)
    if total <= most:
        return
    for _, name, size in sorted(objects):
        if total <= FULL_AGAIN * most:
            return
        if name == but:
            continue
        with suppress(FileNotFoundError):
            try:
                os.unlink(place / name)
            except PermissionError:  # Windows does not delete a file that is open
                continue
        total -= size


def prepared_folder() -> Path | None:
    """The folder, created if necessary; None if it is not the user's own or others can write to it."""
    place = folder()
    if place is None:
        return None
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        return place if _ours(place.lstat(), stat.S_ISDIR) else None
    except OSError:
        return None


def _ours(status: os.stat_result, right_sort: Callable[[int], bool]) -> bool:
    if not right_sort(status.st_mode):  # links are not followed: somebody else may have made them
        return False
    if not hasattr(os, "geteuid"):
        return True  # on Windows the system protects the user's own folder
    return status.st_uid == os.geteuid() and not status.st_mode & 0o022


def _read(path: Path, key: str) -> bytes | None:
    try:
        with open(path, "rb", opener=_open_no_link) as file:
            if not _ours(os.fstat(file.fileno()), stat.S_ISREG):
                return None
            data = file.read()
            used = os.fstat(file.fileno()).st_mtime
    except OSError:
        return None
    head = _head(key, data[len(_MAGIC) + 96 :])
    if not data.startswith(head):
        return None
    if abs(time.time() - used) > RECENT:
        with suppress(OSError):  # in a read-only folder
            os.utime(path)
    return data[len(head) :]


def _open_no_link(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0))


def _head(key: str, data: bytes) -> bytes:
    """Magic, key and digest: a file under a wrong name is rejected like a damaged one."""
    digest = hashlib.sha256(bytes.fromhex(key) + data).digest()
    return _MAGIC + key.encode() + digest
