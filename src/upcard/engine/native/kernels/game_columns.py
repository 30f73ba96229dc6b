"""Kernel that turns rows of finished games into columns, each as wide as Arrow wants it."""

from __future__ import annotations

from upcard.engine.native.kernels.language import Int, Ptr, add, offset, set_i64, set_u8, set_u32
from upcard.engine.native.kernels.playout import FAILED, GameRow, row_bytes
from upcard.engine.native.kernels.structs import Struct


class GameColumns(Struct):
    """Where the columns go. Those of seats lie one behind the other."""

    seats: Int
    highest: Int
    """Whether more points are better."""
    deals: Ptr
    """Words, as choices and scores are."""
    endings: Ptr
    """Bytes, as ranks are. An ending is its index among `ENDINGS`."""
    decisions: Ptr
    """32 bits, as forced decisions and faults are: a game has at most a million decisions."""
    choices: Ptr
    forced: Ptr
    faults: Ptr
    scores: Ptr
    ranks: Ptr


def rank_of(row: GameRow, seat: Int, seats: Int, highest: Int) -> Int:
    """How many seats did better."""
    mine = row.scores[seat]
    rank = 0
    for other in range(seats):
        score = row.scores[other]
        better = score > mine if highest != 0 else score < mine
        if better != 0:
            rank += 1
    return rank


def write_columns(columns: GameColumns, rows: Ptr, first: Int, count: Int) -> Int:
    """The columns of rows whose first one is the deal `first`. Returns how many games failed: their scores
    and ranks mean nothing."""
    failed = 0
    seats = columns.seats
    highest = columns.highest
    scores = columns.scores
    ranks = columns.ranks
    for n in range(count):
        row = GameRow(offset(rows, n * row_bytes(seats)))
        ending = row.ending
        if ending == FAILED:
            failed += 1
        set_i64(columns.deals, n, add(first, n))
        set_u8(columns.endings, n, ending - 1)
        set_u32(columns.decisions, n, row.decisions)
        set_i64(columns.choices, n, row.choices)
        set_u32(columns.forced, n, row.forced)
        set_u32(columns.faults, n, row.fault)
        for seat in range(seats):
            set_i64(scores, seat * count + n, row.scores[seat])
            set_u8(ranks, seat * count + n, rank_of(row, seat, seats, highest))
    return failed


KERNELS = (rank_of, write_columns)
