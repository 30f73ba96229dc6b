"""Kernels that trace random games: which seat chose among how many moves, and sums of that.

Compiled once for all games: a game's own `deal`, `advance` and `apply` are called through their addresses.
So tracing takes somewhat longer than `play_games`, which never leaves a game's code.

A game leaves a row and a word for each decision: the seat in the lowest byte, the number of choices above it.
Sums are those of one slice, as in `accumulate`.
"""

from __future__ import annotations

from upcard.engine.native.kernels.accumulate import SliceSums, Wide, add_row, clear_sums, count_up, fits
from upcard.engine.native.kernels.language import (
    Int,
    Ptr,
    add,
    call_at,
    i64,
    lshr,
    mul,
    offset,
    set_i64,
    shl,
    sub,
    ult,
    umulh,
)
from upcard.engine.native.kernels.playout import (
    GameFacts,
    GameRow,
    deal_name,
    row_bytes,
    seat_streams,
    write_row,
)
from upcard.engine.native.kernels.random_numbers import choose_below
from upcard.engine.native.kernels.structs import Struct

SEAT_BITS = 8
"""Of a decision's word."""
LARGE = 1 << 40
"""Games with slopes from here on are set aside."""


class Tracing(Struct):
    """A game, memory to play it in, and memory for rows and decisions."""

    facts: GameFacts
    deal: Int
    advance: Int
    apply: Int
    """Addresses of the game's functions."""
    state: Ptr
    work: Ptr
    seed: Int
    most_decisions: Int
    """The most decisions of a game."""
    rows: Ptr
    decisions: Ptr
    room: Int
    """Decisions that there is memory for."""


class ChoiceCounts(Struct):
    """Per decision of a game, how often it had 0, 1, 2, ... choices."""

    decisions: Ptr
    """As `trace_games` left them."""
    columns: Int
    counts: Ptr


def trace_games(t: Tracing, first: Int, count: Int) -> Int:
    """A row for each deal, and its decisions one behind the other. Returns how many deals were played: fewer
    than asked for where there is no room left for the longest game."""
    streams = offset(t.work, 8 * t.facts.streams)
    ending = t.facts.ending
    start = 0
    for n in range(count):
        if t.room - start < t.most_decisions:
            return n
        trace = offset(t.decisions, 8 * start)
        number = add(first, n)
        depth = call_at(t.deal, t.state, t.work, t.seed, number)
        seat_streams(t.work, t.facts, deal_name(t.seed, number))
        made = 0
        choices = 0
        forced = 0
        weighted = 0
        while i64(t.state, ending) == 0:
            seat = i64(t.state, t.facts.mover + depth)
            offered = i64(t.state, t.facts.offered)
            set_i64(trace, made, seat + shl(offered, SEAT_BITS))
            made += 1
            choices += offered
            weighted = add(weighted, mul(made, offered))
            if offered == 1:
                forced += 1
            call_at(t.apply, t.state, t.work, choose_below(streams, seat, offered))
            if i64(t.state, ending) == 0:
                depth = call_at(t.advance, t.state, t.work)
        row = GameRow(offset(t.rows, n * row_bytes(t.facts.seats)))
        write_row(row, t.state, t.facts, made, choices, forced)
        row.slope = sub(mul(12, weighted), mul(6 * (made + 1), choices))
        row.first_decision = start
        start += made
    return count


def add_wide_square(total: Wide, of: Int) -> None:
    """Adds the square of any number."""
    size = sub(0, of) if of < 0 else of
    square = mul(size, size)
    low = add(total.low, square)
    total.low = low
    total.high += umulh(size, size) + (1 if ult(low, square) else 0)


def trace_fits(c: ChoiceCounts, row: GameRow) -> Int:
    """Whether the sums have room for the slope and the choices of a game."""
    if row.slope >= LARGE or row.slope <= -LARGE:
        return 0
    trace = offset(c.decisions, 8 * row.first_decision)
    for n in range(row.decisions):
        if lshr(i64(trace, n), SEAT_BITS) >= c.columns:
            return 0
    return 1


def add_traces(s: SliceSums, c: ChoiceCounts, count: Int) -> Int:
    """Adds up a slice. Returns how many games were set aside."""
    clear_sums(s)
    aside = 0
    for n in range(count):
        row = GameRow(offset(s.rows, n * row_bytes(s.seats)))
        if fits(s, row) == 0 or trace_fits(c, row) == 0:
            set_i64(s.aside, aside, n)
            aside += 1
        else:
            add_row(s, row, n + 1)
            sums = s.by_length.decisions[row.decisions]
            sums.slopes += row.slope
            add_wide_square(sums.slopes_squares, row.slope)
            trace = offset(c.decisions, 8 * row.first_decision)
            for k in range(row.decisions):
                count_up(c.counts, k * c.columns + lshr(i64(trace, k), SEAT_BITS), 1)
    return aside


KERNELS = (trace_games, add_wide_square, trace_fits, add_traces)
"""They call some of `random_numbers`, `accumulate` and `playout`."""
