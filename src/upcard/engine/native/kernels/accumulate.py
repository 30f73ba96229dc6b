"""Kernels that add up the rows of finished games.

A block of words holds the sums of one slice of rows; Python takes them over into a `Summary` after each
slice, where numbers have no end. What could leave 64 bits in a slice has two words (squares), and a row with
a number of more than 31 bits, or with more decisions than the block has lengths for, is set aside: its index
is noted and Python adds it. So every sum is exact.
"""

from __future__ import annotations

from upcard.engine.native.kernels.language import Int, Ptr, add, i64, offset, set_i64, ult

ROW_WORDS = 4
"""Of a finished game: ending, decisions, choices, forced; then the scores, then the fault."""

MOST_LENGTHS = 1024
"""How many numbers of decisions a block has sums for: 0 to one less."""

MOST_ROWS = 1 << 20
"""Rows of a slice: 31 bits squared, so many times, fill two words nowhere near."""

# The block: words about the slice, then a group of words per seat, then one per number of decisions.
ENDS = 0
"""How many games ended each way, by number from 1; word 0 counts the rows set aside."""
FAILED = 4
"""The last way to end: it has no scores."""
FAILED_AT = 5
"""Indices of the first failed rows."""
NOTED = 3
SHORTEST = 8
LONGEST = 9
HEAD = 10

SCORES = 0
SQUARES = 1
LEAST = 3
MOST = 4
FIRSTS = 5
"""In a seat's group: the sum of scores, of squares (low, high), the extremes, then the first places among
1, 2, ... winners."""

GAMES = 0
CHOICES = 1
CHOICES_SQUARES = 2
FORCED = 4
FORCED_SQUARES = 5
LENGTH_WORDS = 6

LIMIT = 1 << 31


def block_words(seats: Int, lengths: Int) -> Int:
    return HEAD + seats * (FIRSTS + seats) + lengths * LENGTH_WORDS


def count_up(words: Ptr, index: Int, more: Int) -> None:
    set_i64(words, index, i64(words, index) + more)


def add_square(words: Ptr, index: Int, of: Int) -> None:
    """The square of a number of up to 31 bits, to a sum of two words, the low one first."""
    square = of * of
    low = add(i64(words, index), square)
    set_i64(words, index, low)
    if ult(low, square):
        count_up(words, index + 1, 1)


def is_small(row: Ptr, seats: Int, lengths: Int) -> Int:
    """Whether the sums have room for all numbers of a row."""
    if i64(row, 1) >= lengths or i64(row, 2) >= LIMIT or i64(row, 2) < 0:
        return 0
    if i64(row, 0) != FAILED:
        for seat in range(seats):
            score = i64(row, ROW_WORDS + seat)
            if score >= LIMIT or score <= -LIMIT:
                return 0
    return 1


def add_scores(groups: Ptr, row: Ptr, seats: Int, highest: Int) -> None:
    best = i64(row, ROW_WORDS)
    winners = 0
    for seat in range(seats):
        score = i64(row, ROW_WORDS + seat)
        better = score > best if highest != 0 else score < best
        if better != 0:
            best = score
            winners = 0
        if score == best:
            winners += 1
        group = offset(groups, 8 * seat * (FIRSTS + seats))
        count_up(group, SCORES, score)
        add_square(group, SQUARES, score)
        if score < i64(group, LEAST):
            set_i64(group, LEAST, score)
        if score > i64(group, MOST):
            set_i64(group, MOST, score)
    for seat in range(seats):
        if i64(row, ROW_WORDS + seat) == best:
            count_up(groups, seat * (FIRSTS + seats) + FIRSTS + winners - 1, 1)


def add_rows(sums: Ptr, rows: Ptr, count: Int, seats: Int, highest: Int, lengths: Int, aside: Ptr) -> Int:
    """Clears the block and adds rows to it. Gives how many were set aside; `aside` has their indices."""
    for i in range(block_words(seats, lengths)):
        set_i64(sums, i, 0)
    set_i64(sums, SHORTEST, lengths)
    set_i64(sums, LONGEST, -1)
    groups = offset(sums, 8 * HEAD)
    for seat in range(seats):
        set_i64(groups, seat * (FIRSTS + seats) + LEAST, LIMIT)
        set_i64(groups, seat * (FIRSTS + seats) + MOST, -LIMIT)
    table = offset(groups, 8 * seats * (FIRSTS + seats))
    left_out = 0
    for n in range(count):
        row = offset(rows, 8 * n * (ROW_WORDS + seats + 1))
        if is_small(row, seats, lengths) == 0:
            set_i64(aside, left_out, n)
            left_out += 1
            continue
        ending = i64(row, 0)
        if ending == FAILED:
            if i64(sums, FAILED) < NOTED:
                set_i64(sums, FAILED_AT + i64(sums, FAILED), n)
        else:
            add_scores(groups, row, seats, highest)
        count_up(sums, ENDS + ending, 1)
        decisions = i64(row, 1)
        if decisions < i64(sums, SHORTEST):
            set_i64(sums, SHORTEST, decisions)
        if decisions > i64(sums, LONGEST):
            set_i64(sums, LONGEST, decisions)
        length = offset(table, 8 * decisions * LENGTH_WORDS)
        count_up(length, GAMES, 1)
        count_up(length, CHOICES, i64(row, 2))
        add_square(length, CHOICES_SQUARES, i64(row, 2))
        count_up(length, FORCED, i64(row, 3))
        count_up(length, FORCED_SQUARES, i64(row, 3) * i64(row, 3))
    set_i64(sums, ENDS, left_out)
    return left_out


KERNELS = (block_words, count_up, add_square, is_small, add_scores, add_rows)
