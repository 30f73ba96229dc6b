"""Flat Monte Carlo over worlds: every alternative tried in the same ones, random play to the end."""

from __future__ import annotations

import ctypes
import math
import time
from dataclasses import dataclass

from upcard.engine.chance import PLAYER, Stream
from upcard.engine.contract import Move, Observation
from upcard.engine.native.game import NativeGame
from upcard.engine.native.subset import signed
from upcard.players import searching_kernels as k
from upcard.players.protocol import Budget, Decision, Value
from upcard.players.story import Inconsistent
from upcard.players.valuing import worth_words
from upcard.players.worlds import Imagination, Worlds

PLAYOUTS = 1000
USUAL = Budget(PLAYOUTS)
SLICE = 64
"""Worlds between two looks at the clock."""


@dataclass
class Counts:
    """What a player met with, for whoever wants to know."""

    decisions: int = 0
    forced: int = 0
    worlds: int = 0
    tried: int = 0
    missing: int = 0
    """Worlds that were asked for and not found."""
    walked: int = 0
    """Worlds that dealing did not find: they come from a walk, each not far from the one before."""
    lost: int = 0
    """Decisions whose record made no story: played by chance."""


class Pimc:
    """One seat's player for one deal."""

    def __init__(self, game: NativeGame, seed: int, deal: int, seat: int, usual: Budget = USUAL) -> None:
        self.game = game
        self.usual = usual
        """The budget of a decision where none is given."""
        self.counts = Counts()
        self._name = (seed, deal, PLAYER, seat)
        self._imagination = Imagination(game)

    def choose(self, observation: Observation, budget: Budget) -> Decision:
        moves = observation.moves
        if budget.playouts is None and budget.seconds is None:
            budget = self.usual
        self.counts.decisions += 1
        if len(moves) == 1:
            self.counts.forced += 1
            return Decision(moves[0])
        stream = Stream((*self._name, observation.decision))
        try:
            worlds = self._imagination.worlds(observation)
        except Inconsistent:
            self.counts.lost += 1
            return Decision(moves[stream.below(len(moves))])
        if any(None in pick.values() for move in moves for pick in move.picks):
            return self._think_by_name(worlds, observation, budget, stream)
        return self.think(worlds, observation, budget, stream)

    def _think_by_name(
        self, worlds: Worlds, observation: Observation, budget: Budget, stream: Stream
    ) -> Decision:
        """Where a pick is face down, its number in a list would tell its card: trees go by what is seen."""
        from upcard.players.ismcts import tree_search  # which rests on this file

        return tree_search(worlds, self.game, observation, budget, stream, self.counts)

    def think(self, worlds: Worlds, observation: Observation, budget: Budget, stream: Stream) -> Decision:
        moves = observation.moves
        sums = flat_search(worlds, self.game, observation, budget, stream, self.counts)
        return decided(moves, sums)


def flat_search(
    worlds: Worlds,
    game: NativeGame,
    observation: Observation,
    budget: Budget,
    stream: Stream,
    counts: Counts,
) -> list[tuple[float, ...]]:
    """The sums of `searching_kernels` for every alternative."""
    m = worlds.machine
    choices = len(observation.moves)
    m.listed = None
    m.work.limits(worlds.story.limits.decisions, worlds.story.limits.steps)
    m.stream[:] = [signed(word) for word in stream.state]
    worth = worth_words(game, observation)
    sums = (ctypes.c_double * (k.SUMS * choices))()
    m.scratch[2] = m.scratch[3] = m.scratch[4] = 0
    wanted = max(1, (budget.playouts or PLAYOUTS) // choices) if budget.seconds is None else 1 << 40
    until = None if budget.seconds is None else time.monotonic() + budget.seconds
    done = 0
    while done < wanted and (until is None or time.monotonic() < until or done == 0):
        n = min(SLICE if until is not None else wanted, wanted - done)
        counts.worlds += m.code.search_flat(
            m.base,
            worlds.story_address,
            ctypes.addressof(worlds.plans),
            worlds.count,
            ctypes.addressof(worlds.swaps),
            ctypes.addressof(worlds.walk),
            m.room.address,
            m.work.address,
            ctypes.addressof(m.stream),
            ctypes.addressof(m.scratch),
            ctypes.addressof(worth),
            ctypes.addressof(sums),
            n,
            signed(stream.name),
            done,
            choices,
        )
        done += n
    counts.tried += m.scratch[2]
    counts.missing += m.scratch[3]
    counts.walked += m.scratch[4]
    return [tuple(sums[k.SUMS * a : k.SUMS * (a + 1)]) for a in range(choices)]


def decided(moves: tuple[Move, ...], sums: list[tuple[float, ...]]) -> Decision:
    """The alternative worth most; the first of equals."""
    worths = [row[5] / row[0] if row[0] else -math.inf for row in sums]
    best = max(range(len(moves)), key=lambda a: (worths[a], -a))
    values = tuple(value_of(move, row) for move, row in zip(moves, sums, strict=True) if row[0])
    return Decision(moves[best], values if len(values) == len(moves) else ())


def value_of(move: Move, row: tuple[float, ...]) -> Value:
    """The sums of an alternative as means."""
    weight, points, squares, won, won_squares, _, _, visits = row
    mean, win = points / weight, won / weight
    return Value(
        move,
        mean,
        _error(squares / weight - mean * mean, visits),
        win,
        _error(won_squares / weight - win * win, visits),
        round(visits),
    )


def _error(variance: float, visits: float) -> float:
    return math.sqrt(max(0.0, variance) / visits) if visits else math.inf
