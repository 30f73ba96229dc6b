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
of the chooser's results so far: that brings points of every game, and chances to win a match, to one scale,
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
    srem,
)
from upcard.engine.native.kernels.random_numbers import below, name_word
from upcard.engine.native.kernels.resample import clone
from upcard.engine.native.kernels.structs import Struct
from upcard.players.belief.kernel_structs import Game, WorldSampler
from upcard.players.belief.world_sample import ATTEMPTS, sample_world
from upcard.players.search.action_id import (
    BLANK_AGAIN,
    SEEN_BY_CHOOSER,
    ActionIds,
    VisibilityTable,
    align,
    chooser_of,
    identify,
)
from upcard.players.search.infoset_key import node_key, picked_of, see_nothing, step
from upcard.players.search.rollout import (
    FAILED,
    RACE,
    Utility,
    add_result,
    fresh_chance,
    race_won,
    seat_players,
    sums_of,
)
from upcard.players.search.tree_memory import (
    DEEPEST,
    FAILING,
    SeatResult,
    Tree,
    TreeEntry,
    alternative_key,
    entry_at,
    known_logarithm,
    part,
    slot_of,
    step_at,
)

LEAST_TAKEN = 10
"""Visits of every alternative of the decision itself before they are compared."""

TURNS = 2
"""In a world."""


class TreeSearch(Struct):
    worlds: WorldSampler
    room: Ptr
    """For three states."""
    utility: Utility
    visibility: VisibilityTable
    tree: Tree
    name: Int
    """Of the stream that everything by chance is derived from."""
    alternatives: Int


def result_of(tree: Tree, seat: Int) -> SeatResult:
    return SeatResult(offset(tree, 8 * tree.results_at + SeatResult.size * seat))


def score(tree: Tree, entry: TreeEntry, deviation: Float) -> Float:
    """The upper confidence bound of an entry. One whose games all failed comes behind any other."""
    there = known_logarithm(tree, entry.there)
    bonus = tree.explore * fsqrt(there / itof(entry.taken))
    return entry.mean + deviation * bonus


def select(tree: Tree, ids: ActionIds, node: Int, seat: Int, count: Int, stream: Ptr, turn: Int) -> Int:
    """The alternative to take at a node: one never taken, by chance, or the one with the best score. Its slot
    is noted in place of its plain identity, which is not needed any more.

    Those of the decision itself (`turn`) are taken some times each: where results hardly differ otherwise,
    one bad beginning would be believed for ever.
    """
    entries = part(tree, tree.entries_at)
    deviation = result_of(tree, seat).deviation
    enough = 1 if turn == 0 else LEAST_TAKEN
    fresh = 0
    chosen = -1
    best = -1
    most = 0.0
    for i in range(count):
        if ids.each[i].sort == BLANK_AGAIN:
            continue
        slot = slot_of(tree, alternative_key(node, ids.each[i].identity))
        ids.each[i].plain = slot
        entry = TreeEntry(offset(entries, TreeEntry.size * slot))
        if turn != 0 and entry.mark == turn:
            continue
        # a free one has not been taken
        if entry.taken < enough:
            fresh = fresh + 1
            if below(stream, fresh) == 0:
                chosen = i
        else:
            entry.there += 1
            value = score(tree, entry, deviation)
            if best < 0 or value > most:
                best = i
                most = value
    if fresh > 0:
        return chosen
    if best < 0:
        best = below(stream, count)
        ids.each[best].plain = slot_of(tree, alternative_key(node, ids.each[best].identity))
    return best


def judge(game: Game, tree: Tree, state: Ptr, utility: Utility) -> None:
    """Computes what the end of a deal is worth to every seat, and how far results lie apart."""
    seats = game.seats
    results = part(tree, tree.results_at)
    factors = part(tree, tree.factors_at)
    count = f64(results, 4 * seats) + 1.0
    set_f64(results, 4 * seats, count)
    won = 0.0
    if utility.kind == RACE:
        won = race_won(game, state, utility)
    for seat in range(seats):
        own = result_of(tree, seat)
        first = i64(part(tree, tree.firsts_at), seat)
        if first != seat:
            theirs = result_of(tree, first)
            own.value = theirs.value
            own.total = theirs.total
            own.squares = theirs.squares
            own.deviation = theirs.deviation
            continue
        value = 0.0
        if utility.kind == RACE:
            value = won if i64(part(tree, tree.sides_at), seat) != 0 else 1.0 - won
        else:
            for other in range(seats):
                points = itof(i64(state, game.scores + other))
                value = value + f64(factors, seat * seats + other) * points
        own.value = value
        own.total += value
        own.squares += value * value
        mean = own.total / count
        variance = own.squares / count - mean * mean
        own.deviation = fsqrt(variance) if variance > 0.0 else 0.0


