"""Kernels that find an observed move among the alternatives of a world.

A decision of a history, in words:
    length, step, item, how it is found, bit or card, shuffles before it, which of equals, how it was seen,
    how many recorded items come before, how many picks, the index where it was found last, the word where its
    eligible cards are, the index in the world that is kept, how far on its next variant begins (0: there is
    none), the word of the card that was picked unseen (0: not one card); those items; the picks (kind, then
    value, or count and cards); eligible cards as a set
A variant is the same decision by another item, in the same words: the seat cannot tell which item it was. The
length of the first one is that of all together.

What the seat saw at a decision, in words: how many runs of words, places, cards, and where the places begin;
per run its first word of a state, its length, its values; first word of a place's set and number of cards
there, each; card and the place it was seen to leave next, each.
"""

from __future__ import annotations

from upcard.engine.native.kernels.language import (
    Int,
    Ptr,
    f64,
    i64,
    itof,
    lshr,
    nth_bit,
    offset,
    popcount,
    set_f64,
    shl,
    u8,
    u16,
    u32,
)
from upcard.engine.native.kernels.random_numbers import below

DEAL = 0
ADVANCE = 1
APPLY = 2
RELIST = 3
PLAYOUT = 4
STATE_WORDS = 5
PC = 6
ENDING = 7
CHOICES = 8
SCORES = 9
SEATS = 10
NAME = 11
CHANCE = 12
ITEMS_AT = 13
MASKS_AT = 14
MASK_WORDS = 15
STACK_AT = 16
STACK_WORDS = 17
STACKED = 18
RECORDED_AT = 19
SETS_AT = 20
SET_WORDS = 21
WHERE_AT = 22
WHERE_BYTES = 23
STREAMS = 24
CARD_BYTES = 25
LISTS = 26
"""The words of `game`: addresses of functions, then where in a state or workspace things lie; from LISTS on,
for every place the byte of its list in a state, or -1."""

HISTORY_DECISIONS = 0
HISTORY_SHUFFLES = 1
HISTORY_CHECKS = 2
HISTORY_FIRST = 3
HISTORY_CHECKS_AT = 4
HISTORY_NUMBER = 5
HISTORY_UNKNOWN = 6
HISTORY_BELIEF = 7
HISTORY_HEAD = 8
"""The head of a history; the shuffles follow, each a count and its cards. HISTORY_CHECKS is at how many
decisions it is known what the seat saw, HISTORY_UNKNOWN where the set of unknown cards is
(and behind it that of all cards that can be exchanged), HISTORY_BELIEF where the belief is
(`move_likelihood`), 0 where watched moves tell nothing but what was possible."""

SEEN_HEAD = 4

IMPOSSIBLE = 1000000
ELSEWHERE = 2000000
UNLIKE = 3000000
"""Why a history cannot be played on: the watched move is impossible, another decision is met (or none), or
the seat would have seen something else."""

BIT = 0
CARD = 1
RECORDED = 2
"""How a decision's alternative is found: a bit of the item's set, a card of it, or by its recorded picks."""

SEEN = 0
TOKEN = 1
DRAWN = 2
"""How a decision was seen: wholly; with cards that stayed hidden, which are exchanged like others; or so, but
perhaps it was one of certain cards that are not exchanged (those are eligible), so that it is drawn anew."""

MET = 5

WALKING = 0
CLIMBING = 1
FROM_HERE = 2
"""How to wander."""

PLAIN = 0
ONE_CARD = 1
CARDS = 2
ANY = 3
"""Kinds of recorded picks; HIDDEN is added where the seat did not see what was picked."""
HIDDEN = 4
NOTHING_PICKED = -9223372036854775808
ANY_PICKS = -1
"""In place of the number of picks: whatever they were."""
ANY_COPY = -1
"""In place of which of equals: any of them."""

ENTRY_NEXT = 13
ENTRY_PICK = 14
ENTRY_HEAD = 15

NOT_FOUND = -1


def played(swaps: Ptr, card: Int, shuffles: Int) -> Int:
    """The card that takes a card's part after so many shuffles. Two words a card: it, from which shuffle."""
    if i64(swaps, 2 * card + 1) < shuffles:
        return i64(swaps, 2 * card)
    return card


