"""Normalised ranks of a search player's evaluations: 1 is surely first, 0 surely last.

Only this module reads a player's decision. Some players give the ranks of every seat (`Decision.leads`: a row
for each alternative, a number for each seat), and these are used as they are. Others give only the mover's
chance of winning. Then the ranks are derived from two assumptions: a side that does not win is equally likely
to finish in any lower place, and the other sides are equally likely to win. With two sides nothing is lost by
this; with more, it describes the mover's own prospects and does not tell the others apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from upcard.engine.api import Observation
from upcard.players.protocol import Decision
from upcard.study.heuristics import mean, normalised, spread_at


class Thought(NamedTuple):
    """The part of one decision that is recorded; None if the player gave no estimates."""

    spread: float | None
    """The best minus the worst estimate for the mover; 0 for a forced decision."""
    lead: tuple[float, ...] | None
    """The normalised rank of every seat that was expected of the chosen move; of the move with the best rank
    where the player told ranks (it may have chosen another for its score)."""


def thought(decision: Decision, observation: Observation) -> Thought:
    moves = observation.moves
    rows = estimates(decision, observation)
    if not rows:
        return Thought(0.0 if len(moves) == 1 else None, None)
    own = [row[observation.seat] for row in rows]
    if _told(decision, observation):
        expected = rows[own.index(max(own))]
    else:
        expected = next(row for row, move in zip(rows, moves, strict=True) if move == decision.move)
    return Thought(spread_at(own), tuple(expected))


def estimates(decision: Decision, observation: Observation) -> Sequence[Sequence[float]]:
    """The normalised rank of every seat for each alternative; empty if unknown."""
    if told := _told(decision, observation):
        return told
    if decision.values and observation.match is None:
        return [from_chance(value.win, observation) for value in decision.values]
    return ()


def _told(decision: Decision, observation: Observation) -> Sequence[Sequence[float]]:
    """The ranks that a player reports; empty if it reports none."""
    told: Sequence[Sequence[float]] = getattr(decision, "leads", ())
    return told if len(told) == len(observation.moves) else ()


def from_chance(win: float, observation: Observation) -> list[float]:
    """Every seat's normalised rank, derived from the mover's share of first place alone."""
    seats, sides, mover = observation.seats, observation.teams, observation.seat
    mine = next(side for side in sides if mover in side)
    others = len(sides) - 1
    share = min(1.0, win * len(mine))  # partners are first together and share the win
    found = [1.0] * seats
    for side in sides:
        chance = share if side == mine else (1 - share) / others if others else 0.0
        behind = [normalised(ahead, seats) for ahead in _ahead_of(side, sides)]
        for seat in side:
            found[seat] = chance + (1 - chance) * mean(behind) if behind else 1.0
    return found


def _ahead_of(side: Sequence[int], sides: Sequence[Sequence[int]]) -> list[int]:
    """How many seats can be ahead of a side that is not first: the seats of one other side, of two, ..."""
    found, ahead = [], 0
    for other in sides:
        if other != side:
            ahead += len(other)
            found.append(ahead)
    return found
