"""A loaded program, played by machine code."""

from __future__ import annotations

from functools import cached_property

from upcard.engine.contract import Limits, Stacked
from upcard.engine.native.compiled import Compiled
from upcard.engine.native.notes import Words
from upcard.engine.native.state import NativeState
from upcard.engine.reference import ReferenceGame
from upcard.engine.shared.game import LoadedGame


class NativeGame(LoadedGame):
    """Code is made, or taken from the cache, when it is first needed."""

    engine = "native"

    def __reduce__(self) -> tuple[type[NativeGame], tuple[object, ...]]:
        """Another process makes the code anew, or finds it in the cache."""
        return NativeGame, (self.name, self.program, self.facts, self.teller)

    @cached_property
    def stepping(self) -> Compiled:
        """Code that notes what it does, for playing one decision at a time."""
        return Compiled(self.program, self.facts, logging=True)

    @cached_property
    def playing(self) -> Compiled:
        """Code that notes nothing, for playing whole games. States are laid out as in `stepping`."""
        return Compiled(self.program, self.facts, logging=False)

    @cached_property
    def words(self) -> Words:
        return Words(self.stepping.lowered)

    @cached_property
    def by_the_book(self) -> ReferenceGame:
        """The same game, played by the reference engine."""
        return ReferenceGame(self.name, self.program, self.facts, self.teller)

    def deal(
        self,
        seed: int = 0,
        number: int = 0,
        *,
        stacked: Stacked = (),
        limits: Limits | None = None,
        recording: bool = True,
    ) -> NativeState:
        """The game at its first decision. Without recording: faster, no record, no memory."""
        return NativeState(self, seed, number, stacked, limits or Limits(), recording)
