"""Kernels that deal hidden cards anew for a seat (docs/language/knowing.md), or without memory.

What a seat knows is fixed while it thinks, so it is worked out once, in Python (`resample_plan.py`): a state
without the loose cards, and a plan of which of them may fill which holes. A kernel then makes one
sampled state after the other.

Behind the head of a plan come, in words, a group for each back, then the ordered places to be stirred:
    group   how many; their order (scratch); cards; places of the holes; numbers of those places in the masks;
            the byte of the state where the hole lies in a list, or -1; per card the set of its places
    stir    how many; the bytes of the state that change places
"""

from __future__ import annotations

from upcard.engine.native.kernels import random_numbers as chance_kernels
from upcard.engine.native.kernels.language import (
    Int,
    Ptr,
    i64,
    lshr,
    offset,
    set_i64,
    set_u8,
    set_u16,
    set_u32,
    shl,
    u8,
    u16,
)
from upcard.engine.native.kernels.random_numbers import below
from upcard.engine.native.kernels.structs import Array, Struct

ATTEMPTS = 100


class ResamplePlan(Struct):
    """Where a state keeps its cards, in words unless bytes are named; then the groups and the places to be
    stirred, as above."""

    state_words: Int
    groups: Int
    stirs: Int
    sets_at: Int
    set_words: Int
    where_at: Int
    """In elements of `where_bytes`."""
    card_bytes: Int
    mask_words: Int
    where_bytes: Int
    rest: Array[Int]


class Row(Struct):
    count: Int
    words: Array[Int]


def clone(target: Ptr, source: Ptr, words: Int) -> None:
    """Copies a state."""
    for i in range(words):
        set_i64(target, i, i64(source, i))


def lay(state: Ptr, plan: ResamplePlan, card: Int, place: Int, slot: Int) -> None:
    """Puts a card that lies nowhere into a hole."""
    word = plan.sets_at + place * plan.set_words + lshr(card, 6)
    set_i64(state, word, i64(state, word) | shl(1, card & 63))
    if plan.where_bytes == 2:
        set_u16(state, plan.where_at + card, place)
    else:
        set_u32(state, plan.where_at + card, place)
    if slot >= 0:
        if plan.card_bytes == 1:
            set_u8(state, slot, card)
        else:
            set_u16(state, lshr(slot, 1), card)


def fits(group: Row, mask_words: Int) -> Int:
    """Whether the group's order puts every card where its seat thinks it possible."""
    n = group.count
    for i in range(n):
        card = group.words[i]
        number = group.words[3 * n + i]
        mask = group.words[5 * n + card * mask_words + lshr(number, 6)]
        if lshr(mask, number & 63) & 1 == 0:
            return 0
    return 1


def deal_group(state: Ptr, plan: ResamplePlan, group: Row, stream: Ptr) -> Int:
    """Deals the loose cards of one back into their holes; 1 if no order out of ATTEMPTS was possible."""
    n = group.count
    mask_words = plan.mask_words
    failed = 1
    for _ in range(ATTEMPTS):
        for i in range(n):
            group.words[i] = i
        j = n - 1
        while j >= 1:
            k = below(stream, j + 1)
            a = group.words[j]
            b = group.words[k]
            group.words[j] = b
            group.words[k] = a
            j = j - 1
        if fits(group, mask_words) != 0:
            failed = 0
            break
    for i in range(n):
        card = group.words[n + group.words[i]]
        lay(state, plan, card, group.words[2 * n + i], group.words[4 * n + i])
    return failed


def stir(state: Ptr, plan: ResamplePlan, slots: Row, stream: Ptr) -> None:
    """Permutes the cards of an ordered hidden place whose positions are unknown."""
    wide = plan.card_bytes - 1
    i = slots.count - 1
    while i >= 1:
        j = below(stream, i + 1)
        here = slots.words[i]
        there = slots.words[j]
        if wide == 0:
            a = u8(state, here)
            set_u8(state, here, u8(state, there))
            set_u8(state, there, a)
        else:
            c = u16(state, lshr(here, 1))
            set_u16(state, lshr(here, 1), u16(state, lshr(there, 1)))
            set_u16(state, lshr(there, 1), c)
        i = i - 1


def resample(state: Ptr, base: Ptr, plan: ResamplePlan, stream: Ptr) -> Int:
    """Samples one state; gives how many groups found no possible order (the last one tried stands)."""
    clone(state, base, plan.state_words)
    at = 0
    failed = 0
    for _ in range(plan.groups):
        group = Row(offset(plan.rest, 8 * at))
        n = group.count
        failed = failed + deal_group(state, plan, group, stream)
        at = at + 1 + 5 * n + n * plan.mask_words
    for _ in range(plan.stirs):
        slots = Row(offset(plan.rest, 8 * at))
        stir(state, plan, slots, stream)
        at = at + 1 + slots.count
    return failed


KERNELS = (*chance_kernels.KERNELS, clone, lay, fits, deal_group, stir, resample)
APART = (clone,)
"""What is given to them never overlaps: so they may copy many words at a time."""