def recorded_before(game: Ptr, work: Ptr, entry: Ptr) -> Int:
    """Recorded alternatives of the items before this one."""
    total = 0
    for n in range(i64(entry, 8)):
        item = i64(entry, ENTRY_HEAD + n)
        at = i64(game, ITEMS_AT) + item
        first = 0
        if item > 0:
            first = i64(work, at)
        total = total + i64(work, at + 1) - first
    return total


def same_cards(game: Ptr, found: Ptr, wanted: Ptr, swaps: Ptr, shuffles: Int) -> Int:
    """Whether a recorded list holds just the wanted cards, in any order; without shuffles none is changed."""
    count = i64(found, 0)
    if count != i64(wanted, 0):
        return 0
    for i in range(count):
        card = played(swaps, i64(wanted, 1 + i), shuffles)
        there = 0
        for j in range(count):
            if i64(game, CARD_BYTES) == 1:
                if u8(found, 8 + j) == card:
                    there = 1
            elif u16(found, 4 + j) == card:
                there = 1
        if there == 0:
            return 0
    return 1


def matches(game: Ptr, work: Ptr, base: Ptr, entry: Ptr, swaps: Ptr, seen_only: Int) -> Int:
    """Whether a recorded alternative has the picks of a decision; `seen_only`: those that were seen."""
    wanted = i64(entry, 9)
    if wanted == ANY_PICKS:
        return 1
    have = i64(base, 0)
    shuffles = i64(entry, 5)
    at = ENTRY_HEAD + i64(entry, 8)
    n = 0
    for k in range(have):
        value = i64(base, 2 + 2 * k)
        if value == NOTHING_PICKED:
            continue
        if n == wanted:
            return 0
        n = n + 1
        kind = i64(entry, at)
        plain = kind & 3
        if plain == ANY or (seen_only != 0 and kind >= HIDDEN):
            if plain == CARDS:
                at = at + 2 + i64(entry, at + 1)
            else:
                at = at + 2
            continue
        if plain == CARDS:
            exchanged = shuffles if kind >= HIDDEN else 0
            if same_cards(game, offset(work, value), offset(entry, 8 * (at + 1)), swaps, exchanged) == 0:
                return 0
            at = at + 2 + i64(entry, at + 1)
            continue
        want = i64(entry, at + 1)
        if plain == ONE_CARD and kind >= HIDDEN:
            want = played(swaps, want, shuffles)
        if value != want:
            return 0
        at = at + 2
    return n == wanted


def holds(words: Ptr, at: Int, card: Int) -> Int:
    """Whether a set has a card."""
    return lshr(i64(words, at + lshr(card, 6)), card & 63) & 1


def is_eligible(game: Ptr, work: Ptr, base: Ptr, entry: Ptr) -> Int:
    """Whether all hidden picks of a recorded alternative are of eligible cards."""
    eligible = i64(entry, 11)
    at = ENTRY_HEAD + i64(entry, 8)
    for k in range(i64(base, 0)):
        value = i64(base, 2 + 2 * k)
        if value == NOTHING_PICKED:
            continue
        kind = i64(entry, at)
        if kind & 3 == CARDS:
            at = at + 2 + i64(entry, at + 1)
        else:
            at = at + 2
        if kind == ONE_CARD + HIDDEN and holds(entry, eligible, value) == 0:
            return 0
        if kind == CARDS + HIDDEN:
            listed = offset(work, value)
            for j in range(i64(listed, 0)):
                card = u8(listed, 8 + j) if i64(game, CARD_BYTES) == 1 else u16(listed, 4 + j)
                if holds(entry, eligible, card) == 0:
                    return 0
    return 1


def place_of(game: Ptr, state: Ptr, card: Int) -> Int:
    if i64(game, WHERE_BYTES) == 2:
        return u16(state, i64(game, WHERE_AT) + card)
    return u32(state, i64(game, WHERE_AT) + card)


