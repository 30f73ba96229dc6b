"""Solver kernels: alpha-beta for two sides, max-n for more.

One module serves every game: it is given the game's functions as addresses, and works on a block of words
(`transposition_table.py`) and a workspace of the game. A state is cloned before an alternative is carried
out, and the decision it came from is listed again before the next: the workspace holds one listing only. A
decision with one alternative is carried out where it stands.
"""

from __future__ import annotations

from upcard.engine.native.kernels.language import (
    Int,
    Ptr,
    add,
    call_at,
    clz,
    i64,
    lshr,
    offset,
    set_i64,
    shl,
)
from upcard.engine.native.kernels.random_numbers import mix, name_word, seed_stream
from upcard.engine.native.kernels.workspace_growth import WorkspaceHead
from upcard.players.solver import transposition_table as solving_table
from upcard.players.solver.transposition_table import (
    FIRST_USED,
    GIVEN_UP,
    MOVE_BITS,
    SolverHead,
    copy_words,
    entry_of,
    find_key,
    give_credit,
    give_up,
    grow,
    known_at,
    new_entry,
    put_in_order,
    state_at,
    take_best,
)

FAILED = 4
CUT_OFF = 3
"""Endings of a state."""

OVER = -1
"""What `settle` gives instead of a seat where the game has ended."""

TOO_MANY_NODES = 1
TOO_DEEP = 2
CHANCE_TO_COME = 3
GAME_FAILED = 4
NO_WORTH = 5
PARTNERS_DIFFER = 6
TEAMS_CHANGED = 7
"""Why it was given up."""

MAX_AT_START = 1 << 16
"""Alternatives whose values there is room for."""
FAR = 1 << 62
"""Beyond every value."""
NEAR = 1 << 60
"""Beyond every score."""


def chance_moved(solver: SolverHead, state: Ptr) -> Int:
    """Whether anything was drawn since the start."""
    start = offset(solver, 8 * (solver.states_at + solver.chance))
    now = offset(state, 8 * solver.chance)
    moved = (i64(start, 0) ^ i64(now, 0)) | (i64(start, 1) ^ i64(now, 1))
    return moved | (i64(start, 2) ^ i64(now, 2)) | (i64(start, 3) ^ i64(now, 3))


def listing_moved(solver: SolverHead, work: WorkspaceHead, state: Ptr) -> Int:
    """Whether listing a decision drew: its stream is not as every listing of this decision begins."""
    if i64(work, solver.seeded) == 0:
        return 0
    fresh = solver.stream
    name = name_word(i64(state, solver.name), 4)
    seed_stream(fresh, name_word(name, i64(state, solver.decisions)))
    now = offset(work, 8 * solver.listing)
    moved = (i64(fresh, 0) ^ i64(now, 0)) | (i64(fresh, 1) ^ i64(now, 1))
    return moved | (i64(fresh, 2) ^ i64(now, 2)) | (i64(fresh, 3) ^ i64(now, 3))


def settle(solver: SolverHead, work: WorkspaceHead, state: Ptr) -> Int:
    """On from behind a decision to the next with a choice: the seat that has it, OVER or GIVEN_UP."""
    while 1:
        nodes = solver.nodes + 1
        solver.nodes = nodes
        if nodes > solver.grow_at:
            grow(solver)
            if nodes > solver.most_nodes:
                return give_up(solver, TOO_MANY_NODES)
        if work.stop != 0:
            return give_up(solver, GAME_FAILED)
        set_i64(work, solver.seeded, 0)
        depth = 0
        if i64(state, solver.ending) == 0:
            depth = call_at(solver.advance, state, work)
        ending = i64(state, solver.ending)
        if ending == 0:
            if listing_moved(solver, work, state) != 0:
                return give_up(solver, CHANCE_TO_COME)
            if i64(state, solver.choices) == 1:
                call_at(solver.apply, state, work, 0)
                continue
        if ending == FAILED:
            return give_up(solver, GAME_FAILED)
        # a stream that has moved never comes back, so it is enough to look now and then
        if chance_moved(solver, state) != 0:
            return give_up(solver, CHANCE_TO_COME)
        if ending == CUT_OFF:
            return give_up(solver, TOO_DEEP)
        return i64(state, solver.seat_index + depth) if ending == 0 else OVER
    return GIVEN_UP


