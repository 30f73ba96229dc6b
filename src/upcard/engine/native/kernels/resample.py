"""Kernels that deal hidden cards anew for a seat (recycle.md 27.5, and 20.2 without memory).

What a seat knows is fixed while it thinks, so it is worked out once, in Python (`resample_plan.py`): a state
without the loose cards, and a plan of which of them may fill which holes. A kernel then makes one imagined
state after the other.

The plan, in words: the head; then a group for each back; then the ordered places to be stirred.
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

STATE_WORDS = 0
GROUPS = 1
STIRS = 2
SETS_AT = 3
SET_WORDS = 4
WHERE_AT = 5
CARD_BYTES = 6
MASK_WORDS = 7
WHERE_BYTES = 8
HEAD = 9

ATTEMPTS = 100


def clone(target: Ptr, source: Ptr, words: Int) -> None:
    """A state copied."""
    for i in range(words):
        set_i64(target, i, i64(source, i))


def lay(state: Ptr, plan: Ptr, card: Int, place: Int, slot: Int) -> None:
    """A card that lies nowhere is put into a hole."""
    word = i64(plan, SETS_AT) + place * i64(plan, SET_WORDS) + lshr(card, 6)
    set_i64(state, word, i64(state, word) | shl(1, card & 63))
    if i64(plan, WHERE_BYTES) == 2:
        set_u16(state, i64(plan, WHERE_AT) + card, place)
    else:
        set_u32(state, i64(plan, WHERE_AT) + card, place)
    if slot >= 0:
        if i64(plan, CARD_BYTES) == 1:
            set_u8(state, slot, card)
        else:
            set_u16(state, lshr(slot, 1), card)


def fits(group: Ptr, mask_words: Int) -> Int:
    """Whether the group's order puts every card where its seat thinks it possible."""
    n = i64(group, 0)
    for i in range(n):
        card = i64(group, 1 + i)
        number = i64(group, 1 + 3 * n + i)
        mask = i64(group, 1 + 5 * n + card * mask_words + lshr(number, 6))
        if lshr(mask, number & 63) & 1 == 0:
            return 0
    return 1


def deal_group(state: Ptr, plan: Ptr, group: Ptr, stream: Ptr) -> Int:
    """The loose cards of one back by chance into their holes; 1 if no order of so many tried was possible."""
    n = i64(group, 0)
    mask_words = i64(plan, MASK_WORDS)
    failed = 1
    for _ in range(ATTEMPTS):
        for i in range(n):
            set_i64(group, 1 + i, i)
        j = n - 1
        while j >= 1:
            k = below(stream, j + 1)
            a = i64(group, 1 + j)
            b = i64(group, 1 + k)
            set_i64(group, 1 + j, b)
            set_i64(group, 1 + k, a)
            j = j - 1
        if fits(group, mask_words) != 0:
            failed = 0
            break
    for i in range(n):
        card = i64(group, 1 + n + i64(group, 1 + i))
        lay(state, plan, card, i64(group, 1 + 2 * n + i), i64(group, 1 + 4 * n + i))
    return failed


def stir(state: Ptr, plan: Ptr, slots: Ptr, stream: Ptr) -> None:
    """Inside an ordered hidden place, cards whose position is unknown change places."""
    wide = i64(plan, CARD_BYTES) - 1
    i = i64(slots, 0) - 1
    while i >= 1:
        j = below(stream, i + 1)
        here = i64(slots, 1 + i)
        there = i64(slots, 1 + j)
        if wide == 0:
            a = u8(state, here)
            set_u8(state, here, u8(state, there))
            set_u8(state, there, a)
        else:
            c = u16(state, lshr(here, 1))
            set_u16(state, lshr(here, 1), u16(state, lshr(there, 1)))
            set_u16(state, lshr(there, 1), c)
        i = i - 1


def imagine(state: Ptr, base: Ptr, plan: Ptr, stream: Ptr) -> Int:
    """One imagined state; gives how many groups found no possible order (the last one tried stands)."""
    clone(state, base, i64(plan, STATE_WORDS))
    at = HEAD
    failed = 0
    for _ in range(i64(plan, GROUPS)):
        group = offset(plan, 8 * at)
        n = i64(group, 0)
        failed = failed + deal_group(state, plan, group, stream)
        at = at + 1 + 5 * n + n * i64(plan, MASK_WORDS)
    for _ in range(i64(plan, STIRS)):
        slots = offset(plan, 8 * at)
        stir(state, plan, slots, stream)
        at = at + 1 + i64(slots, 0)
    return failed


KERNELS = (*chance_kernels.KERNELS, clone, lay, fits, deal_group, stir, imagine)
APART = (clone,)
"""What is given to them never overlaps: so they may copy many words at a time."""
