"""Steps through playing code, which logs no events: for comparisons, and to start playouts."""

from __future__ import annotations

from upcard.engine.api import Given, Limits, Stacked
from upcard.engine.native.event_log import Words
from upcard.engine.native.kernels.language import signed
from upcard.engine.native.lower.state_layout import FAILED
from upcard.engine.native.state_memory import MASK, Memory, given_words, read_table
from upcard.engine.native.stepping_code import Compiled, card_numbers
from upcard.engine.native.workspace import Workspace
from upcard.engine.shared.table import Table
from upcard.recycle import program as p


class UnloggedState:
    """A deal in memory; moves are played by index."""

    def __init__(
        self,
        compiled: Compiled,
        words: Words,
        seed: int,
        deal: int,
        limits: Limits,
        stacked: Stacked = (),
        given: Given | None = None,
    ) -> None:
        self.compiled = compiled
        self._words = words
        self._at = compiled.layout.words
        self._limits = limits
        self._stacked = card_numbers(compiled.layout.cards, stacked)
        self._token = object()
        self.memory = Memory(compiled.size)
        work = self._work
        work.give(given_words(compiled.layout, given or {}))
        compiled.deal(self.memory.address, work.address, signed(seed), signed(deal))
        work.give(())
        work.listed = self._token

    @property
    def _work(self) -> Workspace:
        """The calling thread's workspace, set up for this game."""
        work = self.compiled.workspace
        if work.owner is not self._token:
            work.owner = self._token
            work.limits(self._limits.decisions, self._limits.steps)
            work.stack(self._stacked)
        return work

    def play(self, index: int) -> None:
        work = self._work
        if work.listed is not self._token:
            self.compiled.relist(self.memory.address, work.address)
        work.listed = None
        self.compiled.apply(self.memory.address, work.address, index)
        if not self._word("ending"):
            self.compiled.advance(self.memory.address, work.address)
            work.listed = self._token

    def _word(self, name: str) -> int:
        return self.memory.words[self._at[name]]

    @property
    def choices(self) -> int:
        return 0 if self._word("ending") else self._word("choices")

    @property
    def scores(self) -> tuple[int, ...] | None:
        if self._word("ending") in (0, FAILED):
            return None
        first = self._at["scores"]
        return tuple(self.memory.words[first : first + self.compiled.layout.seats])

    @property
    def fault(self) -> tuple[p.Node, str] | None:
        return self.compiled.lowered.fault_of(self.memory.bytes)

    @property
    def chance(self) -> tuple[int, ...]:
        return tuple(self.memory.words[self._at["c0"] + i] & MASK for i in range(4))

    def table(self) -> Table:
        return read_table(self._words, self.memory)
