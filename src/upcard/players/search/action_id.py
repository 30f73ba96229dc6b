"""Kernels that compute action ids, independent of the other alternatives of a decision.

The number of an alternative means something else in every world. Its identity does not: a word made of the
item and of what was picked, with cards that the one who looks does not see left blank. Alternatives that the
chooser cannot tell apart (face-down cards to take one of) have one identity, and the choice among them is
left to chance; alternatives with the same picks, all seen, are told apart by a running number, as in moves.

Who sees a pick: whoever sees the place where the card lay before the move, or the place where it lies once
the move is carried out. A card that is shown on its way and lies hidden at the end counts as unseen, which
only makes different things look alike.

`sight` are words about a game (`sight.py`):
    where its parts begin (named below); per place the set of seats that see it; per any form what it picks;
    the words of a state that hold public storages, each with a factor of its own; what makes a state; per
    step of the program where its choice begins, or 0; a choice: the word of a state with the chooser's seat,
    how many items, and how each item's alternative is known

`picked` is one alternative opened: its item, its cards left out as a word, how many cards, and per card three
words: the card, the place where it lies, and which pick it belongs to.
"""

from __future__ import annotations

from upcard.engine.native.kernels.language import (
    Int,
    Ptr,
    add,
    ctz,
    i64,
    lshr,
    nth_bit,
    offset,
    popcount,
    set_i64,
    u8,
    u16,
)
from upcard.engine.native.kernels.random_numbers import below, name_word
from upcard.players.belief.action_match import (
    CARD,
    CARD_BYTES,
    CARDS,
    ITEMS_AT,
    MASK_WORDS,
    MASKS_AT,
    NOTHING_PICKED,
    ONE_CARD,
    PC,
    RECORDED,
    RECORDED_AT,
    SET_WORDS,
    place_of,
)

SEES_AT = 0
SITES_AT = 1
STORED_AT = 2
STORED = 3
PARTS_AT = 4
PARTS = 5
STEPS_AT = 6
PLACES = 7
ROOM = 8
SIGHT_HEAD = 9

CHOOSER = 0
ITEMS = 1
HOWS = 2

SHOWN_CARD = 4
"""A kind of pick beside those of `world_walk`: a card that all see, wherever it lies."""
EVERYWHERE = -1

MOST_SEATS = 63
"""Whoever sits further on is taken to see nothing."""

PICKED_HEAD = 3
MOST_OPENED = 1024
"""Cards of one alternative that are told apart; any more count as seen by all."""

ID_WORDS = 3
"""Words an alternative: identity, sort (below), identity without the running number."""
SEEN_BY_CHOOSER = 0
BLANK = 1
BLANK_AGAIN = 2
"""Sorts: wholly seen; with cards that the chooser does not see; so, and like an earlier one."""


def choice_of(game: Ptr, sight: Ptr, state: Ptr) -> Int:
    """Where the choice that a state is at begins in `sight`."""
    return i64(sight, i64(sight, STEPS_AT) + i64(state, i64(game, PC)))


def chooser_of(game: Ptr, sight: Ptr, state: Ptr) -> Int:
    return i64(state, i64(sight, choice_of(game, sight, state) + CHOOSER))


def sees(sight: Ptr, place: Int, seat: Int) -> Int:
    if seat >= MOST_SEATS:
        return 0
    return lshr(i64(sight, i64(sight, SEES_AT) + place), seat) & 1


def open_card(picked: Ptr, card: Int, place: Int, pick: Int) -> None:
    """One more card into an opened alternative."""
    count = i64(picked, 2)
    if count >= MOST_OPENED:
        set_i64(picked, 1, name_word(i64(picked, 1), card))
    else:
        at = PICKED_HEAD + 3 * count
        set_i64(picked, at, card)
        set_i64(picked, at + 1, place)
        set_i64(picked, at + 2, pick)
        set_i64(picked, 2, count + 1)


