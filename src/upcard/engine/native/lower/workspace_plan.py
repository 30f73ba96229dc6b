"""Plan of a program's workspace: what it begins with; the rest is allocated on demand.

Behind the words that every workspace has lie given shuffles, two states (as one was before listing, and after
the setup), and then the first chunk of everything that grows.
"""

from __future__ import annotations

from upcard.engine.native import ir
from upcard.engine.native.buffer import STATE_INSET
from upcard.engine.native.kernels import workspace_growth as room
from upcard.engine.native.lower.builder import const
from upcard.engine.native.lower.runtime import (
    ARENA,
    AT,
    BEGINS,
    EFFECTS,
    MOST_EFFECTS,
    MOST_STACKED,
    RECORDS,
    SAVED_SPOT,
    STACK_AT,
    page_spot,
    stack_words,
)
from upcard.engine.native.lower.state_layout import Layout
from upcard.engine.native.workspace import WorkPlan
from upcard.recycle.limits import MOST, MOST_CARDS_PICKED, MOST_PICKS_LISTED

FIRST_BYTES = 1 << 15
"""Of each chunk that a workspace begins with."""
RECORDS_SPOT = 3584
"""Bytes into a page: see `page_spot`."""
ARENA_BYTES = 160 << 20
"""Lists of one decision."""
RECORDED_BYTES = 8 * MOST + (16 + 16) * MOST_PICKS_LISTED + 2 * MOST_CARDS_PICKED
"""Picks of recorded alternatives; groups, with a count and rounded up."""
NOTED_BYTES = 192 << 20
"""The effects of alternatives, where they are noted: at most eight words for each action that the limit on
work allows."""


def most_bytes(held: int) -> int:
    """Of chunks that hold so much: what does not fit into the rest of one begins the next, so up to half is
    left unused, and the last chunk is not full."""
    return 2 * held + room.LARGE


def begin_words(logging: bool) -> int:
    """Words of the table of alternatives for each: where it begins, and where its effects are."""
    return 2 if logging else 1


class WorkRoom:
    """Bytes of the workspace where things lie."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        state = -(-layout.size // 8) * 8
        self.saved_at = 8 * page_spot(STACK_AT + MOST_STACKED * stack_words(layout), SAVED_SPOT)
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
        head: dict[int, int] = {}
        for region, start, wanted, held in (
            (ARENA, self.arena_at, lists, ARENA_BYTES),
            (RECORDS, self.records_at, records, RECORDED_BYTES + NOTED_BYTES),
        ):
            size = FIRST_BYTES if wanted else 0
            head |= {region + room.CHUNKS: 1, region + room.MOST_BYTES: most_bytes(held)}
            for word in (region, region + room.FIRST):
                head |= {word: start, word + 1: size}
            head[region + room.END] = start + size
            at = max(at, start + size) if wanted else at
        stride = begin_words(logging)
        for table, size, words in (
            (BEGINS, FIRST_BYTES * stride if records else 0, MOST * stride),
            (EFFECTS, FIRST_BYTES if logging else 0, MOST_EFFECTS),
        ):
            head |= {table + room.BASE: at // 8, table + room.ROOM: size // 8, table + room.MOST_ROOM: words}
            at += size
        return WorkPlan(
            at,
            tuple(sorted((word, value) for word, value in head.items() if value)),
            (ARENA, RECORDS),
            (BEGINS, EFFECTS),
            AT["most_decisions"],
            AT["most_steps"],
            AT["stacked"],
            STACK_AT,
            stack_words(self.layout),
            MOST_STACKED,
        )
