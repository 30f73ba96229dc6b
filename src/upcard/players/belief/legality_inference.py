"""Kernels that infer from legality which cards a seat cannot have held."""

from __future__ import annotations

from upcard.engine.native.kernels.language import (
    Int,
    Ptr,
    call_at,
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
from upcard.engine.native.kernels.resample import clone
from upcard.players.belief.action_match import (
    ADVANCE,
    CARD_BYTES,
    ENDING,
    ENTRY_NEXT,
    ENTRY_PICK,
    LISTS,
    PC,
    SET_WORDS,
    SETS_AT,
    STATE_WORDS,
    WHERE_AT,
    WHERE_BYTES,
    find,
    place_of,
)


def lift(game: Ptr, state: Ptr, card: Int) -> None:
    """Take a card away from where it lies."""
    place = place_of(game, state, card)
    word = i64(game, SETS_AT) + place * i64(game, SET_WORDS) + lshr(card, 6)
    bit = shl(1, card & 63)
    set_i64(state, word, (i64(state, word) | bit) ^ bit)
    at = i64(game, LISTS + place)
    if at >= 0:
        listed = offset(state, at)
        count = i64(listed, 0)
        kept = 0
        for i in range(count):
            if i64(game, CARD_BYTES) == 1:
                there = u8(listed, 8 + i)
                if there != card:
                    set_u8(listed, 8 + kept, there)
                    kept = kept + 1
            else:
                there = u16(listed, 4 + i)
                if there != card:
                    set_u16(listed, 4 + kept, there)
                    kept = kept + 1
        set_i64(listed, 0, kept)


def drop(game: Ptr, state: Ptr, card: Int, place: Int) -> None:
    """Lay a card that lies nowhere on top of a place."""
    word = i64(game, SETS_AT) + place * i64(game, SET_WORDS) + lshr(card, 6)
    set_i64(state, word, i64(state, word) | shl(1, card & 63))
    if i64(game, WHERE_BYTES) == 2:
        set_u16(state, i64(game, WHERE_AT) + card, place)
    else:
        set_u32(state, i64(game, WHERE_AT) + card, place)
    at = i64(game, LISTS + place)
    if at >= 0:
        listed = offset(state, at)
        count = i64(listed, 0)
        if i64(game, CARD_BYTES) == 1:
            set_u8(listed, 8 + count, card)
        else:
            set_u16(listed, 4 + count, card)
        set_i64(listed, 0, count + 1)


def possible(
    game: Ptr, entry: Ptr, swaps: Ptr, state: Ptr, work: Ptr, stream: Ptr, weight: Ptr, begin: Int
) -> Int:
    """Whether the watched move is among the alternatives of a state, listed from the lets around them on."""
    set_i64(state, i64(game, PC), begin)
    call_at(i64(game, ADVANCE), state, work)
    if i64(state, i64(game, ENDING)) != 0 or i64(state, i64(game, PC)) != i64(entry, 1):
        return 0
    return find(game, work, entry, swaps, stream, weight, state, entry) >= 0


def lay_bare(game: Ptr, bare: Ptr, place: Int, cards: Ptr, count: Int) -> None:
    """Take the unknown cards away from a place; where each of them lies is noted."""
    for n in range(count):
        card = i64(cards, 3 * n)
        set_i64(cards, 3 * n + 1, place_of(game, bare, card))
        if i64(cards, 3 * n + 1) == place:
            lift(game, bare, card)


def probe(
    game: Ptr,
    entry: Ptr,
    swaps: Ptr,
    before: Ptr,
    room: Ptr,
    work: Ptr,
    stream: Ptr,
    weight: Ptr,
    begin: Int,
    place: Int,
    cards: Ptr,
    count: Int,
) -> Int:
    """Which of the unknown cards a seat cannot have held when it made a move.

    `before` is the state at that decision, `begin` the step of the first let around it. The place is laid out
    with its known cards only, then with each unknown card in turn. Where the move is possible without any of
    them, 1 is given, and a card that makes it impossible is marked; otherwise 0 is given, and a card that
    makes it possible is marked. Three words a card: it, its place, the mark. `room` is for two states.
    """
    words = i64(game, STATE_WORDS)
    bare = room
    trial = offset(room, 8 * words)
    clone(bare, before, words)
    lay_bare(game, bare, place, cards, count)
    clone(trial, bare, words)
    without = possible(game, entry, swaps, trial, work, stream, weight, begin)
    for n in range(count):
        card = i64(cards, 3 * n)
        clone(trial, bare, words)
        if i64(cards, 3 * n + 1) != place:
            lift(game, trial, card)
        drop(game, trial, card, place)
        held = possible(game, entry, swaps, trial, work, stream, weight, begin)
        set_i64(cards, 3 * n + 2, held != without)
    return without


def pick_card(group: Ptr, card: Int) -> None:
    """Let a card be what was picked unseen, in every variant of a decision."""
    entry = group
    more = 1
    while more != 0:
        if i64(entry, ENTRY_PICK) != 0:
            set_i64(entry, i64(entry, ENTRY_PICK), card)
        more = i64(entry, ENTRY_NEXT)
        entry = offset(entry, 8 * more)


def probe_picks(
    game: Ptr,
    entry: Ptr,
    swaps: Ptr,
    before: Ptr,
    room: Ptr,
    work: Ptr,
    stream: Ptr,
    weight: Ptr,
    begin: Int,
    place: Int,
    cards: Ptr,
    count: Int,
) -> None:
    """Which of the unknown cards a seat cannot have picked unseen from a place: those are marked.

    All as in `probe`; the entry is that of a pick that was seen. A card is marked if it could not be picked
    though it lay there, neither with the known cards alone nor with those that the history has there.
    """
    words = i64(game, STATE_WORDS)
    bare = room
    trial = offset(room, 8 * words)
    clone(bare, before, words)
    lay_bare(game, bare, place, cards, count)
    for n in range(count):
        card = i64(cards, 3 * n)
        pick_card(entry, card)
        clone(trial, bare, words)
        if i64(cards, 3 * n + 1) != place:
            lift(game, trial, card)
        drop(game, trial, card, place)
        marked = 0
        if possible(game, entry, swaps, trial, work, stream, weight, begin) == 0:
            clone(trial, before, words)
            if i64(cards, 3 * n + 1) != place:
                lift(game, trial, card)
                drop(game, trial, card, place)
            marked = possible(game, entry, swaps, trial, work, stream, weight, begin) == 0
        set_i64(cards, 3 * n + 2, marked)


KERNELS = (
    lift,
    drop,
    possible,
    lay_bare,
    probe,
    pick_card,
    probe_picks,
)
