"""Stepping through the code of whole games, which notes nothing: for comparing, and for starting playouts."""

from __future__ import annotations

from upcard.engine.contract import Limits, Stacked
from upcard.engine.native.compiled import Compiled, card_numbers
from upcard.engine.native.lower.blocks import FAILED
from upcard.engine.native.memory import MASK, Memory, read_table
from upcard.engine.native.notes import Words
from upcard.engine.native.subset import signed
from upcard.engine.shared.table import Table
from upcard.recycle import program as p


class PlainState:
    """A deal in memory, moved on by index."""

    def __init__(
        self, compiled: Compiled, words: Words, seed: int, deal: int, limits: Limits, stacked: Stacked = ()
    ) -> None:
        self.compiled = compiled
        self._reading = words
        self._at = compiled.layout.words
        self._work = compiled.workspace
        self._work.limits(limits.decisions, limits.steps)
        self._work.stack(card_numbers(compiled.layout.cards, stacked))
        self.memory = Memory(compiled.size)
        compiled.deal(self.memory.address, self._work.address, signed(seed), signed(deal))

    def play(self, index: int) -> None:
        self.compiled.apply(self.memory.address, self._work.address, index)
        if not self._word("ending"):
            self.compiled.advance(self.memory.address, self._work.address)

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
        return read_table(self._reading, self.memory)
