"""Kernels of multiple-observer information-set tree search.

Each iteration goes down from the present decision in a world. Half as many iterations as there are
alternatives make a turn, each of them with another first move, so that moves are compared on the same
cards; after two turns comes a fresh world. A node is what the chooser knows, above all what it has seen since
the root (`infoset_key`), so each seat that moves has a tree of its own, and nothing in it depends on cards
that this seat cannot see. Seats other than the searching one hold different cards in different worlds, and
their nodes are shared by all of them: which cards they hold now is no part of what they have seen since.

Nodes are not kept, only what was tried in them: an entry for a node and an alternative, found under the word
of both. Of the alternatives that a world offers, one not tried before is tried, by chance; else the one with
the greatest mean + C sqrt(ln(times it was there) / times it was taken), means counted in standard deviations
of the chooser's results so far: points of every game, and chances to win a match, come to one scale by it,
and a rare great result (a moon) does not stretch it. After one new entry the rest is played at random. When
all entries are taken no more are made, and the search goes on with those there are.
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
    sdiv,
    set_f64,
    set_i64,
    srem,
)
from upcard.engine.native.kernels.random_numbers import below, name_word
from upcard.engine.native.kernels.resample import clone
from upcard.engine.native.stop_word import STOP
from upcard.players.belief.action_match import (
    APPLY,
    CHOICES,
    ENDING,
    PLAYOUT,
    RELIST,
    SCORES,
    SEATS,
    STATE_WORDS,
)
from upcard.players.belief.world_sample import ATTEMPTS, imagine_world
from upcard.players.search.action_id import (
    BLANK_AGAIN,
    ID_WORDS,
    SEEN_BY_CHOOSER,
    align,
    chooser_of,
    identify,
)
from upcard.players.search.infoset_key import node_key, see_nothing, step
from upcard.players.search.rollout import (
    FAILED,
    RACE,
    SORT,
    SUMS,
    add_result,
    fresh_chance,
    race_won,
    seat_players,
)
from upcard.players.search.tree_memory import (
    DEEPEST,
    ENTRIES_AT,
    ENTRY,
    EXPLORE,
    FACTORS_AT,
    FAILING,
    FILLED,
    FIRSTS_AT,
    IDS_AT,
    KEY,
    MARK,
    MEAN,
    MOST_FILLED,
    MOST_LISTED,
    MOVES_AT,
    PATH_AT,
    PICKED_AT,
    RESULT,
    RESULTS_AT,
    ROOT_AT,
    ROOT_NODE,
    SIDES_AT,
    SUMS_AT,
    TAKEN,
    THERE,
    WEIGHT,
    alternative_key,
    known_logarithm,
    part,
    slot_of,
)

LEAST_TAKEN = 10
"""Visits of every alternative of the decision itself before they are compared."""

TURNS = 2
"""In a world."""


def score(tree: Ptr, entry: Ptr, deviation: Float) -> Float:
    """How much an entry wants to be taken. One whose games all failed wants it less than any other."""
    there = known_logarithm(tree, i64(entry, THERE))
    bonus = f64(tree, EXPLORE) * fsqrt(there / itof(i64(entry, TAKEN)))
    return f64(entry, MEAN) + deviation * bonus


def select(tree: Ptr, ids: Ptr, node: Int, seat: Int, count: Int, stream: Ptr, turn: Int) -> Int:
    """The alternative to take at a node: one never taken, by chance, or the one that wants it most. Its slot
    is noted in the third word of its identity, which is done with.

    Those of the decision itself (`turn`) are taken some times each: where results hardly differ otherwise,
    one bad beginning would be believed for ever.
    """
    entries = part(tree, ENTRIES_AT)
    deviation = f64(part(tree, RESULTS_AT), 4 * seat + 3)
    enough = 1 if turn == 0 else LEAST_TAKEN
    fresh = 0
    chosen = -1
    best = -1
    most = 0.0
    for i in range(count):
        if i64(ids, ID_WORDS * i + 1) == BLANK_AGAIN:
            continue
        slot = slot_of(tree, alternative_key(node, i64(ids, ID_WORDS * i)))
        set_i64(ids, ID_WORDS * i + 2, slot)
        entry = offset(entries, 8 * ENTRY * slot)
        if turn != 0 and i64(entry, MARK) == turn:
            continue
        # a free one has not been taken
        if i64(entry, TAKEN) < enough:
            fresh = fresh + 1
            if below(stream, fresh) == 0:
                chosen = i
        else:
            set_i64(entry, THERE, i64(entry, THERE) + 1)
            value = score(tree, entry, deviation)
            if best < 0 or value > most:
                best = i
                most = value
    if fresh > 0:
        return chosen
    if best < 0:
        best = below(stream, count)
        key = alternative_key(node, i64(ids, ID_WORDS * best))
        set_i64(ids, ID_WORDS * best + 2, slot_of(tree, key))
    return best


def judge(game: Ptr, tree: Ptr, state: Ptr, worth: Ptr) -> None:
    """What the end of a deal is to every seat, and how far results lie apart."""
    seats = i64(game, SEATS)
    results = part(tree, RESULTS_AT)
    factors = part(tree, FACTORS_AT)
    count = f64(results, 4 * seats) + 1.0
    set_f64(results, 4 * seats, count)
    won = 0.0
    if i64(worth, SORT) == RACE:
        won = race_won(game, state, worth)
    for seat in range(seats):
        first = i64(part(tree, FIRSTS_AT), seat)
        if first != seat:
            for n in range(4):
                set_f64(results, 4 * seat + n, f64(results, 4 * first + n))
            continue
        value = 0.0
        if i64(worth, SORT) == RACE:
            value = won if i64(part(tree, SIDES_AT), seat) != 0 else 1.0 - won
        else:
            for other in range(seats):
                points = itof(i64(state, i64(game, SCORES) + other))
                value = value + f64(factors, seat * seats + other) * points
        own = offset(results, 32 * seat)
        set_f64(own, 0, value)
        set_f64(own, 1, f64(own, 1) + value)
        set_f64(own, 2, f64(own, 2) + value * value)
        mean = f64(own, 1) / count
        variance = f64(own, 2) / count - mean * mean
        set_f64(own, 3, fsqrt(variance) if variance > 0.0 else 0.0)


def descend(
    game: Ptr, sight: Ptr, tree: Ptr, state: Ptr, work: Ptr, stream: Ptr, turn: Int, again: Int
) -> Int:
    """From the root to the first entry that is new, or to the end; gives the length of the path. `again`: the
    world is the one before, and what it offers at the root has its identities already."""
    path = part(tree, PATH_AT)
    entries = part(tree, ENTRIES_AT)
    root = 1
    depth = 0
    fresh = 0
    while fresh == 0 and i64(state, i64(game, ENDING)) == 0 and depth < DEEPEST:
        chooser = chooser_of(game, sight, state)
        count = i64(state, i64(game, CHOICES))
        if count > i64(tree, MOST_LISTED):
            break
        if count == 1:
            step(game, sight, tree, state, work, 0, chooser)
            root = 0
            continue
        ids = part(tree, ROOT_AT) if root != 0 else part(tree, IDS_AT)
        node = i64(tree, ROOT_NODE)
        if root == 0 or again == 0:
            node = node_key(game, sight, tree, state, chooser)
            identify(game, sight, state, work, chooser, part(tree, PICKED_AT), ids)
        if root != 0:
            set_i64(tree, ROOT_NODE, node)
        root = 0
        index = select(tree, ids, node, chooser, count, stream, turn if depth == 0 else 0)
        identity = i64(ids, ID_WORDS * index)
        slot = i64(ids, ID_WORDS * index + 2)
        if i64(ids, ID_WORDS * index + 1) != SEEN_BY_CHOOSER:
            index = align(ids, count, identity, stream)
        entry = offset(entries, 8 * ENTRY * slot)
        if i64(entry, KEY) == 0:
            fresh = 1
            if i64(tree, FILLED) < i64(tree, MOST_FILLED):
                set_i64(tree, FILLED, i64(tree, FILLED) + 1)
                set_i64(entry, KEY, alternative_key(node, identity))
                set_i64(entry, THERE, 1)
            else:
                slot = -1
        if slot >= 0 and depth == 0:
            set_i64(entry, MARK, turn)
        set_i64(path, 3 * depth, slot)
        set_i64(path, 3 * depth + 1, chooser)
        set_i64(path, 3 * depth + 2, identity)
        depth = depth + 1
        if fresh != 0:
            # random play goes on from here, and nobody need be told of anything
            call_at(i64(game, APPLY), state, work, index)
        else:
            step(game, sight, tree, state, work, index, chooser)
    return depth


def back_up(game: Ptr, tree: Ptr, depth: Int, weight: Float) -> None:
    """The results into every entry on the path."""
    path = part(tree, PATH_AT)
    results = part(tree, RESULTS_AT)
    for d in range(depth):
        slot = i64(path, 3 * d)
        if slot >= 0:
            entry = offset(part(tree, ENTRIES_AT), 8 * ENTRY * slot)
            set_i64(entry, TAKEN, i64(entry, TAKEN) + 1)
            weighed = f64(entry, WEIGHT) + weight
            result = f64(entry, RESULT) + weight * f64(results, 4 * i64(path, 3 * d + 1))
            set_f64(entry, WEIGHT, weighed)
            set_f64(entry, RESULT, result)
            set_f64(entry, MEAN, FAILING if weighed == 0.0 else result / weighed)


def iterate(
    game: Ptr,
    sight: Ptr,
    state: Ptr,
    work: Ptr,
    stream: Ptr,
    worth: Ptr,
    tree: Ptr,
    turn: Int,
    again: Int,
    alternatives: Int,
    weight: Float,
) -> None:
    """Once down, to the end, and back up."""
    see_nothing(game, tree, state)
    depth = descend(game, sight, tree, state, work, stream, turn, again)
    if i64(state, i64(game, ENDING)) == 0:
        call_at(i64(game, PLAYOUT), state, work)
    if depth == 0:
        return
    if i64(state, i64(game, ENDING)) == FAILED:
        back_up(game, tree, depth, 0.0)
        return
    judge(game, tree, state, worth)
    back_up(game, tree, depth, weight)
    identity = i64(part(tree, PATH_AT), 2)
    for a in range(alternatives):
        if i64(part(tree, MOVES_AT), a) == identity:
            add_result(game, state, worth, offset(part(tree, SUMS_AT), 8 * SUMS * a), weight)


def search_trees(
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
    sight: Ptr,
    tree: Ptr,
    iterations: Int,
    name: Int,
    first: Int,
    alternatives: Int,
) -> Int:
    """So many iterations; gives how many worlds were found. `room` and `scratch` are as for `search_flat`."""
    words = i64(game, STATE_WORDS)
    state = room
    world = offset(room, 8 * words)
    spare = offset(room, 16 * words)
    missing = offset(scratch, 24)
    shared = sdiv(alternatives + 1, 2)
    found = 0
    done = 0
    seat_players(game, work, name_word(name, first))
    while done < iterations and i64(work, STOP) == 0:
        made = imagine_world(
            game, history, plans, count, swaps, walk, work, stream, scratch, state, spare, ATTEMPTS
        )
        if made == 0:
            set_i64(missing, 0, i64(missing, 0) + 1)
            done = done + 1
            continue
        found = found + 1
        weight = f64(scratch, 1)
        clone(world, state, words)
        again = 0
        turn = 0
        while again < TURNS * shared and done < iterations:
            if again > 0:
                clone(state, world, words)
                call_at(i64(game, RELIST), state, work)
            if srem(again, shared) == 0:
                turn = first + done + 1
            fresh_chance(game, state, name_word(name_word(name, turn), 7))
            iterate(game, sight, state, work, stream, worth, tree, turn, again, alternatives, weight)
            again = again + 1
            done = done + 1
    return found


KERNELS = (
    score,
    select,
    judge,
    descend,
    back_up,
    iterate,
    search_trees,
)
