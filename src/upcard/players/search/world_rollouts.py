"""Kernels of flat search: every alternative is tried in the same worlds."""

from __future__ import annotations

from upcard.engine.native.kernels.language import Float, Int, Ptr, call_at, f64, i64, offset, set_i64
from upcard.engine.native.kernels.random_numbers import name_word
from upcard.engine.native.kernels.resample import clone
from upcard.engine.native.stop_word import STOP
from upcard.players.belief.action_match import APPLY, CHOICES, ENDING, PLAYOUT, RELIST, STATE_WORDS
from upcard.players.belief.world_sample import ATTEMPTS, imagine_world
from upcard.players.search.rollout import (
    FAILED,
    RACE,
    SORT,
    SUMS,
    add_world,
    fresh_chance,
    points_of,
    seat_players,
    won_of,
)


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
    history: Ptr,
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
    while done < tries and i64(work, STOP) == 0:
        again = each if each < tries - done else tries - done
        made = imagine_world(
            game, history, plans, count, swaps, walk, work, stream, scratch, world, spare, ATTEMPTS
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
    try_out,
    search_flat,
)
