"""Tree search over information sets, with a tree for every seat that moves (see `tree_kernels`)."""

from __future__ import annotations

import ctypes
import math
import time

from upcard.engine.chance import Stream
from upcard.engine.contract import Observation
from upcard.engine.native.game import NativeGame
from upcard.engine.native.subset import signed
from upcard.players.pimc import PLAYOUTS, SLICE, Counts, Pimc, decided, flat_search, value_of
from upcard.players.protocol import Budget, Decision
from upcard.players.sight import sight_of
from upcard.players.trees import MOST_LISTED, MOST_SLOTS, Tree
from upcard.players.valuing import worth_words
from upcard.players.worlds import Worlds

OFTEN = 0.75
"""The share of the most taken alternative's visits that makes another one eligible."""


class Ismcts(Pimc):
    """One seat's player for one deal. A playout is an iteration: one world, one way down the trees."""

    def think(self, worlds: Worlds, observation: Observation, budget: Budget, stream: Stream) -> Decision:
        return tree_search(worlds, self.game, observation, budget, stream, self.counts)


def tree_search(
    worlds: Worlds,
    game: NativeGame,
    observation: Observation,
    budget: Budget,
    stream: Stream,
    counts: Counts,
) -> Decision:
    """Down the trees as often as the budget allows."""
    moves, m = observation.moves, worlds.machine
    if len(moves) > MOST_LISTED:
        return decided(moves, flat_search(worlds, game, observation, budget, stream, counts))
    timed = budget.seconds is not None
    wanted = 1 << 40 if timed else budget.playouts or PLAYOUTS
    tree = Tree(m, observation, worlds.story.pc, min(wanted, MOST_SLOTS))
    worth = worth_words(game, observation)
    m.listed = None
    m.work.limits(worlds.story.limits.decisions, worlds.story.limits.steps)
    m.stream[:] = [signed(word) for word in stream.state]
    m.scratch[2] = m.scratch[3] = 0
    until = time.monotonic() + (budget.seconds or 0.0)
    done = 0
    while done < wanted and (not timed or done == 0 or time.monotonic() < until):
        n = min(SLICE if timed else wanted, wanted - done)
        counts.worlds += m.code.search_trees(
            m.base,
            sight_of(m).address,
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
            tree.address,
            n,
            signed(stream.name),
            done,
            len(moves),
        )
        done += n
    counts.tried += m.scratch[2]
    counts.missing += m.scratch[3]
    return _best_known(observation, tree.sums())


def _best_known(observation: Observation, sums: list[tuple[float, ...]]) -> Decision:
    """The alternative worth most among those taken often; the first of equals.

    Alternatives tried in the same worlds are taken equally often, so being taken most says little by itself.
    """
    moves = observation.moves
    most = max(row[7] for row in sums)

    def rank(a: int) -> tuple[bool, float, int]:
        weight, worth, taken = sums[a][0], sums[a][5], sums[a][7]
        return taken >= OFTEN * most, worth / weight if weight else -math.inf, -a

    best = max(range(len(moves)), key=rank)
    values = tuple(value_of(move, row) for move, row in zip(moves, sums, strict=True) if row[0])
    return Decision(moves[best], values if len(values) == len(moves) else ())
