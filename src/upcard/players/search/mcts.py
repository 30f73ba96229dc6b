"""Kernels of tree search in one determinization: the published MCTS (recycle.md 20.7).

The game is searched as if every card lay open. A node is a whole state and whoever moved into it, so ways
that lead to the same state meet. Entries are those of `tree_memory`: a node has its key, how often it
was visited (TAKEN) and what its mover got (RESULT); an alternative of a node has the slot of the node that it
led to (THERE).
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
    set_i64,
    u8,
    u16,
)
from upcard.engine.native.kernels.random_numbers import below, name_word
from upcard.engine.native.kernels.resample import clone
from upcard.engine.native.stop_word import STOP
from upcard.players.belief.action_match import (
    ADVANCE,
    APPLY,
    CARD_BYTES,
    CHOICES,
    ENDING,
    LISTS,
    PLAYOUT,
    RELIST,
    SCORES,
    SEATS,
    STATE_WORDS,
    place_of,
)
from upcard.players.search.action_id import PARTS, PARTS_AT, PLACES, ROOM, align, chooser_of
from upcard.players.search.memoryless_rollouts import identify_here
from upcard.players.search.rollout import FAILED, fresh_chance, seat_players
from upcard.players.search.tree_memory import (
    DEEPEST,
    ENTRIES_AT,
    ENTRY,
    FILLED,
    IDS_AT,
    KEY,
    MOST_FILLED,
    MOVES_AT,
    PATH_AT,
    RESULT,
    SUMS_AT,
    TAKEN,
    THERE,
    entry_key,
    logarithm,
    part,
    slot_of,
)


def state_key(game: Ptr, sight: Ptr, state: Ptr, mover: Int) -> Int:
    """Everything that lies and stands, and who moved; counts of decisions and chance to come are left out."""
    key = name_word(2, mover)
    at = i64(sight, PARTS_AT)
    for n in range(i64(sight, PARTS)):
        first = i64(sight, at + 2 * n)
        for i in range(i64(sight, at + 2 * n + 1)):
            key = name_word(key, i64(state, first + i))
    for card in range(i64(sight, ROOM)):
        key = name_word(key, place_of(game, state, card))
    for place in range(i64(sight, PLACES)):
        if i64(game, LISTS + place) >= 0:
            listed = offset(state, i64(game, LISTS + place))
            count = i64(listed, 0)
            key = name_word(key, count)
            for i in range(count):
                key = name_word(key, u8(listed, 8 + i) if i64(game, CARD_BYTES) == 1 else u16(listed, 4 + i))
    return entry_key(key, i64(state, i64(game, ENDING)))


def add_entry(tree: Ptr, key: Int) -> Int:
    """The slot of a key, made if there is room for it; -1 if there is none."""
    slot = slot_of(tree, key)
    entry = offset(part(tree, ENTRIES_AT), 8 * ENTRY * slot)
    if i64(entry, KEY) == 0:
        if i64(tree, FILLED) >= i64(tree, MOST_FILLED):
            return -1
        set_i64(tree, FILLED, i64(tree, FILLED) + 1)
        set_i64(entry, KEY, key)
    return slot


def child_of(tree: Ptr, node: Int, index: Int) -> Int:
    """The slot of the node that an alternative led to, or -1 where it was not tried."""
    key = entry_key(node, index)
    entry = offset(part(tree, ENTRIES_AT), 8 * ENTRY * slot_of(tree, key))
    return -1 if i64(entry, KEY) == 0 else i64(entry, THERE)


def follow(tree: Ptr, node: Int, count: Int, stream: Ptr) -> Int:
    """The alternative to play at a node: by chance until all have been tried."""
    entries = part(tree, ENTRIES_AT)
    total = 0
    for i in range(count):
        child = child_of(tree, node, i)
        if child < 0:
            return below(stream, count)
        total = total + i64(entries, ENTRY * child + TAKEN)
    best = 0
    most = 0.0
    for i in range(count):
        entry = offset(entries, 8 * ENTRY * child_of(tree, node, i))
        visits = itof(i64(entry, TAKEN))
        value = f64(entry, RESULT) / visits + fsqrt(2.0 * logarithm(total) / visits)
        if i == 0 or value > most:
            best = i
            most = value
    return best


def position(game: Ptr, state: Ptr, seat: Int, highest: Int) -> Int:
    """A seat's place in the sorted result, equals by seat."""
    scores = i64(game, SCORES)
    mine = i64(state, scores + seat)
    before = 0
    for other in range(i64(game, SEATS)):
        theirs = i64(state, scores + other)
        if theirs == mine:
            if other < seat:
                before = before + 1
        elif (highest != 0 and theirs > mine) or (highest == 0 and theirs < mine):
            before = before + 1
    return before


