"""Kernels of flat search in memoryless determinizations.

A guess (recycle.md 20.2, the kernel `resample`) keeps what the seat sees now and shuffles all the rest. Its
alternatives are those of the true game by their identities (20.3); one that a guess does not offer is not
tried in it.
"""

from __future__ import annotations

from upcard.engine.native.kernels.language import Int, Ptr, add, call_at, i64, offset, set_i64
from upcard.engine.native.kernels.random_numbers import name_word, seed_stream
from upcard.engine.native.kernels.resample import ResamplePlan, clone, resample
from upcard.engine.native.stop_word import STOP
from upcard.players.belief.action_match import (
    ADVANCE,
    APPLY,
    CHANCE,
    CHOICES,
    ENDING,
    PLAYOUT,
    RELIST,
    SCORES,
    SEATS,
    STATE_WORDS,
)
from upcard.players.search.action_id import align, chooser_of, identify
from upcard.players.search.rollout import FAILED, SUMS, add_result, fresh_chance, seat_players
from upcard.players.search.tree_memory import IDS_AT, MOST_LISTED, MOVES_AT, PICKED_AT, SUMS_AT, part


def guess(game: Ptr, base: Ptr, plan: ResamplePlan, state: Ptr, work: Ptr, stream: Ptr, name: Int) -> Int:
    """A guess with its alternatives listed: 1, or 0 if they cannot be."""
    resample(state, base, plan, stream)
    fresh_chance(game, state, name)
    return call_at(i64(game, RELIST), state, work) == 0


def identify_here(game: Ptr, sight: Ptr, tree: Ptr, state: Ptr, work: Ptr) -> Int:
    """The identities of what is listed, into the block's own room; gives how many, 0 if they are too many."""
    if i64(state, i64(game, CHOICES)) > i64(tree, MOST_LISTED):
        return 0
    seat = chooser_of(game, sight, state)
    return identify(game, sight, state, work, seat, part(tree, PICKED_AT), part(tree, IDS_AT))


def play_out(game: Ptr, state: Ptr, work: Ptr, index: Int) -> Int:
    """An alternative that is listed, then random play to the end: 1, or 0 where the game failed."""
    call_at(i64(game, APPLY), state, work, index)
    if i64(state, i64(game, ENDING)) == 0:
        call_at(i64(game, ADVANCE), state, work)
    if i64(state, i64(game, ENDING)) == 0:
        call_at(i64(game, PLAYOUT), state, work)
    return i64(state, i64(game, ENDING)) != FAILED


def search_guesses(
    game: Ptr,
    sight: Ptr,
    base: Ptr,
    plan: ResamplePlan,
    room: Ptr,
    work: Ptr,
    stream: Ptr,
    worth: Ptr,
    tree: Ptr,
    guesses: Int,
    name: Int,
    first: Int,
    alternatives: Int,
) -> Int:
    """Every alternative played out once in each of so many guesses; gives how many guesses could be used."""
    words = i64(game, STATE_WORDS)
    trial = offset(room, 8 * words)
    ids = part(tree, IDS_AT)
    found = 0
    seat_players(game, work, name_word(name, first))
    for n in range(guesses):
        if i64(work, STOP) != 0:
            return found
        if guess(game, base, plan, room, work, stream, name_word(name_word(name, first + n), 7)) == 0:
            continue
        found = found + 1
        count = identify_here(game, sight, tree, room, work)
        fresh = 1
        for a in range(alternatives):
            index = align(ids, count, i64(part(tree, MOVES_AT), a), stream)
            if index < 0:
                continue
            clone(trial, room, words)
            if fresh == 0:
                call_at(i64(game, RELIST), trial, work)
            fresh = 0
            if play_out(game, trial, work, index) != 0:
                add_result(game, trial, worth, offset(part(tree, SUMS_AT), 8 * SUMS * a), 1.0)
    return found


