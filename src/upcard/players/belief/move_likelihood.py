"""Kernels that compute how likely the observed moves are in a world.

What others chose tells what they hold: a player with only one card to play had to play it (restricted
choice), and one with a better card would rather have played that. A simple policy stands for all of them. It
plays every alternative out a few times at random, in the world itself, and takes an alternative less often
the further it falls behind the best, in standard deviations of all these results; some moves are made by
chance alone. Without any playouts all alternatives are alike to it.

A move of which not everything was seen counts by all that its items offer. Likelihoods are ratios to those
so that they do not vanish in long games.

Weighing has an allowance, since a long game has many moves and long playouts. What the first world takes
decides which moves count: the first ones, until the allowance is spent. All other worlds are weighed by the
same moves.
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
from upcard.engine.native.kernels.structs import Array, Struct
from upcard.players.belief.action_match import SEEN, count_of, first_of
from upcard.players.belief.kernel_structs import Game, HistoryHead, HistoryStep
from upcard.players.belief.world_walk import stack, step_of
from upcard.players.search.rollout import FAILED, fresh_chance, seat_players

MAX_COMPARED = 64
"""Alternatives of a decision; among more all are taken to be alike."""


class BeliefHead(Struct):
    """The belief of a history; the watched moves and room for two states lie behind it."""

    times: Int
    """Playouts of every alternative."""
    by_chance: Float
    """The share of moves made by chance."""
    sharpness: Float
    """How much it matters to fall behind the best."""
    allowance: Int
    """How many decisions the playouts of one world may take: moves after that tell nothing."""
    spent: Int
    """How many the playouts of all worlds have taken."""
    watched_at: Int
    """The word, from here, where the watched moves begin: one for each decision."""
    room_at: Int
    """The same for the states."""
    factors: Array[Float]
    """Per seat, per seat: what a point of the second is worth to the first; then, for up to MAX_COMPARED
    alternatives, their means."""


class WatchedMove(Struct):
    seat: Int
    """That chose, or -1: its choice tells nothing."""
    first_chance: Float
    """How likely the move was in the first world."""


def points_to(game: Game, belief: BeliefHead, state: Ptr, seat: Int) -> Float:
    """An ended deal in points, to one of the seats."""
    seats = game.seats
    total = 0.0
    for other in range(seats):
        factor = belief.factors[seat * seats + other]
        total = total + factor * itof(i64(state, game.scores + other))
    return total


def means_at(game: Game, belief: BeliefHead) -> Ptr:
    """Where the means of alternatives are noted."""
    return offset(belief.factors, 8 * game.seats * game.seats)


def state_of(belief: BeliefHead) -> Ptr:
    """The state in which the history is replayed."""
    return offset(belief, 8 * belief.room_at)


def note_means(game: Game, belief: BeliefHead, work: Ptr, seat: Int, name: Int) -> Float:
    """Plays every alternative out and notes its mean. Gives the standard deviation of all results. A game
    that fails brings nothing."""
    state = state_of(belief)
    trial = offset(state, 8 * game.state_words)
    values = means_at(game, belief)
    times = belief.times
    count = i64(state, game.choices)
    words = game.state_words
    total = 0.0
    squares = 0.0
    for a in range(count):
        gained = 0.0
        for n in range(times):
            clone(trial, state, words)
            call_at(game.relist, trial, work)
            # what chance brings is the same for all alternatives
            fresh_chance(game, trial, name_word(name, n))
            call_at(game.apply, trial, work, a)
            if i64(trial, game.ending) == 0:
                call_at(game.playout, trial, work)
            belief.spent += i64(trial, game.decisions) - i64(state, game.decisions)
            if i64(trial, game.ending) != FAILED:
                points = points_to(game, belief, trial, seat)
                gained = gained + points
                squares = squares + points * points
        total = total + gained
        set_f64(values, a, gained / itof(times))
    call_at(game.relist, state, work)
    mean = total / itof(count * times)
    variance = squares / itof(count * times) - mean * mean
    return fsqrt(variance) if variance > 0.0 else 0.0


def chance_of(
    game: Game, belief: BeliefHead, work: Ptr, seat: Int, name: Int, first: Int, after: Int
) -> Float:
    """How likely it is that a seat takes one of certain alternatives of those that are listed."""
    state = state_of(belief)
    count = i64(state, game.choices)
    alike = itof(after - first) / itof(count)
    if belief.times == 0 or count > MAX_COMPARED or after - first == count:
        return alike
    deviation = note_means(game, belief, work, seat, name)
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
        behind = 1.0 + belief.sharpness * (best - f64(values, a)) / deviation
        want = 1.0 / (behind * behind)
        total = total + want
        if a >= first and a < after:
            taken = taken + want
    by_chance = belief.by_chance
    return by_chance * alike + (1.0 - by_chance) * taken / total


def is_first_of_item(group: HistoryStep, at: Int) -> Int:
    """Whether no variant of a decision before the one at this word is of the same item."""
    other = 0
    while other < at:
        variant = step_of(group, other)
        if variant.item == step_of(group, at).item:
            return 0
        other = other + variant.next
    return 1


def chance_of_items(
    game: Game, belief: BeliefHead, work: Ptr, seat: Int, name: Int, group: HistoryStep
) -> Float:
    """How likely it is that a seat takes anything that the items of an unseen decision offer."""
    chance = 0.0
    at = 0
    more = 1
    while more != 0:
        variant = step_of(group, at)
        count = count_of(game, work, variant.item)
        if count > 0 and is_first_of_item(group, at) != 0:
            first = first_of(game, work, variant.item)
            chance = chance + chance_of(game, belief, work, seat, name, first, first + count)
        more = variant.next
        at = at + more
    return chance


def likelihood(game: Game, history: HistoryHead, swaps: Ptr, work: Ptr, stream: Ptr) -> Float:
    """Of all watched moves in the world that was sampled last, in which they were just found again."""
    belief = BeliefHead(offset(history, 8 * history.belief))
    watched = offset(belief, 8 * belief.watched_at)
    state = state_of(belief)
    name = next_word(stream)
    seat_players(game, work, name)
    stack(game, work, history, swaps)
    call_at(game.deal, state, work, 0, history.number)
    at = history.first
    likely = 1.0
    for d in range(history.decisions):
        step = step_of(history, at)
        move = WatchedMove(offset(watched, WatchedMove.size * d))
        if move.first_chance == 0.0 and belief.spent >= belief.allowance:
            move.seat = -1
        if move.seat >= 0:
            own = name_word(name, d)
            chance = 0.0
            if step.seen == SEEN:
                chance = chance_of(game, belief, work, move.seat, own, step.index, step.index + 1)
            else:
                chance = chance_of_items(game, belief, work, move.seat, own, step)
            if move.first_chance == 0.0:
                move.first_chance = chance
            likely = likely * chance / move.first_chance
        call_at(game.apply, state, work, step.index)
        if i64(state, game.ending) == 0:
            call_at(game.advance, state, work)
        at = at + step.length
    return likely


KERNELS = (
    points_to,
    means_at,
    state_of,
    note_means,
    chance_of,
    is_first_of_item,
    chance_of_items,
    likelihood,
)
