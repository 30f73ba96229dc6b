"""Allocates the buffer of tree search, laid out as in `tree_memory`."""

from __future__ import annotations

import ctypes
import functools

from upcard.engine.api import Observation
from upcard.players.search import action_id as ids
from upcard.players.search import rollout as ending_kernels
from upcard.players.search import tree_memory as k
from upcard.players.search.search_code import SearchCode
from upcard.players.search.utility import coefficients
from upcard.players.search.visibility import sight_of

MOST_SLOTS = 1 << 17
"""Half of them are filled at most: 65,536 entries, in 8 MB."""
LEAST_SLOTS = 1 << 6
MOST_LISTED = 1 << 13
"""Alternatives of a decision beyond which nothing is told apart: it is played at random."""

MOST_LAID_OUT = 64
"""Kinds of blocks that are kept ready."""

EXPLORE = 1.0
"""How much is tried that does not look best, in standard deviations of results."""


@functools.cache
def logarithms() -> list[float]:
    """Those that are looked up; they are not the system's, which differ between machines."""
    return [0.0, *(k.logarithm(n) for n in range(1, k.LOGS))]


class Tree:
    """Room for one decision's search, with the identities of its moves."""

    def __init__(
        self, machine: SearchCode, observation: Observation, pc: int, entries: int, explore: float = EXPLORE
    ) -> None:
        """`pc` is the step of the decision; `entries` that will be made at most, if it is known: more than
        there is room for are not made."""
        moves = observation.moves
        slots = LEAST_SLOTS
        while slots < min(2 * entries, MOST_SLOTS):
            slots *= 2
        # all but the moves is the same at every decision of a seat
        key = slots, len(moves), observation.seat, observation.teams, explore
        if key not in machine.trees:
            if len(machine.trees) >= MOST_LAID_OUT:
                machine.trees.clear()
            machine.trees[key] = _lay_out(machine, observation, slots, explore)
        blank = machine.trees[key]
        self.words = (ctypes.c_int64 * (len(blank) + k.ENTRY * slots))()
        ctypes.memmove(self.words, blank, ctypes.sizeof(blank))
        self.moves = sight_of(machine).identities(pc, moves)
        at = self.words[k.MOVES_AT]
        for n, identity in enumerate(self.moves):
            self.words[at + n] = identity
        self._count = len(moves)

    @property
    def address(self) -> int:
        return ctypes.addressof(self.words)

    @property
    def filled(self) -> int:
        """Entries made so far."""
        return self.words[k.FILLED]

    def sums(self, width: int = ending_kernels.SUMS) -> list[tuple[float, ...]]:
        """For every move so many floats."""
        size = width * self._count
        found = (ctypes.c_double * size).from_buffer(self.words, 8 * self.words[k.SUMS_AT])
        return [tuple(found[width * a : width * (a + 1)]) for a in range(self._count)]


def _lay_out(
    machine: SearchCode, observation: Observation, slots: int, explore: float
) -> ctypes.Array[ctypes.c_int64]:
    """A block up to its entries, which come last."""
    layout, moves = machine.layout, observation.moves
    seats, highest = layout.seats, machine.game.program.scoring.highest
    listed = min(max(256, 2 * len(moves)), MOST_LISTED)
    # as many cards as fill words; those behind the last one never move
    place_words = -(-layout.room * layout.where_bytes // 8)
    sizes = {
        k.PATH_AT: 3 * k.DEEPEST,
        k.IDS_AT: ids.ID_WORDS * listed,
        k.ROOT_AT: ids.ID_WORDS * listed,
        k.PICKED_AT: ids.PICKED_HEAD + 3 * ids.MOST_OPENED,
        k.PLACES_AT: place_words,
        k.SEEN_AT: seats + 1,
        k.FACTORS_AT: seats * seats,
        k.SIDES_AT: seats,
        k.FIRSTS_AT: seats,
        k.RESULTS_AT: 4 * seats + 1,
        k.MOVES_AT: len(moves),
        k.SUMS_AT: ending_kernels.SUMS * len(moves),
        k.LOGS_AT: k.LOGS,
    }
    words = (ctypes.c_int64 * (k.TREE_HEAD + sum(sizes.values())))()
    words[k.SLOTS], words[k.MOST_FILLED], words[k.MOST_LISTED] = slots, slots // 2, listed
    words[k.PLACE_WORDS], words[k.ENTRIES_AT] = place_words, len(words)
    at = k.TREE_HEAD
    for name, size in sizes.items():
        words[name] = at
        at += size
    sides = observation.teams
    mine = next((side for side in sides if observation.seat in side), (observation.seat,))
    for seat in range(seats):
        words[words[k.SIDES_AT] + seat] = int(seat in mine)
        words[words[k.FIRSTS_AT] + seat] = min(next((side for side in sides if seat in side), (seat,)))
    factors = [f for seat in range(seats) for f in coefficients(seat, sides, seats, highest)]
    for at, floats in (
        (k.EXPLORE, [explore]),
        (words[k.FACTORS_AT], factors),
        (words[k.LOGS_AT], logarithms()),
    ):
        room = (ctypes.c_double * len(floats)).from_buffer(words, 8 * at)
        for n, value in enumerate(floats):
            room[n] = value
    return words