def add_ranks(game: Ptr, state: Ptr, row: Ptr, highest: Int) -> None:
    """Every seat's rank into its sum, and one more test: the word behind the seats."""
    seats = i64(game, SEATS)
    scores = i64(game, SCORES)
    for seat in range(seats):
        mine = i64(state, scores + seat)
        better = 0
        for other in range(seats):
            theirs = i64(state, scores + other)
            if (highest != 0 and theirs > mine) or (highest == 0 and theirs < mine):
                better = better + 1
        set_i64(row, seat, i64(row, seat) + better)
    set_i64(row, seats, i64(row, seats) + 1)


def rank_alternatives(
    game: Ptr,
    sight: Ptr,
    base: Ptr,
    plan: ResamplePlan,
    room: Ptr,
    work: Ptr,
    stream: Ptr,
    tree: Ptr,
    ranks: Ptr,
    tests: Int,
    first: Int,
    alternatives: Int,
    highest: Int,
    name: Int,
) -> Int:
    """So many tests of every alternative, each in a guess of its own (20.5); gives how many were dropped."""
    ids = part(tree, IDS_AT)
    dropped = 0
    seat_players(game, work, name_word(name, first))
    for a in range(alternatives):
        for n in range(tests):
            if i64(work, STOP) != 0:
                return dropped
            index = -1
            own = name_word(name_word(name_word(name, first + n), a), 7)
            if guess(game, base, plan, room, work, stream, own) != 0:
                count = identify_here(game, sight, tree, room, work)
                index = align(ids, count, i64(part(tree, MOVES_AT), a), stream)
            if index >= 0 and play_out(game, room, work, index) != 0:
                add_ranks(game, room, offset(ranks, 8 * (i64(game, SEATS) + 1) * a), highest)
            else:
                dropped = dropped + 1
    return dropped


def add_scores(game: Ptr, state: Ptr, row: Ptr) -> None:
    """Every seat's score into its sum."""
    for seat in range(i64(game, SEATS)):
        set_i64(row, seat, add(i64(row, seat), i64(state, i64(game, SCORES) + seat)))


def score_alternatives(
    game: Ptr,
    sight: Ptr,
    base: Ptr,
    plan: ResamplePlan,
    room: Ptr,
    work: Ptr,
    stream: Ptr,
    tree: Ptr,
    sums: Ptr,
    guesses: Int,
    first: Int,
    alternatives: Int,
    highest: Int,
    name: Int,
    each: Int,
) -> Int:
    """So many guesses, the same for all alternatives, and some playouts of each alternative in each (20.6).

    A row of `sums` for each alternative: ranks by seat, playouts, scores by seat. Every playout has chance of
    its own, from the alternative on. Gives how many playouts were dropped.
    """
    words = i64(game, STATE_WORDS)
    seats = i64(game, SEATS)
    trial = offset(room, 8 * words)
    ids = part(tree, IDS_AT)
    dropped = 0
    seat_players(game, work, name_word(name, first))
    for n in range(guesses):
        if i64(work, STOP) != 0:
            return dropped
        own = name_word(name_word(name, first + n), 7)
        count = 0
        if guess(game, base, plan, room, work, stream, own) != 0:
            count = identify_here(game, sight, tree, room, work)
        for a in range(alternatives):
            index = -1
            if count > 0:
                index = align(ids, count, i64(part(tree, MOVES_AT), a), stream)
            row = offset(sums, 8 * (2 * seats + 1) * a)
            for k in range(each):
                done = 0
                if index >= 0:
                    clone(trial, room, words)
                    call_at(i64(game, RELIST), trial, work)
                    seed_stream(offset(trial, 8 * i64(game, CHANCE)), name_word(name_word(own, a), k))
                    done = play_out(game, trial, work, index)
                if done != 0:
                    add_ranks(game, trial, row, highest)
                    add_scores(game, trial, offset(row, 8 * (seats + 1)))
                else:
                    dropped = dropped + 1
    return dropped


KERNELS = (
    guess,
    identify_here,
    play_out,
    search_guesses,
    add_ranks,
    rank_alternatives,
    add_scores,
    score_alternatives,
)
