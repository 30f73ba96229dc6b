"""The kernel language: types and operations of the subset of Python that kernels use.

A kernel is an ordinary Python function with annotated parameters. It runs under CPython, on `Memory`, for
debugging and as a test oracle; `compiler.py` compiles the same text to the IR. Plain `+`, `-` and `*` are for
numbers that stay inside 64 bits; operations that wrap around, truncate or read numbers as unsigned are called
by name.

Memory is read and written in two ways. A block with a fixed head is a struct (`structs.py`): the parameter
is annotated with its class, and `world.seed` is a field of it. Rows of numbers are reached through a plain
Ptr: `i64(p, n)` is the n-th word behind it. Both compile to the same loads and stores. Every field access
is a load, so a loop that needs a field often keeps it in a local.

Kernels that are compiled once for all games call what belongs to a game through its address:
`call_at(address, a, b, ...)`. The address is an Int, so that it can lie in memory among other facts of a
game; arguments are Int and Ptr; the result is an Int. In machine code it is the address of an exported
function (`Loaded.address`). Under CPython, where functions have none, `address_of` gives a Python function a
number that stands for it.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable
from typing import Any, TypeAlias

Int: TypeAlias = int
Float: TypeAlias = float

_MASK = (1 << 64) - 1


def signed(value: int) -> int:
    """The 64-bit number that a whole number wraps around to."""
    value &= _MASK
    return value - (1 << 64) if value >> 63 else value


Buffer: TypeAlias = Any
"""A writable buffer: a bytearray, a mapping, an array or a ctypes array."""

_ADDRESS_SPACE = (ctypes.c_uint8 * (1 << 62)).from_address(0)


class Memory:
    """Flat memory as kernels see it under CPython: a buffer and a position in it, in bytes."""

    __slots__ = ("_at", "bytes")

    def __init__(self, data: Buffer, at: int = 0) -> None:
        self.bytes = data
        self._at = at

    @property
    def address(self) -> int:
        """The address for machine code, valid as long as the buffer is kept and not resized."""
        if self.bytes is _ADDRESS_SPACE:
            return self._at
        return ctypes.addressof(ctypes.c_char.from_buffer(self.bytes)) + self._at

    @property
    def _as_parameter_(self) -> int:
        """Lets compiled kernels be called with it, as they are under CPython."""
        return self.address


Ptr: TypeAlias = Memory


def pointer(address: int) -> Ptr:
    """Memory at an address. Nothing checks that it may be read."""
    return Memory(_ADDRESS_SPACE, address)


def offset(p: Ptr, count: Int) -> Ptr:
    """A pointer that many bytes further on."""
    return Memory(p.bytes, p._at + count)


def _load(p: Ptr, index: int, form: str, size: int) -> int:
    return int(struct.unpack_from(form, p.bytes, p._at + index * size)[0])


def u8(p: Ptr, index: Int) -> Int:
    return _load(p, index, "<B", 1)


def u16(p: Ptr, index: Int) -> Int:
    return _load(p, index, "<H", 2)


def u32(p: Ptr, index: Int) -> Int:
    return _load(p, index, "<I", 4)


def i64(p: Ptr, index: Int) -> Int:
    return _load(p, index, "<q", 8)


def f64(p: Ptr, index: Int) -> Float:
    return float(struct.unpack_from("<d", p.bytes, p._at + index * 8)[0])


def set_u8(p: Ptr, index: Int, value: Int) -> None:
    struct.pack_into("<B", p.bytes, p._at + index, value & 0xFF)


def set_u16(p: Ptr, index: Int, value: Int) -> None:
    struct.pack_into("<H", p.bytes, p._at + 2 * index, value & 0xFFFF)


def set_u32(p: Ptr, index: Int, value: Int) -> None:
    struct.pack_into("<I", p.bytes, p._at + 4 * index, value & 0xFFFFFFFF)


def set_i64(p: Ptr, index: Int, value: Int) -> None:
    struct.pack_into("<q", p.bytes, p._at + 8 * index, signed(value))


def set_f64(p: Ptr, index: Int, value: Float) -> None:
    struct.pack_into("<d", p.bytes, p._at + 8 * index, value)


def prefetch(p: Ptr, index: Int) -> None:
    """The byte there is wanted soon, so that a machine fetches it into its cache meanwhile."""


def add(a: Int, b: Int) -> Int:
    """Wraps around."""
    return signed(a + b)


def sub(a: Int, b: Int) -> Int:
    return signed(a - b)


def mul(a: Int, b: Int) -> Int:
    return signed(a * b)


def shl(a: Int, b: Int) -> Int:
    return signed(a << (b & 63))


def lshr(a: Int, b: Int) -> Int:
    """Fills with zeros."""
    return signed((a & _MASK) >> (b & 63))


def umulh(a: Int, b: Int) -> Int:
    """The high half of the unsigned product."""
    return signed((a & _MASK) * (b & _MASK) >> 64)


def sdiv(a: Int, b: Int) -> Int:
    """Truncates toward zero."""
    quotient = abs(a) // abs(b)
    return signed(quotient if (a < 0) == (b < 0) else -quotient)


def srem(a: Int, b: Int) -> Int:
    return a - b * (abs(a) // abs(b)) * (1 if (a < 0) == (b < 0) else -1)


def udiv(a: Int, b: Int) -> Int:
    return signed((a & _MASK) // (b & _MASK))


def urem(a: Int, b: Int) -> Int:
    return signed((a & _MASK) % (b & _MASK))


def ult(a: Int, b: Int) -> Int:
    """Whether a is less than b, both read as unsigned."""
    return int((a & _MASK) < (b & _MASK))


def nth_bit(a: Int, n: Int) -> Int:
    """The number of the n-th lowest bit that is set, n from 0; 64 where there is none."""
    a &= _MASK
    for _ in range(n & 63):
        a &= a - 1 if a else 0
    return ctz(a)


def popcount(a: Int) -> Int:
    return (a & _MASK).bit_count()


def ctz(a: Int) -> Int:
    return ((a & -a).bit_length() - 1) if a else 64


def clz(a: Int) -> Int:
    return 64 - (a & _MASK).bit_length()


def itof(a: Int) -> Float:
    return float(a)


def ftoi(a: Float) -> Int:
    return int(a)


def fsqrt(a: Float) -> Float:
    return float(a**0.5)


_FUNCTIONS: list[Callable[..., int | None]] = []


def address_of(function: Callable[..., int | None]) -> int:
    """What `call_at` calls a Python function by; never 0. It is kept for as long as the process runs."""
    if function not in _FUNCTIONS:
        _FUNCTIONS.append(function)
    return 1 + _FUNCTIONS.index(function)


def call_at(address: Int, *given: Int | Ptr) -> Int:
    """A call of the function at an address."""
    assert 1 <= address <= len(_FUNCTIONS), "nothing lies at this address"
    return _FUNCTIONS[address - 1](*given) or 0
