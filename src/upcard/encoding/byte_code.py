"""Rows of bytes in machine code: stores of eight bytes at a time that stay inside a row of fixed size.

A row is written from its first byte to its last. A store of eight bytes may run over what it is meant for,
since what lies behind is written later, but never over the end of the row.
"""

from __future__ import annotations

from upcard.engine.native import ir
from upcard.engine.native.lower.builder import ZERO, Builder, binary, const

OUT = ir.Local("out", "ptr")
AT_ONCE = 64
"""Bytes that are written at once."""


class ByteCode:
    """Writes functions that fill a row of bytes."""

    def __init__(self, module: ir.Module, size: int) -> None:
        self.b = Builder(module)
        self.size = size
        """Bytes of the row."""

    def spread(self, at: int, count: int, *planes: tuple[ir.Expr, ir.Expr]) -> None:
        """Bytes from sets, each with its value."""
        self.b.emit(ir.Spread(OUT, const(at), count, planes, "bytes"))

    def store_word(self, at: int, value: ir.Expr) -> None:
        """Eight bytes, or as many as there are before the end of the row."""
        if self.size - at >= 8:
            self.store(const(at), value, "i64")
            return
        value = self.b.keep(value)
        done = 0
        for width in ("u32", "u16", "u8"):
            if self.size - at - done >= ir.SIZES[width]:
                rest = binary("lshr", value, const(8 * done)) if done else value
                self.store(const(at + done), rest, width)
                done += ir.SIZES[width]

    def store(self, at: ir.Expr, value: ir.Expr, width: ir.Width = "u8") -> None:
        self.b.emit(ir.Store(width, ir.Offset(OUT, at), ZERO, value, "bytes"))

    def clear(self, first: int, end: int) -> None:
        for at in range(first, end, AT_ONCE):
            self.spread(at, min(AT_ONCE, end - at))

    def finish(self, name: str, parameters: tuple[ir.Local, ...]) -> None:
        """Ends a function: the state, the workspace and the row lie apart."""
        (body,) = self.b.blocks
        self.b.module.add(ir.Function(name, parameters, tuple(body), "int", exported=True, apart=True))
        self.b.blocks, self.b.count = [[]], 0
