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
from upcard.players.belief.action_match import CARD, place_of
from upcard.players.belief.kernel_structs import Game
from upcard.players.search.action_id import (
    MAX_SEATS,
    Picked,
    VisibilityTable,
    choice_of,
    open_card,
    open_index,
    seen_as,
    seen_by_another,
)
from upcard.players.search.tree_memory import Tree, part


def picked_of(tree: Tree) -> Picked:
    """The alternative that is opened."""
    return Picked(part(tree, tree.picked_at))


def node_key(game: Game, visibility: VisibilityTable, tree: Tree, state: Ptr, seat: Int) -> Int:
    """What a seat knows at its decision: what it has seen since the root, and what is public now."""
    seen = part(tree, tree.seen_at)
    at = visibility.stored_at
    public = add(mul(seat, GOLDEN), mul(i64(state, game.pc), FACTOR_1))
    for n in range(visibility.stored):
        # storages are many: mixing them one by one would take longer than all else here
        public = add(public, mul(i64(state, i64(visibility, at + 2 * n)), i64(visibility, at + 2 * n + 1)))
    return name_word(name_word(i64(seen, seat), i64(seen, game.seats)), public)


def see_nothing(game: Game, tree: Tree, state: Ptr) -> None:
    """A state to begin from: nobody has seen anything since, and every card lies where it lies."""
    for seat in range(game.seats + 1):
        set_i64(part(tree, tree.seen_at), seat, 0)
    places = part(tree, tree.places_at)
    where = offset(state, game.where_at * game.where_bytes)
    for w in range(tree.place_words):
        set_i64(places, w, i64(where, w))


def note_for_all(game: Game, tree: Tree, event: Int) -> None:
    """Notes what nobody missed."""
    seen = part(tree, tree.seen_at)
    seats = game.seats
    set_i64(seen, seats, name_word(i64(seen, seats), event))


def note_for_each(game: Game, visibility: VisibilityTable, tree: Tree, state: Ptr, chooser: Int) -> None:
    """Notes for every seat the move just carried out, as far as it saw it."""
    seen = part(tree, tree.seen_at)
    picked = picked_of(tree)
    before = i64(seen, game.seats)
    for seat in range(game.seats):
        event = seen_by_another(game, visibility, picked, state, seat)
        if seat == chooser:
            event = seen_as(game, visibility, picked, state, seat, 1)
        event = name_word(event, chooser)
        # what all had seen before goes in, since what they see later is kept elsewhere
        set_i64(seen, seat, name_word(add(i64(seen, seat), before), event))


def seen_by_all(game: Game, visibility: VisibilityTable, picked: Picked, state: Ptr) -> Int:
    """Whether every seat saw all cards of an alternative that has been carried out."""
    sees_at = visibility.sees_at
    seats = game.seats
    if seats > MAX_SEATS:
        return 0
    seen = -1
    for c in range(picked.count):
        before = i64(visibility, sees_at + picked.cards[c].place)
        now = i64(visibility, sees_at + place_of(game, state, picked.cards[c].card))
        seen = seen & (before | now)
    every = shl(1, seats) - 1
    return (seen & every) == every


def note_move(game: Game, visibility: VisibilityTable, tree: Tree, state: Ptr, chooser: Int) -> None:
    """Notes the move just carried out, which is opened."""
    picked = picked_of(tree)
    if seen_by_all(game, visibility, picked, state) != 0:
        note_for_all(game, tree, name_word(seen_as(game, visibility, picked, state, 0, 1), chooser))
    else:
        note_for_each(game, visibility, tree, state, chooser)


def note_card(
    visibility: VisibilityTable, tree: Tree, card: Int, before: Int, place: Int, common: Int
) -> None:
    """Notes for every seat a card that came from one place to another."""
    seen = part(tree, tree.seen_at)
    sees_at = visibility.sees_at
    hidden = i64(visibility, sees_at + before)
    left = (i64(visibility, sees_at + place) | hidden) ^ hidden
    if left != 0:
        # with what all had seen before, as in `note_for_each`
        name = mul(name_word(1, card), common)
        while left != 0:
            seat = ctz(left)
            left = left & (left - 1)
            # a sum, since cards that come together come in no order
            set_i64(seen, seat, add(i64(seen, seat), name))


