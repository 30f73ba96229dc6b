"""Search kernels run by CPython on the very memory that machine code works on.

A game's own functions stay machine code.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from upcard.engine.native.kernels import language as subset
from upcard.engine.native.state_memory import Memory
from upcard.players.belief import action_match as k
from upcard.players.search.search_code import SearchCode
from upcard.players.search.tree_buffer import Tree


def pointer(block: Any) -> subset.Memory:
    """To states, trees and arrays."""
    return subset.Memory(block.words if isinstance(block, Memory | Tree) else block)


def workspace(machine: SearchCode) -> subset.Memory:
    return subset.Memory(machine.work._map)


def game_words(machine: SearchCode) -> subset.Memory:
    """The words of a game, with its functions where CPython finds them."""
    words = (ctypes.c_int64 * len(machine.facts))(*machine.facts)
    compiled = machine.compiled
    playout = compiled._loaded.function("playout", ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)
    functions = {
        k.DEAL: compiled.deal,
        k.ADVANCE: compiled.advance,
        k.APPLY: compiled.apply,
        k.RELIST: compiled.relist,
        k.PLAYOUT: playout,
    }
    for word, function in functions.items():
        words[word] = subset.address_of(_called(function))
    return subset.Memory(words)


def _called(function: Callable[..., int]) -> Callable[..., int]:
    def call(*given: Any) -> int:
        return function(*(g.address if isinstance(g, subset.Memory) else g for g in given))

    return call
