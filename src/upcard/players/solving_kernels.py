"""Best play of a fully known ending, as kernels: alpha-beta for two sides, max-n for everybody alone.

One module serves every game: it is given the game's functions as addresses. All it works on but the game's
workspace is one block of words, the `solver`: its head, what `solving.py` writes behind it, room for a state
at every depth, and the table of what is known. A state is cloned before an alternative is carried out, and
the decision it came from is listed again before the next: the workspace holds one listing only. A decision
with one alternative is carried out where it stands.

The table. What makes a state's future (`futures.py`) is mixed to 128 bits. One half is the key, kept and
compared in full; the place in the table comes from the other. A wrong hit needs two different states with
equal keys in one bucket, so among n states looked up in a table of b buckets its probability is below
2n * n/b * 2**-64, and at most n * 2**-63 when every bucket is full: 10**-13 for a million states. Entries of
an earlier solution are never used, so that a result depends on nothing but what was asked.
"""

from __future__ import annotations

from upcard.engine.native.chance_kernels import mix, name_word, seed_stream
from upcard.engine.native.subset import (
    Int,
    Ptr,
    add,
    call_at,
    clz,
    i64,
    lshr,
    mul,
    offset,
    set_i64,
    shl,
    umulh,
)

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
# What changes meanwhile.
SOLUTION = 33
NODES = 34
STOPPED = 35
KEY = 36
BUCKET = 37
STREAM = 38
HEAD = 48

FAILED = 4
CUT_OFF = 3

OVER = -1
GIVEN_UP = -2
"""What `settle` gives instead of a seat."""

TOO_MANY_NODES = 1
TOO_DEEP = 2
CHANCE_TO_COME = 3
GAME_FAILED = 4
NO_WORTH = 5
PARTNERS_DIFFER = 6
TEAMS_CHANGED = 7
"""Why it was given up."""

FAR = 1 << 62
"""Beyond every value."""
NEAR = 1 << 60
MOVE_BITS = 20
EFFORT_BITS = 6


def give_up(solver: Ptr, why: Int) -> Int:
    set_i64(solver, STOPPED, why)
    return GIVEN_UP


def copy_words(target: Ptr, source: Ptr, words: Int) -> None:
    i = 0
    while i + 4 <= words:
        a = i64(source, i)
        b = i64(source, i + 1)
        c = i64(source, i + 2)
        d = i64(source, i + 3)
        set_i64(target, i, a)
        set_i64(target, i + 1, b)
        set_i64(target, i + 2, c)
        set_i64(target, i + 3, d)
        i = i + 4
    while i < words:
        set_i64(target, i, i64(source, i))
        i = i + 1


def chance_moved(solver: Ptr, state: Ptr) -> Int:
    """Whether anything was drawn since the start."""
    start = offset(solver, 8 * (i64(solver, STATES_AT) + i64(solver, CHANCE)))
    now = offset(state, 8 * i64(solver, CHANCE))
    moved = (i64(start, 0) ^ i64(now, 0)) | (i64(start, 1) ^ i64(now, 1))
    return moved | (i64(start, 2) ^ i64(now, 2)) | (i64(start, 3) ^ i64(now, 3))


def listing_moved(solver: Ptr, work: Ptr, state: Ptr) -> Int:
    """Whether listing a decision drew: its stream is not as every listing of this decision begins."""
    if i64(work, i64(solver, SEEDED)) == 0:
        return 0
    fresh = offset(solver, 8 * STREAM)
    name = name_word(i64(state, i64(solver, NAME)), 4)
    seed_stream(fresh, name_word(name, i64(state, i64(solver, DECISIONS))))
    now = offset(work, 8 * i64(solver, LISTING))
    moved = (i64(fresh, 0) ^ i64(now, 0)) | (i64(fresh, 1) ^ i64(now, 1))
    return moved | (i64(fresh, 2) ^ i64(now, 2)) | (i64(fresh, 3) ^ i64(now, 3))


def settle(solver: Ptr, work: Ptr, state: Ptr) -> Int:
    """On from behind a decision to the next with a choice: the seat that has it, OVER or GIVEN_UP."""
    while 1:
        nodes = i64(solver, NODES) + 1
        set_i64(solver, NODES, nodes)
        if nodes > i64(solver, MOST_NODES):
            return give_up(solver, TOO_MANY_NODES)
        set_i64(work, i64(solver, SEEDED), 0)
        depth = 0
        if i64(state, i64(solver, ENDING)) == 0:
            depth = call_at(i64(solver, ADVANCE), state, work)
        ending = i64(state, i64(solver, ENDING))
        if ending == FAILED:
            return give_up(solver, GAME_FAILED)
        if chance_moved(solver, state) != 0:
            return give_up(solver, CHANCE_TO_COME)
        if ending == CUT_OFF:
            return give_up(solver, TOO_DEEP)
        if ending != 0:
            return OVER
        if listing_moved(solver, work, state) != 0:
            return give_up(solver, CHANCE_TO_COME)
        if i64(state, i64(solver, CHOICES)) != 1:
            return i64(state, i64(solver, SEAT_INDEX) + depth)
        call_at(i64(solver, APPLY), state, work, 0)
    return GIVEN_UP


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
        a = i64(state, i64(plan, 2 + 2 * i)) ^ i64(keys, k)
        b = i64(state, i64(plan, 3 + 2 * i)) ^ i64(keys, k + 1)
        low = add(low, mul(a, b))
        high = add(high, umulh(a, b))
        k = k + 2
    lists = offset(plan, 8 * (2 + 2 * pairs))
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
    set_i64(solver, BUCKET, mix(high ^ shl(low, 32) ^ lshr(low, 32)) & (i64(solver, BUCKETS) - 1))


