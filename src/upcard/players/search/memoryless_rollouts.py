"""Kernels of flat search in memoryless determinizations.

A guess (the kernel `resample`) keeps what the seat sees now and shuffles all the rest. Its
alternatives are those of the true game by their identities (20.3); one that a guess does not offer is not
tried in it.
"""

from __future__ import annotations

from upcard.engine.native.kernels.language import Int, Ptr, add, call_at, i64, offset, set_i64
from upcard.engine.native.kernels.random_numbers import name_word, seed_stream
from upcard.engine.native.kernels.resample import ResamplePlan, clone, resample
from upcard.engine.native.kernels.structs import Struct
from upcard.engine.native.kernels.workspace_growth import WorkspaceHead
from upcard.players.belief.kernel_structs import Game
from upcard.players.search.action_id import ActionIds, VisibilityTable, align, chooser_of, identify
from upcard.players.search.infoset_key import picked_of
from upcard.players.search.rollout import (
    FAILED,
    Utility,
    add_result,
    fresh_chance,
    seat_players,
    sums_of,
)
from upcard.players.search.tree_memory import Tree, part


class MemorylessSearch(Struct):
    game: Game
    visibility: VisibilityTable
    base: Ptr
    plan: ResamplePlan
    """Guesses are resampled from these."""
    room: Ptr
    """For two states."""
    work: WorkspaceHead
    stream: Ptr
    tree: Tree
    """Only its identities and sums are used."""
    utility: Utility
    """For `search_guesses`."""
    rows: Ptr
    """Sums of ranks and scores for each alternative."""
    name: Int
    """Of the stream that everything by chance is derived from."""
    alternatives: Int
    highest: Int
    """1: most points win; 0: fewest."""


def guess(search: MemorylessSearch, name: Int) -> Int:
    """A guess with its alternatives listed: 1, or 0 if they cannot be."""
    game = search.game
    resample(search.room, search.base, search.plan, search.stream)
    fresh_chance(game, search.room, name)
    return call_at(game.relist, search.room, search.work) == 0


def identify_here(game: Game, visibility: VisibilityTable, tree: Tree, state: Ptr, work: Ptr) -> Int:
    """The identities of what is listed, into the tree's own room; gives how many, 0 if they are too many."""
    if i64(state, game.choices) > tree.most_listed:
        return 0
    seat = chooser_of(game, visibility, state)
    return identify(game, visibility, state, work, seat, picked_of(tree), ActionIds(part(tree, tree.ids_at)))


def identify_guess(search: MemorylessSearch) -> Int:
    """The same for the guess."""
    return identify_here(search.game, search.visibility, search.tree, search.room, search.work)


def index_in_guess(search: MemorylessSearch, count: Int, alternative: Int) -> Int:
    """The number that an alternative of the true game has in the guess, or -1."""
    tree = search.tree
    identity = i64(part(tree, tree.moves_at), alternative)
    return align(ActionIds(part(tree, tree.ids_at)), count, identity, search.stream)


def play_out(game: Game, state: Ptr, work: Ptr, index: Int) -> Int:
    """An alternative that is listed, then random play to the end: 1, or 0 where the game failed."""
    call_at(game.apply, state, work, index)
    if i64(state, game.ending) == 0:
        call_at(game.advance, state, work)
    if i64(state, game.ending) == 0:
        call_at(game.playout, state, work)
    return i64(state, game.ending) != FAILED


def search_guesses(search: MemorylessSearch, first: Int, guesses: Int) -> Int:
    """Plays every alternative out once in each guess; gives how many guesses could be used."""
    game = search.game
    work = search.work
    room = search.room
    tree = search.tree
    name = search.name
    words = game.state_words
    trial = offset(room, 8 * words)
    found = 0
    seat_players(game, work, name_word(name, first))
    for n in range(guesses):
        if work.stop != 0:
            return found
        if guess(search, name_word(name_word(name, first + n), 7)) == 0:
            continue
        found = found + 1
        count = identify_guess(search)
        fresh = 1
        for a in range(search.alternatives):
            index = index_in_guess(search, count, a)
            if index < 0:
                continue
            clone(trial, room, words)
            if fresh == 0:
                call_at(game.relist, trial, work)
            fresh = 0
            if play_out(game, trial, work, index) != 0:
                add_result(game, trial, search.utility, sums_of(part(tree, tree.sums_at), a), 1.0)
    return found


