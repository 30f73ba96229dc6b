"""Kernels that compute action ids, independent of the other alternatives of a decision.

The number of an alternative means something else in every world. Its identity does not: a word made of the
item and of what was picked, with cards that the observer does not see left blank. Alternatives that the
chooser cannot tell apart (face-down cards to take one of) have one identity, and the choice among them is
left to chance; alternatives with the same picks, all seen, are told apart by a running number, as in moves.

A pick is seen by the seats that see the place where the card lay before the move, or the place where it lies
once the move is carried out. A card that is shown on its way and lies hidden at the end counts as unseen,
which only makes different things look alike.
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
    u8,
    u16,
)
from upcard.engine.native.kernels.random_numbers import below, name_word
from upcard.engine.native.kernels.structs import Array, Struct
from upcard.players.belief.action_match import (
    CARD,
    CARDS,
    NOTHING_PICKED,
    ONE_CARD,
    RECORDED,
    place_of,
)
from upcard.players.belief.kernel_structs import Game

SHOWN_CARD = 4
"""A kind of pick beside those of `action_match`: a card that all see, wherever it lies."""
EVERYWHERE = -1

MAX_SEATS = 63
"""Seats further on are taken to see nothing."""

MAX_OPENED = 1024
"""Cards of one alternative that are told apart; any more count as seen by all."""

SEEN_BY_CHOOSER = 0
BLANK = 1
BLANK_AGAIN = 2
"""Sorts: wholly seen; with cards that the chooser does not see; so, and like an earlier alternative."""


class VisibilityTable(Struct):
    """What is known about a game's places, picks and choices (`visibility.py`). `..._at` are words of the
    table where its parts begin."""

    sees_at: Int
    """Per place the set of seats that see it."""
    sites_at: Int
    """Per any form what it picks."""
    stored_at: Int
    """Words of a state that hold public storages, each with a factor of its own."""
    stored: Int
    parts_at: Int
    """What makes a state: runs of words, the first and the number of each."""
    parts: Int
    steps_at: Int
    """Per step of the program the word where its `Choice` begins, or 0."""
    places: Int
    room: Int
    """Cards."""
    rest: Array[Int]


class Choice(Struct):
    chooser: Int
    """The word of a state with the chooser's seat."""
    items: Int
    hows: Array[Int]
    """How each item's alternatives are known: BIT, CARD or RECORDED."""


class PickedCard(Struct):
    card: Int
    place: Int
    """Where it lies."""
    pick: Int
    """Which pick it belongs to."""


class Picked(Struct):
    """One alternative opened."""

    item: Int
    plain: Int
    """All but its cards, as a word."""
    count: Int
    cards: Array[PickedCard]


class ActionId(Struct):
    identity: Int
    sort: Int
    plain: Int
    """The identity without the running number."""


class ActionIds(Struct):
    """Of all alternatives of a decision."""

    each: Array[ActionId]


def choice_of(game: Game, visibility: VisibilityTable, state: Ptr) -> Choice:
    """The choice that a state is at."""
    return Choice(offset(visibility, 8 * i64(visibility, visibility.steps_at + i64(state, game.pc))))


def chooser_of(game: Game, visibility: VisibilityTable, state: Ptr) -> Int:
    return i64(state, choice_of(game, visibility, state).chooser)


def sees(visibility: VisibilityTable, place: Int, seat: Int) -> Int:
    if seat >= MAX_SEATS:
        return 0
    return lshr(i64(visibility, visibility.sees_at + place), seat) & 1


def open_card(picked: Picked, card: Int, place: Int, pick: Int) -> None:
    """Adds a card to an opened alternative."""
    count = picked.count
    if count >= MAX_OPENED:
        picked.plain = name_word(picked.plain, card)
    else:
        opened = picked.cards[count]
        opened.card = card
        opened.place = place
        opened.pick = pick
        picked.count = count + 1


def open_recorded(
    game: Game, visibility: VisibilityTable, state: Ptr, work: Ptr, base: Ptr, picked: Picked
) -> None:
    """The picks of a recorded alternative."""
    made = 0
    for k in range(i64(base, 0)):
        value = i64(base, 2 + 2 * k)
        if value == NOTHING_PICKED:
            continue
        made = made + 1
        kind = i64(visibility, visibility.sites_at + i64(base, 1 + 2 * k))
        if kind == ONE_CARD:
            open_card(picked, value, place_of(game, state, value), made)
        elif kind == SHOWN_CARD:
            open_card(picked, value, EVERYWHERE, made)
        elif kind == CARDS:
            listed = offset(work, value)
            count = i64(listed, 0)
            picked.plain = name_word(picked.plain, count)
            for i in range(count):
                card = u8(listed, 8 + i) if game.card_bytes == 1 else u16(listed, 4 + i)
                open_card(picked, card, place_of(game, state, card), made)
        else:
            picked.plain = name_word(picked.plain, value)


def open_alternative(
    game: Game,
    visibility: VisibilityTable,
    state: Ptr,
    work: Ptr,
    item: Int,
    k: Int,
    recorded: Int,
    picked: Picked,
) -> None:
    """The k-th alternative of an item, where `recorded` recorded ones come before those of the item."""
    how = choice_of(game, visibility, state).hows[item]
    picked.item = item
    picked.plain = name_word(1, item)
    picked.count = 0
    if how == RECORDED:
        base = offset(work, i64(work, i64(work, game.recorded_at) + recorded + k))
        open_recorded(game, visibility, state, work, base, picked)
        return
    mask = game.masks_at + item * game.mask_words
    left = k
    bit = 0
    for w in range(game.set_words):
        word = i64(work, mask + w)
        count = popcount(word)
        if left >= 0 and left < count:
            bit = 64 * w + nth_bit(word, left)
        left = left - count
    if how == CARD:
        open_card(picked, bit, place_of(game, state, bit), 1)
    else:
        picked.plain = name_word(picked.plain, bit)


