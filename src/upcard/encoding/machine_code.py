"""The encoding of one game in machine code, for states of playing code.

The functions are specialised for a program: they read its states by constant offsets, and take no facts. They
write the same bytes as `Encoding.encode` and `Encoding.mask` do, which define them.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

from upcard.encoding.field_code import FieldCode
from upcard.encoding.field_writers import write_parts
from upcard.encoding.parts import Part
from upcard.engine.native import ir
from upcard.engine.native.backends.select import load_module
from upcard.engine.native.ir_verifier import verify
from upcard.engine.native.lower import Lowered

if TYPE_CHECKING:
    from upcard.encoding.content import Content
    from upcard.engine.native.game import NativeGame

INT, PTR = ctypes.c_int64, ctypes.c_void_p


def write_encoder(module: ir.Module, lowered: Lowered, content: Content, fields: list[Part]) -> None:
    """Adds `encode(state, seat, out)` to a module."""
    code = FieldCode(module, content, lowered.layout, lowered.depths, sum(part.size for part in fields))
    code.begin()
    write_parts(code, fields)
    code.finish()


class MachineCode:
    """The functions of one game's encoding; `Encoding.machine_code` makes it."""

    def __init__(self, game: NativeGame, content: Content, fields: list[Part]) -> None:
        lowered = game.playing.lowered
        module = ir.Module("encoding")
        write_encoder(module, lowered, content, fields)
        verify(module)
        self._loaded = load_module(module)
        function = self._loaded.function
        self.encode = function("encode", INT, PTR, INT, PTR)
        """encode(state, seat, out) writes what a seat sees, `Encoding.size` bytes."""

    def address(self, name: str) -> int:
        """Address of a function, for calls from other machine code (`call_at`); valid as long as this object
        lives."""
        return self._loaded.address(name)