def open_recorded(game: Ptr, sight: Ptr, state: Ptr, work: Ptr, base: Ptr, picked: Ptr) -> None:
    """The picks of a recorded alternative."""
    made = 0
    for k in range(i64(base, 0)):
        value = i64(base, 2 + 2 * k)
        if value == NOTHING_PICKED:
            continue
        made = made + 1
        kind = i64(sight, i64(sight, SITES_AT) + i64(base, 1 + 2 * k))
        if kind == ONE_CARD:
            open_card(picked, value, place_of(game, state, value), made)
        elif kind == SHOWN_CARD:
            open_card(picked, value, EVERYWHERE, made)
        elif kind == CARDS:
            listed = offset(work, value)
            count = i64(listed, 0)
            set_i64(picked, 1, name_word(i64(picked, 1), count))
            for i in range(count):
                card = u8(listed, 8 + i) if i64(game, CARD_BYTES) == 1 else u16(listed, 4 + i)
                open_card(picked, card, place_of(game, state, card), made)
        else:
            set_i64(picked, 1, name_word(i64(picked, 1), value))


def open_alternative(
    game: Ptr, sight: Ptr, state: Ptr, work: Ptr, item: Int, k: Int, recorded: Int, picked: Ptr
) -> None:
    """The k-th alternative of an item, where so many recorded ones come before those of the item."""
    how = i64(sight, choice_of(game, sight, state) + HOWS + item)
    set_i64(picked, 0, item)
    set_i64(picked, 1, name_word(1, item))
    set_i64(picked, 2, 0)
    if how == RECORDED:
        base = offset(work, i64(work, i64(work, i64(game, RECORDED_AT)) + recorded + k))
        open_recorded(game, sight, state, work, base, picked)
        return
    mask = i64(game, MASKS_AT) + item * i64(game, MASK_WORDS)
    left = k
    bit = 0
    for w in range(i64(game, SET_WORDS)):
        word = i64(work, mask + w)
        count = popcount(word)
        if left >= 0 and left < count:
            bit = 64 * w + nth_bit(word, left)
        left = left - count
    if how == CARD:
        open_card(picked, bit, place_of(game, state, bit), 1)
    else:
        set_i64(picked, 1, name_word(i64(picked, 1), bit))


def open_index(game: Ptr, sight: Ptr, state: Ptr, work: Ptr, index: Int, picked: Ptr) -> None:
    """The alternative of this number among all that are listed."""
    choice = choice_of(game, sight, state)
    recorded = 0
    first = 0
    for item in range(i64(sight, choice + ITEMS)):
        after = i64(work, i64(game, ITEMS_AT) + item + 1)
        if index < after:
            open_alternative(game, sight, state, work, item, index - first, recorded, picked)
            return
        if i64(sight, choice + HOWS + item) == RECORDED:
            recorded = recorded + after - first
        first = after


def blanks(sight: Ptr, picked: Ptr, seat: Int) -> Int:
    """How many of an opened alternative's cards a seat does not see before it."""
    count = 0
    for c in range(i64(picked, 2)):
        count = count + 1 - sees(sight, i64(picked, PICKED_HEAD + 3 * c + 1), seat)
    return count


def seen_as(game: Ptr, sight: Ptr, picked: Ptr, state: Ptr, seat: Int, done: Int) -> Int:
    """An opened alternative as a seat knows it; `done`: the state is the one after it."""
    total = 0
    for c in range(i64(picked, 2)):
        card = i64(picked, PICKED_HEAD + 3 * c)
        pick = i64(picked, PICKED_HEAD + 3 * c + 2)
        seen = sees(sight, i64(picked, PICKED_HEAD + 3 * c + 1), seat)
        if seen == 0 and done != 0:
            seen = sees(sight, place_of(game, state, card), seat)
        # a sum, since the cards of one pick are named in no order
        total = add(total, name_word(pick, (card + 1) * seen))
    return name_word(i64(picked, 1), total)


