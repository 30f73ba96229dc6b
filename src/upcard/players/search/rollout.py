"""Kernels that roll a deal out at random and compute its utility.

The worth of an ended deal: `worth`, in words and floats:
    sort (POINTS, RACE), mover's seat, seats, most (1) or fewest points (0) win,
    for RACE: seat of the other side, mover's total, the other's total, rows and columns of the table
    per seat a float: what a point of that seat is worth to the mover
    for RACE the table: the chance that the mover's side wins the match, by both totals
"""

from __future__ import annotations

from upcard.engine.native.kernels.language import Float, Int, Ptr, f64, i64, itof, offset, set_f64, set_i64
from upcard.engine.native.kernels.random_numbers import name_word, seed_stream
from upcard.players.belief.action_match import CHANCE, NAME, SCORES, SEATS, STREAMS

FAILED = 4

POINTS = 0
RACE = 1
SORT = 0
MOVER = 1
PLAYERS = 2
HIGHEST = 3
OTHER = 4
OWN_TOTAL = 5
OTHER_TOTAL = 6
ROWS = 7
COLUMNS = 8
WORTH_HEAD = 9

SUMS = 9
"""Floats an alternative: weight, points, squares, wins, squares, worth, squares, playouts, worlds.
Squares are those of a world's means: playouts in one world are no independent ones."""


def first_place(game: Ptr, state: Ptr, worth: Ptr) -> Float:
    """The mover's share of first place in this deal."""
    scores = i64(game, SCORES)
    mine = i64(state, scores + i64(worth, MOVER))
    tied = 0
    for seat in range(i64(game, SEATS)):
        score = i64(state, scores + seat)
        if score == mine:
            tied = tied + 1
        elif (i64(worth, HIGHEST) != 0 and score > mine) or (i64(worth, HIGHEST) == 0 and score < mine):
            return 0.0
    return 1.0 / itof(tied)


def within(n: Int, least: Int, most: Int) -> Int:
    return least if n < least else (most if n > most else n)


def race_won(game: Ptr, state: Ptr, worth: Ptr) -> Float:
    """The chance of winning the match after this deal."""
    scores = i64(game, SCORES)
    mine = i64(worth, OWN_TOTAL) + i64(state, scores + i64(worth, MOVER))
    theirs = i64(worth, OTHER_TOTAL) + i64(state, scores + i64(worth, OTHER))
    row = within(mine, 0, i64(worth, ROWS) - 1)
    column = within(theirs, 0, i64(worth, COLUMNS) - 1)
    table = WORTH_HEAD + i64(worth, PLAYERS)
    return f64(worth, table + row * i64(worth, COLUMNS) + column)


def points_of(game: Ptr, state: Ptr, worth: Ptr) -> Float:
    """A deal in points: those of the mover's side less the mean of the others'; more is better."""
    total = 0.0
    for seat in range(i64(game, SEATS)):
        total = total + f64(worth, WORTH_HEAD + seat) * itof(i64(state, i64(game, SCORES) + seat))
    return total


def won_of(game: Ptr, state: Ptr, worth: Ptr) -> Float:
    """The chance to win the match, or the share of first place."""
    if i64(worth, SORT) == RACE:
        return race_won(game, state, worth)
    return first_place(game, state, worth)


def add_square(sums: Ptr, at: Int, weight: Float, total: Float, played: Float) -> None:
    """A world's total of something into its sum, and its mean's square."""
    set_f64(sums, at, f64(sums, at) + weight * total)
    set_f64(sums, at + 1, f64(sums, at + 1) + weight * total * total / played)


def add_world(sums: Ptr, weight: Float, points: Float, won: Float, value: Float, played: Float) -> None:
    """Deals played in one world into the sums of an alternative, all of them added up already."""
    set_f64(sums, 0, f64(sums, 0) + weight * played)
    add_square(sums, 1, weight, points, played)
    add_square(sums, 3, weight, won, played)
    add_square(sums, 5, weight, value, played)
    set_f64(sums, 7, f64(sums, 7) + played)
    set_f64(sums, 8, f64(sums, 8) + 1.0)


def add_result(game: Ptr, state: Ptr, worth: Ptr, sums: Ptr, weight: Float) -> None:
    """The only deal played in a world into the sums of an alternative."""
    points = points_of(game, state, worth)
    won = won_of(game, state, worth)
    add_world(sums, weight, points, won, won if i64(worth, SORT) == RACE else points, 1.0)


def fresh_chance(game: Ptr, state: Ptr, name: Int) -> None:
    """What chance brings from here on is the world's own."""
    set_i64(state, i64(game, NAME), name)
    seed_stream(offset(state, 8 * i64(game, CHANCE)), name)


def seat_players(game: Ptr, work: Ptr, name: Int) -> None:
    """A stream for each seat that plays on at random."""
    for seat in range(i64(game, SEATS)):
        seed_stream(offset(work, 8 * (i64(game, STREAMS) + 4 * seat)), name_word(name, seat))


KERNELS = (
    first_place,
    within,
    race_won,
    points_of,
    won_of,
    add_square,
    add_world,
    add_result,
    fresh_chance,
    seat_players,
)