def simulate(game: Ptr, sight: Ptr, root: Int, state: Ptr, work: Ptr, stream: Ptr, tree: Ptr) -> Int:
    """Down from the root until a state is new, then at random; gives how many stored nodes were visited."""
    path = part(tree, PATH_AT)
    node = root
    depth = 0
    fresh = 0
    while fresh == 0 and i64(state, i64(game, ENDING)) == 0 and depth < DEEPEST:
        index = follow(tree, node, i64(state, i64(game, CHOICES)), stream)
        mover = chooser_of(game, sight, state)
        call_at(i64(game, APPLY), state, work, index)
        if i64(state, i64(game, ENDING)) == 0:
            call_at(i64(game, ADVANCE), state, work)
        key = state_key(game, sight, state, mover)
        before = i64(tree, FILLED)
        slot = add_entry(tree, key)
        if slot < 0 or i64(tree, FILLED) > before:
            fresh = 1
        if slot >= 0:
            edge = add_entry(tree, entry_key(node, index))
            if edge >= 0:
                set_i64(part(tree, ENTRIES_AT), ENTRY * edge + THERE, slot)
            set_i64(path, 3 * depth, slot)
            set_i64(path, 3 * depth + 1, mover)
            depth = depth + 1
        node = key
    if i64(state, i64(game, ENDING)) == 0:
        call_at(i64(game, PLAYOUT), state, work)
    return depth


def search_states(
    game: Ptr,
    sight: Ptr,
    start: Ptr,
    state: Ptr,
    work: Ptr,
    stream: Ptr,
    tree: Ptr,
    simulations: Int,
    name: Int,
    first: Int,
    highest: Int,
) -> Int:
    """So many simulations from one guess, in room for another state; gives how many failed."""
    failed = 0
    seat_players(game, work, name_word(name, first))
    root = state_key(game, sight, start, i64(game, SEATS))
    for n in range(simulations):
        if i64(work, STOP) != 0:
            return failed
        clone(state, start, i64(game, STATE_WORDS))
        fresh_chance(game, state, name_word(name_word(name, first + n), 7))
        call_at(i64(game, RELIST), state, work)
        depth = simulate(game, sight, root, state, work, stream, tree)
        ended = i64(state, i64(game, ENDING)) != FAILED
        if not ended:
            failed = failed + 1
        for d in range(depth):
            entry = offset(part(tree, ENTRIES_AT), 8 * ENTRY * i64(part(tree, PATH_AT), 3 * d))
            set_i64(entry, TAKEN, i64(entry, TAKEN) + 1)
            if ended:
                at = position(game, state, i64(part(tree, PATH_AT), 3 * d + 1), highest)
                set_f64(entry, RESULT, f64(entry, RESULT) + 1.0 / itof(at + 1))
    return failed


def weigh_states(
    game: Ptr, sight: Ptr, start: Ptr, work: Ptr, stream: Ptr, tree: Ptr, alternatives: Int
) -> Float:
    """For every move what it came to and how often it was tried, two floats; gives the greatest mean."""
    most = 0.0
    call_at(i64(game, RELIST), start, work)
    root = state_key(game, sight, start, i64(game, SEATS))
    count = identify_here(game, sight, tree, start, work)
    sums = part(tree, SUMS_AT)
    for a in range(alternatives):
        index = align(part(tree, IDS_AT), count, i64(part(tree, MOVES_AT), a), stream)
        child = -1
        if index >= 0:
            child = child_of(tree, root, index)
        set_f64(sums, 2 * a, 0.0)
        set_f64(sums, 2 * a + 1, 0.0)
        if child >= 0:
            entry = offset(part(tree, ENTRIES_AT), 8 * ENTRY * child)
            set_f64(sums, 2 * a, f64(entry, RESULT))
            set_f64(sums, 2 * a + 1, itof(i64(entry, TAKEN)))
            mean = f64(entry, RESULT) / itof(i64(entry, TAKEN))
            if mean > most:
                most = mean
    return most


KERNELS = (
    state_key,
    add_entry,
    child_of,
    follow,
    position,
    simulate,
    search_states,
    weigh_states,
)