def alike_to(game: Ptr, state: Ptr, entry: Ptr, history: Ptr, swaps: Ptr) -> Int:
    """How many unknown cards lie where the card lies that was picked unseen: each might have been it."""
    role = i64(entry, 4)
    if i64(entry, 3) == RECORDED:
        role = NOT_FOUND
        at = ENTRY_HEAD + i64(entry, 8)
        for _ in range(i64(entry, 9)):
            kind = i64(entry, at)
            if kind == ONE_CARD + HIDDEN:
                role = i64(entry, at + 1)
            at = at + 2 + (i64(entry, at + 1) if kind & 3 == CARDS else 0)
    if role < 0:
        return 0
    card = played(swaps, role, i64(entry, 5))
    unknown = i64(history, HISTORY_UNKNOWN)
    if holds(history, unknown, card) == 0:
        return 0
    first = i64(game, SETS_AT) + place_of(game, state, card) * i64(game, SET_WORDS)
    total = 0
    for w in range(i64(game, SET_WORDS)):
        total = total + popcount(i64(state, first + w) & i64(history, unknown + w))
    return total


def index_of(game: Ptr, work: Ptr, item: Int, first: Int, bit: Int) -> Int:
    """Of a bit of an item's set."""
    mask = i64(game, MASKS_AT) + item * i64(game, MASK_WORDS)
    word = i64(work, mask + lshr(bit, 6))
    if lshr(word, bit & 63) & 1 == 0:
        return NOT_FOUND
    index = first + popcount(word & (shl(1, bit & 63) - 1))
    for w in range(lshr(bit, 6)):
        index = index + popcount(i64(work, mask + w))
    return index


def first_of(game: Ptr, work: Ptr, item: Int) -> Int:
    """The index of an item's first alternative."""
    if item > 0:
        return i64(work, i64(game, ITEMS_AT) + item)
    return 0


def count_of(game: Ptr, work: Ptr, item: Int) -> Int:
    """How many alternatives an item has."""
    return i64(work, i64(game, ITEMS_AT) + item + 1) - first_of(game, work, item)


def recorded_first(game: Ptr, work: Ptr, entry: Ptr) -> Int:
    """The word where the recorded alternatives of a decision's item begin."""
    return i64(work, i64(game, RECORDED_AT)) + recorded_before(game, work, entry)


def count_alike(game: Ptr, work: Ptr, entry: Ptr, swaps: Ptr) -> Int:
    """How many alternatives of its item look to the seat like the one that was taken unseen."""
    count = count_of(game, work, i64(entry, 2))
    if i64(entry, 3) != RECORDED:
        return count
    recorded = recorded_first(game, work, entry)
    alike = 0
    for n in range(count):
        alike = alike + matches(game, work, offset(work, i64(work, recorded + n)), entry, swaps, 1)
    return alike


def count_eligible(game: Ptr, work: Ptr, entry: Ptr, swaps: Ptr) -> Int:
    """How many of them pick eligible cards."""
    item = i64(entry, 2)
    options = 0
    if i64(entry, 3) != RECORDED:
        mask = i64(game, MASKS_AT) + item * i64(game, MASK_WORDS)
        for w in range(i64(game, SET_WORDS)):
            options = options + popcount(i64(work, mask + w) & i64(entry, i64(entry, 11) + w))
        return options
    recorded = recorded_first(game, work, entry)
    for n in range(count_of(game, work, item)):
        base = offset(work, i64(work, recorded + n))
        if matches(game, work, base, entry, swaps, 1) != 0:
            options = options + is_eligible(game, work, base, entry)
    return options


def nth_eligible(game: Ptr, work: Ptr, entry: Ptr, swaps: Ptr, nth: Int) -> Int:
    """The index of the n-th of these."""
    item = i64(entry, 2)
    first = first_of(game, work, item)
    left = nth
    if i64(entry, 3) != RECORDED:
        mask = i64(game, MASKS_AT) + item * i64(game, MASK_WORDS)
        for w in range(i64(game, SET_WORDS)):
            both = i64(work, mask + w) & i64(entry, i64(entry, 11) + w)
            if left >= 0 and left < popcount(both):
                return index_of(game, work, item, first, 64 * w + nth_bit(both, left))
            left = left - popcount(both)
        return NOT_FOUND
    recorded = recorded_first(game, work, entry)
    for n in range(count_of(game, work, item)):
        base = offset(work, i64(work, recorded + n))
        if matches(game, work, base, entry, swaps, 1) != 0 and is_eligible(game, work, base, entry) != 0:
            if left == 0:
                return first + n
            left = left - 1
    return NOT_FOUND


