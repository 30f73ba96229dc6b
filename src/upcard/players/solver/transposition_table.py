"""Transposition table and move ordering of the solver, as kernels.

All that the kernels need but a game's workspace is one block of words, the `solver`: its head, what
`endgame.py` writes behind it, room for a state at every depth, and the table of what is known.

The table. What makes a state's future (`liveness.py`) is mixed to 128 bits. One half is the key, kept and
compared in full; the place in the table comes from the other. A wrong hit needs two different states with
equal keys in one bucket. A state is compared with two entries, so among n states looked up the probability of
any wrong hit is below 2n / 2**64: 10**-13 for a million. Entries of an earlier solution are never used, so
that a result depends on nothing but what was asked.
"""

from __future__ import annotations

from upcard.engine.native.kernels.language import (
    Int,
    Ptr,
    add,
    ctz,
    i64,
    lshr,
    mul,
    offset,
    set_i64,
    shl,
    umulh,
)
from upcard.engine.native.kernels.random_numbers import mix

# The head of the solver, by words. Of the game: addresses, then where a state and a workspace keep things.
ADVANCE = 0
APPLY = 1
RELIST = 2
STATE_WORDS = 3
SEATS = 4
PC = 5
ENDING = 6
CHOICES = 7
CHANCE = 8
NAME = 9
DECISIONS = 10
SEAT_INDEX = 11
TEAM_OF = 12
SCORES = 13
SEEDED = 14
LISTING = 15
CARD_SHIFT = 16
# Of the task.
MOST_NODES = 17
MOST_DEPTH = 18
SIDES = 19
SIGN = 20
WORTH_LOW = 21
WORTH_SPAN = 22
# Where in the solver things lie, by words.
WORTH_AT = 23
SIDE_AT = 24
KEYS_AT = 25
PLANS_AT = 26
VALUES_AT = 27
VECTORS_AT = 28
STATES_AT = 29
TABLE_AT = 30
BUCKETS = 31
ENTRY_WORDS = 32
ORDERS_AT = 33
CREDIT_AT = 34
CREDITS = 35
MASKS_AT = 36
MASK_WORDS = 37
SET_WORDS = 38
# What changes meanwhile.
SOLUTION = 39
NODES = 40
STOPPED = 41
KEY = 42
BUCKET = 43
USED = 44
GROW_AT = 45
STREAM = 46
HEAD = 56

GIVEN_UP = -2
"""Given where there is no answer; the head says why."""

MOST_ORDERED = 64
"""A decision with more alternatives is tried in the order of listing."""
MOST_CREDIT = 1 << 30
FIRST_USED = 1 << 11
"""Buckets of the table used at first."""
NODES_A_BUCKET = 24
"""So many nodes later more of them are."""
MOVE_BITS = 20
EFFORT_BITS = 6


def give_up(solver: Ptr, why: Int) -> Int:
    set_i64(solver, STOPPED, why)
    return GIVEN_UP


def copy_words(target: Ptr, source: Ptr, words: Int) -> None:
    """Of two places that do not overlap."""
    for i in range(words):
        set_i64(target, i, i64(source, i))


def state_at(solver: Ptr, depth: Int) -> Ptr:
    return offset(solver, 8 * (i64(solver, STATES_AT) + depth * i64(solver, STATE_WORDS)))


def grow(solver: Ptr) -> None:
    """Use more of the table: a short search stays inside a part that the processor keeps close by.

    What was kept before is mostly not found any more.
    """
    used = 4 * i64(solver, USED)
    at = NODES_A_BUCKET * used
    if used >= i64(solver, BUCKETS):
        used = i64(solver, BUCKETS)
        at = i64(solver, MOST_NODES)
    set_i64(solver, USED, used)
    set_i64(solver, GROW_AT, at if at < i64(solver, MOST_NODES) else i64(solver, MOST_NODES))


def find_key(solver: Ptr, state: Ptr) -> None:
    """KEY and BUCKET of a state at a decision: sums of products of pairs of its words, each word with a
    number of its own."""
    plan = offset(solver, 8 * i64(solver, i64(solver, PLANS_AT) + i64(state, i64(solver, PC))))
    keys = offset(solver, 8 * i64(solver, KEYS_AT))
    pairs = i64(plan, 0)
    low = 0
    high = 0
    k = 0
    for i in range(pairs):
        a = i64(state, i64(plan, 4 + 2 * i)) ^ i64(keys, k)
        b = i64(state, i64(plan, 5 + 2 * i)) ^ i64(keys, k + 1)
        low = add(low, mul(a, b))
        high = add(high, umulh(a, b))
        k = k + 2
    lists = offset(plan, 8 * (4 + 2 * pairs))
    for i in range(i64(plan, 1)):
        cards = offset(state, i64(lists, i))
        count = i64(cards, 0)
        c = count ^ i64(keys, k)
        d = add(low, i64(keys, k + 1)) ^ high
        low = add(low, mul(c, d))
        high = add(high, umulh(c, d)) ^ d
        k = k + 2
        # whole words of cards, then what is left of them
        bits = shl(count, 3 + i64(solver, CARD_SHIFT))
        at = 1
        while bits > 0:
            word = i64(cards, at)
            if bits < 64:
                word = word & (shl(1, bits) - 1)
            e = word ^ mix(add(low, at))
            f = high ^ i64(keys, k - 1)
            low = add(low, mul(e, f))
            high = add(high, umulh(e, f)) ^ e
            at = at + 1
            bits = bits - 64
    set_i64(solver, KEY, mix(add(low, mul(high, 3))))
    set_i64(solver, BUCKET, mix(high ^ shl(low, 32) ^ lshr(low, 32)) & (i64(solver, USED) - 1))


