"""Kernels of flat search: every alternative is tried in the same worlds."""

from __future__ import annotations

from upcard.engine.native.kernels.language import Float, Int, Ptr, call_at, i64, offset
from upcard.engine.native.kernels.random_numbers import name_word
from upcard.engine.native.kernels.resample import clone
from upcard.engine.native.kernels.structs import Struct
from upcard.players.belief.kernel_structs import WorldSampler
from upcard.players.belief.world_sample import ATTEMPTS, sample_world
from upcard.players.search.rollout import (
    FAILED,
    RACE,
    Utility,
    add_world,
    fresh_chance,
    points_of,
    seat_players,
    sums_of,
    won_of,
)


class FlatSearch(Struct):
    worlds: WorldSampler
    room: Ptr
    """For three states: the world, one playout, and the world after an alternative."""
    utility: Utility
    sums: Ptr
    """`Sums` for each alternative."""
    each: Int
    """Playouts of an alternative in each world."""
    name: Int
    """Of the stream that everything by chance is derived from."""
    alternatives: Int


def try_alternatives(search: FlatSearch, weight: Float, name: Int, times: Int) -> None:
    """Plays every alternative of the world, whose alternatives are listed, out that many times."""
    game = search.worlds.game
    work = search.worlds.work
    utility = search.utility
    words = game.state_words
    world = search.room
    trial = offset(world, 8 * words)
    after = offset(world, 16 * words)
    for a in range(i64(world, game.choices)):
        clone(after, world, words)
        if a > 0:
            call_at(game.relist, after, work)
        call_at(game.apply, after, work, a)
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
            if i64(state, game.ending) == 0:
                call_at(game.playout, state, work)
            if i64(state, game.ending) != FAILED:
                points = points + points_of(game, state, utility)
                won = won + won_of(game, state, utility)
                played = played + 1.0
        if played > 0.0:
            value = won if utility.kind == RACE else points
            add_world(sums_of(search.sums, a), weight, points, won, value, played)


def search_flat(search: FlatSearch, first: Int, tries: Int) -> Int:
    """Plays every alternative out that many times, some of them in each world; gives how many worlds were
    found. `first` numbers the playouts of a search that is done in slices."""
    worlds = search.worlds
    game = worlds.game
    work = worlds.work
    name = search.name
    world = search.room
    spare = offset(world, 16 * game.state_words)
    found = 0
    done = 0
    seat_players(game, work, name_word(name, first))
    while done < tries and work.stop == 0:
        again = search.each if search.each < tries - done else tries - done
        sampled = sample_world(worlds, world, spare, ATTEMPTS)
        # where the number of alternatives depends on hidden cards, those of another number are left out
        if sampled == 0 or i64(world, game.choices) != search.alternatives:
            worlds.tally.missing += 1
        else:
            found = found + 1
            own = name_word(name_word(name, first + done), 7)
            fresh_chance(game, world, own)
            try_alternatives(search, worlds.tally.weight, own, again)
        done = done + again
    return found


KERNELS = (
    try_alternatives,
    search_flat,
)
