"""The player `solved:FILE`: draws its moves from a strategy file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from upcard.engine.api import Move, Observation
from upcard.engine.rng import PLAYER, Stream
from upcard.players.protocol import Budget, Decision
from upcard.players.strategy_file import ActionPart, StrategyFile

UNIT = 1 / (1 << 53)


class OffTheStrategy(Exception):
    """A decision that the strategy says nothing about."""


@dataclass(frozen=True)
class SolvedFactory:
    """Makes players that follow one strategy."""

    path: Path
    actions: dict[str, tuple[ActionPart, ...]]
    """By the key of the information set."""

    @classmethod
    def of(cls, path: Path, strategy: StrategyFile) -> SolvedFactory:
        return cls(path, {one.key: one.actions for one in strategy.sets})

    def __call__(self, seed: int, deal: int, seat: int) -> SolvedPlayer:
        return SolvedPlayer(self, Stream((seed, deal, PLAYER, seat)))


class SolvedPlayer:
    """One seat in one deal."""

    def __init__(self, factory: SolvedFactory, stream: Stream) -> None:
        self._factory = factory
        self._stream = stream

    def choose(self, observation: Observation, budget: Budget) -> Decision:
        moves = {move.key: move for move in observation.moves}
        # a strategy is for a deal by itself, whatever match it is part of
        actions = self._factory.actions.get(replace(observation, match=None).key)
        if actions is None:
            if len(moves) == 1:
                return Decision(observation.moves[0])
            raise OffTheStrategy(f"{self._factory.path} has no move for this position")
        return Decision(self._draw(actions, moves))

    def _draw(self, actions: tuple[ActionPart, ...], moves: dict[str, Move]) -> Move:
        left = (self._stream.next() >> 11) * UNIT
        possible = [action for action in actions if action.probability > 0]
        chosen = possible[-1]
        for action in possible:
            left -= action.probability
            if left < 0:
                chosen = action
                break
        # the moves of one action look alike, in random order
        if chosen.keys[0] not in moves:
            raise OffTheStrategy(f"{self._factory.path} names a move that is not legal in this position")
        return moves[chosen.keys[0]]
