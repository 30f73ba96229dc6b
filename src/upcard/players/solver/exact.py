"""Players that solve the endgame in every sampled world where that is feasible.

Where an ending is too long, or chance has a part in it, this player searches flat, as `pimc` does; so it does
between alternatives that are worth the same to those who see every card, since people do not.
"""

from __future__ import annotations

import math
import threading
import time
import weakref
from dataclasses import replace

from upcard.engine.api import Observation
from upcard.engine.native.game import NativeGame
from upcard.engine.rng import Stream
from upcard.players.belief.determinization import Worlds
from upcard.players.protocol import Budget, Decision
from upcard.players.search import rollout as k
from upcard.players.search.flat_search import (
    PLAYOUTS,
    USUAL,
    WORLDS,
    add_world,
    decided,
    flat_search,
    left_of,
)
from upcard.players.search.pimc import Pimc
from upcard.players.search.utility import race_of, relative_points, results
from upcard.players.solver.endgame import MAX_WORTH, Solved, Solver, Worth

NODES = 300_000
"""Looked at in one world; an ending that has more is not solved."""
NODES_A_SECOND = 1_000_000
"""That are surely looked at: with a budget in seconds, an ending has as many nodes as that allows."""
SOLVING = 0.5
"""The share of a budget in seconds that endings are solved in; the rest is for random play."""
FAR, FEWER, FEWEST = 5_000, 5, 8
"""An ending with more nodes than the first is far off: so many times fewer worlds are solved, but some."""
LONG = 500
"""Nodes a world has on average where an ending is not one yet."""
WAIT = 2
TABLE_BYTES = 32 << 20
WORTH_PLAYOUTS = 8
"""A world solved counts as so many playouts of each alternative: it tells about as much."""
TIED_PLAYOUTS = 250
"""Random playouts of each alternative where the best are worth the same."""
ALIKE = 1e-12
SCALE = 1_000_000
POINTS_ROOM = 1 << 12
"""In a race the solver plays for the chance to win, then for points up to the target: both in one number."""


