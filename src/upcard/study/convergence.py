"""Convergence: how the number of choices shrinks during a game.

The *convergence* of a game is (1 - b) / 2, where b is the slope of the least-squares line through the number
of choices at decisions 1, 2, ...; one half is flat, more is narrowing. Forced decisions count like others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from upcard.engine.api import Ending, Limits
from upcard.engine.shared.game import LoadedGame
from upcard.simulate.random_games import RandomGames
from upcard.simulate.traces import slope_of, slope_scale
from upcard.simulate.traces_detail import Traces
from upcard.stats.running_mean import RunningMean


class Line(NamedTuple):
    """One game of random players, decision by decision."""

    ending: Ending
    seats: tuple[int, ...]
    choices: tuple[int, ...]
    scores: tuple[int, ...] | None
    winners: tuple[int, ...]


def lines(
    game: LoadedGame, games: int, seed: int, limits: Limits | None = None, first: int = 0
) -> Iterator[Line]:
    """Games in deal order from deal `first` on. `random_games` plays the same games but keeps only sums."""
    highest = game.program.scoring.highest
    for trace in RandomGames(game, Traces(), seed, limits).games(first, first + games):
        yield Line(trace.ending, trace.seats, trace.choices, trace.scores, trace.winners(highest))


def slope(choices: Sequence[int]) -> float:
    """The slope of the least-squares line through (1, first), (2, second), ...; 0 for fewer than two
    points."""
    # sums of whole numbers are exact, so the result depends on neither the order nor the machine
    return slope_of(choices) / slope_scale(len(choices))


def convergence(choices: Sequence[int]) -> float:
    """The convergence of one game."""
    return narrowing(slope(choices))


def narrowing(slope: float) -> float:
    return (1 - slope) / 2


@dataclass
class Convergence:
    """Totals over many games."""

    convergence: RunningMean = field(default_factory=RunningMean)
    decisions: RunningMean = field(default_factory=RunningMean)
    branching: RunningMean = field(default_factory=RunningMean)
    """The mean number of choices per decision in each game."""
    least: int | None = None
    most: int | None = None
    """The smallest and largest number of choices at any decision."""
    first_seat: RunningMean = field(default_factory=RunningMean)
    """How often nobody was ahead of the first seat; partners and tied seats are first together."""

    def add(self, line: Line) -> None:
        self.convergence.add(convergence(line.choices))
        self.decisions.add(len(line.choices))
        if line.choices:
            self.branching.add(sum(line.choices) / len(line.choices))
            low, high = min(line.choices), max(line.choices)
            self.least = low if self.least is None else min(self.least, low)
            self.most = high if self.most is None else max(self.most, high)
        if line.winners:
            self.first_seat.add(float(0 in line.winners))

    @classmethod
    def of(cls, game: LoadedGame, games: int, seed: int) -> Convergence:
        made = cls()
        for line in lines(game, games, seed):
            made.add(line)
        return made
