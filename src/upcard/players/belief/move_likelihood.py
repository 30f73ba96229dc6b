"""Kernels that compute how likely the observed moves are in a world.

What others chose tells what they hold: whoever had only one card to play had to play it (restricted choice),
and whoever had a better one would rather have played that. A simple policy stands for all of them. It plays
every alternative out a few times at random, in the world itself, and takes an alternative the more often the
less it is worth less than the best, counted in standard deviations of all these results; some moves are made
by chance alone. Without any playouts all alternatives are alike to it.

The belief of a history, in words and floats from its word HISTORY_BELIEF on:
    playouts of every alternative, the share of moves made by chance, how sharply it tells them apart,
    where (in words from here) the decisions begin, and room for two states
    per seat, per seat: what a point of the other is worth to the one
    per alternative, up to MOST_TOLD: its mean
    per decision: the seat of a watched chooser, or -1; how likely its move was in the first world

A move of which not everything was seen counts by all that its items offer. Likelihoods are told as ratios to
those of the first world, so that long games do not come to nothing.
"""

from __future__ import annotations

from upcard.engine.native.kernels.language import (
    Float,
    Int,
    Ptr,
    call_at,
    f64,
    fsqrt,
    i64,
    itof,
    offset,
    set_f64,
)
from upcard.engine.native.kernels.random_numbers import name_word, next_word
from upcard.engine.native.kernels.resample import clone
from upcard.players.belief.action_match import (
    ADVANCE,
    APPLY,
    CHOICES,
    DEAL,
    ENDING,
    ENTRY_NEXT,
    HISTORY_BELIEF,
    HISTORY_DECISIONS,
    HISTORY_FIRST,
    HISTORY_NUMBER,
    PLAYOUT,
    RELIST,
    SCORES,
    SEATS,
    SEEN,
    STATE_WORDS,
    count_of,
    first_of,
)
from upcard.players.belief.world_walk import stack
from upcard.players.search.rollout import FAILED, fresh_chance, seat_players

TIMES = 0
BY_CHANCE = 1
SHARPNESS = 2
WATCHED_AT = 3
ROOM_AT = 4
FACTORS = 5

MOST_TOLD = 64
"""Alternatives of a decision; among more all are taken to be alike."""


def points_to(game: Ptr, belief: Ptr, state: Ptr, seat: Int) -> Float:
    """An ended deal in points, to one of the seats."""
    seats = i64(game, SEATS)
    total = 0.0
    for other in range(seats):
        factor = f64(belief, FACTORS + seat * seats + other)
        total = total + factor * itof(i64(state, i64(game, SCORES) + other))
    return total


def means_at(game: Ptr, belief: Ptr) -> Ptr:
    """Where the means of alternatives are noted."""
    return offset(belief, 8 * (FACTORS + i64(game, SEATS) * i64(game, SEATS)))


def note_means(game: Ptr, belief: Ptr, state: Ptr, trial: Ptr, work: Ptr, seat: Int, name: Int) -> Float:
    """Every alternative played out: its mean is noted. Gives the standard deviation of all results. A game
    that fails brings nothing."""
    values = means_at(game, belief)
    times = i64(belief, TIMES)
    count = i64(state, i64(game, CHOICES))
    words = i64(game, STATE_WORDS)
    total = 0.0
    squares = 0.0
    for a in range(count):
        gained = 0.0
        for n in range(times):
            clone(trial, state, words)
            call_at(i64(game, RELIST), trial, work)
            # what chance brings is the same for all alternatives
            fresh_chance(game, trial, name_word(name, n))
            call_at(i64(game, APPLY), trial, work, a)
            if i64(trial, i64(game, ENDING)) == 0:
                call_at(i64(game, PLAYOUT), trial, work)
            if i64(trial, i64(game, ENDING)) != FAILED:
                points = points_to(game, belief, trial, seat)
                gained = gained + points
                squares = squares + points * points
        total = total + gained
        set_f64(values, a, gained / itof(times))
    call_at(i64(game, RELIST), state, work)
    mean = total / itof(count * times)
    variance = squares / itof(count * times) - mean * mean
    return fsqrt(variance) if variance > 0.0 else 0.0


