"""Random games in machine code, decision by decision: who chose among how many.

A batch (`batch`) plays whole games in one call and keeps sums only. Here every decision comes back to Python:
much slower than a batch, much faster than the reference engine.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import NamedTuple

from upcard.engine.chance import PLAYER, Stream
from upcard.engine.contract import Limits
from upcard.engine.native.compiled import Compiled, Workspace
from upcard.engine.native.subset import signed


class Walked(NamedTuple):
    """One game: its ending, counted from 1, and of each decision the seat and its number of choices."""

    ending: int
    seats: tuple[int, ...]
    choices: tuple[int, ...]
    scores: tuple[int, ...]


def walks(compiled: Compiled, games: int, seed: int, limits: Limits, first: int = 0) -> Iterator[Walked]:
    """The same games that a batch of that seed plays, in deal order, from a deal on."""
    named = compiled.layout.words
    ending, have, index, scores = (named[name] for name in ("ending", "choices", "seat_index", "scores"))
    count = compiled.layout.seats
    memory = ctypes.create_string_buffer(compiled.size)
    words = (ctypes.c_int64 * (compiled.size // 8)).from_buffer(memory)
    work = Workspace(compiled.lowered.work_size)
    work.limits(limits.decisions, limits.steps)
    for deal in range(first, first + games):
        streams = [Stream((seed, deal, PLAYER, seat)) for seat in range(count)]
        depth = compiled.deal(memory, work.address, signed(seed), deal)
        seats: list[int] = []
        choices: list[int] = []
        while not words[ending]:
            seat, offered = words[depth + index], words[have]
            seats.append(seat)
            choices.append(offered)
            compiled.apply(memory, work.address, streams[seat].below(offered))
            if not words[ending]:
                depth = compiled.advance(memory, work.address)
        yield Walked(words[ending], tuple(seats), tuple(choices), tuple(words[scores : scores + count]))
