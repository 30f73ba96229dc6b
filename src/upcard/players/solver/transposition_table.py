"""Transposition table and move ordering of the solver, as kernels.

The kernels need a workspace of the game and one block of words, the `solver`: its head, what `endgame.py`
writes behind it, room for a state at every depth, and the table of what is known.

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
from upcard.engine.native.kernels.structs import Array, Struct, length

GIVEN_UP = -2
"""Given where there is no answer; the head says why."""

MAX_ORDERED = 64
"""A decision with more alternatives is tried in the order of listing."""
MAX_CREDIT = 1 << 30
FIRST_USED = 1 << 11
"""Buckets of the table used at first."""
NODES_A_BUCKET = 24
"""More buckets are used after this many nodes for each."""
MOVE_BITS = 20
EFFORT_BITS = 6


class SolverHead(Struct):
    """The head of a solver's block. `..._at` are words of the block where its parts begin."""

    # functions of the game, and where its states and workspaces keep things, in words
    advance: Int
    apply: Int
    relist: Int
    state_words: Int
    seats: Int
    """How many there are."""
    pc: Int
    ending: Int
    choices: Int
    chance: Int
    name: Int
    decisions: Int
    seat_index: Int
    team_of: Int
    scores: Int
    seeded: Int
    listing: Int
    """The stream of a listing."""
    card_shift: Int
    """0 where a card takes a byte, 1 where it takes two."""
    # the task
    most_nodes: Int = 0
    most_depth: Int
    sides: Int = 0
    """2: two sides play for a difference; 0: every seat plays for itself."""
    sign: Int
    """1: most points win; -1: fewest."""
    value_low: Int = 0
    value_span: Int = 0
    """Scores that the table of values is for: the first, and how many; 0: there is no table."""
    value_table_at: Int
    side_at: Int
    """Per seat its side."""
    keys_at: Int
    """Random numbers that are mixed into keys."""
    plans_at: Int
    """Per step of the program the word where its `KeyPlan` begins."""
    values_at: Int
    """The solution: a value for each alternative, or as many scores as seats."""
    vectors_at: Int
    """Per depth the scores of all seats."""
    states_at: Int
    """Per depth a state."""
    table_at: Int
    buckets: Int = 0
    entry_words: Int = 0
    orders_at: Int
    """Per depth the alternatives in order."""
    credit_at: Int
    credits: Int = 0
    masks_at: Int
    mask_words: Int
    set_words: Int
    """Of the game's workspaces and states."""
    # what changes meanwhile
    solution: Int = 0
    """Which one it is: entries of an earlier one are not used."""
    nodes: Int = 0
    stopped: Int = 0
    """Why it was given up, or 0."""
    key: Int = 0
    bucket: Int = 0
    """Of the state that was looked up last."""
    used: Int = 0
    """Buckets of the table that are in use."""
    grow_at: Int = 0
    """Nodes after which more of them are."""
    stream: Array[Int] = length(4)


class KeyPlan(Struct):
    """What makes the future of a state at a decision."""

    pairs: Int
    """Pairs of words; they come first."""
    lists: Int
    """Lists of cards."""
    items: Int
    """Items whose alternatives are counted from sets, 0: not all are."""
    credit: Int
    """The word of the block where the credit of what they pick lies."""
    words: Array[Int]


class KnownState(Struct):
    """An entry of the table."""

    key: Int
    about: Int
    """Solution, effort and best move."""
    values: Array[Int]
    """For two sides a lower and an upper bound; otherwise the scores of all seats."""


def give_up(solver: SolverHead, why: Int) -> Int:
    solver.stopped = why
    return GIVEN_UP


def copy_words(target: Ptr, source: Ptr, words: Int) -> None:
    """Of two places that do not overlap."""
    for i in range(words):
        set_i64(target, i, i64(source, i))


def state_at(solver: SolverHead, depth: Int) -> Ptr:
    return offset(solver, 8 * (solver.states_at + depth * solver.state_words))


def plan_of(solver: SolverHead, state: Ptr) -> KeyPlan:
    """Of the decision that a state is at."""
    return KeyPlan(offset(solver, 8 * i64(solver, solver.plans_at + i64(state, solver.pc))))


def grow(solver: SolverHead) -> None:
    """Uses more of the table: a short search stays inside a part that the processor keeps close by.

    What was kept before is mostly not found any more.
    """
    used = 4 * solver.used
    at = NODES_A_BUCKET * used
    if used >= solver.buckets:
        used = solver.buckets
        at = solver.most_nodes
    solver.used = used
    solver.grow_at = at if at < solver.most_nodes else solver.most_nodes


