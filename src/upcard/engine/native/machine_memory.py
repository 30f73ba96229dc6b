"""Memory for machine code: whatever Python hands to it by an address comes from here.

Usually this is ordinary memory. WebAssembly reaches nothing outside its own linear memory, so once a backend
has called `serve_from`, everything comes from there; other machine code can use that as well.
"""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

Words: TypeAlias = "ctypes.Array[ctypes.c_int64]"
Floats: TypeAlias = "ctypes.Array[ctypes.c_double]"


@dataclass(frozen=True)
class Allocator:
    """How machine code takes memory by itself."""

    take: int
    give_back: int
    """The addresses of `calloc` and `free`, for `CallAt`."""
    free: Callable[[int], None]
    """The same `free` for Python."""


def _system_allocator() -> Allocator:
    # the raw functions need no interpreter lock, which machine code does not hold
    take, free = ctypes.pythonapi.PyMem_RawCalloc, ctypes.pythonapi.PyMem_RawFree
    free.argtypes, free.restype = [ctypes.c_void_p], None
    at_take, at_free = (ctypes.cast(function, ctypes.c_void_p).value or 0 for function in (take, free))
    return Allocator(at_take, at_free, free)


SYSTEM = _system_allocator()
"""For code that reaches all memory of the process."""

_allocate: Callable[[int], Any] | None = None
"""Gives zeroed memory as a buffer that keeps it."""


def serve_from(allocate: Callable[[int], Any]) -> None:
    """From now on all memory comes from this function."""
    global _allocate
    _allocate = allocate


def words(count: int) -> Words:
    """Zeroed words."""
    if _allocate is None:
        return (ctypes.c_int64 * count)()
    return (ctypes.c_int64 * count).from_buffer(_allocate(8 * count))


def words_of(values: Sequence[int]) -> Words:
    found = words(len(values))
    found[:] = [*values]
    return found


def floats(count: int) -> Floats:
    if _allocate is None:
        return (ctypes.c_double * count)()
    return (ctypes.c_double * count).from_buffer(_allocate(8 * count))


def floats_of(values: Sequence[float]) -> Floats:
    found = floats(len(values))
    found[:] = [*values]
    return found


def buffer(size: int) -> Any:
    """Zeroed bytes."""
    if _allocate is None:
        return bytearray(size)
    return (ctypes.c_uint8 * size).from_buffer(_allocate(size))


def pages(size: int) -> Any:
    """Zeroed bytes that begin with a page; the system provides them when they are first used.

    A plain `mmap.mmap(-1, size)` is shared with forked children: parent and child would write into the same
    memory. Windows has neither fork nor these flags.
    """
    if _allocate is not None:
        return (ctypes.c_uint8 * size).from_buffer(_allocate(size))
    if hasattr(mmap, "MAP_PRIVATE"):
        return mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return mmap.mmap(-1, size)
