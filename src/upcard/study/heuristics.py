"""Heuristics that describe a game, computed from its logged games alone.

A *rank* counts the seats that are strictly ahead: 0 is first, ties share. A *normalised* rank goes from 1,
first, to 0, last. A *lead* is what one decision's chooser expected: the normalised rank of every seat.

| figure | of | says |
| --- | --- | --- |
| fairness | the first seat's share of wins, all random | 1: as many as its due; 0: none or all |
| convergence | the numbers of choices (`convergence.py`) | how fast choices narrow; one half is flat |
| order | a searching first seat's share of wins, others random | 1: thinking always wins; 0: it is no use |
| spread | a searching player's estimates of its moves | how much a decision matters |
| drama | the winner's leads | how far behind winners have been |
| security | the winner's leads | how much of the time winners were ahead |
| trend | everybody's leads | how the later first, second, ... fared on the way |

Sums are exact (`math.fsum`), so figures do not depend on the order of games. What has no value (no games, no
decisions) is 0, except where the docstring says otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from upcard.engine.api import Outcome
from upcard.study.convergence import convergence as convergence_of

Lead: TypeAlias = Sequence[float]
"""The expected normalised rank of every seat at one decision."""

POINTS = 101
"""Points of a trend: 0 %, 1 %, ..., 100 % of the game."""


class Played(NamedTuple):
    """The lead history of one game and its actual result."""

    leads: Sequence[Lead]
    ranks: Sequence[int]

    @property
    def winners(self) -> list[int]:
        return [seat for seat, rank in enumerate(self.ranks) if rank == 0]

    def history(self, seat: int) -> list[float]:
        return [lead[seat] for lead in self.leads]


# --- ranks and wins ------------------------------------------------------------------------------


def normalised(rank: float, seats: int) -> float:
    """A rank as a number from 1, first, to 0, last; mean ranks are allowed. A lone seat is always first."""
    return 1.0 if seats == 1 else (seats - 1 - rank) / (seats - 1)


def first_place(outcomes: Iterable[Outcome], seat: int = 0) -> float:
    """A seat's share of wins. Seats that tie for first share the win, and failed games do not count."""
    scored = [outcome.first_place(seat) for outcome in outcomes if outcome.ranks]
    return mean(scored)


def fairness(share: float, seats: int) -> float:
    """Fairness, from the first seat's share of wins when all seats play at random."""
    if share <= 1 / seats:
        return seats * share
    return seats * (1 - share) / (seats - 1)


def order(share: float, seats: int) -> float:
    """Order, from the share of wins of one search player among random ones; below 0 if searching hurts."""
    return 0.0 if seats == 1 else (share - 1 / seats) / (1 - 1 / seats)


# --- choices -------------------------------------------------------------------------------------


def convergence(games: Iterable[Sequence[int]]) -> float:
    """The mean over games, each given as its numbers of choices; one half for no games."""
    found = [convergence_of(choices) for choices in games]
    return mean(found) if found else 0.5


# --- how much decisions matter -------------------------------------------------------------------


def spread_at(estimates: Sequence[float]) -> float:
    """The best minus the worst estimate at one decision; 0 for a forced decision."""
    return max(estimates) - min(estimates) if len(estimates) > 1 else 0.0


def spread(decisions: Iterable[Sequence[float]]) -> float:
    """The mean spread of all decisions, each given as the estimates of its moves."""
    return mean([spread_at(estimates) for estimates in decisions])


def relative_spreads(decisions: Iterable[Sequence[float]]) -> list[float]:
    """The spreads of one game over time, relative to its largest; all 0 if that is 0."""
    found = [spread_at(estimates) for estimates in decisions]
    largest = max(found, default=0.0)
    return [one / largest for one in found] if largest > 0 else [0.0] * len(found)


# --- leads ---------------------------------------------------------------------------------------


def threshold(seats: int) -> float:
    """Halfway between first and second on the normalised scale: ahead is above. At least two seats."""
    return (1 + (seats - 2) / (seats - 1)) / 2


def drama_of(game: Played) -> float:
    """How far the winner was behind, averaged over the entries at which it was; the mean of several
    winners."""
    line = threshold(len(game.ranks))
    found = []
    for seat in game.winners:
        behind = [math.sqrt(line - entry) for entry in game.history(seat) if entry < line]
        found.append(mean(behind))
    return mean(found)


def security_of(game: Played) -> float:
    """The share of entries at which the winner was not behind; 1 for a game without entries."""
    line = threshold(len(game.ranks))
    found = []
    for seat in game.winners:
        entries = game.history(seat)
        found.append(1 - mean([float(entry < line) for entry in entries]))
    return mean(found)


def drama(games: Iterable[Played]) -> float:
    return mean([drama_of(game) for game in games])


def security(games: Iterable[Played]) -> float:
    return mean([security_of(game) for game in games])


def trend(games: Sequence[Played], points: int = POINTS) -> list[list[float]]:
    """Per final place, the first one first, the mean lead at evenly spaced parts of the game.

    Each history ends with how the seat really ended. Seats that ended alike stand in seat order.
    """
    if not games:
        return []
    seats = len(games[0].ranks)
    lines: list[list[list[float]]] = [[] for _ in range(seats)]
    for game in games:
        places = sorted(range(seats), key=lambda seat: (game.ranks[seat], seat))
        for place, seat in enumerate(places):
            ended = normalised(game.ranks[seat], seats)
            lines[place].append(resampled([*game.history(seat), ended], points))
    return [[mean(column) for column in zip(*line, strict=True)] for line in lines]


def resampled(values: Sequence[float], points: int = POINTS) -> list[float]:
    """The values, taken to be evenly spaced, read off at other evenly spaced points by straight lines."""
    last = len(values) - 1
    if last == 0:
        return [values[0]] * points
    found = []
    for point in range(points):
        # whole numbers select the two neighbours, so a point that falls on a value is exactly that value
        whole, part = divmod(point * last, points - 1)
        here = values[whole]
        found.append(here if part == 0 else here + (values[whole + 1] - here) * part / (points - 1))
    return found


# --- sums ----------------------------------------------------------------------------------------


def mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else 0.0


def epoch_error(values: Sequence[float], epochs: int = 10) -> float:
    """The standard deviation of the means of `epochs` stretches of games: the error bars of the
    publication."""
    cuts = [len(values) * number // epochs for number in range(epochs + 1)]
    means = [mean(values[start:end]) for start, end in pairwise(cuts) if end > start]
    if len(means) < 2:
        return 0.0
    middle = mean(means)
    return math.sqrt(math.fsum((one - middle) ** 2 for one in means) / len(means))
