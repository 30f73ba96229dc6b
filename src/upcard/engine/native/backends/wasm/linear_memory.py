"""Allocates blocks in a range of addresses that grows at its end: WebAssembly's linear memory.

Blocks have sizes of a few kinds, four for each doubling, and a freed block is used again for one of its kind.
"""

from __future__ import annotations

import ctypes
import sys
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from upcard.engine.native.fork import ForkSafeLock

LEAST = 16
"""Bytes of the smallest blocks; all blocks begin at multiples of it."""
PAGE = 4096
"""Blocks of at least this size begin at multiples of it."""


class LinearMemory:
    """The addresses from `start` on; `grow` makes those before an address usable, or returns False."""

    def __init__(self, start: int, grow: Callable[[int], bool]) -> None:
        self._next = start
        self._grow = grow
        self._lock = ForkSafeLock()
        self._free: defaultdict[int, list[int]] = defaultdict(list)
        self._sizes: dict[int, int] = {}
        """Bytes of the blocks in use, by address."""

    def take(self, size: int) -> int:
        """The address of a zeroed block; 0 if there is no room left."""
        size = block_size(size)
        try:
            # one operation, also while a finalizer gives a block back in this very thread
            address = self._free[size].pop()
        except IndexError:
            address = self._fresh(size)
        else:
            ctypes.memset(address, 0, size)
        if address:
            self._sizes[address] = size
        return address

    def give_back(self, address: int) -> None:
        size = self._sizes.pop(address, 0)
        if size:
            self._free[size].append(address)

    def block(self, size: int) -> Any:
        """A block as a buffer that frees it at last."""
        address = self.take(size)
        if not address:
            raise MemoryError(f"WebAssembly's memory has no room for {size} bytes")
        block = _Block.from_address(address)
        block.memory = self
        return block

    @property
    def used(self) -> int:
        """Bytes of all blocks in use."""
        return sum(list(self._sizes.values()))

    def _fresh(self, size: int) -> int:
        with self._lock:
            alignment = PAGE if size >= PAGE else LEAST
            address = -(-self._next // alignment) * alignment
            if not self._grow(address + size):
                return 0
            self._next = address + size
            return address


class _Block(ctypes.Array):  # type: ignore[type-arg]
    """A block of the greatest length; callers that take a part of it know its size."""

    _type_ = ctypes.c_uint8
    _length_ = 1 << 32
    memory: LinearMemory

    def __del__(self, is_over: Callable[[], bool] = sys.is_finalizing) -> None:
        if not is_over():  # when Python ends, modules are half gone
            self.memory.give_back(ctypes.addressof(self))


def block_size(size: int) -> int:
    """The size of the block that holds a number of bytes."""
    if size <= 8 * LEAST:
        return max(-(-size // LEAST), 1) * LEAST
    step = 1 << (size - 1).bit_length() - 3
    return -(-size // step) * step