def note_cards(game: Game, visibility: VisibilityTable, tree: Tree, state: Ptr) -> None:
    """Notes which cards came into the sight of every seat since places were noted, and where they lie now."""
    places = part(tree, tree.places_at)
    where = offset(state, game.where_at * game.where_bytes)
    bits = 8 * game.where_bytes
    lanes = 4 if bits == 16 else 2
    mask = 65535 if bits == 16 else 4294967295
    common = i64(part(tree, tree.seen_at), game.seats) | 1
    for w in range(tree.place_words):
        before = i64(places, w)
        now = i64(where, w)
        changed = before ^ now
        if changed != 0:
            set_i64(places, w, now)
            while changed != 0:
                n = lshr(ctz(changed), 4) if bits == 16 else lshr(ctz(changed), 5)
                shift = bits * n
                note_card(
                    visibility,
                    tree,
                    lanes * w + n,
                    lshr(before, shift) & mask,
                    lshr(now, shift) & mask,
                    common,
                )
                changed = changed & ((0 - 1) ^ shl(mask, shift))


def lone_card(game: Game, visibility: VisibilityTable, state: Ptr, work: Ptr, index: Int) -> Int:
    """The card that the alternative of this number picks and its item, as one word, or -1: then it is opened
    as any other."""
    choice = choice_of(game, visibility, state)
    items = offset(work, 8 * game.items_at + 8)
    item = 0
    first = 0
    while index >= i64(items, item):
        first = i64(items, item)
        item = item + 1
    if choice.hows[item] != CARD:
        return -1
    mask = game.masks_at + item * game.mask_words
    left = index - first
    if game.set_words == 1:
        return shl(item, 32) | nth_bit(i64(work, mask), left)
    for w in range(game.set_words):
        word = i64(work, mask + w)
        count = popcount(word)
        if left < count:
            return shl(item, 32) | (64 * w + nth_bit(word, left))
        left = left - count
    return -1


def note_lone(
    game: Game,
    visibility: VisibilityTable,
    tree: Tree,
    state: Ptr,
    chooser: Int,
    lone: Int,
    before: Int,
    now: Int,
) -> None:
    """Notes a move just carried out that picked one card, which came from one place to another."""
    sees_at = visibility.sees_at
    seats = game.seats
    every = shl(1, seats) - 1
    card = lone & 4294967295
    if (
        seats <= MAX_SEATS
        and (i64(visibility, sees_at + before) | i64(visibility, sees_at + now)) & every == every
    ):
        note_for_all(game, tree, add(mul(lone, GOLDEN), mul(chooser, FACTOR_1)))
        # it need not be noted once more
        places = part(tree, tree.places_at)
        if game.where_bytes == 2:
            set_u16(places, card, now)
        else:
            set_u32(places, card, now)
    else:
        picked = picked_of(tree)
        item = lshr(lone, 32)
        picked.item = item
        picked.plain = name_word(1, item)
        picked.count = 0
        open_card(picked, card, before, 1)
        note_for_each(game, visibility, tree, state, chooser)


def step(
    game: Game, visibility: VisibilityTable, tree: Tree, state: Ptr, work: Ptr, index: Int, chooser: Int
) -> None:
    """Carries out an alternative and notes what every seat saw of it."""
    lone = lone_card(game, visibility, state, work, index)
    if lone >= 0:
        card = lone & 4294967295
        before = place_of(game, state, card)
        call_at(game.apply, state, work, index)
        note_lone(game, visibility, tree, state, chooser, lone, before, place_of(game, state, card))
    else:
        open_index(game, visibility, state, work, index, picked_of(tree))
        call_at(game.apply, state, work, index)
        note_move(game, visibility, tree, state, chooser)
    if i64(state, game.ending) == 0:
        call_at(game.advance, state, work)
        note_cards(game, visibility, tree, state)


KERNELS = (
    picked_of,
    node_key,
    see_nothing,
    note_for_all,
    note_for_each,
    seen_by_all,
    note_move,
    note_card,
    note_cards,
    lone_card,
    note_lone,
    step,
)
