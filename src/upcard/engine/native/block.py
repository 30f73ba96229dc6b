"""A block of memory that machine code works on."""

from __future__ import annotations

import ctypes
import mmap
import struct


class Block:
    """Reserved as a whole, zero at first, taken from the system as it is touched."""

    def __init__(self, size: int) -> None:
        self._map = mmap.mmap(-1, max(size, 1))
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self._map))

    def word(self, index: int) -> int:
        return int(struct.unpack_from("<q", self._map, 8 * index)[0])

    def set_word(self, index: int, value: int) -> None:
        struct.pack_into("<q", self._map, 8 * index, value)

    def words(self, index: int, count: int) -> tuple[int, ...]:
        return struct.unpack_from(f"<{count}q", self._map, 8 * index)

    def bytes_at(self, at: int, size: int) -> bytes:
        return bytes(self._map[at : at + size])