def seen_by_another(game: Ptr, sight: Ptr, picked: Ptr, state: Ptr, seat: Int) -> Int:
    """An opened alternative that has been carried out as a seat knows it that did not choose it. Where one of
    its cards stayed hidden, nothing but the cards that were seen tells what it was, as in an observation."""
    total = 0
    hidden = 0
    for c in range(i64(picked, 2)):
        card = i64(picked, PICKED_HEAD + 3 * c)
        seen = sees(sight, i64(picked, PICKED_HEAD + 3 * c + 1), seat)
        if seen == 0:
            seen = sees(sight, place_of(game, state, card), seat)
        if seen == 0:
            hidden = 1
        else:
            total = add(total, name_word(1, card + 1))
    if hidden == 0:
        return seen_as(game, sight, picked, state, seat, 1)
    return name_word(0, total)


def identify_cards(
    game: Ptr, sight: Ptr, state: Ptr, work: Ptr, seat: Int, item: Int, first: Int, ids: Ptr
) -> Int:
    """The identities of an item's alternatives, each a card of its set, as `seen_as` would give them; gives
    whether the chooser does not see all of them."""
    mask = i64(game, MASKS_AT) + item * i64(game, MASK_WORDS)
    plain = name_word(1, item)
    at = ID_WORDS * first
    doubtful = 0
    for w in range(i64(game, SET_WORDS)):
        left = i64(work, mask + w)
        while left != 0:
            card = 64 * w + ctz(left)
            left = left & (left - 1)
            seen = sees(sight, place_of(game, state, card), seat)
            name = name_word(plain, name_word(1, (card + 1) * seen))
            set_i64(ids, at, name)
            set_i64(ids, at + 1, SEEN_BY_CHOOSER if seen != 0 else BLANK)
            set_i64(ids, at + 2, name)
            doubtful = doubtful | (1 - seen)
            at = at + ID_WORDS
    return doubtful


def identify(game: Ptr, sight: Ptr, state: Ptr, work: Ptr, seat: Int, picked: Ptr, ids: Ptr) -> Int:
    """The identities of all that is listed, as the chooser knows it; gives how many."""
    choice = choice_of(game, sight, state)
    recorded = 0
    first = 0
    doubtful = 0
    for item in range(i64(sight, choice + ITEMS)):
        after = i64(work, i64(game, ITEMS_AT) + item + 1)
        if i64(sight, choice + HOWS + item) == CARD and after > first:
            doubtful = doubtful | identify_cards(game, sight, state, work, seat, item, first, ids)
            first = after
            continue
        for k in range(after - first):
            open_alternative(game, sight, state, work, item, k, recorded, picked)
            at = ID_WORDS * (first + k)
            name = seen_as(game, sight, picked, state, seat, 0)
            set_i64(ids, at, name)
            set_i64(ids, at + 1, BLANK if blanks(sight, picked, seat) > 0 else SEEN_BY_CHOOSER)
            set_i64(ids, at + 2, name)
            if i64(ids, at + 1) == BLANK:
                doubtful = 1
        if i64(sight, choice + HOWS + item) == RECORDED:
            recorded = recorded + after - first
            doubtful = 1
        first = after
    if doubtful != 0:
        number_copies(ids, first)
    return first


def number_copies(ids: Ptr, count: Int) -> None:
    """Tell equal alternatives apart by a running number; those with blanks are only marked."""
    for i in range(count):
        same = 0
        for j in range(i):
            if i64(ids, ID_WORDS * j + 2) == i64(ids, ID_WORDS * i + 2):
                same = same + 1
        if same > 0:
            if i64(ids, ID_WORDS * i + 1) == SEEN_BY_CHOOSER:
                set_i64(ids, ID_WORDS * i, name_word(i64(ids, ID_WORDS * i + 2), same))
            else:
                set_i64(ids, ID_WORDS * i + 1, BLANK_AGAIN)


def align(ids: Ptr, count: Int, identity: Int, stream: Ptr) -> Int:
    """Which alternative has this identity, by chance where there are several; -1: there is none."""
    found = -1
    equals = 0
    for i in range(count):
        if i64(ids, ID_WORDS * i) == identity:
            equals = equals + 1
            if below(stream, equals) == 0:
                found = i
    return found


KERNELS = (
    choice_of,
    chooser_of,
    sees,
    open_card,
    open_recorded,
    open_alternative,
    open_index,
    blanks,
    seen_as,
    seen_by_another,
    number_copies,
    identify_cards,
    identify,
    align,
)