def entry_of(solver: Ptr, key: Int, bucket: Int) -> Int:
    """The word of the solver where a state's entry begins, or 0."""
    size = i64(solver, ENTRY_WORDS)
    at = i64(solver, TABLE_AT) + 2 * size * bucket
    solution = i64(solver, SOLUTION)
    for _ in range(2):
        if i64(solver, at) == key:
            if lshr(i64(solver, at + 1), MOVE_BITS + EFFORT_BITS) == solution:
                return at
        at = at + size
    return 0


def new_entry(solver: Ptr, key: Int, bucket: Int, effort: Int, move: Int) -> Int:
    """Room for a state's entry, its head written: the first of a bucket is for what took longest."""
    size = i64(solver, ENTRY_WORDS)
    at = i64(solver, TABLE_AT) + 2 * size * bucket
    solution = i64(solver, SOLUTION)
    had = i64(solver, at + 1)
    if lshr(had, MOVE_BITS + EFFORT_BITS) == solution and i64(solver, at) != key:
        if lshr(had, MOVE_BITS) & (shl(1, EFFORT_BITS) - 1) > effort:
            at = at + size
    set_i64(solver, at, key)
    set_i64(solver, at + 1, shl(solution, MOVE_BITS + EFFORT_BITS) | shl(effort, MOVE_BITS) | move)
    return at


def is_far(score: Int) -> Int:
    """Whether a score is too great for differences of scores."""
    return lshr(add(score, NEAR), 61)


def worth(solver: Ptr, state: Ptr) -> Int:
    """What an ended state is worth to side 0; side 1 gets as much less."""
    seats = i64(solver, SEATS)
    sides = i64(solver, SIDE_AT)
    scores = i64(solver, SCORES)
    first = 0
    other = 0
    firsts = 0
    others = 0
    for seat in range(seats):
        side = i64(solver, sides + seat)
        score = i64(state, scores + seat)
        if i64(state, i64(solver, TEAM_OF) + seat) != side:
            give_up(solver, TEAMS_CHANGED)
        if is_far(score) != 0:
            give_up(solver, NO_WORTH)
        if side == 0:
            if firsts != 0 and score != first:
                give_up(solver, PARTNERS_DIFFER)
            first = score
            firsts = 1
        else:
            if others != 0 and score != other:
                give_up(solver, PARTNERS_DIFFER)
            other = score
            others = 1
    span = i64(solver, WORTH_SPAN)
    if span == 0:
        return (first - other) * i64(solver, SIGN)
    row = first - i64(solver, WORTH_LOW)
    column = other - i64(solver, WORTH_LOW)
    if row < 0 or row >= span or column < 0 or column >= span:
        give_up(solver, NO_WORTH)
        return 0
    return i64(solver, i64(solver, WORTH_AT) + row * span + column)


def state_at(solver: Ptr, depth: Int) -> Ptr:
    return offset(solver, 8 * (i64(solver, STATES_AT) + depth * i64(solver, STATE_WORDS)))


def try_out(solver: Ptr, work: Ptr, depth: Int, index: Int, listed: Int) -> Int:
    """An alternative of the state at a depth carried out on a clone at the next; what `settle` gives."""
    state = state_at(solver, depth)
    child = state_at(solver, depth + 1)
    if listed == 0:
        call_at(i64(solver, RELIST), state, work)
    copy_words(child, state, i64(solver, STATE_WORDS))
    call_at(i64(solver, APPLY), child, work, index)
    return settle(solver, work, child)