def is_far(score: Int) -> Int:
    """Whether a score is too great for differences of scores."""
    return lshr(add(score, NEAR), 61)


def end_value(solver: SolverHead, state: Ptr) -> Int:
    """The value of an ended state to side 0; to side 1 it is the negative."""
    seats = solver.seats
    sides = solver.side_at
    scores = solver.scores
    first = 0
    other = 0
    firsts = 0
    others = 0
    for seat in range(seats):
        side = i64(solver, sides + seat)
        score = i64(state, scores + seat)
        if i64(state, solver.team_of + seat) != side:
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
    span = solver.value_span
    if span == 0:
        return (first - other) * solver.sign
    row = first - solver.value_low
    column = other - solver.value_low
    if row < 0 or row >= span or column < 0 or column >= span:
        give_up(solver, NO_WORTH)
        return 0
    return i64(solver, solver.value_table_at + row * span + column)


def try_out(solver: SolverHead, work: WorkspaceHead, depth: Int, index: Int, listed: Int) -> Int:
    """An alternative of the state at a depth carried out on a clone at the next; what `settle` gives."""
    state = state_at(solver, depth)
    child = state_at(solver, depth + 1)
    if listed == 0:
        call_at(solver.relist, state, work)
    copy_words(child, state, solver.state_words)
    call_at(solver.apply, child, work, index)
    return settle(solver, work, child)


def value_of(solver: SolverHead, work: WorkspaceHead, depth: Int, seat: Int, low: Int, high: Int) -> Int:
    """The worth to side 0 of the state at a depth, to which `settle` gave this seat.

    Exact between low and high; at or beyond them it is a bound on that side.
    """
    if seat == OVER:
        return end_value(solver, state_at(solver, depth))
    if depth >= solver.most_depth:
        return give_up(solver, TOO_DEEP)
    state = state_at(solver, depth)
    before = solver.nodes
    find_key(solver, state)
    key = solver.key
    bucket = solver.bucket
    entry = entry_of(solver, key, bucket)
    at_least = -FAR
    at_most = FAR
    first = 0
    if entry != 0:
        known = known_at(solver, entry)
        at_least = known.values[0]
        at_most = known.values[1]
        if at_least >= high or at_least == at_most:
            return at_least
        if at_most <= low:
            return at_most
        first = known.about & (shl(1, MOVE_BITS) - 1)
    highest = i64(solver, solver.side_at + seat) == 0
    found = -FAR if highest != 0 else FAR
    best = first
    a = low
    b = high
    choices = i64(state, solver.choices)
    ordered = put_in_order(solver, work, depth, first if entry != 0 else -1)
    for n in range(choices):
        index = n
        if ordered != 0:
            index = take_best(solver, depth, n, choices)
        elif n == 0:
            index = first
        elif n <= first:
            index = n - 1
        after = try_out(solver, work, depth, index, n == 0)
        if after == GIVEN_UP:
            return 0
        value = value_of(solver, work, depth + 1, after, a, b)
        if solver.stopped != 0:
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
            if ordered != 0:
                give_credit(solver, depth, n, (solver.nodes - before) * (1 + n))
            break
    if found > low:
        at_least = found
    if found < high:
        at_most = found
    effort = 64 - clz(solver.nodes - before)
    fresh = new_entry(solver, key, bucket, effort, best)
    fresh.values[0] = at_least
    fresh.values[1] = at_most
    return found


