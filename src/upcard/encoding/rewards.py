"""Rewards: what the end of a game is worth to each seat, as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from upcard.engine.api import Outcome


class Rewards(NamedTuple):
    """What an outcome is worth to each seat; 0 in a game that failed.

    >>> outcome = upcard.Outcome("finished", scores=(3, 1, 2), ranks=(0, 2, 1))
    >>> upcard.load("agram").encoding.rewards(outcome).rank
    (1.0, -1.0, 0.0)
    """

    points: tuple[float, ...]
    """The scores; negative where the lowest score wins, so that more is better."""
    rank: tuple[float, ...]
    """The opponents with a worse score less those with a better one, divided by all opponents: 1 for winning
    against everybody, -1 for losing against everybody."""
    match: tuple[float, ...] | None = None
    """The chance to win the match that the deal is part of; None without a match, or if it is not known."""


def rewards(outcome: Outcome, sides: Sequence[Sequence[int]], highest: bool) -> Rewards:
    if outcome.scores is None or outcome.ranks is None:
        nothing = (0.0,) * sum(map(len, sides))
        return Rewards(nothing, nothing)
    ranks, sign = outcome.ranks, 1.0 if highest else -1.0
    found = []
    for seat, rank in enumerate(ranks):
        own = next(side for side in sides if seat in side)
        others = [other for number, other in enumerate(ranks) if number not in own]
        beaten = sum((rank < other) - (rank > other) for other in others)
        found.append(beaten / len(others) if others else 0.0)
    return Rewards(tuple(sign * score for score in outcome.scores), tuple(found))
