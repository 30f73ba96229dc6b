"""Layout of the tree-search buffer: words, entries, and lookup of an entry.

`tree` is one block: words that say where its parts begin (named below), then
    entries     key (0: free), taken, there, weight, weighted result of the chooser, turn it was taken in,
                mean result (FAILING where all games failed)
    path        entry (-1: none), chooser and identity of this iteration's steps
    ids, picked see `action_id`
    root        the same as ids, for the alternatives of the decision itself in the present world
    places      where every card lay before the move, as the state has it
    seen        per seat what it has seen since the root and not everybody else; then what all have seen
    factors     per seat and seat a float: what a point of the second is worth to the first
    sides       per seat: 1 on the searching seat's side, else 0
    firsts      per seat the first seat of its side: results are the same for both
    results     per seat four floats: its result, and of all so far the sum, the squares, the deviation; then
                how many there were
    moves       identities of the alternatives at the root
    sums        see `rollout`
    logs        logarithms of the first whole numbers, 0 first
"""

from __future__ import annotations

from upcard.engine.native.kernels.language import Float, Int, Ptr, clz, f64, i64, itof, offset, shl
from upcard.engine.native.kernels.random_numbers import name_word

SLOTS = 0
FILLED = 1
MOST_FILLED = 2
ENTRIES_AT = 3
PATH_AT = 4
IDS_AT = 5
PICKED_AT = 6
PLACES_AT = 7
SEEN_AT = 8
FACTORS_AT = 9
SIDES_AT = 10
RESULTS_AT = 11
MOVES_AT = 12
SUMS_AT = 13
MOST_LISTED = 14
EXPLORE = 15
LOGS_AT = 16
PLACE_WORDS = 17
ROOT_AT = 18
ROOT_NODE = 19
FIRSTS_AT = 20
TREE_HEAD = 21

LOGS = 1024
"""Logarithms that are looked up."""

ENTRY = 8
KEY = 0
TAKEN = 1
THERE = 2
WEIGHT = 3
RESULT = 4
MARK = 5
MEAN = 6

FAILING = -1.0e300
"""Worse than anything."""

DEEPEST = 400
"""Steps of a path; what lies deeper is played at random."""

LN_2 = 0.6931471805599453


def part(tree: Ptr, which: Int) -> Ptr:
    return offset(tree, 8 * i64(tree, which))


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


def known_logarithm(tree: Ptr, n: Int) -> Float:
    """The same, looked up where it can be."""
    if n < LOGS:
        return f64(part(tree, LOGS_AT), n)
    return logarithm(n)


def slot_of(tree: Ptr, key: Int) -> Int:
    """The slot that holds a key, or the free one where it belongs. There is always a free one."""
    last = i64(tree, SLOTS) - 1
    slot = key & last
    entries = part(tree, ENTRIES_AT)
    held = i64(entries, ENTRY * slot + KEY)
    while held != key and held != 0:
        slot = (slot + 1) & last
        held = i64(entries, ENTRY * slot + KEY)
    return slot


def entry_key(node: Int, identity: Int) -> Int:
    """Never 0, which is a free slot."""
    key = name_word(node, identity)
    return 1 if key == 0 else key


def alternative_key(node: Int, identity: Int) -> Int:
    """The same for words that are mixed already, both of them."""
    key = node ^ identity
    return 1 if key == 0 else key


KERNELS = (part, logarithm, known_logarithm, slot_of, entry_key, alternative_key)
