"""Kernels: how likely quick players make the moves that a seat saw.

The quick player takes what is best in the sum of a few guesses. How often it takes a move is estimated from
more guesses than that: random subsets of them, each as large as the player's own, are as many choices that it
might have made. That is free of bias, and steadier than whole choices made anew, which matters because the
likelihood of a deal is a product over many moves.
"""

from __future__ import annotations

from upcard.engine.native.kernels.language import (
    Float,
    Int,
    Ptr,
    call_at,
    f64,
    i64,
    itof,
    offset,
    sdiv,
    set_f64,
    set_i64,
)
from upcard.engine.native.kernels.random_numbers import below, name_word, seed_stream
from upcard.engine.native.kernels.structs import Struct
from upcard.players.belief.action_match import SEEN
from upcard.players.belief.kernel_structs import WorldSampler
from upcard.players.belief.world_sample import own_swaps
from upcard.players.belief.world_walk import stack, step_of
from upcard.players.search.action_id import chooser_of
from upcard.players.search.quick_play import (
    MAX_TRIED,
    NOWHERE,
    QuickPlay,
    begin_guesses,
    end_guesses,
    guesses_for,
    try_in_guess,
    watch,
)

BY_CHANCE = 0.06
"""The share of moves that are taken to be made by chance."""
SUBSETS = 64
"""Of the guesses, each a choice that the player might have made."""


class Watcher(Struct):
    """What estimates the likelihood of moves needs, beside the quick players."""

    quick: QuickPlay
    rows: Ptr
    """Values of alternatives, a row for each guess."""
    room: Int
    """Floats in the rows."""
    order: Ptr
    """For the numbers of the guesses, at most one for each float."""
    state: Ptr
    """Room for a state."""
    watched: Int
    """How many times as many guesses are taken as the player takes."""


def takes(quick: QuickPlay, index: Int, count: Int) -> Float:
    """The share of a choice by the summed values: 1 for the best alternative, equal shares for equal ones."""
    wanted = f64(quick.values, index)
    equals = 0
    for a in range(count):
        if f64(quick.values, a) > wanted:
            return 0.0
        if f64(quick.values, a) == wanted:
            equals = equals + 1
    return 1.0 / itof(equals)


def share_of_choices(watcher: Watcher, index: Int, count: Int, found: Int, guesses: Int) -> Float:
    """How often an alternative has the highest sum over subsets of the guesses."""
    quick = watcher.quick
    order = watcher.order
    for n in range(found):
        set_i64(order, n, n)
    share = 0.0
    for _ in range(SUBSETS):
        for a in range(count):
            set_f64(quick.values, a, 0.0)
        for n in range(guesses):
            k = n + below(quick.stream, found - n)
            row = i64(order, k)
            set_i64(order, k, i64(order, n))
            set_i64(order, n, row)
            for a in range(count):
                set_f64(quick.values, a, f64(quick.values, a) + f64(watcher.rows, row * count + a))
        share = share + takes(quick, index, count)
    return share / itof(SUBSETS)


def chance_of_move(watcher: Watcher, state: Ptr, index: Int, name: Int) -> Float:
    """How likely the seat to move takes an alternative; the alternatives are listed before and afterwards."""
    quick = watcher.quick
    game = quick.game
    work = quick.work
    count = i64(state, game.choices)
    by_chance = 1.0 / itof(count)
    guesses = guesses_for(quick, count)
    wanted = guesses * watcher.watched
    if count > MAX_TRIED or wanted * count > watcher.room:
        return by_chance
    seed_stream(quick.stream, name)
    seat = chooser_of(game, quick.visibility, state)
    begin_guesses(quick, state, name)
    found = 0
    for n in range(wanted):
        if work.stop == 0:
            row = offset(watcher.rows, 8 * count * found)
            found = found + try_in_guess(quick, state, seat, name_word(name, 2 + n), row)
    end_guesses(quick)
    call_at(game.relist, state, work)
    if found < watcher.watched:
        return by_chance
    share = share_of_choices(watcher, index, count, found, sdiv(found, watcher.watched))
    return BY_CHANCE * by_chance + (1.0 - BY_CHANCE) * share


def likely_history(watcher: Watcher, worlds: WorldSampler, seat: Int, name: Int) -> Float:
    """How likely quick players make the moves that a seat saw others make, in the world sampled last, as a
    multiple of the chance among equal alternatives. Afterwards the homes of cards are those of the present.
    """
    quick = watcher.quick
    game = quick.game
    state = watcher.state
    history = worlds.history
    work = quick.work
    swaps = worlds.swaps
    if worlds.walk.replaces_dealing != 0:
        swaps = own_swaps(worlds.walk)
    for card in range(quick.cards):
        set_i64(quick.homes, card, NOWHERE)
    set_i64(work, quick.most_decisions_at, quick.deal_decisions)
    stack(game, work, history, swaps)
    call_at(game.deal, state, work, 0, history.number)
    at = history.first
    likely = 1.0
    for d in range(history.decisions):
        step = step_of(history, at)
        watch(quick, state)
        if (
            step.seen == SEEN
            and i64(state, game.choices) > 1
            and chooser_of(game, quick.visibility, state) != seat
        ):
            chance = chance_of_move(watcher, state, step.index, name_word(name, d))
            likely = likely * chance * itof(i64(state, game.choices))
        call_at(game.apply, state, work, step.index)
        watch(quick, state)
        if i64(state, game.ending) == 0:
            call_at(game.advance, state, work)
        at = at + step.length
    watch(quick, state)
    return likely


KERNELS = (takes, share_of_choices, chance_of_move, likely_history)
