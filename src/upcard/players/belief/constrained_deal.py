"""Kernels that deal unknown cards uniformly under the constraints of a history.

A part is a card's position in the outcome of a shuffle. Parts that may be taken by the same cards make a
group; a card may belong into some groups and not into others. All ways are equally likely, so a card that is
bound goes to a group as often as there are ways to go on from there: these are counted beforehand, in a table
over how many of the bound cards are dealt and how much room is left in every group. Cards that may go
anywhere come last, and are shuffled.

Behind the groups of a plan lie, in words,
    per card: card, the set of its groups (bound cards first)
    per card again: scratch for the parts, group by group; the parts themselves (cards of the history)
    the table: floats, a row for each number of bound cards dealt
"""

from __future__ import annotations

from upcard.engine.native.kernels.language import (
    Float,
    Int,
    Ptr,
    f64,
    i64,
    itof,
    lshr,
    offset,
    sdiv,
    set_f64,
    set_i64,
    srem,
)
from upcard.engine.native.kernels.random_numbers import below, next_word
from upcard.engine.native.kernels.structs import Array, Struct


class DealGroup(Struct):
    room: Int
    """How many parts it has."""
    factor: Int
    """Of its room in the number of a row's entry."""
    left: Int
    """Room that is left, while cards are dealt."""


class DealPlan(Struct):
    count: Int
    """Cards."""
    groups: Int
    bound: Int
    """Cards that may not go anywhere; they come first."""
    row: Int
    """Entries in a row of the table."""
    attempts: Int
    """Without a table; 0: there is a table."""
    group: Array[DealGroup]


def at_cards(plan: DealPlan) -> Int:
    return (DealPlan.size + DealGroup.size * plan.groups) >> 3


def at_parts(plan: DealPlan) -> Int:
    return at_cards(plan) + 2 * plan.count


def at_table(plan: DealPlan) -> Int:
    return at_parts(plan) + 2 * plan.count


def plan_words(plan: DealPlan) -> Int:
    """How long a plan is."""
    if plan.attempts != 0:
        return at_table(plan)
    return at_table(plan) + (plan.bound + 1) * plan.row


def unit(stream: Ptr) -> Float:
    """Uniform on 0 to 1."""
    return itof(lshr(next_word(stream), 11)) * 1.1102230246251565e-16


def ways_to_fill(plan: DealPlan, entry: Int) -> Float:
    """In how many ways the free cards fill the room that an entry leaves; 0 if it is not theirs to fill."""
    free = plan.count - plan.bound
    ways = 1.0
    filled = 0
    for g in range(plan.groups):
        for k in range(room_left(plan, entry, g)):
            filled = filled + 1
            ways = ways * itof(filled) / itof(k + 1)
    if filled != free:
        return 0.0
    return ways


def room_left(plan: DealPlan, entry: Int, group: Int) -> Int:
    """How much room an entry of the table leaves in a group."""
    return srem(sdiv(entry, plan.group[group].factor), plan.group[group].room + 1)


def count_ways(plan: DealPlan) -> Float:
    """Fills the table; gives the number of ways in all."""
    groups = plan.groups
    bound = plan.bound
    row = plan.row
    cards = at_cards(plan)
    table = offset(plan, 8 * at_table(plan))
    for entry in range(row):
        set_f64(table, bound * row + entry, ways_to_fill(plan, entry))
    dealt = bound - 1
    while dealt >= 0:
        mask = i64(plan, cards + 2 * dealt + 1)
        for entry in range(row):
            ways = 0.0
            for g in range(groups):
                if lshr(mask, g) & 1 != 0 and room_left(plan, entry, g) > 0:
                    ways = ways + f64(table, (dealt + 1) * row + entry - plan.group[g].factor)
            set_f64(table, dealt * row + entry, ways)
        dealt = dealt - 1
    return f64(table, row - 1)


