"""A game's code for vector environments, compiled once and shared by all environments of the game."""

from __future__ import annotations

import ctypes
from weakref import WeakKeyDictionary

from upcard.encoding import Encoding, NoEncoding
from upcard.engine.api import Limits
from upcard.engine.native.backends.select import (
    NoMachineCode,
    check_reach,
    choose_backend,
    load_module,
)
from upcard.engine.native.fork import ForkSafeLock
from upcard.engine.native.lower import Lowered, lower
from upcard.engine.native.lower.context import Context
from upcard.engine.native.workspace import GivenWord, Workspace
from upcard.engine.shared.game import LoadedGame
from upcard.rl.turn_code import write_vector

INT, PTR = ctypes.c_int64, ctypes.c_void_p
LINE = 64
"""Bytes of a cache line."""
PAGE = 4096


class VectorCode:
    """The functions that step environments of one game, and how much memory one of them takes."""

    def __init__(self, game: LoadedGame) -> None:
        self.encoding = _encoding_of(game)
        """None where a game has none: its actions are indices then, and nothing is observed."""
        words: list[int] = []

        def more(ctx: Context, lowered: Lowered) -> None:
            words.append(write_vector(ctx, lowered, self.encoding))

        try:
            backend = choose_backend()
            check_reach(backend)
            self.lowered = lower(game.program, game.facts, more=more)
            self._loaded = load_module(self.lowered.module, backend)
        except NoMachineCode as error:
            raise NoMachineCode(f"a vector environment needs machine code: {error}") from None
        layout = self.lowered.layout
        self.seats = layout.seats
        (self.streams,) = words
        """The word of an environment's memory where the streams of its random players begin."""
        lines = -(-8 * (self.streams + 4 * self.seats) // LINE)
        # environments a page apart would compete for the same lines of the cache
        self.slot_bytes = LINE * (lines + (lines % (PAGE // LINE) == 0))
        self.given = [
            GivenWord(layout.ints["table", name.removeprefix("table.")], 0, cycle)
            for name, cycle in game.turns.items()
            if ("table", name.removeprefix("table.")) in layout.ints
        ]
        self.step = self._loaded.function("step_slice", INT, PTR, PTR, INT, INT)
        """Takes a batch, a workspace and the environments from one number to before another."""
        self.deal = self._loaded.function("deal_slice", INT, PTR, PTR, INT, INT)
        self.find_entries = self._loaded.function("find_entries", INT, PTR, PTR, INT, INT)
        self.sample = self._loaded.function("sample_slice", INT, PTR, PTR, INT, INT)

    def workspace(self, limits: Limits) -> Workspace:
        work = Workspace(self.lowered.work)
        work.limits(limits.decisions, limits.steps)
        work.give(self.given)
        return work


def _encoding_of(game: LoadedGame) -> Encoding | None:
    try:
        return game.encoding
    except NoEncoding:
        return None


_codes: WeakKeyDictionary[LoadedGame, VectorCode] = WeakKeyDictionary()
_compiling = ForkSafeLock()


def vector_code(game: LoadedGame) -> VectorCode:
    """Compiled now, or before for the same game."""
    with _compiling:
        code = _codes.get(game)
        if code is None:
            code = _codes[game] = VectorCode(game)
        return code
