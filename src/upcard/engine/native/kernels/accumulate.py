"""Kernels that add up the rows of finished games.

Sums are those of one slice of rows; Python takes them over after each slice, where numbers have no limit.
Sums of squares have two words. A game that failed, that has a number of more than 31 bits or more decisions
than there are sums for is set aside: its index is noted and Python adds it. So every sum is exact.
"""

from __future__ import annotations

from upcard.engine.native.kernels.language import Int, Ptr, add, i64, offset, set_i64, ult
from upcard.engine.native.kernels.playout import FAILED, GameRow, row_bytes
from upcard.engine.native.kernels.structs import Array, Inline, Struct, length

MAX_LENGTHS = 1024
"""The most numbers of decisions that have sums: 0 to one less."""
MAX_ROWS = 1 << 20
"""The most rows of a slice: this many squares of 31 bits do not nearly fill two words."""
LIMIT = 1 << 31


class Wide(Struct):
    """A sum that may take more than 64 bits."""

    low: Int
    high: Int


class ScoreSums(Struct):
    """The scores of one seat."""

    total: Int
    squares: Inline[Wide]
    least: Int
    most: Int


class ScoreTable(Struct):
    seats: Array[ScoreSums]


class LengthSums(Struct):
    """The games with one number of decisions."""

    games: Int
    choices: Int
    choices_squares: Inline[Wide]
    forced: Int
    forced_squares: Int


class LengthTable(Struct):
    decisions: Array[LengthSums]


class SliceTotals(Struct):
    shortest: Int
    longest: Int
    """The fewest and the most decisions of a game."""
    ends: Array[Int] = length(5)
    """How many games ended each way, by number from 1."""


class SliceSums(Struct):
    """The rows of a slice and their sums."""

    rows: Ptr
    aside: Ptr
    """Indices of the rows that were set aside."""
    seats: Int
    highest: Int
    """Whether more points are better."""
    lengths: Int
    """How many numbers of decisions have sums."""
    block: Ptr
    """The memory of all tables, which is cleared before a slice is added."""
    block_words: Int
    firsts: Ptr
    """Per side, how often it was first alone, with one other side, ..."""
    scores: ScoreTable
    by_length: LengthTable
    totals: SliceTotals


def count_up(words: Ptr, index: Int, more: Int) -> None:
    set_i64(words, index, i64(words, index) + more)


def add_square(total: Wide, of: Int) -> None:
    """Adds the square of a number of up to 31 bits."""
    square = of * of
    low = add(total.low, square)
    total.low = low
    if ult(low, square):
        total.high += 1


def clear_sums(s: SliceSums) -> None:
    for i in range(s.block_words):
        set_i64(s.block, i, 0)
    s.totals.shortest = s.lengths
    for seat in range(s.seats):
        s.scores.seats[seat].least = LIMIT
        s.scores.seats[seat].most = -LIMIT


def fits(s: SliceSums, row: GameRow) -> Int:
    """Whether the sums have room for all numbers of a game."""
    if row.ending == FAILED or row.decisions >= s.lengths or row.choices >= LIMIT or row.choices < 0:
        return 0
    for seat in range(s.seats):
        score = row.scores[seat]
        if score >= LIMIT or score <= -LIMIT:
            return 0
    return 1


def add_row(s: SliceSums, row: GameRow) -> None:
    """Adds what both levels of detail count, except first places."""
    totals = s.totals
    totals.ends[row.ending] += 1
    decisions = row.decisions
    if decisions < totals.shortest:
        totals.shortest = decisions
    if decisions > totals.longest:
        totals.longest = decisions
    sums = s.by_length.decisions[decisions]
    sums.games += 1
    sums.choices += row.choices
    add_square(sums.choices_squares, row.choices)
    sums.forced += row.forced
    sums.forced_squares += row.forced * row.forced


def add_scores(s: SliceSums, row: GameRow) -> None:
    """Adds scores and first places, where each seat is a side."""
    seats = s.seats
    table = s.scores
    best = row.scores[0]
    winners = 0
    for seat in range(seats):
        score = row.scores[seat]
        better = score > best if s.highest != 0 else score < best
        if better != 0:
            best = score
            winners = 0
        if score == best:
            winners += 1
        sums = table.seats[seat]
        sums.total += score
        add_square(sums.squares, score)
        if score < sums.least:
            sums.least = score
        if score > sums.most:
            sums.most = score
    firsts = offset(s.firsts, 8 * (winners - 1))
    for seat in range(seats):
        if row.scores[seat] == best:
            count_up(firsts, seat * seats, 1)


def add_rows(s: SliceSums, count: Int) -> Int:
    """Adds up a slice. Returns how many rows were set aside."""
    clear_sums(s)
    aside = 0
    for n in range(count):
        row = GameRow(offset(s.rows, n * row_bytes(s.seats)))
        if fits(s, row) == 0:
            set_i64(s.aside, aside, n)
            aside += 1
        else:
            add_row(s, row)
            add_scores(s, row)
    return aside


KERNELS = (row_bytes, count_up, add_square, clear_sums, fits, add_row, add_scores, add_rows)
