"""Search kernels run by CPython on the very memory that machine code works on.

A game's own functions stay machine code.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, TypeVar

from upcard.engine.native.kernels import language as subset
from upcard.engine.native.kernels.structs import Struct
from upcard.engine.native.state_memory import Memory
from upcard.players.belief.kernel_structs import Game
from upcard.players.search.search_code import SearchCode

T = TypeVar("T", bound=Struct)


def pointer(block: Any) -> subset.Memory:
    """To states and arrays."""
    return subset.Memory(block.words if isinstance(block, Memory) else block)


def workspace(machine: SearchCode) -> subset.Memory:
    return subset.Memory(machine.work._map)


def game_words(machine: SearchCode) -> Game:
    """The facts of a game, with its functions where CPython finds them."""
    compiled = machine.compiled
    facts = Game.at(bytearray(machine.facts.bytes))
    playout = compiled._loaded.function("playout", ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)
    facts.deal = _address(compiled.deal)
    facts.advance = _address(compiled.advance)
    facts.apply = _address(compiled.apply)
    facts.relist = _address(compiled.relist)
    facts.playout = _address(playout)
    return facts


def copied(block: T, **changed: Any) -> T:
    """A struct with some fields changed."""
    other = type(block).at(bytearray(block.bytes))
    for name, value in changed.items():
        setattr(other, name, value)
    return other


def _address(function: Callable[..., int]) -> int:
    def call(*given: Any) -> int:
        return function(*(g.address if isinstance(g, subset.Memory) else g for g in given))

    return subset.address_of(call)
