"""Kernels of tree search in one determinization: the published MCTS (docs/reference/players.md).

The game is searched as if every card lay open. A node is a whole state and the seat that moved into it, so
ways that lead to the same state meet. Entries are those of `tree_memory`: a node has its key, how often it
was visited (`taken`) and what its mover got (`result`); an alternative of a node has the slot of the node
that it led to (`there`).
"""

from __future__ import annotations

from upcard.engine.native.kernels.language import (
    Float,
    Int,
    Ptr,
    call_at,
    fsqrt,
    i64,
    itof,
    offset,
    set_f64,
    u8,
    u16,
)
from upcard.engine.native.kernels.random_numbers import below, name_word
from upcard.engine.native.kernels.resample import clone
from upcard.engine.native.kernels.structs import Struct
from upcard.engine.native.kernels.workspace_growth import WorkspaceHead
from upcard.players.belief.action_match import place_of
from upcard.players.belief.kernel_structs import Game
from upcard.players.search.action_id import ActionIds, VisibilityTable, align, chooser_of
from upcard.players.search.memoryless_rollouts import identify_here
from upcard.players.search.rollout import FAILED, fresh_chance, seat_players
from upcard.players.search.tree_memory import (
    DEEPEST,
    Tree,
    entry_at,
    entry_key,
    logarithm,
    part,
    slot_of,
    step_at,
)


class StateSearch(Struct):
    game: Game
    visibility: VisibilityTable
    start: Ptr
    """The determinization."""
    state: Ptr
    """Room for another state."""
    work: WorkspaceHead
    stream: Ptr
    tree: Tree
    name: Int
    """Of the stream that everything by chance is derived from."""
    highest: Int
    """1: most points win; 0: fewest."""


def state_key(game: Game, visibility: VisibilityTable, state: Ptr, mover: Int) -> Int:
    """Everything that lies and stands, and who moved; counts of decisions and chance to come are left out."""
    key = name_word(2, mover)
    at = visibility.parts_at
    for n in range(visibility.parts):
        first = i64(visibility, at + 2 * n)
        for i in range(i64(visibility, at + 2 * n + 1)):
            key = name_word(key, i64(state, first + i))
    for card in range(visibility.room):
        key = name_word(key, place_of(game, state, card))
    for place in range(visibility.places):
        if game.lists[place] >= 0:
            listed = offset(state, game.lists[place])
            count = i64(listed, 0)
            key = name_word(key, count)
            for i in range(count):
                key = name_word(key, u8(listed, 8 + i) if game.card_bytes == 1 else u16(listed, 4 + i))
    return entry_key(key, i64(state, game.ending))


def add_entry(tree: Tree, key: Int) -> Int:
    """The slot of a key, filled if there is room for it; -1 if there is none."""
    slot = slot_of(tree, key)
    entry = entry_at(tree, slot)
    if entry.key == 0:
        if tree.filled >= tree.most_filled:
            return -1
        tree.filled += 1
        entry.key = key
    return slot


def child_of(tree: Tree, node: Int, index: Int) -> Int:
    """The slot of the node that an alternative led to, or -1 where it was not tried."""
    entry = entry_at(tree, slot_of(tree, entry_key(node, index)))
    return -1 if entry.key == 0 else entry.there


def follow(tree: Tree, node: Int, count: Int, stream: Ptr) -> Int:
    """The alternative to play at a node: by chance until all have been tried."""
    total = 0
    for i in range(count):
        child = child_of(tree, node, i)
        if child < 0:
            return below(stream, count)
        total = total + entry_at(tree, child).taken
    best = 0
    most = 0.0
    for i in range(count):
        entry = entry_at(tree, child_of(tree, node, i))
        visits = itof(entry.taken)
        value = entry.result / visits + fsqrt(2.0 * logarithm(total) / visits)
        if i == 0 or value > most:
            best = i
            most = value
    return best


def position(game: Game, state: Ptr, seat: Int, highest: Int) -> Int:
    """A seat's place in the sorted result, equals by seat."""
    scores = game.scores
    mine = i64(state, scores + seat)
    before = 0
    for other in range(game.seats):
        theirs = i64(state, scores + other)
        if theirs == mine:
            if other < seat:
                before = before + 1
        elif (highest != 0 and theirs > mine) or (highest == 0 and theirs < mine):
            before = before + 1
    return before


def simulate(search: StateSearch, root: Int) -> Int:
    """Down from the root until a state is new, then at random; gives how many stored nodes were visited."""
    game = search.game
    visibility = search.visibility
    state = search.state
    work = search.work
    tree = search.tree
    node = root
    depth = 0
    fresh = 0
    while fresh == 0 and i64(state, game.ending) == 0 and depth < DEEPEST:
        index = follow(tree, node, i64(state, game.choices), search.stream)
        mover = chooser_of(game, visibility, state)
        call_at(game.apply, state, work, index)
        if i64(state, game.ending) == 0:
            call_at(game.advance, state, work)
        key = state_key(game, visibility, state, mover)
        before = tree.filled
        slot = add_entry(tree, key)
        if slot < 0 or tree.filled > before:
            fresh = 1
        if slot >= 0:
            edge = add_entry(tree, entry_key(node, index))
            if edge >= 0:
                led_by = entry_at(tree, edge)
                led_by.there = slot
            here = step_at(tree, depth)
            here.slot = slot
            here.chooser = mover
            depth = depth + 1
        node = key
    if i64(state, game.ending) == 0:
        call_at(game.playout, state, work)
    return depth


def search_states(search: StateSearch, first: Int, simulations: Int) -> Int:
    """Runs that many simulations from one determinization; gives how many failed."""
    game = search.game
    state = search.state
    work = search.work
    tree = search.tree
    failed = 0
    seat_players(game, work, name_word(search.name, first))
    root = state_key(game, search.visibility, search.start, game.seats)
    for n in range(simulations):
        if work.stop != 0:
            return failed
        clone(state, search.start, game.state_words)
        fresh_chance(game, state, name_word(name_word(search.name, first + n), 7))
        call_at(game.relist, state, work)
        depth = simulate(search, root)
        ended = i64(state, game.ending) != FAILED
        if not ended:
            failed = failed + 1
        for d in range(depth):
            here = step_at(tree, d)
            entry = entry_at(tree, here.slot)
            entry.taken += 1
            if ended:
                rank = position(game, state, here.chooser, search.highest)
                entry.result += 1.0 / itof(rank + 1)
    return failed


def weigh_states(search: StateSearch, alternatives: Int) -> Float:
    """For every move its result and how often it was tried, two floats; gives the greatest mean."""
    game = search.game
    start = search.start
    tree = search.tree
    most = 0.0
    call_at(game.relist, start, search.work)
    root = state_key(game, search.visibility, start, game.seats)
    count = identify_here(game, search.visibility, tree, start, search.work)
    ids = ActionIds(part(tree, tree.ids_at))
    sums = part(tree, tree.sums_at)
    for a in range(alternatives):
        index = align(ids, count, i64(part(tree, tree.moves_at), a), search.stream)
        child = -1
        if index >= 0:
            child = child_of(tree, root, index)
        set_f64(sums, 2 * a, 0.0)
        set_f64(sums, 2 * a + 1, 0.0)
        if child >= 0:
            entry = entry_at(tree, child)
            set_f64(sums, 2 * a, entry.result)
            set_f64(sums, 2 * a + 1, itof(entry.taken))
            mean = entry.result / itof(entry.taken)
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
