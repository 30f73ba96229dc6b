"""Flat search over imagined worlds, as kernels: every alternative is tried in the same worlds.

The worth of an ended deal: `worth`, in words and floats:
    sort (POINTS, RACE), mover's seat, seats, most (1) or fewest points (0) win,
    for RACE: seat of the other side, mover's total, the other's total, rows and columns of the table
    per seat a float: what a point of that seat is worth to the mover
    for RACE the table: the chance that the mover's side wins the match, by both totals
"""

from __future__ import annotations

from upcard.engine.native.chance_kernels import name_word, seed_stream
from upcard.engine.native.sampling_kernels import clone
from upcard.engine.native.subset import (
    Float,
    Int,
    Ptr,
    call_at,
    f64,
    i64,
    itof,
    offset,
    set_f64,
    set_i64,
)
from upcard.players.dealing_kernels import deal_cards
from upcard.players.finding_kernels import (
    APPLY,
    CHANCE,
    CHOICES,
    ENDING,
    FROM_HERE,
    NAME,
    PLAYOUT,
    RELIST,
    SCORES,
    SEATS,
    STATE_WORDS,
    STORY_DECISIONS,
    STREAMS,
    WALKING,
)
from upcard.players.retracing_kernels import retrace, wander

FAILED = 4

ATTEMPTS = 100
"""Deals tried for a world."""

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


def imagine_world(
    game: Ptr,
    story: Ptr,
    plans: Ptr,
    count: Int,
    swaps: Ptr,
    walk: Ptr,
    work: Ptr,
    stream: Ptr,
    scratch: Ptr,
    state: Ptr,
    trial: Ptr,
    attempts: Int,
) -> Int:
    """A world that agrees with all that was seen: 1, or 0 if none was found.

    Cards are dealt until one is found; where so many attempts are not enough, worlds come from a walk.
    `walk`: whether dealing is given up, exchanges from world to world of a walk, exchanges after a deal, how
    many cards may be exchanged in a walk and how many after a deal, those (as in `wander`); then swaps, two
    words a card, that are the walk's own.
    `scratch`: two floats, the second the world's weight; then, counted on, worlds tried, not found and walked
    to. `trial` is room for a state.
    """
    told = offset(scratch, 16)
    upto = i64(story, STORY_DECISIONS)
    movable = i64(walk, 3)
    cards = offset(walk, 8 * 5)
    mates = i64(walk, 4)
    if i64(walk, 0) == 0:
        if i64(walk, 2) != 0:
            for n in range(movable):
                card = i64(cards, 4 * n)
                set_i64(swaps, 2 * card, card)
        for _ in range(attempts):
            set_i64(told, 0, i64(told, 0) + 1)
            if (
                deal_cards(plans, count, swaps, stream) == 0
                and retrace(game, story, swaps, state, work, stream, scratch, upto) == upto
            ):
                if i64(walk, 2) != 0:
                    wander(
                        game,
                        story,
                        offset(cards, 32 * movable),
                        mates,
                        swaps,
                        state,
                        trial,
                        work,
                        stream,
                        scratch,
                        upto,
                        i64(walk, 2),
                        FROM_HERE,
                    )
                    call_at(i64(game, RELIST), state, work)
                return 1
        set_i64(walk, 0, 1)
    own = offset(cards, 32 * (movable + mates))
    tries = i64(walk, 1)
    set_i64(told, 0, i64(told, 0) + tries)
    goal = 2000 * upto + 2000
    if (
        wander(game, story, cards, movable, own, state, trial, work, stream, scratch, upto, tries, WALKING)
        != goal
    ):
        return 0
    call_at(i64(game, RELIST), state, work)
    set_i64(told, 2, i64(told, 2) + 1)
    return 1


def try_out(
    game: Ptr,
    world: Ptr,
    after: Ptr,
    trial: Ptr,
    work: Ptr,
    worth: Ptr,
    sums: Ptr,
    weight: Float,
    name: Int,
    times: Int,
) -> None:
    """Every alternative of a world, which are listed, played out so many times."""
    words = i64(game, STATE_WORDS)
    for a in range(i64(world, i64(game, CHOICES))):
        clone(after, world, words)
        if a > 0:
            call_at(i64(game, RELIST), after, work)
        call_at(i64(game, APPLY), after, work, a)
        points = 0.0
        won = 0.0
        played = 0.0
        for n in range(times):
            state = after
            if n < times - 1:
                state = trial
                clone(trial, after, words)
            if n > 0:
                fresh_chance(game, state, name_word(name, n))
            if i64(state, i64(game, ENDING)) == 0:
                call_at(i64(game, PLAYOUT), state, work)
            if i64(state, i64(game, ENDING)) != FAILED:
                points = points + points_of(game, state, worth)
                won = won + won_of(game, state, worth)
                played = played + 1.0
        if played > 0.0:
            value = won if i64(worth, SORT) == RACE else points
            add_world(offset(sums, 8 * SUMS * a), weight, points, won, value, played)


def search_flat(
    game: Ptr,
    story: Ptr,
    plans: Ptr,
    count: Int,
    swaps: Ptr,
    walk: Ptr,
    work: Ptr,
    stream: Ptr,
    scratch: Ptr,
    room: Ptr,
    worth: Ptr,
    sums: Ptr,
    tries: Int,
    each: Int,
    name: Int,
    first: Int,
    alternatives: Int,
) -> Int:
    """So many playouts of every alternative, some of them in each world; gives how many worlds were found.

    `room` is for three states.
    """
    words = i64(game, STATE_WORDS)
    world = room
    trial = offset(room, 8 * words)
    spare = offset(room, 16 * words)
    missing = offset(scratch, 24)
    found = 0
    done = 0
    seat_players(game, work, name_word(name, first))
    while done < tries:
        again = each if each < tries - done else tries - done
        made = imagine_world(
            game, story, plans, count, swaps, walk, work, stream, scratch, world, spare, ATTEMPTS
        )
        # where the number of alternatives depends on hidden cards, those of another number are left out
        if made == 0 or i64(world, i64(game, CHOICES)) != alternatives:
            set_i64(missing, 0, i64(missing, 0) + 1)
        else:
            found = found + 1
            weight = f64(scratch, 1)
            own = name_word(name_word(name, first + done), 7)
            fresh_chance(game, world, own)
            try_out(game, world, spare, trial, work, worth, sums, weight, own, again)
        done = done + again
    return found


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
    imagine_world,
    try_out,
    search_flat,
)
