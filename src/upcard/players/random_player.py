"""The uniformly random player."""

from __future__ import annotations

from upcard.engine.rng import PLAYER, Stream


class RandomPlayer:
    """Chooses uniformly by index, for one seat in one game."""

    def __init__(self, seed: int, deal: int, seat: int) -> None:
        self._stream = Stream((seed, deal, PLAYER, seat))

    def pick(self, alternatives: int) -> int:
        return self._stream.below(alternatives)
