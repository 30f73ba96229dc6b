"""Memory buffers for machine code."""

from __future__ import annotations

import ctypes
import mmap
import struct


class Buffer:
    """Zero at first, taken from the system as it is touched, and the process's own.

    `mmap.mmap(-1, size)` alone is shared with processes forked later: parent and child would write into the
    same workspace. Windows has no fork, and no flags either.
    """

    def __init__(self, size: int, inset: int = 0) -> None:
        """It begins `inset` bytes into a page."""
        self._map = _private(max(inset + size, 1))
        self._inset = inset
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self._map)) + inset

    def word(self, index: int) -> int:
        return int(struct.unpack_from("<q", self._map, self._inset + 8 * index)[0])

    def set_word(self, index: int, value: int) -> None:
        struct.pack_into("<q", self._map, self._inset + 8 * index, value)

    def words(self, index: int, count: int) -> tuple[int, ...]:
        return struct.unpack_from(f"<{count}q", self._map, self._inset + 8 * index)


def _private(size: int) -> mmap.mmap:
    if hasattr(mmap, "MAP_PRIVATE"):
        return mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return mmap.mmap(-1, size)


STATE_INSET = 576
"""Where in a page a state begins that is played in: words of the state and words of the workspace that are
used at the same time should differ in their last twelve bits, since processors first compare only those."""