def descend(search: TreeSearch, state: Ptr, turn: Int, again: Int) -> Int:
    """From the root to the first entry that is new, or to the end; gives the length of the path. `again`: the
    world is the one before, and what it offers at the root has its identities already."""
    tree = search.tree
    game = search.worlds.game
    work = search.worlds.work
    stream = search.worlds.stream
    visibility = search.visibility
    entries = part(tree, tree.entries_at)
    root = 1
    depth = 0
    fresh = 0
    while fresh == 0 and i64(state, game.ending) == 0 and depth < DEEPEST:
        chooser = chooser_of(game, visibility, state)
        count = i64(state, game.choices)
        if count > tree.most_listed:
            break
        if count == 1:
            step(game, visibility, tree, state, work, 0, chooser)
            root = 0
            continue
        ids = ActionIds(part(tree, tree.root_at if root != 0 else tree.ids_at))
        node = tree.root_node
        if root == 0 or again == 0:
            node = node_key(game, visibility, tree, state, chooser)
            identify(game, visibility, state, work, chooser, picked_of(tree), ids)
        if root != 0:
            tree.root_node = node
        root = 0
        index = select(tree, ids, node, chooser, count, stream, turn if depth == 0 else 0)
        identity = ids.each[index].identity
        slot = ids.each[index].plain
        if ids.each[index].sort != SEEN_BY_CHOOSER:
            index = align(ids, count, identity, stream)
        entry = TreeEntry(offset(entries, TreeEntry.size * slot))
        if entry.key == 0:
            fresh = 1
            if tree.filled < tree.most_filled:
                tree.filled += 1
                entry.key = alternative_key(node, identity)
                entry.there = 1
            else:
                slot = -1
        if slot >= 0 and depth == 0:
            entry.mark = turn
        here = step_at(tree, depth)
        here.slot = slot
        here.chooser = chooser
        here.identity = identity
        depth = depth + 1
        if fresh != 0:
            # random play goes on from here, and what seats see is not needed any more
            call_at(game.apply, state, work, index)
        else:
            step(game, visibility, tree, state, work, index, chooser)
    return depth


def back_up(tree: Tree, depth: Int, weight: Float) -> None:
    """Adds the results to every entry on the path."""
    for d in range(depth):
        here = step_at(tree, d)
        if here.slot >= 0:
            entry = entry_at(tree, here.slot)
            entry.taken += 1
            weighed = entry.weight + weight
            result = entry.result + weight * result_of(tree, here.chooser).value
            entry.weight = weighed
            entry.result = result
            entry.mean = FAILING if weighed == 0.0 else result / weighed


def iterate(search: TreeSearch, state: Ptr, turn: Int, again: Int, weight: Float) -> None:
    """Once down, to the end, and back up."""
    game = search.worlds.game
    work = search.worlds.work
    tree = search.tree
    see_nothing(game, tree, state)
    depth = descend(search, state, turn, again)
    if i64(state, game.ending) == 0:
        call_at(game.playout, state, work)
    if depth == 0:
        return
    if i64(state, game.ending) == FAILED:
        back_up(tree, depth, 0.0)
        return
    judge(game, tree, state, search.utility)
    back_up(tree, depth, weight)
    identity = step_at(tree, 0).identity
    for a in range(search.alternatives):
        if i64(part(tree, tree.moves_at), a) == identity:
            sums = sums_of(part(tree, tree.sums_at), a)
            add_result(game, state, search.utility, sums, weight)


def search_trees(search: TreeSearch, first: Int, iterations: Int) -> Int:
    """Runs that many iterations; gives how many worlds were found. `first` numbers the iterations of a search
    that is done in slices."""
    worlds = search.worlds
    game = worlds.game
    work = worlds.work
    name = search.name
    words = game.state_words
    state = search.room
    world = offset(state, 8 * words)
    spare = offset(state, 16 * words)
    shared = sdiv(search.alternatives + 1, 2)
    found = 0
    done = 0
    seat_players(game, work, name_word(name, first))
    while done < iterations and work.stop == 0:
        if sample_world(worlds, state, spare, ATTEMPTS) == 0:
            worlds.tally.missing += 1
            done = done + 1
            continue
        found = found + 1
        weight = worlds.tally.weight
        clone(world, state, words)
        again = 0
        turn = 0
        while again < TURNS * shared and done < iterations:
            if again > 0:
                clone(state, world, words)
                call_at(game.relist, state, work)
            if srem(again, shared) == 0:
                turn = first + done + 1
            fresh_chance(game, state, name_word(name_word(name, turn), 7))
            iterate(search, state, turn, again, weight)
            again = again + 1
            done = done + 1
    return found


KERNELS = (
    result_of,
    score,
    select,
    judge,
    descend,
    back_up,
    iterate,
    search_trees,
)
