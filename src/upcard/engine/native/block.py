"""A block of memory that machine code works on."""

from __future__ import annotations

import ctypes
import mmap
import struct


class Block:
    """Reserved as a whole, zero at first, taken from the system as it is touched."""

    def __init__(self, size: int, inset: int = 0) -> None:
        """It begins `inset` bytes into a page."""
        self._map = mmap.mmap(-1, max(inset + size, 1))
        self._inset = inset
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self._map)) + inset

    def word(self, index: int) -> int:
        return int(struct.unpack_from("<q", self._map, self._inset + 8 * index)[0])

    def set_word(self, index: int, value: int) -> None:
        struct.pack_into("<q", self._map, self._inset + 8 * index, value)

    def words(self, index: int, count: int) -> tuple[int, ...]:
        return struct.unpack_from(f"<{count}q", self._map, self._inset + 8 * index)

    def bytes_at(self, at: int, size: int) -> bytes:
        return bytes(self._map[self._inset + at : self._inset + at + size])


STATE_INSET = 576
"""Where in a page a state begins that is played in: words of the state and words of the workspace that are
used at the same time should differ in their last twelve bits, since processors first compare only those."""
