"""The player protocol: given an observation and a budget, return a decision.

A player never gets a state. Everything it may know is in the observation, which is plain data: sent as JSON
to another process, it leads to the same choice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from upcard.engine.api import Move, Observation
from upcard.spec_grammar import Budget

__all__ = ["Budget", "Decision", "Indifferent", "Player", "Value"]


@dataclass(frozen=True)
class Value:
    """A player's estimate of one alternative."""

    move: Move
    points: float
    """Expected result of the deal: points of the player's side minus the mean of the others', negated where
    fewer points are better. A player that plays for the match may ignore points beyond its target."""
    error: float
    """Standard error of the points."""
    win: float
    """Probability of winning the match or, outside a match, the deal."""
    win_error: float
    visits: int


@dataclass(frozen=True)
class Decision:
    move: Move
    values: tuple[Value, ...] = ()
    """An estimate of every alternative, if the player has them, in the order of the observation's moves."""
    leads: tuple[tuple[float, ...], ...] = ()
    """For every alternative, in the same order, the expected normalised rank of every seat: 1 is certainly
    first, 0 certainly last."""
    guessed: bool = False
    """Whether no history consistent with the observation was found, so that hidden cards were sampled without
    regard to what was played."""


@runtime_checkable
class Player(Protocol):
    def choose(self, observation: Observation, budget: Budget) -> Decision: ...


@runtime_checkable
class Indifferent(Protocol):
    """A player that needs only the number of alternatives, so that no observation is built for it. Its
    index is that of a state's alternative, which need not be that of an observation's move."""

    def pick(self, alternatives: int) -> int: ...
