"""Kernels that compute information-set keys on the way down a search tree.

What all seats have seen since the root is one word, which changes with every move that nobody missed. What a
seat has seen beside that is a word of its own: every other move as it knows it (in `action_id`,
`seen_as` or, where another seat chose, `seen_by_another`), and every card that came into its sight meanwhile.
The word of all, as it was then, goes into these, so that the two together tell in which order everything was
seen.
"""

from __future__ import annotations

from upcard.engine.native.kernels.language import (
    Int,
    Ptr,
    add,
    call_at,
    ctz,
    i64,
    lshr,
    mul,
    nth_bit,
    offset,
    popcount,
    set_i64,
    set_u16,
    set_u32,
    shl,
)
from upcard.engine.native.kernels.random_numbers import FACTOR_1, GOLDEN, name_word
from upcard.players.belief.action_match import (
    ADVANCE,
    APPLY,
    CARD,
    ENDING,
    ITEMS_AT,
    MASK_WORDS,
    MASKS_AT,
    PC,
    SEATS,
    SET_WORDS,
    WHERE_AT,
    WHERE_BYTES,
    place_of,
)
from upcard.players.search.action_id import (
    HOWS,
    MOST_SEATS,
    PICKED_HEAD,
    SEES_AT,
    STORED,
    STORED_AT,
    choice_of,
    open_card,
    open_index,
    seen_as,
    seen_by_another,
)
from upcard.players.search.tree_memory import PICKED_AT, PLACE_WORDS, PLACES_AT, SEEN_AT, part


def node_key(game: Ptr, sight: Ptr, tree: Ptr, state: Ptr, seat: Int) -> Int:
    """What a seat knows at its decision: what it has seen since the root, and what is public now."""
    seen = part(tree, SEEN_AT)
    at = i64(sight, STORED_AT)
    public = add(mul(seat, GOLDEN), mul(i64(state, i64(game, PC)), FACTOR_1))
    for n in range(i64(sight, STORED)):
        # storages are many: mixing them one by one would take longer than all else here
        public = add(public, mul(i64(state, i64(sight, at + 2 * n)), i64(sight, at + 2 * n + 1)))
    return name_word(name_word(i64(seen, seat), i64(seen, i64(game, SEATS))), public)


def see_nothing(game: Ptr, tree: Ptr, state: Ptr) -> None:
    """A state to begin from: nobody has seen anything since, and every card lies where it lies."""
    for seat in range(i64(game, SEATS) + 1):
        set_i64(part(tree, SEEN_AT), seat, 0)
    places = part(tree, PLACES_AT)
    where = offset(state, i64(game, WHERE_AT) * i64(game, WHERE_BYTES))
    for w in range(i64(tree, PLACE_WORDS)):
        set_i64(places, w, i64(where, w))


def tell_all(game: Ptr, tree: Ptr, told: Int) -> None:
    """Tell them of what nobody missed."""
    seen = part(tree, SEEN_AT)
    seats = i64(game, SEATS)
    set_i64(seen, seats, name_word(i64(seen, seats), told))


def tell_each(game: Ptr, sight: Ptr, tree: Ptr, state: Ptr, chooser: Int) -> None:
    """Tell every seat of the move just carried out, as far as it saw it."""
    seen = part(tree, SEEN_AT)
    picked = part(tree, PICKED_AT)
    before = i64(seen, i64(game, SEATS))
    for seat in range(i64(game, SEATS)):
        told = seen_by_another(game, sight, picked, state, seat)
        if seat == chooser:
            told = seen_as(game, sight, picked, state, seat, 1)
        told = name_word(told, chooser)
        # what all had seen before goes in, since what they see later is kept elsewhere
        set_i64(seen, seat, name_word(add(i64(seen, seat), before), told))


def seen_by_all(game: Ptr, sight: Ptr, picked: Ptr, state: Ptr) -> Int:
    """Whether every seat saw all cards of an alternative that has been carried out."""
    sees_at = i64(sight, SEES_AT)
    seats = i64(game, SEATS)
    if seats > MOST_SEATS:
        return 0
    seen = -1
    for c in range(i64(picked, 2)):
        before = i64(sight, sees_at + i64(picked, PICKED_HEAD + 3 * c + 1))
        now = i64(sight, sees_at + place_of(game, state, i64(picked, PICKED_HEAD + 3 * c)))
        seen = seen & (before | now)
    every = shl(1, seats) - 1
    return (seen & every) == every


def note_move(game: Ptr, sight: Ptr, tree: Ptr, state: Ptr, chooser: Int) -> None:
    """Tell of the move just carried out, which is opened."""
    picked = part(tree, PICKED_AT)
    if seen_by_all(game, sight, picked, state) != 0:
        tell_all(game, tree, name_word(seen_as(game, sight, picked, state, 0, 1), chooser))
    else:
        tell_each(game, sight, tree, state, chooser)


