"""Allocates the buffer of tree search, laid out as in `tree_memory`."""

from __future__ import annotations

import ctypes
import functools
from itertools import accumulate

from upcard.engine.api import Observation
from upcard.engine.native import machine_memory
from upcard.players.search import action_id as ids
from upcard.players.search import tree_memory as k
from upcard.players.search.rollout import SUMS
from upcard.players.search.search_code import SearchCode
from upcard.players.search.utility import coefficients
from upcard.players.search.visibility import visibility_of

MAX_SLOTS = 1 << 17
"""Half of them are filled at most: 65,536 entries, in 8 MB."""
LEAST_SLOTS = 1 << 6
MAX_LISTED = 1 << 13
"""Alternatives of a decision beyond which nothing is told apart: it is played at random."""

MAX_LAID_OUT = 64
"""Kinds of blocks that are kept ready."""

EXPLORE = 1.0
"""How much is tried that does not look best, in standard deviations of results."""


@functools.cache
def logarithms() -> list[float]:
    """Those that are looked up; they are not the system's, which differ between machines."""
    return [0.0, *(k.logarithm(n) for n in range(1, k.LOGS))]


class TreeBuffer:
    """Room for one decision's search, with the identities of its moves."""

    def __init__(
        self, machine: SearchCode, observation: Observation, pc: int, entries: int, explore: float = EXPLORE
    ) -> None:
        """`pc` is the step of the decision; `entries` that will be made at most, if it is known: more than
        there is room for are not made."""
        moves = observation.moves
        slots = LEAST_SLOTS
        while slots < min(2 * entries, MAX_SLOTS):
            slots *= 2
        # all but the moves is the same at every decision of a seat
        key = slots, len(moves), observation.seat, observation.teams, explore
        if key not in machine.trees:
            if len(machine.trees) >= MAX_LAID_OUT:
                machine.trees.clear()
            machine.trees[key] = _lay_out(machine, observation, slots, explore)
        blank = machine.trees[key]
        self.words = machine_memory.words(len(blank) + k.TreeEntry.size // 8 * slots)
        ctypes.memmove(self.words, blank, ctypes.sizeof(blank))
        self.tree = k.Tree.at(self.words)
        self.moves = visibility_of(machine).identities(pc, moves)
        at = self.tree.moves_at
        for n, identity in enumerate(self.moves):
            self.words[at + n] = identity
        self._count = len(moves)

    @property
    def filled(self) -> int:
        """Entries made so far."""
        return self.tree.filled

    def sums(self, width: int = SUMS) -> list[tuple[float, ...]]:
        """For every move that many floats."""
        size = width * self._count
        found = (ctypes.c_double * size).from_buffer(self.words, 8 * self.tree.sums_at)
        return [tuple(found[width * a : width * (a + 1)]) for a in range(self._count)]


def _lay_out(
    machine: SearchCode, observation: Observation, slots: int, explore: float
) -> ctypes.Array[ctypes.c_int64]:
    """A block up to its entries, which come last."""
    layout, moves = machine.layout, observation.moves
    seats, highest = layout.seats, machine.game.program.scoring.highest
    listed = min(max(256, 2 * len(moves)), MAX_LISTED)
    # as many cards as fill words; those behind the last one never move
    place_words = -(-layout.room * layout.where_bytes // 8)
    ids_words = ids.ActionId.size // 8 * listed
    sizes = {
        "path_at": k.PathStep.size // 8 * k.DEEPEST,
        "ids_at": ids_words,
        "root_at": ids_words,
        "picked_at": (ids.Picked.size + ids.PickedCard.size * ids.MAX_OPENED) // 8,
        "places_at": place_words,
        "seen_at": seats + 1,
        "factors_at": seats * seats,
        "sides_at": seats,
        "firsts_at": seats,
        "results_at": k.SeatResult.size // 8 * seats + 1,
        "moves_at": len(moves),
        "sums_at": SUMS * len(moves),
        "logs_at": k.LOGS,
    }
    first = k.Tree.size // 8
    at = dict(zip(sizes, accumulate(sizes.values(), initial=first), strict=False))
    words = machine_memory.words(first + sum(sizes.values()))
    head = k.Tree.pack(
        slots=slots,
        most_filled=slots // 2,
        most_listed=listed,
        explore=explore,
        place_words=place_words,
        entries_at=len(words),
        **at,
    )
    ctypes.memmove(words, head.address, k.Tree.size)
    sides = observation.teams
    mine = next((side for side in sides if observation.seat in side), (observation.seat,))
    for seat in range(seats):
        words[at["sides_at"] + seat] = int(seat in mine)
        words[at["firsts_at"] + seat] = min(next((side for side in sides if seat in side), (seat,)))
    factors = [f for seat in range(seats) for f in coefficients(seat, sides, seats, highest)]
    for part, floats in (("factors_at", factors), ("logs_at", logarithms())):
        room = (ctypes.c_double * len(floats)).from_buffer(words, 8 * at[part])
        for n, value in enumerate(floats):
            room[n] = value
    return words