def shuffle_parts(plan: DealPlan, stream: Ptr) -> None:
    """Puts the parts of every group into a fresh order, and frees all room."""
    parts = at_parts(plan)
    count = plan.count
    first = 0
    for g in range(plan.groups):
        room = plan.group[g].room
        plan.group[g].left = room
        for i in range(room):
            set_i64(plan, parts + first + i, i64(plan, parts + count + first + i))
        shuffle_words(offset(plan, 8 * (parts + first)), room, stream)
        first = first + room


def shuffle_words(words: Ptr, count: Int, stream: Ptr) -> None:
    """A shuffle of words."""
    i = count - 1
    while i >= 1:
        j = below(stream, i + 1)
        kept = i64(words, i)
        set_i64(words, i, i64(words, j))
        set_i64(words, j, kept)
        i = i - 1


def deal_bound(plan: DealPlan, swaps: Ptr, stream: Ptr) -> None:
    """The bound cards by the table, then the free ones: uniform over all ways."""
    groups = plan.groups
    bound = plan.bound
    row = plan.row
    cards = at_cards(plan)
    parts = at_parts(plan)
    table = offset(plan, 8 * at_table(plan))
    entry = row - 1
    for n in range(bound):
        mask = i64(plan, cards + 2 * n + 1)
        left = unit(stream) * f64(table, n * row + entry)
        chosen = -1
        part = 0
        first = 0
        for g in range(groups):
            room = plan.group[g].left
            if room > 0 and left >= 0.0 and lshr(mask, g) & 1 != 0:
                ways = f64(table, (n + 1) * row + entry - plan.group[g].factor)
                if ways > 0.0:
                    chosen = g
                    part = first + room - 1
                    left = left - ways
            first = first + plan.group[g].room
        give(plan, swaps, n, part)
        plan.group[chosen].left -= 1
        entry = entry - plan.group[chosen].factor
    # the parts that are left move to the front; never past one that is still to be read
    total = 0
    first = 0
    for g in range(groups):
        for k in range(plan.group[g].left):
            set_i64(plan, parts + total, i64(plan, parts + first + k))
            total = total + 1
        first = first + plan.group[g].room
    shuffle_words(offset(plan, 8 * parts), total, stream)
    for k in range(total):
        give(plan, swaps, bound + k, k)


def give(plan: DealPlan, swaps: Ptr, n: Int, part: Int) -> None:
    """The n-th card takes a part."""
    card = i64(plan, at_cards(plan) + 2 * n)
    set_i64(swaps, 2 * i64(plan, at_parts(plan) + part), card)


def deal_by_trial(plan: DealPlan, swaps: Ptr, stream: Ptr) -> Int:
    """Shuffles until every card lies where it may; 1 if the attempts were not enough."""
    count = plan.count
    cards = at_cards(plan)
    parts = at_parts(plan)
    for _ in range(plan.attempts):
        for i in range(count):
            set_i64(plan, parts + i, i)
        shuffle_words(offset(plan, 8 * parts), count, stream)
        wrong = 0
        n = 0
        for g in range(plan.groups):
            for _ in range(plan.group[g].room):
                mask = i64(plan, cards + 2 * i64(plan, parts + n) + 1)
                if lshr(mask, g) & 1 == 0:
                    wrong = 1
                n = n + 1
        if wrong == 0:
            for i in range(count):
                card = i64(plan, cards + 2 * i64(plan, parts + i))
                set_i64(swaps, 2 * i64(plan, parts + count + i), card)
            return 0
    return 1


def deal_cards(plans: Ptr, count: Int, swaps: Ptr, stream: Ptr) -> Int:
    """A world: every plan's cards dealt to its parts; gives how many plans found no way."""
    failed = 0
    at = 0
    for _ in range(count):
        plan = DealPlan(offset(plans, 8 * at))
        if plan.attempts != 0:
            failed = failed + deal_by_trial(plan, swaps, stream)
        else:
            shuffle_parts(plan, stream)
            deal_bound(plan, swaps, stream)
        at = at + plan_words(plan)
    return failed


KERNELS = (
    at_cards,
    at_parts,
    at_table,
    plan_words,
    unit,
    room_left,
    ways_to_fill,
    count_ways,
    shuffle_words,
    shuffle_parts,
    give,
    deal_bound,
    deal_by_trial,
    deal_cards,
)
