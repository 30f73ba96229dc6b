"""Machine code for one program, and the memory it works on."""

from __future__ import annotations

import ctypes
from functools import cached_property

from upcard.engine.native import cache
from upcard.engine.native.backends.choosing import Loaded, choose_backend, object_key
from upcard.engine.native.block import Block
from upcard.engine.native.lower import Lowered, lower
from upcard.engine.native.lower.runtime import AT, MOST_STACKED, STACK_AT, STACK_WORDS
from upcard.engine.native.playouts import PlayoutFacts, Playouts
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
        self.playouts = Playouts(PlayoutFacts.of(self.lowered), self._loaded)

    @cached_property
    def workspace(self) -> Workspace:
        """For those who step through games one at a time."""
        return Workspace(self.lowered.work_size)


def _load(lowered: Lowered) -> Loaded:
    backend = choose_backend()
    text = backend.text(lowered.module)
    return backend.load(cache.fetch(object_key(backend, text), lambda: backend.compile(text)))


class Workspace(Block):
    """Scratch memory for one thread that steps through games."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.owner: object = None
        """Whose alternatives are listed here."""

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
