"""The player protocol: given an observation and a budget, return a decision.

A player never gets a state. Everything it may know is in the observation, which is data: written as JSON and
read in another process it leads to the same choice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from upcard.engine.api import Move, Observation
from upcard.spec_grammar import Budget

__all__ = ["Budget", "Decision", "Indifferent", "Player", "Value"]


@dataclass(frozen=True)
class Value:
    """What a player thinks of one alternative."""

    move: Move
    points: float
    """Expected result of the deal: points of the player's side less the mean of the others'; the other way
    round where few points are good. Whoever plays for the match may leave out what goes beyond its target."""
    error: float
    """Standard error of the points."""
    win: float
    """Chance of winning: the match if there is one around the deal, otherwise the deal."""
    win_error: float
    visits: int


@dataclass(frozen=True)
class Decision:
    move: Move
    values: tuple[Value, ...] = ()
    """Every alternative, when the player can tell, in the order of the observation's moves."""
    leads: tuple[tuple[float, ...], ...] = ()
    """For every alternative, in the same order, the normalised rank that the player expects of every seat:
    1 is surely first, 0 surely last."""
    guessed: bool = False
    """Whether no deal was found in which all that was seen could have happened, so that the hidden cards were
    guessed without what was played."""


@runtime_checkable
class Player(Protocol):
    def choose(self, observation: Observation, budget: Budget) -> Decision: ...


@runtime_checkable
class Indifferent(Protocol):
    """A player that looks at nothing but the number of alternatives, so that nobody need show it more."""

    def pick(self, alternatives: int) -> int: ...
