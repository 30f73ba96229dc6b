"""Machine code for one program, and the memory it works on."""

from __future__ import annotations

import ctypes
import mmap
import platform
import struct
import sys
from functools import cached_property
from typing import Any

from upcard import __version__
from upcard.engine.native import cache
from upcard.engine.native.lower import Lowered, lower
from upcard.engine.native.lower.runtime import AT, MOST_STACKED, STACK_AT, STACK_WORDS
from upcard.recycle.facts import Facts
from upcard.recycle.program import Program

INT, PTR = ctypes.c_int64, ctypes.c_void_p


class Compiled:
    """A program lowered and compiled, once without and once with notes of what is done."""

    def __init__(self, program: Program, facts: Facts, logging: bool) -> None:
        self.lowered: Lowered = lower(program, facts, logging)
        self.layout = self.lowered.layout
        self.size = self.layout.size
        self._loaded = _load(self.lowered)
        self.deal = self._loaded.function("deal", INT, PTR, PTR, INT, INT)
        self.advance = self._loaded.function("advance", INT, PTR, PTR)
        self.apply = self._loaded.function("apply", INT, PTR, PTR, INT)
        self.relist = self._loaded.function("relist", INT, PTR, PTR)
        if not logging:
            self.rollouts = self._loaded.function("rollouts", INT, PTR, PTR, PTR, INT, INT, PTR)
            self.random_games = self._loaded.function("random_games", INT, PTR, PTR, INT, INT, INT, PTR)

    @cached_property
    def workspace(self) -> Workspace:
        """For those who step through games one at a time."""
        return Workspace(self.lowered.work_size)


def _load(lowered: Lowered) -> Any:
    from llvmlite import binding

    from upcard.engine.native.backends import llvm

    text = llvm.to_llvm(lowered.module)
    key = cache.key_of(
        text,
        __version__,
        str(binding.llvm_version_info),
        sys.platform,
        platform.machine(),
        binding.get_host_cpu_name(),
        binding.get_host_cpu_features().flatten(),
    )
    return llvm.load(cache.fetch(key, lambda: llvm.to_object(lowered.module)))


class Workspace:
    """Scratch memory for one thread: reserved as a whole, taken from the system as it is touched."""

    def __init__(self, size: int) -> None:
        self._map = mmap.mmap(-1, size)
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self._map))
        self.owner: object = None
        """Whose alternatives are listed here."""

    def word(self, index: int) -> int:
        return int(struct.unpack_from("<q", self._map, 8 * index)[0])

    def set_word(self, index: int, value: int) -> None:
        struct.pack_into("<q", self._map, 8 * index, value)

    def words(self, index: int, count: int) -> tuple[int, ...]:
        return struct.unpack_from(f"<{count}q", self._map, 8 * index)

    def bytes_at(self, at: int, size: int) -> bytes:
        return bytes(self._map[at : at + size])

    def limits(self, decisions: int, steps: int) -> None:
        self.set_word(AT["most_decisions"], decisions)
        self.set_word(AT["most_steps"], steps)

    def stack(self, orders: list[list[int] | None]) -> None:
        """Given outcomes of shuffles, as card numbers."""
        if len(orders) > MOST_STACKED:
            raise ValueError(f"at most {MOST_STACKED} shuffles can be given")
        self.set_word(AT["stacked"], len(orders))
        for number, order in enumerate(orders):
            at = STACK_AT + number * STACK_WORDS
            self.set_word(at, len(order or ()))
            for i, card in enumerate(order or ()):
                self.set_word(at + 1 + i, card)
