"""Kernels that trace random games: who chose among how many moves, and their sums.

Compiled once for all games: a game's own `deal`, `advance` and `apply` are called through their addresses. So
it takes somewhat longer than a batch, which never leaves a game's code, and playouts stay free of it.

A game leaves a row (ending, decisions, choices, forced decisions, slope, the scores, the fault) and a word
for each decision: the seat, and above its byte the number of choices. The slope is `traces.slope_of`, a
whole number.

Sums are those of one slice, as in `summing`: Python takes them over, and adds the games that were set aside
because the block has no room for their numbers.
"""

from __future__ import annotations

from upcard.engine.native.kernels.accumulate import LIMIT, count_up
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
    ENDING,
    FAILED,
    FAULT,
    SCORES,
    SEATS,
    STREAMS,
    seat_streams,
)
from upcard.engine.native.kernels.random_numbers import choose_below, name_word

OFFERED = 11
MOVER = 12
DEAL = 13
ADVANCE = 14
APPLY = 15
FACTS = 16
"""The words of `facts` are those of `playout`, then these: words of the state, addresses."""

SEAT_BITS = 8
"""Of a decision's word."""

ROW_SCORES = 5
"""In a row, behind: ending, decisions, choices, forced, slope."""
SLOPE = 4

LARGE = 1 << 40
"""A slope from here on is set aside."""

# The block of sums: words about the slice; per side how often it was first among 1, 2, .. sides; then a group
# of words per number of decisions; then per decision number how often there were 0, 1, 2, .. choices.
ENDS = 0
"""How many games ended each way, by number from 1; word 0 counts the rows set aside."""
LONGEST = 5
HEAD = 6

GAMES = 0
CHOICES = 1
CHOICES_SQUARES = 2
FORCED = 4
FORCED_SQUARES = 5
SLOPES = 6
SLOPES_SQUARES = 7
LENGTH_WORDS = 9


def trace_games(
    facts: Ptr,
    state: Ptr,
    work: Ptr,
    seed: Int,
    first: Int,
    count: Int,
    rows: Ptr,
    trace: Ptr,
    room: Int,
    longest: Int,
) -> Int:
    """A row for each deal, and its decisions one behind the other in `trace`. Gives how many were played:
    fewer than asked for where the trace has no room left for a game of `longest` decisions."""
    seats = i64(facts, SEATS)
    streams = offset(work, 8 * i64(facts, STREAMS))
    for n in range(count):
        if room < longest:
            return n
        number = add(first, n)
        depth = call_at(i64(facts, DEAL), state, work, seed, number)
        seat_streams(work, facts, name_word(name_word(name_word(0, seed), number), 1))
        made = 0
        choices = 0
        forced = 0
        weighted = 0
        while i64(state, i64(facts, ENDING)) == 0:
            seat = i64(state, i64(facts, MOVER) + depth)
            have = i64(state, i64(facts, OFFERED))
            set_i64(trace, made, seat + shl(have, SEAT_BITS))
            made += 1
            choices += have
            weighted = add(weighted, mul(made, have))
            if have == 1:
                forced += 1
            call_at(i64(facts, APPLY), state, work, choose_below(streams, seat, have))
            if i64(state, i64(facts, ENDING)) == 0:
                depth = call_at(i64(facts, ADVANCE), state, work)
        row = offset(rows, 8 * n * (ROW_SCORES + seats + 1))
        set_i64(row, 0, i64(state, i64(facts, ENDING)))
        set_i64(row, 1, made)
        set_i64(row, 2, choices)
        set_i64(row, 3, forced)
        set_i64(row, SLOPE, sub(mul(12, weighted), mul(6 * (made + 1), choices)))
        for seat in range(seats):
            set_i64(row, ROW_SCORES + seat, i64(state, i64(facts, SCORES) + seat))
        set_i64(row, ROW_SCORES + seats, i64(state, i64(facts, FAULT)))
        trace = offset(trace, 8 * made)
        room = room - made
    return count


def sums_words(sides: Int, lengths: Int, wide: Int) -> Int:
    return HEAD + sides * sides + lengths * (LENGTH_WORDS + wide)


