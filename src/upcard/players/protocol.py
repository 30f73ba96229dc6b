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
    """A player's estimate of one alternative.

    >>> seen = upcard.load("kuhn-poker").deal(seed=1).observe(0)
    >>> upcard.Value(seen.moves[0], points=0.5, error=0.1, win=0.6, win_error=0.05, visits=100).points
    0.5
    """

    move: Move
    """The alternative."""
    points: float
    """Expected result of the deal: points of the player's side minus the mean of the others', negated where
    fewer points are better. A player that plays for the match may ignore points beyond its target."""
    error: float
    """Standard error of the points."""
    win: float
    """Probability of winning the match or, outside a match, the deal."""
    win_error: float
    """Standard error of the probability."""
    visits: int
    """How often the alternative was tried."""


@dataclass(frozen=True)
class Decision:
    """A player's answer: the move, and estimates of all moves if the player has them.

    >>> seen = upcard.load("kuhn-poker").deal(seed=1).observe(0)
    >>> upcard.Decision(seen.moves[0]).values
    ()
    """

    move: Move
    """The move that is played."""
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
    """What a player is: any object with this method.

    >>> class First:
    ...     def choose(self, observation, budget):
    ...         return upcard.Decision(observation.moves[0])
    >>> isinstance(First(), upcard.Player)
    True
    >>> upcard.arena.run("kuhn-poker", [First, "random"], deals=20).names
    ('First', 'random')
    """

    def choose(self, observation: Observation, budget: Budget) -> Decision:
        """Chooses one of the observation's moves. A budget without numbers leaves it to the player.

        >>> class Last:
        ...     def choose(self, observation, budget):
        ...         return upcard.Decision(observation.moves[-1])
        >>> seen = upcard.load("euchre").deal(seed=7).observe(0)
        >>> Last().choose(seen, upcard.Budget()).move == seen.moves[-1]
        True
        """


@runtime_checkable
class Indifferent(Protocol):
    """A player that needs only the number of alternatives, so that no observation is built for it. Its
    index is that of a state's alternative, which need not be that of an observation's move."""

    def pick(self, alternatives: int) -> int: ...
