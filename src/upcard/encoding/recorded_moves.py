"""Kernels that number recorded alternatives: those that machine code tried out, with what each picked.

A program's tables are one row of words. Each `any` form has four of them: the first key of what it picks,
the least and the greatest value, and whether a card may be hidden from the chooser. A pick is a key; a
sequence of picks leads from node to node of a tree, and a node has the number of its action (or -1), the
first key that leads on from it, how many keys there are, and for each of them the next node (or 0).
"""

from __future__ import annotations

from upcard.engine.native.kernels.language import Int, Ptr, i64, lshr, offset, set_u8
from upcard.engine.native.kernels.structs import Array, Struct
from upcard.engine.native.kernels.workspace_growth import BASE
from upcard.engine.native.lower.runtime import BEGINS

NOTHING_PICKED = -(1 << 63)
"""The value of an any form that had nothing to pick from."""
SITE_WORDS = 4
BEGINS_AT = BEGINS + BASE
"""The word of a workspace that says where the table of alternatives begins."""


class ActionTables(Struct):
    """What is known of a program's actions."""

    sites_at: Int
    """The word where the rows of `any` forms begin."""
    room: Int
    """Number of cards; the key of a hidden card."""
    named: Int
    """Number of actions with numbers of their own."""
    slots: Int
    """How many more numbers there are."""
    rest: Array[Int]


def action_of_picks(tables: ActionTables, picks: Ptr, hidden: Ptr, root: Int) -> Int:
    """The number of a recorded alternative's action; -1 if it has none of its own."""
    node = root
    for k in range(i64(picks, 0)):
        value = i64(picks, 2 + 2 * k)
        if value != NOTHING_PICKED:
            site = tables.sites_at + SITE_WORDS * i64(picks, 1 + 2 * k)
            first = i64(tables, site)
            if value < i64(tables, site + 1) or value > i64(tables, site + 2):
                return -1
            key = first + value - i64(tables, site + 1)
            if i64(tables, site + 3) != 0 and lshr(i64(hidden, lshr(value, 6)), value & 63) & 1 != 0:
                key = first + tables.room
            at = key - i64(tables, node + 1)
            if at < 0 or at >= i64(tables, node + 2):
                return -1
            node = i64(tables, node + 3 + at)
            if node == 0:
                return -1
    return i64(tables, node)


def number_of_recorded(tables: ActionTables, work: Ptr, hidden: Ptr, root: Int, k: Int, slot: Int) -> Int:
    """The number of the k-th recorded alternative; `slot` is how many before it had none of their own. -1 if
    no number is left for it."""
    picks = offset(work, i64(work, i64(work, BEGINS_AT) + k))
    number = action_of_picks(tables, picks, hidden, root)
    if number < 0 and slot < tables.slots:
        number = tables.named + slot
    return number


def mark_recorded(
    tables: ActionTables, work: Ptr, hidden: Ptr, root: Int, first: Int, count: Int, slot: Int, out: Ptr
) -> Int:
    """Marks the actions of some recorded alternatives; gives how many so far had no number of their own."""
    for k in range(first, first + count):
        number = number_of_recorded(tables, work, hidden, root, k, slot)
        if number >= 0:
            set_u8(out, number, 1)
        if number < 0 or number >= tables.named:
            slot = slot + 1
    return slot


def slots_taken(
    tables: ActionTables, work: Ptr, hidden: Ptr, root: Int, first: Int, count: Int, slot: Int
) -> Int:
    """How many alternatives so far had no number of their own, behind some recorded ones."""
    for k in range(first, first + count):
        number = number_of_recorded(tables, work, hidden, root, k, slot)
        if number < 0 or number >= tables.named:
            slot = slot + 1
    return slot


def count_recorded(
    tables: ActionTables, work: Ptr, hidden: Ptr, root: Int, first: Int, count: Int, slot: Int, action: Int
) -> Int:
    """How many of some recorded alternatives have this number."""
    equals = 0
    for k in range(first, first + count):
        number = number_of_recorded(tables, work, hidden, root, k, slot)
        if number == action:
            equals = equals + 1
        if number < 0 or number >= tables.named:
            slot = slot + 1
    return equals


def nth_recorded(
    tables: ActionTables, work: Ptr, hidden: Ptr, root: Int, first: Int, slot: Int, action: Int, n: Int
) -> Int:
    """Which recorded alternative from the first on is the n-th with this number, n from 0; there is one."""
    k = first
    while n >= 0:
        number = number_of_recorded(tables, work, hidden, root, k, slot)
        if number == action:
            n = n - 1
        if number < 0 or number >= tables.named:
            slot = slot + 1
        k = k + 1
    return k - 1 - first


KERNELS = (
    action_of_picks,
    number_of_recorded,
    mark_recorded,
    slots_taken,
    count_recorded,
    nth_recorded,
)