def chance_of(
    game: Ptr,
    belief: Ptr,
    state: Ptr,
    trial: Ptr,
    work: Ptr,
    seat: Int,
    name: Int,
    first: Int,
    after: Int,
) -> Float:
    """How likely it is that a seat takes one of certain alternatives of those that are listed."""
    count = i64(state, i64(game, CHOICES))
    alike = itof(after - first) / itof(count)
    if i64(belief, TIMES) == 0 or count > MOST_TOLD or after - first == count:
        return alike
    deviation = note_means(game, belief, state, trial, work, seat, name)
    if deviation == 0.0:
        return alike
    values = means_at(game, belief)
    best = f64(values, 0)
    for a in range(count):
        if f64(values, a) > best:
            best = f64(values, a)
    total = 0.0
    taken = 0.0
    for a in range(count):
        behind = 1.0 + f64(belief, SHARPNESS) * (best - f64(values, a)) / deviation
        want = 1.0 / (behind * behind)
        total = total + want
        if a >= first and a < after:
            taken = taken + want
    by_chance = f64(belief, BY_CHANCE)
    return by_chance * alike + (1.0 - by_chance) * taken / total


def is_first_of_item(group: Ptr, at: Int) -> Int:
    """Whether no variant of a decision before the one at this word is of the same item."""
    other = 0
    while other < at:
        if i64(group, other + 2) == i64(group, at + 2):
            return 0
        other = other + i64(group, other + ENTRY_NEXT)
    return 1


def chance_of_items(
    game: Ptr, belief: Ptr, state: Ptr, trial: Ptr, work: Ptr, seat: Int, name: Int, group: Ptr
) -> Float:
    """How likely it is that a seat takes anything that the items of an unseen decision offer."""
    chance = 0.0
    at = 0
    more = 1
    while more != 0:
        item = i64(group, at + 2)
        count = count_of(game, work, item)
        if count > 0 and is_first_of_item(group, at) != 0:
            first = first_of(game, work, item)
            chance = chance + chance_of(game, belief, state, trial, work, seat, name, first, first + count)
        more = i64(group, at + ENTRY_NEXT)
        at = at + more
    return chance


def likelihood(game: Ptr, history: Ptr, swaps: Ptr, work: Ptr, stream: Ptr) -> Float:
    """Of all watched moves in the world that was made last, in which they were just found again."""
    belief = offset(history, 8 * i64(history, HISTORY_BELIEF))
    watched = offset(belief, 8 * i64(belief, WATCHED_AT))
    state = offset(belief, 8 * i64(belief, ROOM_AT))
    trial = offset(state, 8 * i64(game, STATE_WORDS))
    name = next_word(stream)
    seat_players(game, work, name)
    stack(game, work, history, swaps)
    call_at(i64(game, DEAL), state, work, 0, i64(history, HISTORY_NUMBER))
    at = i64(history, HISTORY_FIRST)
    likely = 1.0
    for d in range(i64(history, HISTORY_DECISIONS)):
        entry = offset(history, 8 * at)
        seat = i64(watched, 2 * d)
        if seat >= 0:
            told = name_word(name, d)
            chance = 0.0
            if i64(entry, 7) == SEEN:
                first = i64(entry, 10)
                chance = chance_of(game, belief, state, trial, work, seat, told, first, first + 1)
            else:
                chance = chance_of_items(game, belief, state, trial, work, seat, told, entry)
            if f64(watched, 2 * d + 1) == 0.0:
                set_f64(watched, 2 * d + 1, chance)
            likely = likely * chance / f64(watched, 2 * d + 1)
        call_at(i64(game, APPLY), state, work, i64(entry, 10))
        if i64(state, i64(game, ENDING)) == 0:
            call_at(i64(game, ADVANCE), state, work)
        at = at + i64(entry, 0)
    return likely


KERNELS = (
    points_to,
    means_at,
    note_means,
    chance_of,
    is_first_of_item,
    chance_of_items,
    likelihood,
)
