"""Runs tree search within a budget (kernels in `tree`)."""

from __future__ import annotations

import math

from upcard.engine.api import Observation
from upcard.engine.native.game import NativeGame
from upcard.engine.native.kernels.language import signed
from upcard.engine.rng import Stream
from upcard.players.belief.determinization import Worlds
from upcard.players.protocol import Budget, Decision
from upcard.players.search.flat_search import (
    PLAYOUTS,
    Counts,
    cut_playouts,
    decided,
    flat_search,
    kept_utility,
    slice_of,
    slices,
    values_of,
)
from upcard.players.search.tree import TreeSearch
from upcard.players.search.tree_buffer import MAX_LISTED, MAX_SLOTS, TreeBuffer
from upcard.players.search.visibility import visibility_of

OFTEN = 0.75
"""The share of the most taken alternative's visits that makes another one eligible."""


def tree_search(
    worlds: Worlds,
    game: NativeGame,
    observation: Observation,
    budget: Budget,
    stream: Stream,
    counts: Counts,
) -> Decision:
    """A playout is an iteration: one way down the trees in some world."""
    moves, m = observation.moves, worlds.machine
    if len(moves) > MAX_LISTED:
        return decided(moves, flat_search(worlds, game, observation, budget, stream, counts))
    wanted = MAX_SLOTS if budget.seconds is not None else budget.playouts or PLAYOUTS
    buffer = TreeBuffer(m, observation, worlds.history.replay.pc, min(wanted, MAX_SLOTS))
    worlds.begin(stream)
    cut_playouts(m, worlds.history.replay.limits, observation, budget)
    utility = kept_utility(m, game, observation)
    search = TreeSearch.pack(
        worlds=worlds.words,
        room=m.room.address,
        utility=utility,
        visibility=visibility_of(m).table,
        tree=buffer.tree,
        name=signed(stream.name),
        alternatives=len(moves),
    )
    worlds.share_weighing(budget.playouts or PLAYOUTS)
    for first, count in slices(budget, wanted, slice_of(worlds)):
        counts.worlds += m.code.search_trees(search, first, count)
    counts.add_worlds(worlds)
    return _best_known(observation, buffer.sums())


def _best_known(observation: Observation, sums: list[tuple[float, ...]]) -> Decision:
    """The alternative worth most among those taken often; the first of equals.

    Alternatives tried in the same worlds are taken equally often, so being taken most says little by itself.
    """
    moves = observation.moves
    most = max(row[7] for row in sums)

    def rank(a: int) -> tuple[bool, float, int]:
        weight, worth, taken = sums[a][0], sums[a][5], sums[a][7]
        return taken >= OFTEN * most, worth / weight if weight else -math.inf, -a

    return Decision(moves[max(range(len(moves)), key=rank)], values_of(moves, sums))