def add_ranks(game: Game, state: Ptr, row: Ptr, highest: Int) -> None:
    """Adds every seat's rank to its sum, and one to the word behind the seats, which counts the tests."""
    seats = game.seats
    scores = game.scores
    for seat in range(seats):
        mine = i64(state, scores + seat)
        better = 0
        for other in range(seats):
            theirs = i64(state, scores + other)
            if (highest != 0 and theirs > mine) or (highest == 0 and theirs < mine):
                better = better + 1
        set_i64(row, seat, i64(row, seat) + better)
    set_i64(row, seats, i64(row, seats) + 1)


def rank_alternatives(search: MemorylessSearch, first: Int, tests: Int) -> Int:
    """Tests every alternative that many times, each in a guess of its own (20.5); gives how many tests were
    dropped. `rows`: for each alternative the ranks by seat, and the tests."""
    game = search.game
    work = search.work
    room = search.room
    name = search.name
    dropped = 0
    seat_players(game, work, name_word(name, first))
    for a in range(search.alternatives):
        for n in range(tests):
            if work.stop != 0:
                return dropped
            index = -1
            if guess(search, name_word(name_word(name_word(name, first + n), a), 7)) != 0:
                index = index_in_guess(search, identify_guess(search), a)
            if index >= 0 and play_out(game, room, work, index) != 0:
                add_ranks(game, room, offset(search.rows, 8 * (game.seats + 1) * a), search.highest)
            else:
                dropped = dropped + 1
    return dropped


def add_scores(game: Game, state: Ptr, row: Ptr) -> None:
    """Adds every seat's score to its sum."""
    for seat in range(game.seats):
        set_i64(row, seat, add(i64(row, seat), i64(state, game.scores + seat)))


def score_alternatives(search: MemorylessSearch, first: Int, guesses: Int, each: Int) -> Int:
    """Makes guesses, the same for all alternatives, and plays each alternative out some times in each (20.6).

    `rows`: for each alternative the ranks by seat, playouts, scores by seat. Every playout has chance of its
    own, from the alternative on. Gives how many playouts were dropped.
    """
    game = search.game
    work = search.work
    room = search.room
    name = search.name
    words = game.state_words
    seats = game.seats
    trial = offset(room, 8 * words)
    dropped = 0
    seat_players(game, work, name_word(name, first))
    for n in range(guesses):
        if work.stop != 0:
            return dropped
        own = name_word(name_word(name, first + n), 7)
        count = 0
        if guess(search, own) != 0:
            count = identify_guess(search)
        for a in range(search.alternatives):
            index = -1
            if count > 0:
                index = index_in_guess(search, count, a)
            row = offset(search.rows, 8 * (2 * seats + 1) * a)
            for k in range(each):
                done = 0
                if index >= 0:
                    clone(trial, room, words)
                    call_at(game.relist, trial, work)
                    seed_stream(offset(trial, 8 * game.chance), name_word(name_word(own, a), k))
                    done = play_out(game, trial, work, index)
                if done != 0:
                    add_ranks(game, trial, row, search.highest)
                    add_scores(game, trial, offset(row, 8 * (seats + 1)))
                else:
                    dropped = dropped + 1
    return dropped


KERNELS = (
    guess,
    identify_here,
    identify_guess,
    index_in_guess,
    play_out,
    search_guesses,
    add_ranks,
    rank_alternatives,
    add_scores,
    score_alternatives,
)