def value_of(solver: Ptr, work: Ptr, depth: Int, seat: Int, low: Int, high: Int) -> Int:
    """The worth to side 0 of the state at a depth, to which `settle` gave this seat.

    Exact between low and high; at or beyond them it is a bound on that side.
    """
    if seat == OVER:
        return worth(solver, state_at(solver, depth))
    if depth >= i64(solver, MOST_DEPTH):
        return give_up(solver, TOO_DEEP)
    state = state_at(solver, depth)
    before = i64(solver, NODES)
    find_key(solver, state)
    key = i64(solver, KEY)
    bucket = i64(solver, BUCKET)
    entry = entry_of(solver, key, bucket)
    at_least = -FAR
    at_most = FAR
    first = 0
    if entry != 0:
        at_least = i64(solver, entry + 2)
        at_most = i64(solver, entry + 3)
        if at_least >= high or at_least == at_most:
            return at_least
        if at_most <= low:
            return at_most
        first = i64(solver, entry + 1) & (shl(1, MOVE_BITS) - 1)
    highest = i64(solver, i64(solver, SIDE_AT) + seat) == 0
    found = -FAR if highest != 0 else FAR
    best = first
    a = low
    b = high
    for n in range(i64(state, i64(solver, CHOICES))):
        index = n
        if n == 0:
            index = first
        elif n <= first:
            index = n - 1
        after = try_out(solver, work, depth, index, n == 0)
        if after == GIVEN_UP:
            return 0
        value = value_of(solver, work, depth + 1, after, a, b)
        if i64(solver, STOPPED) != 0:
            return 0
        if highest != 0:
            if value > found:
                found = value
                best = index
                if value > a:
                    a = value
        elif value < found:
            found = value
            best = index
            if value < b:
                b = value
        if a >= b:
            break
    if found > low:
        at_least = found
    if found < high:
        at_most = found
    effort = 64 - clz(i64(solver, NODES) - before)
    entry = new_entry(solver, key, bucket, effort, best)
    set_i64(solver, entry + 2, at_least)
    set_i64(solver, entry + 3, at_most)
    return found


def scores_of(solver: Ptr, work: Ptr, depth: Int, seat: Int) -> Int:
    """The scores that the state at a depth leads to when every seat does its best for itself, laid down among
    the vectors; of alternatives as good as each other the first is taken."""
    state = state_at(solver, depth)
    seats = i64(solver, SEATS)
    vector = i64(solver, VECTORS_AT) + depth * seats
    if seat == OVER:
        for i in range(seats):
            score = i64(state, i64(solver, SCORES) + i)
            if is_far(score) != 0:
                give_up(solver, NO_WORTH)
            set_i64(solver, vector + i, score)
        return 0
    if depth >= i64(solver, MOST_DEPTH):
        return give_up(solver, TOO_DEEP)
    before = i64(solver, NODES)
    find_key(solver, state)
    key = i64(solver, KEY)
    bucket = i64(solver, BUCKET)
    entry = entry_of(solver, key, bucket)
    if entry != 0:
        for i in range(seats):
            set_i64(solver, vector + i, i64(solver, entry + 2 + i))
        return 0
    sign = i64(solver, SIGN)
    best = 0
    for n in range(i64(state, i64(solver, CHOICES))):
        after = try_out(solver, work, depth, n, n == 0)
        if after == GIVEN_UP:
            return 0
        scores_of(solver, work, depth + 1, after)
        if i64(solver, STOPPED) != 0:
            return 0
        own = i64(solver, vector + seats + seat)
        if n == 0 or (own - i64(solver, vector + seat)) * sign > 0:
            best = n
            for i in range(seats):
                set_i64(solver, vector + i, i64(solver, vector + seats + i))
    entry = new_entry(solver, key, bucket, 64 - clz(i64(solver, NODES) - before), best)
    for i in range(seats):
        set_i64(solver, entry + 2 + i, i64(solver, vector + i))
    return 0


def solve(solver: Ptr, work: Ptr, start: Ptr) -> Int:
    """Every alternative of a state that stands at a decision: 0 and its values, or why there are none.

    For two sides a word each, the worth to side 0; otherwise as many scores as seats each.
    """
    set_i64(solver, SOLUTION, i64(solver, SOLUTION) + 1)
    set_i64(solver, NODES, 0)
    set_i64(solver, STOPPED, 0)
    seats = i64(solver, SEATS)
    state = state_at(solver, 0)
    copy_words(state, start, i64(solver, STATE_WORDS))
    set_i64(work, i64(solver, SEEDED), 0)
    call_at(i64(solver, RELIST), state, work)
    if listing_moved(solver, work, state) != 0:
        give_up(solver, CHANCE_TO_COME)
        return i64(solver, STOPPED)
    for n in range(i64(state, i64(solver, CHOICES))):
        after = try_out(solver, work, 0, n, n == 0)
        if after != GIVEN_UP:
            if i64(solver, SIDES) == 2:
                value = value_of(solver, work, 1, after, -FAR, FAR)
                set_i64(solver, i64(solver, VALUES_AT) + n, value)
            else:
                scores_of(solver, work, 1, after)
                for i in range(seats):
                    found = i64(solver, i64(solver, VECTORS_AT) + seats + i)
                    set_i64(solver, i64(solver, VALUES_AT) + n * seats + i, found)
        if i64(solver, STOPPED) != 0:
            return i64(solver, STOPPED)
    return 0


KERNELS = (
    mix,
    name_word,
    seed_stream,
    give_up,
    copy_words,
    chance_moved,
    listing_moved,
    settle,
    find_key,
    entry_of,
    new_entry,
    is_far,
    worth,
    state_at,
    try_out,
    value_of,
    scores_of,
    solve,
)