def note_card(sight: Ptr, tree: Ptr, card: Int, before: Int, place: Int, common: Int) -> None:
    """Tell every seat of a card that came from one place to another."""
    seen = part(tree, SEEN_AT)
    sees_at = i64(sight, SEES_AT)
    hidden = i64(sight, sees_at + before)
    left = (i64(sight, sees_at + place) | hidden) ^ hidden
    if left != 0:
        # with what all had seen before, as in `tell_each`
        name = mul(name_word(1, card), common)
        while left != 0:
            seat = ctz(left)
            left = left & (left - 1)
            # a sum, since cards that come together come in no order
            set_i64(seen, seat, add(i64(seen, seat), name))


def note_cards(game: Ptr, sight: Ptr, tree: Ptr, state: Ptr) -> None:
    """Tell every seat which cards came into its sight since places were noted, and note them anew."""
    places = part(tree, PLACES_AT)
    where = offset(state, i64(game, WHERE_AT) * i64(game, WHERE_BYTES))
    bits = 8 * i64(game, WHERE_BYTES)
    lanes = 4 if bits == 16 else 2
    mask = 65535 if bits == 16 else 4294967295
    common = i64(part(tree, SEEN_AT), i64(game, SEATS)) | 1
    for w in range(i64(tree, PLACE_WORDS)):
        before = i64(places, w)
        now = i64(where, w)
        changed = before ^ now
        if changed != 0:
            set_i64(places, w, now)
            while changed != 0:
                n = lshr(ctz(changed), 4) if bits == 16 else lshr(ctz(changed), 5)
                shift = bits * n
                note_card(
                    sight,
                    tree,
                    lanes * w + n,
                    lshr(before, shift) & mask,
                    lshr(now, shift) & mask,
                    common,
                )
                changed = changed & ((0 - 1) ^ shl(mask, shift))


def lone_card(game: Ptr, sight: Ptr, state: Ptr, work: Ptr, index: Int) -> Int:
    """The card that the alternative of this number picks and its item, as one word, or -1: then it is opened
    as any other."""
    choice = choice_of(game, sight, state)
    items = offset(work, 8 * i64(game, ITEMS_AT) + 8)
    hows = offset(sight, 8 * (choice + HOWS))
    item = 0
    first = 0
    while index >= i64(items, item):
        first = i64(items, item)
        item = item + 1
    if i64(hows, item) != CARD:
        return -1
    mask = i64(game, MASKS_AT) + item * i64(game, MASK_WORDS)
    left = index - first
    if i64(game, SET_WORDS) == 1:
        return shl(item, 32) | nth_bit(i64(work, mask), left)
    for w in range(i64(game, SET_WORDS)):
        word = i64(work, mask + w)
        count = popcount(word)
        if left < count:
            return shl(item, 32) | (64 * w + nth_bit(word, left))
        left = left - count
    return -1


def note_lone(
    game: Ptr, sight: Ptr, tree: Ptr, state: Ptr, chooser: Int, lone: Int, before: Int, now: Int
) -> None:
    """Tell of a move just carried out that picked one card, which came from one place to another."""
    sees_at = i64(sight, SEES_AT)
    seats = i64(game, SEATS)
    every = shl(1, seats) - 1
    card = lone & 4294967295
    if seats <= MOST_SEATS and (i64(sight, sees_at + before) | i64(sight, sees_at + now)) & every == every:
        tell_all(game, tree, add(mul(lone, GOLDEN), mul(chooser, FACTOR_1)))
        # nobody need be told of it once more
        places = part(tree, PLACES_AT)
        if i64(game, WHERE_BYTES) == 2:
            set_u16(places, card, now)
        else:
            set_u32(places, card, now)
    else:
        picked = part(tree, PICKED_AT)
        item = lshr(lone, 32)
        set_i64(picked, 0, item)
        set_i64(picked, 1, name_word(1, item))
        set_i64(picked, 2, 0)
        open_card(picked, card, before, 1)
        tell_each(game, sight, tree, state, chooser)


def step(game: Ptr, sight: Ptr, tree: Ptr, state: Ptr, work: Ptr, index: Int, chooser: Int) -> None:
    """Carry out an alternative and tell every seat of it."""
    lone = lone_card(game, sight, state, work, index)
    if lone >= 0:
        card = lone & 4294967295
        before = place_of(game, state, card)
        call_at(i64(game, APPLY), state, work, index)
        note_lone(game, sight, tree, state, chooser, lone, before, place_of(game, state, card))
    else:
        open_index(game, sight, state, work, index, part(tree, PICKED_AT))
        call_at(i64(game, APPLY), state, work, index)
        note_move(game, sight, tree, state, chooser)
    if i64(state, i64(game, ENDING)) == 0:
        call_at(i64(game, ADVANCE), state, work)
        note_cards(game, sight, tree, state)


KERNELS = (
    node_key,
    see_nothing,
    tell_all,
    tell_each,
    seen_by_all,
    note_move,
    note_card,
    note_cards,
    lone_card,
    note_lone,
    step,
)
