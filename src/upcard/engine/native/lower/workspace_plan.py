"""Plan of a program's workspace: what it begins with; the rest is allocated on demand.

Behind the words that every workspace has lie given shuffles, two states (as one was before listing, and after
the setup), and then the first chunk of everything that grows.
"""

from __future__ import annotations

import struct

from upcard.engine.native import ir
from upcard.engine.native.buffer import STATE_INSET
from upcard.engine.native.kernels.structs import Struct
from upcard.engine.native.kernels.workspace_growth import LARGE, Chunk, Region, WordTable
from upcard.engine.native.lower.builder import const
from upcard.engine.native.lower.runtime import (
    ARENA,
    AT,
    BEGINS,
    EFFECTS,
    GIVEN_AT,
    MAX_EFFECTS,
    MAX_GIVEN,
    MAX_STACKED,
    RECORDS,
    SAVED_SPOT,
    STACK_AT,
    page_spot,
    stack_words,
)
from upcard.engine.native.lower.state_layout import Layout
from upcard.engine.native.workspace import WorkPlan
from upcard.recycle.limits import MAX_CARDS_PICKED, MAX_COUNT, MAX_PICKS_LISTED

FIRST_BYTES = 1 << 15
"""Of each chunk that a workspace begins with."""
RECORDS_SPOT = 3584
"""Bytes into a page: see `page_spot`."""
ARENA_BYTES = 160 << 20
"""Lists of one decision."""
RECORDED_BYTES = 8 * MAX_COUNT + (16 + 16) * MAX_PICKS_LISTED + 2 * MAX_CARDS_PICKED
"""Picks of recorded alternatives; groups, with a count and rounded up."""
NOTED_BYTES = 192 << 20
"""The effects of alternatives, where they are noted: at most eight words for each action that the limit on
work allows."""


def most_bytes(held: int) -> int:
    """Of chunks that hold that much: what does not fit into the rest of one begins the next, so up to half is
    left unused, and the last chunk is not full."""
    return 2 * held + LARGE


def begin_words(logging: bool) -> int:
    """Words of the table of alternatives for each: where it begins, and where its effects are."""
    return 2 if logging else 1


class WorkRoom:
    """Bytes of the workspace where things lie."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        state = -(-layout.size // 8) * 8
        self.saved_at = 8 * page_spot(STACK_AT + MAX_STACKED * stack_words(layout), SAVED_SPOT)
        """The state as it was before listing."""
        self.image_at = self.saved_at + state
        """The state after the setup, once there is one."""
        # lists keep out of the bytes of a page where a state lies, and out of those of records
        self.arena_at = 8 * page_spot((self.image_at + state) // 8, (STATE_INSET + state + 63) // 64 * 64)
        self.records_at = 8 * page_spot((self.arena_at + FIRST_BYTES) // 8, RECORDS_SPOT)

    @property
    def arena_start(self) -> tuple[ir.Expr, ir.Expr]:
        """An arena with nothing in it (see `Context.free_arena`)."""
        return const(self.arena_at), const(self.arena_at + FIRST_BYTES)

    def plan(self, lists: bool, records: bool, logging: bool) -> WorkPlan:
        """`lists`, `records`, `logging`: whether the program's code makes any."""
        at = self.arena_at + (FIRST_BYTES if lists or records else 0)
        words: dict[int, Struct] = {}
        for region, start, wanted, held in (
            (ARENA, self.arena_at, lists, ARENA_BYTES),
            (RECORDS, self.records_at, records, RECORDED_BYTES + NOTED_BYTES),
        ):
            size = FIRST_BYTES if wanted else 0
            chunk = Chunk.pack(start=start, room=size)
            words[region] = Region.pack(
                current=chunk, end=start + size, count=1, taken=0, most_taken=most_bytes(held), chunks=[chunk]
            )
            at = max(at, start + size) if wanted else at
        stride = begin_words(logging)
        for table, size, most in (
            (BEGINS, FIRST_BYTES * stride if records else 0, MAX_COUNT * stride),
            (EFFECTS, FIRST_BYTES if logging else 0, MAX_EFFECTS),
        ):
            words[table] = WordTable.pack(base=at // 8, room=size // 8, most_room=most, moved=0)
            at += size
        head = [
            (first + n, value)
            for first, block in words.items()
            for n, (value,) in enumerate(struct.iter_unpack("<q", block.to_bytes()))
        ]
        return WorkPlan(
            at,
            tuple(sorted((word, value) for word, value in head if value)),
            (ARENA, RECORDS),
            (BEGINS, EFFECTS),
            AT["most_decisions"],
            AT["most_steps"],
            AT["stacked"],
            STACK_AT,
            stack_words(self.layout),
            MAX_STACKED,
            GIVEN_AT,
            MAX_GIVEN,
        )
