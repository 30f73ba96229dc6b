"""Stepping code of a program, and the workspace it runs in."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from threading import local

from upcard.engine.api import Stacked
from upcard.engine.native.backends.select import choose_backend, load_module
from upcard.engine.native.lower import Lowered, lower
from upcard.engine.native.lower.card_faces import CardFace
from upcard.engine.native.playout_code import PlayoutFacts, Playouts
from upcard.engine.native.workspace import Workspace
from upcard.recycle.facts import Facts
from upcard.recycle.program import Program

INT, PTR = ctypes.c_int64, ctypes.c_void_p


class Compiled:
    """A lowered and compiled program: stepping code if `logging`, otherwise playing code."""

    def __init__(self, program: Program, facts: Facts, logging: bool) -> None:
        self.lowered: Lowered = lower(program, facts, logging)
        self.layout = self.lowered.layout
        self.size = self.layout.size
        backend = self.backend = choose_backend()
        self._loaded = load_module(self.lowered.module, backend)
        self._thread = local()
        self.deal = self._loaded.function("deal", INT, PTR, PTR, INT, INT)
        self.advance = self._loaded.function("advance", INT, PTR, PTR)
        self.apply = self._loaded.function("apply", INT, PTR, PTR, INT)
        self.relist = self._loaded.function("relist", INT, PTR, PTR)
        if not logging:
            self.playouts = Playouts(PlayoutFacts.of(self.lowered), self._loaded, backend)
            self.rollouts = self._loaded.function("rollouts", INT, PTR, PTR, PTR, INT, INT, PTR)

    def address(self, name: str) -> int:
        """Address of one of the game's functions, for kernels compiled once for all games.

        It is valid as long as this object lives.
        """
        return self._loaded.address(name)

    @property
    def workspace(self) -> Workspace:
        """The calling thread's workspace, for stepping through games."""
        workspace: Workspace | None = getattr(self._thread, "workspace", None)
        if workspace is None:
            workspace = self._thread.workspace = Workspace(self.lowered.work, self.backend)
        return workspace


def card_numbers(cards: Sequence[CardFace], stacked: Stacked) -> list[list[int] | None]:
    """Given outcomes of shuffles, from card ids to card numbers; -1 stands for an unknown id."""
    numbers = {f"{card.back}:{card.number}": number for number, card in enumerate(cards)}
    return [None if order is None else [numbers.get(str(card), -1) for card in order] for order in stacked]