def add_wide_square(words: Ptr, index: Int, of: Int) -> None:
    """The square of any number, to a sum of two words, the low one first."""
    size = sub(0, of) if of < 0 else of
    square = mul(size, size)
    low = add(i64(words, index), square)
    set_i64(words, index, low)
    count_up(words, index + 1, umulh(size, size) + (1 if ult(low, square) else 0))


def has_room(row: Ptr, trace: Ptr, lengths: Int, wide: Int) -> Int:
    """Whether the sums have room for all numbers of a game."""
    slope = i64(row, SLOPE)
    if i64(row, 1) >= lengths or i64(row, 2) >= LIMIT or slope >= LARGE or slope <= -LARGE:
        return 0
    for n in range(i64(row, 1)):
        if lshr(i64(trace, n), SEAT_BITS) >= wide:
            return 0
    return 1


def add_firsts(firsts: Ptr, row: Ptr, seats: Int, sides: Int, side_of: Ptr, highest: Int) -> None:
    """A side is first if any of its seats is; of those first together, it is counted how many they are."""
    best = i64(row, ROW_SCORES)
    for seat in range(seats):
        score = i64(row, ROW_SCORES + seat)
        better = score > best if highest != 0 else score < best
        if better != 0:
            best = score
    first = 0
    for side in range(sides):
        if is_first(row, seats, side_of, side, best) != 0:
            first += 1
    for side in range(sides):
        if is_first(row, seats, side_of, side, best) != 0:
            count_up(firsts, side * sides + first - 1, 1)


def is_first(row: Ptr, seats: Int, side_of: Ptr, side: Int, best: Int) -> Int:
    for seat in range(seats):
        if i64(side_of, seat) == side and i64(row, ROW_SCORES + seat) == best:
            return 1
    return 0


def add_courses(
    sums: Ptr,
    rows: Ptr,
    trace: Ptr,
    count: Int,
    seats: Int,
    sides: Int,
    side_of: Ptr,
    highest: Int,
    lengths: Int,
    wide: Int,
    aside: Ptr,
) -> Int:
    """Clears the block and adds games to it. Gives how many were set aside; `aside` has their indices.

    A failed game counts among the endings and nowhere else.
    """
    for i in range(sums_words(sides, lengths, wide)):
        set_i64(sums, i, 0)
    firsts = offset(sums, 8 * HEAD)
    groups = offset(firsts, 8 * sides * sides)
    table = offset(groups, 8 * lengths * LENGTH_WORDS)
    left_out = 0
    for n in range(count):
        row = offset(rows, 8 * n * (ROW_SCORES + seats + 1))
        decisions = i64(row, 1)
        ending = i64(row, 0)
        if ending == FAILED:
            count_up(sums, ENDS + ending, 1)
        elif has_room(row, trace, lengths, wide) == 0:
            set_i64(aside, left_out, n)
            left_out += 1
        else:
            count_up(sums, ENDS + ending, 1)
            add_firsts(firsts, row, seats, sides, side_of, highest)
            if decisions > i64(sums, LONGEST):
                set_i64(sums, LONGEST, decisions)
            group = offset(groups, 8 * decisions * LENGTH_WORDS)
            count_up(group, GAMES, 1)
            count_up(group, CHOICES, i64(row, 2))
            add_wide_square(group, CHOICES_SQUARES, i64(row, 2))
            count_up(group, FORCED, i64(row, 3))
            count_up(group, FORCED_SQUARES, i64(row, 3) * i64(row, 3))
            count_up(group, SLOPES, i64(row, SLOPE))
            add_wide_square(group, SLOPES_SQUARES, i64(row, SLOPE))
            for k in range(decisions):
                count_up(table, k * wide + lshr(i64(trace, k), SEAT_BITS), 1)
        trace = offset(trace, 8 * decisions)
    set_i64(sums, ENDS, left_out)
    return left_out


KERNELS = (trace_games, sums_words, add_wide_square, has_room, add_firsts, is_first, add_courses)
"""They call some of `random_numbers`, `summing` and `playout`."""
