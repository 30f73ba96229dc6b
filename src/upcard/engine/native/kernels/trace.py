"""Kernels that trace random games: which seat chose among how many moves, and sums of that.

Compiled once for all games: a game's own `deal`, `advance` and `apply` are called through their addresses.
So tracing takes somewhat longer than `play_games`, which never leaves a game's code.

A game leaves a row, a `TraceHead` and a word for each decision: the seat in the lowest byte, the number of
choices above it. Sums are those of one slice, as in `accumulate`.
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
from upcard.engine.native.kernels.structs import Array, Inline, Struct

SEAT_BITS = 8
"""Of a decision's word."""
LARGE = 1 << 40
"""Games with slopes from here on are set aside."""


class TraceHead(Struct):
    """What is traced of a game, beside its row."""

    slope: Int
    """See `traces.slope_of`."""
    start: Int
    """The index of its first decision."""


class TraceHeads(Struct):
    games: Array[TraceHead]


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
    heads: TraceHeads
    decisions: Ptr
    room: Int
    """Decisions that there is memory for."""


class SlopeSums(Struct):
    """The games with one number of decisions."""

    total: Int
    squares: Inline[Wide]


class SlopeTable(Struct):
    decisions: Array[SlopeSums]


class TracedSums(Struct):
    """The traces of a slice and their sums."""

    heads: TraceHeads
    decisions: Ptr
    sides: Int
    side_of: Ptr
    """The side of each seat."""
    winners: Ptr
    """Per side, the last row that it won, counted from 1."""
    slopes: SlopeTable
    columns: Int
    """How many numbers of choices are counted: 0 to one less."""
    counts: Ptr
    """Per decision of a game, how often it had 0, 1, 2, ... choices."""


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
        head = t.heads.games[n]
        head.slope = sub(mul(12, weighted), mul(6 * (made + 1), choices))
        head.start = start
        start += made
    return count


def add_wide_square(total: Wide, of: Int) -> None:
    """Adds the square of any number."""
    size = sub(0, of) if of < 0 else of
    square = mul(size, size)
    low = add(total.low, square)
    total.low = low
    total.high += umulh(size, size) + (1 if ult(low, square) else 0)


def trace_fits(t: TracedSums, head: TraceHead, decisions: Int) -> Int:
    """Whether the sums have room for the slope and the choices of a game."""
    if head.slope >= LARGE or head.slope <= -LARGE:
        return 0
    trace = offset(t.decisions, 8 * head.start)
    for n in range(decisions):
        if lshr(i64(trace, n), SEAT_BITS) >= t.columns:
            return 0
    return 1


def add_trace(t: TracedSums, head: TraceHead, decisions: Int) -> None:
    sums = t.slopes.decisions[decisions]
    sums.total += head.slope
    add_wide_square(sums.squares, head.slope)
    trace = offset(t.decisions, 8 * head.start)
    for n in range(decisions):
        count_up(t.counts, n * t.columns + lshr(i64(trace, n), SEAT_BITS), 1)


def add_firsts(s: SliceSums, t: TracedSums, row: GameRow, number: Int) -> None:
    """A side is first if any of its seats is; counts how many sides are first together. `number` is that of
    the row, from 1."""
    seats = s.seats
    winners = t.winners
    best = row.scores[0]
    for seat in range(1, seats):
        score = row.scores[seat]
        better = score > best if s.highest != 0 else score < best
        if better != 0:
            best = score
    first = 0
    for seat in range(seats):
        side = i64(t.side_of, seat)
        if row.scores[seat] == best and i64(winners, side) != number:
            set_i64(winners, side, number)
            first += 1
    sides = t.sides
    firsts = offset(s.firsts, 8 * (first - 1))
    for side in range(sides):
        if i64(winners, side) == number:
            count_up(firsts, side * sides, 1)


def add_traces(s: SliceSums, t: TracedSums, count: Int) -> Int:
    """Adds up a slice. Returns how many games were set aside."""
    clear_sums(s)
    aside = 0
    for n in range(count):
        row = GameRow(offset(s.rows, n * row_bytes(s.seats)))
        head = t.heads.games[n]
        if fits(s, row) == 0 or trace_fits(t, head, row.decisions) == 0:
            set_i64(s.aside, aside, n)
            aside += 1
        else:
            add_row(s, row)
            add_firsts(s, t, row, n + 1)
            add_trace(t, head, row.decisions)
    return aside


KERNELS = (trace_games, add_wide_square, trace_fits, add_trace, add_firsts, add_traces)
"""They call some of `random_numbers`, `accumulate` and `playout`."""
