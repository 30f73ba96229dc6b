"""Memory buffers for machine code."""

from __future__ import annotations

import ctypes
import struct

from upcard.engine.native import machine_memory


class Buffer:
    """Zeroed memory that the system provides page by page, private to the process."""

    def __init__(self, size: int, inset: int = 0) -> None:
        """`inset` is the offset of the first byte in its page."""
        self._map = machine_memory.pages(max(inset + size, 1))
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


STATE_INSET = 576
"""Offset in a page of a state that is played in. Words of the state and of the workspace that are used
together should differ in their last twelve address bits, which processors compare first (4K aliasing)."""
