"""The value of one move in a hint: estimates, results, and the distance to the best move."""

from __future__ import annotations

import math
from dataclasses import dataclass

from upcard.advice.estimate import Estimate
from upcard.advice.game_advice import Proof
from upcard.engine.api import Move

NO_VALUE = Estimate(0.0, -math.inf, math.inf)


@dataclass(frozen=True)
class Result:
    """How often a deal ends in a certain way."""

    words: str
    """As in "euchred", or points as in "+2"."""
    points: float
    share: float


@dataclass(frozen=True)
class Difference:
    points: Estimate
    win: Estimate

    def clear_in(self, match: bool, moves: int = 2) -> bool:
        """Whether the move is clearly worse in what counts. The best of many moves is partly the luckiest, so
        more than two need a wider margin."""
        counts = self.win if match else self.points
        margin = 1.0 + 0.25 * math.log2(max(1, moves - 1))
        return counts.value > margin * (counts.value - counts.low)


@dataclass(frozen=True)
class MoveValue:
    """What one move is worth if everybody then plays like the model of the hint."""

    move: Move
    text: str
    """As in "order it up"."""
    doing: str
    """As in "ordering up"."""
    points: Estimate
    """Points of one's own side in this deal, less the mean of the others'."""
    win: Estimate
    """The chance of winning the match; without a match, the share of first place in this deal."""
    results: tuple[Result, ...]
    """Best first."""
    playouts: int
    proof: Proof | None = None
    """What is certain, whatever the hidden cards are."""
    second: int | None = None
    """The index of the second move that continues it, where the same seat moves again at once."""
    behind: Difference | None = None
    """How far it is behind the best move, in the same worlds; None for the best."""


def signed(points: float) -> str:
    """Points with their sign and two decimals; never -0.00."""
    return f"{round(points, 2) + 0.0:+.2f}"


def points_text(points: float) -> str:
    """Points with their sign: +2, -1.5, 0."""
    rounded = round(points, 1)
    if rounded == 0:
        return "0"
    return f"{rounded:+.0f}" if rounded == round(rounded) else f"{rounded:+.1f}"
