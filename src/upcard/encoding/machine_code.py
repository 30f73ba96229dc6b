"""The encoding of one game in machine code, for states of playing code.

The functions are specialised for a program: they read its states by constant offsets, and take no facts. They
write the same bytes as `Encoding.encode` and `Encoding.mask` do, which define them.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

from upcard.encoding import recorded_moves
from upcard.encoding.action_plan import ActionPlan, plan_actions
from upcard.encoding.byte_code import OUT
from upcard.encoding.field_code import SEAT, FieldCode
from upcard.encoding.field_writers import write_parts
from upcard.encoding.mask_code import MaskCode
from upcard.encoding.parts import parts_of
from upcard.engine.native import ir, machine_memory
from upcard.engine.native.backends.select import load_module
from upcard.engine.native.ir_verifier import verify
from upcard.engine.native.kernels.compiler import compile_kernels
from upcard.engine.native.lower import Lowered
from upcard.engine.native.lower.builder import STATE, ZERO
from upcard.engine.shared.flat_program import Ask

if TYPE_CHECKING:
    from upcard.encoding.encoder import Encoding
    from upcard.engine.native.game import NativeGame
    from upcard.engine.native.state import NativeState

INT, PTR = ctypes.c_int64, ctypes.c_void_p


def write_encoder(module: ir.Module, lowered: Lowered, encoding: Encoding) -> ActionPlan:
    """Adds the functions to a module as IR, and gives what they know of actions. Raises `NoMachineCode` if
    hidden cards are among what has no number of its own."""
    content = encoding.content
    for function in compile_kernels("encoding", recorded_moves.KERNELS, exported=()).functions.values():
        module.add(function)
    code = FieldCode(module, content, lowered.layout, lowered.depths, encoding.size)
    code.begin()
    write_parts(code, parts_of(content))
    code.b.emit(ir.Return(ZERO))
    code.finish("encode", (STATE, SEAT, OUT))
    asks = {step: ask for step in content.asks if isinstance(ask := content.code[step], Ask)}
    plan = plan_actions(lowered, asks, encoding.numbers, content.card_ids)
    masks = MaskCode(module, lowered, content, plan, encoding.actions)
    masks.write_mask()
    masks.write_index()
    masks.write_action()
    return plan


class MachineCode:
    """The functions of one game's encoding; `Encoding.machine_code` makes it."""

    def __init__(self, game: NativeGame, encoding: Encoding) -> None:
        self._game, self._size, self._actions = game, encoding.size, encoding.actions
        module = ir.Module("encoding")
        write_encoder(module, game.playing.lowered, encoding)
        verify(module)
        self._loaded = load_module(module, game.playing.backend)
        function = self._loaded.function
        self.encode = function("encode", INT, PTR, INT, PTR)
        """encode(state, seat, out) writes what a seat sees, `Encoding.size` bytes."""
        self.mask = function("mask", INT, PTR, PTR, PTR)
        """mask(state, work, out) writes which actions are possible, `Encoding.actions` bytes, and gives how
        many alternatives there are. The decision is listed in the workspace. None is possible when the game
        is over."""
        self.index_of_action = function("index_of_action", INT, PTR, PTR, INT, INT)
        """index_of_action(state, work, action, chance) gives the alternative that `apply` takes, or -1 if
        the action is not possible. Among cards that the chooser cannot tell apart it takes one by `chance`, a
        random word."""
        self.action_of_index = function("action_of_index", INT, PTR, PTR, INT)
        """action_of_index(state, work, index) gives the action of an alternative that is listed in the
        workspace, or -1 if no number is left for it."""

    def observe(self, state: NativeState, seat: int) -> bytes:
        """What a seat sees in a state."""
        row = machine_memory.words(-(-self._size // 8))
        self.encode(state.memory.address, seat, row)
        return bytes(row)[: self._size]

    def mask_of(self, state: NativeState) -> bytes:
        """Which actions are possible in a state."""
        row = machine_memory.words(-(-self._actions // 8))
        playing = self._game.playing
        work = playing.workspace
        work.listed = None
        memory = state.memory.copy()  # stepping code listed its alternatives in another way
        if state.to_move is not None:
            playing.relist(memory.address, work.address)
        self.mask(memory.address, work.address, row)
        return bytes(row)[: self._actions]

    def address(self, name: str) -> int:
        """Address of a function, for calls from other machine code (`call_at`); valid as long as this object
        lives."""
        return self._loaded.address(name)