def find_exact(game: Ptr, work: Ptr, group: Ptr, swaps: Ptr, stream: Ptr, weight: Ptr) -> Int:
    """The index of the alternative that a decision names, by whichever variant; one by chance where several
    are named alike, and a hidden pick has so many times the weight."""
    found = NOT_FOUND
    equals = 0
    entry = group
    more = 1
    while more != 0:
        item = i64(entry, 2)
        first = first_of(game, work, item)
        count = i64(work, i64(game, ITEMS_AT) + item + 1) - first
        if count > 0 and i64(entry, 3) != RECORDED:
            bit = i64(entry, 4)
            if i64(entry, 3) == CARD and i64(entry, 7) != SEEN:
                bit = played(swaps, bit, i64(entry, 5))
            index = index_of(game, work, item, first, bit)
            if index >= 0:
                equals = equals + 1
                if equals == 1 or below(stream, equals) == 0:
                    found = index
        elif count > 0:
            copy = i64(entry, 6)
            recorded = recorded_first(game, work, entry)
            for n in range(count):
                if matches(game, work, offset(work, i64(work, recorded + n)), entry, swaps, 0) != 0:
                    if copy == 0:
                        return first + n
                    copy = copy - 1
                    if i64(entry, 6) == ANY_COPY:
                        equals = equals + 1
                        if equals == 1 or below(stream, equals) == 0:
                            found = first + n
        more = i64(entry, ENTRY_NEXT)
        entry = offset(entry, 8 * more)
    if equals > 1 and i64(group, 7) != SEEN:
        set_f64(weight, 0, itof(equals) * f64(weight, 0))
    return found


def draw(
    game: Ptr, work: Ptr, group: Ptr, swaps: Ptr, stream: Ptr, weight: Ptr, state: Ptr, history: Ptr
) -> Int:
    """A pick that was not seen: the history's own card, as often as there are cards that it stands for, or
    one of the eligible cards. Weighted so that all that look alike to the seat count alike."""
    stands_for = alike_to(game, state, group, history, swaps)
    options = 0
    alike = 0
    entry = group
    more = 1
    while more != 0:
        alike = alike + count_alike(game, work, entry, swaps)
        options = options + count_eligible(game, work, entry, swaps)
        more = i64(entry, ENTRY_NEXT)
        entry = offset(entry, 8 * more)
    if alike == 0 or stands_for + options == 0:
        return NOT_FOUND
    set_f64(weight, 0, itof(stands_for + options) / itof(alike))
    drawn = below(stream, stands_for + options)
    if drawn >= options:
        return find_exact(game, work, group, swaps, stream, weight)
    entry = group
    more = 1
    while more != 0:
        options = count_eligible(game, work, entry, swaps)
        if drawn < options:
            return nth_eligible(game, work, entry, swaps, drawn)
        drawn = drawn - options
        more = i64(entry, ENTRY_NEXT)
        entry = offset(entry, 8 * more)
    return NOT_FOUND


def find(
    game: Ptr, work: Ptr, group: Ptr, swaps: Ptr, stream: Ptr, weight: Ptr, state: Ptr, history: Ptr
) -> Int:
    """The index of a decision's alternative among those listed; the weight of its being unseen is noted."""
    seen = i64(group, 7)
    if seen == DRAWN:
        return draw(game, work, group, swaps, stream, weight, state, history)
    if seen == TOKEN:
        alike = 0
        entry = group
        more = 1
        while more != 0:
            alike = alike + count_alike(game, work, entry, swaps)
            more = i64(entry, ENTRY_NEXT)
            entry = offset(entry, 8 * more)
        if alike > 0:
            set_f64(weight, 0, 1.0 / itof(alike))
    return find_exact(game, work, group, swaps, stream, weight)


KERNELS = (
    played,
    recorded_before,
    same_cards,
    matches,
    holds,
    is_eligible,
    place_of,
    alike_to,
    index_of,
    first_of,
    count_of,
    recorded_first,
    count_alike,
    count_eligible,
    nth_eligible,
    find_exact,
    draw,
    find,
)