def find_key(solver: SolverHead, state: Ptr) -> None:
    """Computes key and bucket of a state at a decision: sums of products of pairs of its words, each word
    with a number of its own."""
    plan = plan_of(solver, state)
    keys = offset(solver, 8 * solver.keys_at)
    pairs = plan.pairs
    low = 0
    high = 0
    k = 0
    for i in range(pairs):
        a = i64(state, plan.words[2 * i]) ^ i64(keys, k)
        b = i64(state, plan.words[2 * i + 1]) ^ i64(keys, k + 1)
        low = add(low, mul(a, b))
        high = add(high, umulh(a, b))
        k = k + 2
    lists = offset(plan.words, 16 * pairs)
    for i in range(plan.lists):
        cards = offset(state, i64(lists, i))
        count = i64(cards, 0)
        c = count ^ i64(keys, k)
        d = add(low, i64(keys, k + 1)) ^ high
        low = add(low, mul(c, d))
        high = add(high, umulh(c, d)) ^ d
        k = k + 2
        # whole words of cards, then what is left of them
        bits = shl(count, 3 + solver.card_shift)
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
    solver.key = mix(add(low, mul(high, 3)))
    solver.bucket = mix(high ^ shl(low, 32) ^ lshr(low, 32)) & (solver.used - 1)


def known_at(solver: SolverHead, at: Int) -> KnownState:
    """The entry that begins at a word of the block."""
    return KnownState(offset(solver, 8 * at))


def entry_of(solver: SolverHead, key: Int, bucket: Int) -> Int:
    """The word of the block where a state's entry begins, or 0."""
    size = solver.entry_words
    at = solver.table_at + 2 * size * bucket
    solution = solver.solution
    for _ in range(2):
        known = known_at(solver, at)
        if known.key == key and lshr(known.about, MOVE_BITS + EFFORT_BITS) == solution:
            return at
        at = at + size
    return 0


def new_entry(solver: SolverHead, key: Int, bucket: Int, effort: Int, move: Int) -> KnownState:
    """Room for a state's entry, its head written: the first of a bucket is for what took longest."""
    size = solver.entry_words
    at = solver.table_at + 2 * size * bucket
    solution = solver.solution
    first = known_at(solver, at)
    other = lshr(first.about, MOVE_BITS + EFFORT_BITS) == solution and first.key != key
    if other != 0 and lshr(first.about, MOVE_BITS) & (shl(1, EFFORT_BITS) - 1) > effort:
        at = at + size
    known = known_at(solver, at)
    known.key = key
    known.about = shl(solution, MOVE_BITS + EFFORT_BITS) | shl(effort, MOVE_BITS) | move
    return known


def put_in_order(solver: SolverHead, work: Ptr, depth: Int, first: Int) -> Int:
    """The alternatives just listed at a depth, with their credit: 1, or 0 where they cannot be told apart.

    A word each: credit, then the earlier the more, then which card (or other thing to pick) it is about.
    """
    state = state_at(solver, depth)
    plan = plan_of(solver, state)
    if i64(state, solver.choices) > MAX_ORDERED:
        return 0
    if plan.items == 0:
        return 0
    order = offset(solver, 8 * (solver.orders_at + depth * MAX_ORDERED))
    credit = offset(solver, 8 * plan.credit)
    masks = offset(work, 8 * solver.masks_at)
    index = 0
    for item in range(plan.items):
        for w in range(solver.set_words):
            left = i64(masks, item * solver.mask_words + w)
            while left != 0:
                card = ctz(left) + 64 * w
                left = left & (left - 1)
                points = i64(credit, card)
                if index == first:
                    points = MAX_CREDIT
                set_i64(order, index, shl(points, 32) | shl(MAX_ORDERED - 1 - index, 16) | card)
                index = index + 1
    return 1


def take_best(solver: SolverHead, depth: Int, n: Int, choices: Int) -> Int:
    """The n-th alternative in order: moves the best of those from n on to position n."""
    order = offset(solver, 8 * (solver.orders_at + depth * MAX_ORDERED))
    best = n
    most = i64(order, n)
    for i in range(n + 1, choices):
        here = i64(order, i)
        if here > most:
            most = here
            best = i
    set_i64(order, best, i64(order, n))
    set_i64(order, n, most)
    return MAX_ORDERED - 1 - (lshr(most, 16) & 65535)


def give_credit(solver: SolverHead, depth: Int, n: Int, points: Int) -> None:
    """To what the n-th alternative in order was about: it decided."""
    state = state_at(solver, depth)
    plan = plan_of(solver, state)
    card = i64(solver, solver.orders_at + depth * MAX_ORDERED + n) & 65535
    at = plan.credit + card
    had = i64(solver, at)
    if had + points < MAX_CREDIT:
        set_i64(solver, at, had + points)


KERNELS = (
    give_up,
    copy_words,
    state_at,
    plan_of,
    grow,
    find_key,
    known_at,
    entry_of,
    new_entry,
    put_in_order,
    take_best,
    give_credit,
)