class Exact(Pimc):
    """One seat's player for one deal."""

    def __init__(self, game: NativeGame, seed: int, deal: int, seat: int, usual: Budget = USUAL) -> None:
        super().__init__(game, seed, deal, seat, usual)
        self._nodes = 0
        self._patience = 0
        """Decisions to let pass before an ending is tried again."""

    def think(self, worlds: Worlds, observation: Observation, budget: Budget, stream: Stream) -> Decision:
        started = time.monotonic()
        sums = self._solved(worlds, observation, left_of(budget, started, SOLVING), stream)
        if sums is None:
            return super().think(worlds, observation, left_of(budget, started), stream)
        return self._best(sums, worlds, observation, left_of(budget, started), stream)

    def _best(
        self,
        sums: list[tuple[float, ...]],
        worlds: Worlds,
        observation: Observation,
        left: Budget,
        stream: Stream,
    ) -> Decision:
        """What solved worlds say; where they call the best alike, random play decides between those."""
        found, tied = decided(observation.moves, sums), _tied(sums)
        if len(tied) < 2:
            return found
        if left.seconds is None:
            left = Budget(TIED_PLAYOUTS * len(observation.moves))
        flat = flat_search(worlds, self.game, observation, left, stream, self.counts)
        best = max(tied, key=lambda a: (flat[a][5] / flat[a][0] if flat[a][0] else -math.inf, -a))
        return replace(found, move=observation.moves[best])

    def _solved(
        self, worlds: Worlds, observation: Observation, budget: Budget, stream: Stream
    ) -> list[tuple[float, ...]] | None:
        if self._patience:
            self._patience -= 1
            return None
        choices = len(observation.moves)
        race = race_of(self.game, observation)
        worth = None if race is None else _race_worth(self.game, observation, race)
        playouts = budget.playouts or PLAYOUTS
        wanted = max(1, playouts // choices // WORTH_PLAYOUTS) if budget.seconds is None else 1 << 40
        until = None if budget.seconds is None else time.monotonic() + budget.seconds
        sums = [[0.0] * k.SUMS for _ in range(choices)]
        done = self._nodes = 0
        solver = solver_of(self.game)
        nodes = NODES if budget.seconds is None else min(NODES, 1 + int(budget.seconds * NODES_A_SECOND))
        for state, weight in worlds.sample(stream.copy()):
            solved = solver.solve(state, nodes, worth=worth)
            if not solved.complete or len(solved.values) != choices:
                self._patience = WAIT
                return None
            self.counts.worlds += 1
            self._nodes += solved.nodes
            for row, (points, win, value) in zip(sums, self._told(solved, observation, worth), strict=True):
                add_world(row, weight, points, win, value)
            done += 1
            if done == 1 and until is None and solved.nodes > FAR:
                wanted = max(FEWEST, wanted // FEWER)
            if done >= wanted or (until is not None and time.monotonic() >= until):
                break
        return [tuple(row) for row in sums] if done else None

    def _told(
        self, solved: Solved, observation: Observation, worth: Worth | None
    ) -> list[tuple[float, float, float]]:
        """Of each alternative: points, chance to win, and what the player wants most of."""
        found = []
        for n, value in enumerate(solved.values):
            if solved.scores:
                scores = solved.scores[n]
                points = relative_points(observation, scores, self.game.program.scoring.highest)
                sign = 1 if self.game.program.scoring.highest else -1
                mine = sign * scores[observation.seat]
                best = max(sign * score for score in scores)
                tied = sum(sign * score == best for score in scores)
                found.append((points, float(mine == best) / tied, points))
            elif worth is not None:
                win, points = divmod(value + POINTS_ROOM // 2, POINTS_ROOM)
                found.append((float(points - POINTS_ROOM // 2), win / SCALE, value / SCALE / POINTS_ROOM))
            else:
                mates = len(next(side for side in observation.teams if observation.seat in side))
                found.append((float(value), (value > 0) / mates + (value == 0) / observation.seats, value))
        return found


class Blend(Exact):
    """Where much is to come, what solving says is averaged with what random play says.

    A solved world takes everybody for a player who sees all cards, random play takes them for fools: the one
    is too timid a judge of bold calls, the other too bold. People are in between.
    """

    def think(self, worlds: Worlds, observation: Observation, budget: Budget, stream: Stream) -> Decision:
        started = time.monotonic()
        solved = self._solved(worlds, observation, left_of(budget, started, SOLVING), stream)
        left = left_of(budget, started)
        if solved is not None and self._nodes < LONG * solved[0][WORLDS]:
            return self._best(solved, worlds, observation, left, stream)
        flat = flat_search(worlds, self.game, observation, left, stream, self.counts)
        if solved is None:
            return decided(observation.moves, flat)
        return decided(observation.moves, [_both(*rows) for rows in zip(solved, flat, strict=True)])


def _both(one: tuple[float, ...], other: tuple[float, ...]) -> tuple[float, ...]:
    """The mean of two estimates, whatever each of them rests on."""
    if not one[0] or not other[0]:
        return one if one[0] else other
    means = [a / one[0] + b / other[0] for a, b in zip(one[:7], other[:7], strict=True)]
    return (*means, *map(min, one[7:], other[7:]))


def _tied(sums: list[tuple[float, ...]]) -> list[int]:
    """The alternatives that are worth most, as far as the solved worlds can tell."""
    worths = [row[5] / row[0] for row in sums]
    best = max(worths)
    return [a for a, worth in enumerate(worths) if worth >= best - ALIKE]


_solvers = threading.local()


def solver_of(game: NativeGame) -> Solver:
    """The thread's solver for a game: its table is too large for one a player."""
    known: weakref.WeakKeyDictionary[NativeGame, Solver] | None = getattr(_solvers, "known", None)
    if known is None:
        known = _solvers.known = weakref.WeakKeyDictionary()
    if game not in known:
        known[game] = Solver(game, TABLE_BYTES)
    return known[game]


def _race_worth(
    game: NativeGame, observation: Observation, race: tuple[tuple[float, ...], ...]
) -> Worth | None:
    """What scores are worth to side 0; the solver gives it the other sign for side 1."""
    assert observation.match is not None
    own = next(n for n, side in enumerate(observation.teams) if observation.seat in side)
    most = max(max(points) for points in results(game))
    if most >= MAX_WORTH:
        return None
    totals = [observation.match["scores"][side[0]] for side in observation.teams]
    to = observation.match["to"]
    sign = 1 if game.program.scoring.highest else -1
    rows = []
    for a in range(most + 1):
        row = []
        for b in range(most + 1):
            mine, theirs = (a, b) if own == 0 else (b, a)
            last = len(race) - 1
            win = race[min(totals[own] + mine, last)][min(totals[1 - own] + theirs, last)]
            # points beyond the target win nothing, so nobody takes a risk for them
            counted = min(mine, to - totals[own]) - min(theirs, to - totals[1 - own])
            value = round(win * SCALE) * POINTS_ROOM + sign * counted
            row.append(value if own == 0 else -value)
        rows.append(row)
    return Worth(0, rows)
