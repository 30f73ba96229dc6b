"""Kernels that roll a deal out at random and compute its utility."""

from __future__ import annotations

from upcard.engine.native.kernels.language import Float, Int, Ptr, i64, itof, offset, set_i64
from upcard.engine.native.kernels.random_numbers import name_word, seed_stream
from upcard.engine.native.kernels.structs import Array, Struct
from upcard.players.belief.kernel_structs import Game

FAILED = 4
"""The ending of a game that failed."""

POINTS = 0
RACE = 1
"""Kinds of utility."""


class Utility(Struct):
    """The value of a deal's end to the seat that moves."""

    kind: Int
    """POINTS, or RACE: the chance of winning a match of two sides to a target."""
    mover: Int
    """The seat."""
    seats: Int
    highest: Int
    """1: most points win; 0: fewest."""
    other: Int
    """A seat of the other side, for a race."""
    own_total: Int = 0
    other_total: Int = 0
    rows: Int = 0
    columns: Int = 0
    """Of the table for a race."""
    weights: Array[Float]
    """Per seat the value of its points to the mover; then, for a race, the table: the chance that the mover's
    side wins the match, by both totals."""


class Sums(Struct):
    """What the playouts of an alternative add up to. Squares are those of a world's means, since playouts in
    one world are not independent."""

    weight: Float
    points: Float
    point_squares: Float
    wins: Float
    win_squares: Float
    value: Float
    """What is maximised: the wins in a race, else the points."""
    value_squares: Float
    playouts: Float
    worlds: Float


SUMS = Sums.size // 8
"""Floats of each alternative."""


def first_place(game: Game, state: Ptr, utility: Utility) -> Float:
    """The mover's share of first place in this deal."""
    scores = game.scores
    mine = i64(state, scores + utility.mover)
    tied = 0
    for seat in range(game.seats):
        score = i64(state, scores + seat)
        if score == mine:
            tied = tied + 1
        elif (utility.highest != 0 and score > mine) or (utility.highest == 0 and score < mine):
            return 0.0
    return 1.0 / itof(tied)


def within(n: Int, least: Int, most: Int) -> Int:
    return least if n < least else (most if n > most else n)


def race_won(game: Game, state: Ptr, utility: Utility) -> Float:
    """The chance of winning the match after this deal."""
    scores = game.scores
    mine = utility.own_total + i64(state, scores + utility.mover)
    theirs = utility.other_total + i64(state, scores + utility.other)
    row = within(mine, 0, utility.rows - 1)
    column = within(theirs, 0, utility.columns - 1)
    return utility.weights[utility.seats + row * utility.columns + column]


def points_of(game: Game, state: Ptr, utility: Utility) -> Float:
    """A deal in points: those of the mover's side less the mean of the others'; more is better."""
    total = 0.0
    for seat in range(game.seats):
        total = total + utility.weights[seat] * itof(i64(state, game.scores + seat))
    return total


def won_of(game: Game, state: Ptr, utility: Utility) -> Float:
    """The chance to win the match, or the share of first place."""
    if utility.kind == RACE:
        return race_won(game, state, utility)
    return first_place(game, state, utility)


def add_world(sums: Sums, weight: Float, points: Float, won: Float, value: Float, played: Float) -> None:
    """Adds the playouts of one world, summed already, to the sums of an alternative."""
    sums.weight += weight * played
    sums.points += weight * points
    sums.point_squares += weight * points * points / played
    sums.wins += weight * won
    sums.win_squares += weight * won * won / played
    sums.value += weight * value
    sums.value_squares += weight * value * value / played
    sums.playouts += played
    sums.worlds += 1.0


def sums_of(sums: Ptr, alternative: Int) -> Sums:
    """Those of one alternative."""
    return Sums(offset(sums, Sums.size * alternative))


def add_result(game: Game, state: Ptr, utility: Utility, sums: Sums, weight: Float) -> None:
    """Adds the only playout in a world to the sums of an alternative."""
    points = points_of(game, state, utility)
    won = won_of(game, state, utility)
    add_world(sums, weight, points, won, won if utility.kind == RACE else points, 1.0)


def fresh_chance(game: Game, state: Ptr, name: Int) -> None:
    """Gives a world its own chance from here on."""
    set_i64(state, game.name, name)
    seed_stream(offset(state, 8 * game.chance), name)


def seat_players(game: Game, work: Ptr, name: Int) -> None:
    """A stream for each seat that plays on at random."""
    for seat in range(game.seats):
        seed_stream(offset(work, 8 * (game.streams_at + 4 * seat)), name_word(name, seat))


KERNELS = (
    first_place,
    within,
    race_won,
    points_of,
    won_of,
    add_world,
    sums_of,
    add_result,
    fresh_chance,
    seat_players,
)
