"""Layout of the tree-search buffer: its head, entries, and lookup of an entry."""

from __future__ import annotations

from upcard.engine.native.kernels.language import Float, Int, Ptr, clz, f64, itof, offset, shl
from upcard.engine.native.kernels.random_numbers import name_word
from upcard.engine.native.kernels.structs import Struct

LOGS = 1024
"""Logarithms that are looked up."""

FAILING = -1.0e300
"""Worse than anything."""

DEEPEST = 400
"""Steps of a path; what lies deeper is played at random."""

LN_2 = 0.6931471805599453


class Tree(Struct):
    """The head of the block of a tree search. `..._at` are words of the block where its parts begin."""

    slots: Int
    """For entries: a power of two."""
    filled: Int = 0
    most_filled: Int
    entries_at: Int
    """A `TreeEntry` for each slot."""
    path_at: Int
    """A `PathStep` for each step of this iteration."""
    ids_at: Int
    picked_at: Int
    """See `action_id`."""
    places_at: Int
    """Where every card lay before the move, as the state has it."""
    seen_at: Int
    """Per seat what it has seen since the root and not everybody else; then what all have seen."""
    factors_at: Int
    """Per seat and seat a float: what a point of the second is worth to the first."""
    sides_at: Int
    """Per seat: 1 on the searching seat's side, else 0."""
    results_at: Int
    """A `SeatResult` for each seat; then a float: how many results there were."""
    moves_at: Int
    """Identities of the alternatives at the root."""
    sums_at: Int
    """See `rollout`."""
    most_listed: Int
    explore: Float
    logs_at: Int
    """Logarithms of the first whole numbers, from 0 on."""
    place_words: Int
    root_at: Int
    """The ids of the alternatives of the decision itself in the present world."""
    root_node: Int = 0
    firsts_at: Int
    """Per seat the first seat of its side: results are the same for both."""


class TreeEntry(Struct):
    """What was tried in a node."""

    key: Int
    """0: the slot is free."""
    taken: Int
    there: Int
    weight: Float
    result: Float
    """Weighted sum of the chooser's results."""
    mark: Int
    """The turn it was taken in last."""
    mean: Float
    """Of the results, FAILING where all games failed."""
    spare: Int


class PathStep(Struct):
    slot: Int
    """Of the entry, -1: none."""
    chooser: Int
    identity: Int


class SeatResult(Struct):
    value: Float
    """Of this iteration."""
    total: Float
    squares: Float
    deviation: Float
    """The standard deviation of all so far."""


def part(tree: Tree, at: Int) -> Ptr:
    """The part of the block that begins at a word."""
    return offset(tree, 8 * at)


def entry_at(tree: Tree, slot: Int) -> TreeEntry:
    return TreeEntry(offset(tree, 8 * tree.entries_at + TreeEntry.size * slot))


def step_at(tree: Tree, depth: Int) -> PathStep:
    """A step of the path."""
    return PathStep(offset(tree, 8 * tree.path_at + PathStep.size * depth))


def logarithm(n: Int) -> Float:
    """The natural logarithm of a whole number from 1 on, by sums alone: the same bits everywhere."""
    power = 63 - clz(n)
    m = itof(n) / itof(shl(1, power))
    z = (m - 1.0) / (m + 1.0)
    square = z * z
    total = 0.0
    term = 21
    while term >= 1:
        total = total * square + 1.0 / itof(term)
        term = term - 2
    return itof(power) * LN_2 + 2.0 * z * total


def known_logarithm(tree: Tree, n: Int) -> Float:
    """The same, looked up where it can be."""
    if n < LOGS:
        return f64(part(tree, tree.logs_at), n)
    return logarithm(n)


def slot_of(tree: Tree, key: Int) -> Int:
    """The slot that holds a key, or the free one where it belongs. There is always a free one."""
    last = tree.slots - 1
    slot = key & last
    entries = part(tree, tree.entries_at)
    held = TreeEntry(offset(entries, TreeEntry.size * slot)).key
    while held != key and held != 0:
        slot = (slot + 1) & last
        held = TreeEntry(offset(entries, TreeEntry.size * slot)).key
    return slot


def entry_key(node: Int, identity: Int) -> Int:
    """Never 0, which is a free slot."""
    key = name_word(node, identity)
    return 1 if key == 0 else key


def alternative_key(node: Int, identity: Int) -> Int:
    """The same for words that are mixed already, both of them."""
    key = node ^ identity
    return 1 if key == 0 else key


KERNELS = (part, entry_at, step_at, logarithm, known_logarithm, slot_of, entry_key, alternative_key)
