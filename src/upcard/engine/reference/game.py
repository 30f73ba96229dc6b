"""A loaded program played by the reference engine."""

from __future__ import annotations

from upcard.engine.api import Given, Limits, Stacked
from upcard.engine.reference.state import ReferenceState
from upcard.engine.shared.game import LoadedGame
from upcard.narration.narrator import Narrator
from upcard.recycle.facts import Facts
from upcard.recycle.program import Program


class ReferenceGame(LoadedGame):
    """`all_ordered` keeps the order of cards everywhere: a test of the order facts, not a way to play."""

    engine = "reference"

    def __init__(
        self,
        name: str,
        program: Program,
        facts: Facts,
        narrator: Narrator | None = None,
        all_ordered: bool = False,
    ) -> None:
        super().__init__(name, program, facts, narrator)
        self.all_ordered = all_ordered

    @property
    def options(self) -> dict[str, object]:
        return {"all_ordered": self.all_ordered}

    def deal(
        self,
        seed: int = 0,
        number: int = 0,
        *,
        stacked: Stacked = (),
        limits: Limits | None = None,
        recording: bool = True,
        given: Given | None = None,
    ) -> ReferenceState:
        limits = Limits() if limits is None else limits
        return ReferenceState(self, seed, number, stacked, limits, recording, given)
