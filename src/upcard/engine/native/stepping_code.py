"""Stepping code of a program, and the workspace it runs in."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from threading import local

from upcard.engine.api import Stacked
from upcard.engine.native import cache
from upcard.engine.native.backends.select import Backend, Loaded, choose_backend, object_key
from upcard.engine.native.lower import Lowered, lower
from upcard.engine.native.lower.state_layout import CardFace
from upcard.engine.native.playout_code import PlayoutFacts, Playouts
from upcard.engine.native.workspace import Workspace
from upcard.recycle.facts import Facts
from upcard.recycle.program import Program

INT, PTR = ctypes.c_int64, ctypes.c_void_p


class Compiled:
    """A program lowered and compiled, once without and once with notes of what is done."""

    def __init__(self, program: Program, facts: Facts, logging: bool) -> None:
        self.lowered: Lowered = lower(program, facts, logging)
        self.layout = self.lowered.layout
        self.size = self.layout.size
        backend = choose_backend()
        self._loaded = _load(self.lowered, backend)
        self._own = local()
        self.deal = self._loaded.function("deal", INT, PTR, PTR, INT, INT)
        self.advance = self._loaded.function("advance", INT, PTR, PTR)
        self.apply = self._loaded.function("apply", INT, PTR, PTR, INT)
        self.relist = self._loaded.function("relist", INT, PTR, PTR)
        if not logging:
            self.playouts = Playouts(PlayoutFacts.of(self.lowered), self._loaded, backend)
            self.rollouts = self._loaded.function("rollouts", INT, PTR, PTR, PTR, INT, INT, PTR)

    def address(self, name: str) -> int:
        """Where one of the game's functions lies, for kernels that are compiled once for all games.

        It is good for as long as this object lives.
        """
        return self._loaded.address(name)

    @property
    def workspace(self) -> Workspace:
        """For those who step through games one at a time: each thread has its own."""
        found: Workspace | None = getattr(self._own, "workspace", None)
        if found is None:
            found = self._own.workspace = Workspace(self.lowered.work)
        return found


def _load(lowered: Lowered, backend: Backend) -> Loaded:
    text = backend.text(lowered.module)
    return backend.load(cache.get_or_compile(object_key(backend, text), lambda: backend.compile(text)))


def card_numbers(cards: Sequence[CardFace], stacked: Stacked) -> list[list[int] | None]:
    """Given outcomes of shuffles, from card ids to numbers; -1 is no card of this game."""
    numbers = {f"{card.back}:{card.number}": number for number, card in enumerate(cards)}
    return [None if order is None else [numbers.get(str(card), -1) for card in order] for order in stacked]