def entry_of(solver: Ptr, key: Int, bucket: Int) -> Int:
    """The word of the solver where a state's entry begins, or 0."""
    size = i64(solver, ENTRY_WORDS)
    at = i64(solver, TABLE_AT) + 2 * size * bucket
    solution = i64(solver, SOLUTION)
    for _ in range(2):
        if i64(solver, at) == key and lshr(i64(solver, at + 1), MOVE_BITS + EFFORT_BITS) == solution:
            return at
        at = at + size
    return 0


def new_entry(solver: Ptr, key: Int, bucket: Int, effort: Int, move: Int) -> Int:
    """Room for a state's entry, its head written: the first of a bucket is for what took longest."""
    size = i64(solver, ENTRY_WORDS)
    at = i64(solver, TABLE_AT) + 2 * size * bucket
    solution = i64(solver, SOLUTION)
    had = i64(solver, at + 1)
    other = lshr(had, MOVE_BITS + EFFORT_BITS) == solution and i64(solver, at) != key
    if other != 0 and lshr(had, MOVE_BITS) & (shl(1, EFFORT_BITS) - 1) > effort:
        at = at + size
    set_i64(solver, at, key)
    set_i64(solver, at + 1, shl(solution, MOVE_BITS + EFFORT_BITS) | shl(effort, MOVE_BITS) | move)
    return at


def put_in_order(solver: Ptr, work: Ptr, depth: Int, first: Int) -> Int:
    """The alternatives just listed at a depth, with their credit: 1, or 0 where they cannot be told apart.

    A word each: credit, then the earlier the more, then which card (or other thing to pick) it is about.
    """
    state = state_at(solver, depth)
    plan = offset(solver, 8 * i64(solver, i64(solver, PLANS_AT) + i64(state, i64(solver, PC))))
    if i64(state, i64(solver, CHOICES)) > MOST_ORDERED:
        return 0
    if i64(plan, 2) == 0:
        return 0
    order = offset(solver, 8 * (i64(solver, ORDERS_AT) + depth * MOST_ORDERED))
    credit = offset(solver, 8 * i64(plan, 3))
    masks = offset(work, 8 * i64(solver, MASKS_AT))
    index = 0
    for item in range(i64(plan, 2)):
        for w in range(i64(solver, SET_WORDS)):
            left = i64(masks, item * i64(solver, MASK_WORDS) + w)
            while left != 0:
                card = ctz(left) + 64 * w
                left = left & (left - 1)
                points = i64(credit, card)
                if index == first:
                    points = MOST_CREDIT
                set_i64(order, index, shl(points, 32) | shl(MOST_ORDERED - 1 - index, 16) | card)
                index = index + 1
    return 1


def take_best(solver: Ptr, depth: Int, n: Int, choices: Int) -> Int:
    """The n-th alternative in order: from n on the best comes to n."""
    order = offset(solver, 8 * (i64(solver, ORDERS_AT) + depth * MOST_ORDERED))
    best = n
    most = i64(order, n)
    for i in range(n + 1, choices):
        here = i64(order, i)
        if here > most:
            most = here
            best = i
    set_i64(order, best, i64(order, n))
    set_i64(order, n, most)
    return MOST_ORDERED - 1 - (lshr(most, 16) & 65535)


def give_credit(solver: Ptr, depth: Int, n: Int, points: Int) -> None:
    """To what the n-th alternative in order was about: it decided."""
    state = state_at(solver, depth)
    plan = offset(solver, 8 * i64(solver, i64(solver, PLANS_AT) + i64(state, i64(solver, PC))))
    card = i64(solver, i64(solver, ORDERS_AT) + depth * MOST_ORDERED + n) & 65535
    at = i64(plan, 3) + card
    had = i64(solver, at)
    if had + points < MOST_CREDIT:
        set_i64(solver, at, had + points)


KERNELS = (
    give_up,
    copy_words,
    state_at,
    grow,
    find_key,
    entry_of,
    new_entry,
    put_in_order,
    take_best,
    give_credit,
)