def exact_value(solver: SolverHead, work: WorkspaceHead, depth: Int, seat: Int, guess: Int) -> Int:
    """The same without bounds: by null windows, from a guess on."""
    at_least = -FAR
    at_most = FAR
    value = guess
    listed = 1
    while at_least < at_most:
        bound = value
        if value == at_least:
            bound = value + 1
        if listed == 0 and seat != OVER:
            call_at(solver.relist, state_at(solver, depth), work)
        listed = 0
        value = value_of(solver, work, depth, seat, bound - 1, bound)
        if solver.stopped != 0:
            return 0
        if value < bound:
            at_most = value
        else:
            at_least = value
    return value


def scores_of(solver: SolverHead, work: WorkspaceHead, depth: Int, seat: Int) -> Int:
    """The scores that the state at a depth leads to when every seat does its best for itself, laid down among
    the vectors; of alternatives as good as each other the first is taken."""
    state = state_at(solver, depth)
    seats = solver.seats
    vector = solver.vectors_at + depth * seats
    if seat == OVER:
        for i in range(seats):
            score = i64(state, solver.scores + i)
            if is_far(score) != 0:
                give_up(solver, NO_WORTH)
            set_i64(solver, vector + i, score)
        return 0
    if depth >= solver.most_depth:
        return give_up(solver, TOO_DEEP)
    before = solver.nodes
    find_key(solver, state)
    key = solver.key
    bucket = solver.bucket
    entry = entry_of(solver, key, bucket)
    if entry != 0:
        known = known_at(solver, entry)
        for i in range(seats):
            set_i64(solver, vector + i, known.values[i])
        return 0
    sign = solver.sign
    best = 0
    for n in range(i64(state, solver.choices)):
        after = try_out(solver, work, depth, n, n == 0)
        if after == GIVEN_UP:
            return 0
        scores_of(solver, work, depth + 1, after)
        if solver.stopped != 0:
            return 0
        own = i64(solver, vector + seats + seat)
        if n == 0 or (own - i64(solver, vector + seat)) * sign > 0:
            best = n
            for i in range(seats):
                set_i64(solver, vector + i, i64(solver, vector + seats + i))
    fresh = new_entry(solver, key, bucket, 64 - clz(solver.nodes - before), best)
    for i in range(seats):
        fresh.values[i] = i64(solver, vector + i)
    return 0


def solve(solver: SolverHead, work: WorkspaceHead, start: Ptr) -> Int:
    """Every alternative of a state that stands at a decision: 0 and its values, or why there are none.

    For two sides a word each, the worth to side 0; otherwise as many scores as seats each.
    """
    solver.solution += 1
    solver.nodes = 0
    solver.used = FIRST_USED >> 2
    grow(solver)
    solver.stopped = 0
    seats = solver.seats
    state = state_at(solver, 0)
    copy_words(state, start, solver.state_words)
    set_i64(work, solver.seeded, 0)
    call_at(solver.relist, state, work)
    if listing_moved(solver, work, state) != 0:
        give_up(solver, CHANCE_TO_COME)
        return solver.stopped
    if i64(state, solver.choices) > MAX_AT_START:
        give_up(solver, TOO_MANY_NODES)
        return solver.stopped
    for i in range(solver.credits):
        set_i64(solver, solver.credit_at + i, 0)
    value = 0
    for n in range(i64(state, solver.choices)):
        after = try_out(solver, work, 0, n, n == 0)
        if after != GIVEN_UP:
            if solver.sides == 2:
                value = exact_value(solver, work, 1, after, value)
                set_i64(solver, solver.values_at + n, value)
            else:
                scores_of(solver, work, 1, after)
                for i in range(seats):
                    found = i64(solver, solver.vectors_at + seats + i)
                    set_i64(solver, solver.values_at + n * seats + i, found)
        if solver.stopped != 0:
            return solver.stopped
    return 0


KERNELS = (
    mix,
    name_word,
    seed_stream,
    *solving_table.KERNELS,
    chance_moved,
    listing_moved,
    settle,
    is_far,
    end_value,
    try_out,
    value_of,
    exact_value,
    scores_of,
    solve,
)
