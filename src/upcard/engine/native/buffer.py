"""Memory buffers for machine code."""

from __future__ import annotations

import ctypes
import mmap
import struct


class Buffer:
    """Zeroed memory that the system provides page by page, private to the process.

    A plain `mmap.mmap(-1, size)` is shared with forked children: parent and child would write into the same
    workspace. Windows has neither fork nor these flags.
    """

    def __init__(self, size: int, inset: int = 0) -> None:
        """`inset` is the offset of the first byte in its page."""
        self._map = _private(max(inset + size, 1))
        self._inset = inset
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self._map)) + inset

    @property
    def memory(self) -> memoryview:
        """The bytes. They are kept for as long as the view is."""
        return memoryview(self._map)[self._inset :]

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
"""Offset in a page of a state that is played in. Words of the state and of the workspace that are used
together should differ in their last twelve address bits, which processors compare first (4K aliasing)."""