def open_index(
    game: Game, visibility: VisibilityTable, state: Ptr, work: Ptr, index: Int, picked: Picked
) -> None:
    """The alternative of this number among all that are listed."""
    choice = choice_of(game, visibility, state)
    recorded = 0
    first = 0
    for item in range(choice.items):
        after = i64(work, game.items_at + item + 1)
        if index < after:
            open_alternative(game, visibility, state, work, item, index - first, recorded, picked)
            return
        if choice.hows[item] == RECORDED:
            recorded = recorded + after - first
        first = after


def blanks(visibility: VisibilityTable, picked: Picked, seat: Int) -> Int:
    """How many of an opened alternative's cards a seat does not see before it."""
    count = 0
    for c in range(picked.count):
        count = count + 1 - sees(visibility, picked.cards[c].place, seat)
    return count


def seen_as(game: Game, visibility: VisibilityTable, picked: Picked, state: Ptr, seat: Int, done: Int) -> Int:
    """An opened alternative as a seat knows it; `done`: the state is the one after it."""
    total = 0
    for c in range(picked.count):
        card = picked.cards[c].card
        pick = picked.cards[c].pick
        seen = sees(visibility, picked.cards[c].place, seat)
        if seen == 0 and done != 0:
            seen = sees(visibility, place_of(game, state, card), seat)
        # a sum, since the cards of one pick are named in no order
        total = add(total, name_word(pick, (card + 1) * seen))
    return name_word(picked.plain, total)


def seen_by_another(game: Game, visibility: VisibilityTable, picked: Picked, state: Ptr, seat: Int) -> Int:
    """An opened alternative that has been carried out as a seat knows it that did not choose it. Where one of
    its cards stayed hidden, nothing but the cards that were seen tells what it was, as in an observation."""
    total = 0
    hidden = 0
    for c in range(picked.count):
        card = picked.cards[c].card
        seen = sees(visibility, picked.cards[c].place, seat)
        if seen == 0:
            seen = sees(visibility, place_of(game, state, card), seat)
        if seen == 0:
            hidden = 1
        else:
            total = add(total, name_word(1, card + 1))
    if hidden == 0:
        return seen_as(game, visibility, picked, state, seat, 1)
    return name_word(0, total)


def identify_cards(
    game: Game,
    visibility: VisibilityTable,
    state: Ptr,
    work: Ptr,
    seat: Int,
    item: Int,
    first: Int,
    ids: ActionIds,
) -> Int:
    """The identities of an item's alternatives, each a card of its set, as `seen_as` would give them; gives
    whether the chooser does not see all of them."""
    mask = game.masks_at + item * game.mask_words
    plain = name_word(1, item)
    at = first
    doubtful = 0
    for w in range(game.set_words):
        left = i64(work, mask + w)
        while left != 0:
            card = 64 * w + ctz(left)
            left = left & (left - 1)
            seen = sees(visibility, place_of(game, state, card), seat)
            name = name_word(plain, name_word(1, (card + 1) * seen))
            own = ids.each[at]
            own.identity = name
            own.sort = SEEN_BY_CHOOSER if seen != 0 else BLANK
            own.plain = name
            doubtful = doubtful | (1 - seen)
            at = at + 1
    return doubtful


def identify(
    game: Game, visibility: VisibilityTable, state: Ptr, work: Ptr, seat: Int, picked: Picked, ids: ActionIds
) -> Int:
    """The identities of all that is listed, as the chooser knows it; gives how many."""
    choice = choice_of(game, visibility, state)
    recorded = 0
    first = 0
    doubtful = 0
    for item in range(choice.items):
        after = i64(work, game.items_at + item + 1)
        if choice.hows[item] == CARD and after > first:
            doubtful = doubtful | identify_cards(game, visibility, state, work, seat, item, first, ids)
            first = after
            continue
        for k in range(after - first):
            open_alternative(game, visibility, state, work, item, k, recorded, picked)
            own = ids.each[first + k]
            own.identity = seen_as(game, visibility, picked, state, seat, 0)
            own.sort = BLANK if blanks(visibility, picked, seat) > 0 else SEEN_BY_CHOOSER
            own.plain = own.identity
            if own.sort == BLANK:
                doubtful = 1
        if choice.hows[item] == RECORDED:
            recorded = recorded + after - first
            doubtful = 1
        first = after
    if doubtful != 0:
        number_copies(ids, first)
    return first


def number_copies(ids: ActionIds, count: Int) -> None:
    """Tells equal alternatives apart by a running number; those with blanks are only marked."""
    for i in range(count):
        same = 0
        for j in range(i):
            if ids.each[j].plain == ids.each[i].plain:
                same = same + 1
        if same > 0:
            if ids.each[i].sort == SEEN_BY_CHOOSER:
                ids.each[i].identity = name_word(ids.each[i].plain, same)
            else:
                ids.each[i].sort = BLANK_AGAIN


def align(ids: ActionIds, count: Int, identity: Int, stream: Ptr) -> Int:
    """Which alternative has this identity, by chance where there are several; -1: there is none."""
    found = -1
    equals = 0
    for i in range(count):
        if ids.each[i].identity == identity:
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
