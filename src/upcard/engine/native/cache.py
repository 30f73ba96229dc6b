"""Object cache: compiled objects kept on disk for the next start.

An object is code, so it is loaded only from a folder that is the user's own and writable by nobody else, from
a file of which the same is true, after its digest was checked: a damaged object may abort the process before
anything can be caught. Whatever is not in order is compiled anew and replaced. `UPCARD_CACHE` names another
folder; `UPCARD_CACHE=off` switches it off.

The folder holds up to 256 MB, or what `UPCARD_CACHE_SIZE` says in megabytes. When an object makes it larger,
those that were used least recently are removed. A file's time says when it was last used. Several processes
may do all of this at once: an object that disappears before it is read is compiled again.
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
"""Of its size, what is left when objects were removed: not every new one has to remove another."""
RECENT = 3600.0
"""Seconds for which a use counts as the last one: not every start writes to the folder."""


class BadCacheSize(Refused):
    """`UPCARD_CACHE_SIZE` is no number."""


def most_bytes() -> int:
    given = os.environ.get("UPCARD_CACHE_SIZE", "").strip()
    if not given:
        return USUAL_SIZE << 20
    if not (given.isascii() and given.isdigit()):
        raise BadCacheSize(f"UPCARD_CACHE_SIZE is a number of megabytes, not {given}")
    return int(given) << 20


def folder() -> Path | None:
    """Where objects are kept; None when the cache is off."""
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
    """The name of an object: everything that went into it, each part with its length before it."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode()
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()


@cache
def code_digest(*rooms: str) -> str:
    """Of the package's own files in these rooms: what they made may be different after any change to them."""
    package = Path(__file__).resolve().parents[2]
    digest = hashlib.sha256(__version__.encode())
    for room in rooms:
        for path in sorted((package / room).rglob("*.py")):
            data = path.read_bytes()
            name = path.relative_to(package).as_posix()
            digest.update(f"{name} {len(data)} ".encode() + data)
    return digest.hexdigest()


def get_or_compile(key: str, compile: Callable[[], bytes]) -> bytes:
    """The object of that key: from the cache if it is there and in order, otherwise compiled and kept."""
    kept = get(key)
    if kept is not None:
        return kept
    made = compile()
    put(key, made)
    return made


def get(key: str) -> bytes | None:
    """What is kept under a key, if it is there and in order."""
    place = prepared_folder()
    return None if place is None else _read(place / f"{key}.o", key)


def put(key: str, data: bytes) -> None:
    place, most = prepared_folder(), most_bytes()
    if place is not None and len(data) < most:
        # a full or read-only disk costs speed, nothing else; the digest finds what a power failure cut off
        with suppress(OSError), atomic_writer(place / f"{key}.o", sync=False, private=True) as file:
            file.write(_head(key, data) + data)
        _remove_oldest(place, most, but=f"{key}.o")


def _remove_oldest(place: Path, most: int, but: str) -> None:
    """Down to a little below its size, from the one that was used least recently."""
    found = []
    with suppress(OSError), os.scandir(place) as entries:
        for entry in entries:
            if entry.name.endswith(".o"):
                with suppress(OSError):  # another process removed it
                    status = entry.stat(follow_symlinks=False)
                    found.append((status.st_mtime, entry.name, status.st_size))
    total = sum(size for _, _, size in found)
    if total <= most:
        return
    for _, name, size in sorted(found):
        if total <= FULL_AGAIN * most:
            return
        if name == but:
            continue
        with suppress(FileNotFoundError):
            try:
                os.unlink(place / name)
            except PermissionError:  # Windows keeps a file that somebody is reading
                continue
        total -= size


def prepared_folder() -> Path | None:
    """The folder if it is ours and closed to others, made if it is not there; None if it cannot be used."""
    place = folder()
    if place is None:
        return None
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        return place if _ours(place.lstat(), stat.S_ISDIR) else None
    except OSError:
        return None


def _ours(status: os.stat_result, right_sort: Callable[[int], bool]) -> bool:
    if not right_sort(status.st_mode):  # a link is not followed: who made it may not be who we trust
        return False
    if not hasattr(os, "geteuid"):
        return True  # on Windows the user's own folder is closed to others by the system
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
        with suppress(OSError):  # of a folder that is only read: it is removed sooner
            os.utime(path)
    return data[len(head) :]


def _open_no_link(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0))


def _head(key: str, data: bytes) -> bytes:
    """Magic, key and digest: a file under a wrong name is as wrong as a damaged one."""
    digest = hashlib.sha256(bytes.fromhex(key) + data).digest()
    return _MAGIC + key.encode() + digest
