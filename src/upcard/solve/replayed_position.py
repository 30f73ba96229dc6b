"""Positions of a tree as what chance decided and which moves were made, so that they can be played again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from upcard.engine.api import Limits
from upcard.engine.reference.game import ReferenceGame
from upcard.engine.shared.alternatives import Alternative, Picked, signature
from upcard.solve.chance_script import Exchange, Script, ScriptedState


@dataclass(frozen=True)
class Step:
    """A move on the way to a position."""

    item: int
    picks: tuple[Picked, ...]
    rank: int
    """Among alternatives with the same item and picks."""
    shuffles: int
    """The number of shuffles before it."""

    def exchanged(self, exchange: Exchange) -> Step:
        if exchange.shuffle >= self.shuffles:
            return self
        return Step(self.item, tuple(map(exchange.apply, self.picks)), self.rank, self.shuffles)

    def index(self, alternatives: Iterable[Alternative]) -> int:
        """Its index among the alternatives of a position."""
        wanted = signature(Alternative(self.item, self.picks, ()))
        found = [index for index, one in enumerate(alternatives) if signature(one) == wanted]
        return found[self.rank]


@dataclass(frozen=True)
class Position:
    """How to come to a position: what chance decided, and the moves."""

    script: Script
    path: tuple[Step, ...]
    limits: Limits

    def state(self, game: ReferenceGame) -> ScriptedState:
        """The position, dealt and played again."""
        state = ScriptedState(game, self.script, self.limits)
        for step in self.path:
            state.play(step.index(state.alternatives))
        return state


def exchanged(path: list[Step], exchange: Exchange | None) -> list[Step]:
    return path if exchange is None else [step.exchanged(exchange) for step in path]


def step_of(state: ScriptedState, index: int) -> Step:
    alternatives = state.alternatives
    chosen = alternatives[index]
    name = signature(chosen)
    rank = sum(signature(other) == name for other in alternatives[:index])
    return Step(chosen.item, chosen.picks, rank, state.shuffles)
