"""The WebAssembly binary format: opcodes, numbers and sections.

Every opcode that Upcard writes is listed here with its name in the text format and the kind of its
immediates, so that `wat.py` prints what `module_writer.py` wrote.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable

from upcard.engine.native import ir

MAGIC = b"\0asm\1\0\0\0"
I32, I64, F64 = 0x7F, 0x7E, 0x7C
EMPTY = 0x40
"""The type of a block that leaves nothing on the stack."""
TYPES: dict[ir.Type, int] = {"int": I64, "float": F64, "ptr": I32}

CUSTOM, TYPE, IMPORT, FUNCTION, EXPORT, ELEMENT, CODE, DATA = 0, 1, 2, 3, 7, 9, 10, 11
"""Numbers of sections."""

OPCODES: dict[str, tuple[int, str]] = {
    # name: (opcode, kind of its immediates)
    "unreachable": (0x00, ""),
    "block": (0x02, "type"),
    "loop": (0x03, "type"),
    "if": (0x04, "type"),
    "else": (0x05, ""),
    "end": (0x0B, ""),
    "br": (0x0C, "index"),
    "br_if": (0x0D, "index"),
    "br_table": (0x0E, "table"),
    "return": (0x0F, ""),
    "call": (0x10, "index"),
    "call_indirect": (0x11, "call"),
    "drop": (0x1A, ""),
    "select": (0x1B, ""),
    "local.get": (0x20, "index"),
    "local.set": (0x21, "index"),
    "local.tee": (0x22, "index"),
    "global.get": (0x23, "index"),
    "i32.const": (0x41, "number"),
    "i64.const": (0x42, "number"),
    "f64.const": (0x44, "float"),
    **{
        name: (code, "cell")
        for name, code in (
            ("i32.load", 0x28),
            ("i64.load", 0x29),
            ("f64.load", 0x2B),
            ("i32.load8_u", 0x2D),
            ("i32.load16_u", 0x2F),
            ("i64.load8_u", 0x31),
            ("i64.load16_u", 0x33),
            ("i64.load32_u", 0x35),
            ("i64.store", 0x37),
            ("f64.store", 0x39),
            ("i64.store8", 0x3C),
            ("i64.store16", 0x3D),
            ("i64.store32", 0x3E),
        )
    },
    **{
        name: (first + n, "")
        for first, names in (
            (0x45, "i32.eqz i32.eq i32.ne i32.lt_s i32.lt_u"),
            (0x50, "i64.eqz i64.eq i64.ne i64.lt_s i64.lt_u i64.gt_s i64.gt_u"),
            (0x57, "i64.le_s i64.le_u i64.ge_s i64.ge_u"),
            (0x61, "f64.eq f64.ne f64.lt f64.gt f64.le f64.ge"),
            (0x6A, "i32.add i32.sub i32.mul"),
            (0x71, "i32.and i32.or i32.xor i32.shl"),
            (0x79, "i64.clz i64.ctz i64.popcnt i64.add i64.sub i64.mul i64.div_s i64.div_u i64.rem_s"),
            (0x82, "i64.rem_u i64.and i64.or i64.xor i64.shl i64.shr_s i64.shr_u i64.rotl"),
            (0x9F, "f64.sqrt f64.add f64.sub f64.mul f64.div"),
            (0xA7, "i32.wrap_i64"),
            (0xAC, "i64.extend_i32_s i64.extend_i32_u"),
            (0xB9, "f64.convert_i64_s"),
            (0xC4, "i64.extend32_s"),
        )
        for n, name in enumerate(names.split())
    },
}
WIDE_OPCODES: dict[str, tuple[int, bytes]] = {"i64.trunc_sat_f64_s": (6, b""), "memory.copy": (10, b"\0\0")}
"""Opcodes behind the prefix 0xFC, and the bytes that follow them."""
PREFIX = 0xFC


def unsigned(value: int) -> bytes:
    """LEB128."""
    if value < 0x80:
        return bytes((value,))
    data = bytearray()
    while value > 0x7F:
        data.append(value & 0x7F | 0x80)
        value >>= 7
    data.append(value)
    return bytes(data)


def signed(value: int) -> bytes:
    """Signed LEB128."""
    data = bytearray()
    while not -0x40 <= value < 0x40:
        data.append(value & 0x7F | 0x80)
        value >>= 7
    data.append(value & 0x7F)
    return bytes(data)


def read_unsigned(data: bytes, at: int) -> tuple[int, int]:
    """A number in LEB128, and where it ends."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def float_bytes(value: float) -> bytes:
    return struct.pack("<d", value)


def text(name: str) -> bytes:
    data = name.encode()
    return unsigned(len(data)) + data


def vector(items: Iterable[bytes]) -> bytes:
    found = list(items)
    return unsigned(len(found)) + b"".join(found)


def section(number: int, content: bytes) -> bytes:
    return bytes((number,)) + unsigned(len(content)) + content


OP: dict[str, bytes] = {
    **{name: bytes((code,)) for name, (code, _) in OPCODES.items()},
    **{name: bytes((PREFIX,)) + unsigned(code) + rest for name, (code, rest) in WIDE_OPCODES.items()},
}
"""Each instruction without its immediates."""
