"""Kernels that find an observed move among the alternatives of a world."""

from __future__ import annotations

from upcard.engine.native.kernels.language import (
    Int,
    Ptr,
    i64,
    itof,
    lshr,
    nth_bit,
    offset,
    popcount,
    shl,
    u8,
    u16,
    u32,
)
from upcard.engine.native.kernels.random_numbers import below
from upcard.players.belief.kernel_structs import Game, HistoryHead, HistoryStep, WorldTally

IMPOSSIBLE = 1000000
ELSEWHERE = 2000000
UNLIKE = 3000000
"""Why a history cannot be played on: the observed move is impossible, another decision is met (or none), or
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

WALKING = 0
CLIMBING = 1
FROM_HERE = 2
"""How to walk among worlds: from world to world; until there is one; from a world that is there already."""

PLAIN = 0
ONE_CARD = 1
CARDS = 2
ANY = 3
"""Kinds of recorded picks; HIDDEN is added where the seat did not see what was picked."""
HIDDEN = 4
NOTHING_PICKED = -9223372036854775808
ANY_PICKS = -1
"""In place of the number of picks: any picks."""
ANY_COPY = -1
"""In place of which of equals: any of them."""

NOT_FOUND = -1


def played(swaps: Ptr, card: Int, shuffles: Int) -> Int:
    """The card that takes a card's part in a world after that many shuffles (see `WorldSampler.swaps`)."""
    if i64(swaps, 2 * card + 1) < shuffles:
        return i64(swaps, 2 * card)
    return card


def recorded_before(game: Game, work: Ptr, entry: HistoryStep) -> Int:
    """Recorded alternatives of the items before this one."""
    total = 0
    for n in range(entry.items_before):
        item = entry.rest[n]
        at = game.items_at + item
        first = 0
        if item > 0:
            first = i64(work, at)
        total = total + i64(work, at + 1) - first
    return total


def same_cards(game: Game, found: Ptr, wanted: Ptr, swaps: Ptr, shuffles: Int) -> Int:
    """Whether a recorded list holds just the wanted cards, in any order; without shuffles none is changed."""
    count = i64(found, 0)
    if count != i64(wanted, 0):
        return 0
    for i in range(count):
        card = played(swaps, i64(wanted, 1 + i), shuffles)
        there = 0
        for j in range(count):
            if game.card_bytes == 1:
                if u8(found, 8 + j) == card:
                    there = 1
            elif u16(found, 4 + j) == card:
                there = 1
        if there == 0:
            return 0
    return 1


def matches(game: Game, work: Ptr, base: Ptr, entry: HistoryStep, swaps: Ptr, seen_only: Int) -> Int:
    """Whether a recorded alternative has the picks of a decision; `seen_only`: those that were seen."""
    wanted = entry.picks
    if wanted == ANY_PICKS:
        return 1
    have = i64(base, 0)
    shuffles = entry.shuffles
    at = entry.items_before
    n = 0
    for k in range(have):
        value = i64(base, 2 + 2 * k)
        if value == NOTHING_PICKED:
            continue
        if n == wanted:
            return 0
        n = n + 1
        kind = entry.rest[at]
        plain = kind & 3
        if plain == ANY or (seen_only != 0 and kind >= HIDDEN):
            if plain == CARDS:
                at = at + 2 + entry.rest[at + 1]
            else:
                at = at + 2
            continue
        if plain == CARDS:
            exchanged = shuffles if kind >= HIDDEN else 0
            if same_cards(game, offset(work, value), offset(entry.rest, 8 * (at + 1)), swaps, exchanged) == 0:
                return 0
            at = at + 2 + entry.rest[at + 1]
            continue
        want = entry.rest[at + 1]
        if plain == ONE_CARD and kind >= HIDDEN:
            want = played(swaps, want, shuffles)
        if value != want:
            return 0
        at = at + 2
    return n == wanted


def holds(words: Ptr, at: Int, card: Int) -> Int:
    """Whether a set has a card."""
    return lshr(i64(words, at + lshr(card, 6)), card & 63) & 1


def is_eligible(game: Game, work: Ptr, base: Ptr, entry: HistoryStep) -> Int:
    """Whether all hidden picks of a recorded alternative are of eligible cards."""
    eligible = entry.eligible
    at = entry.items_before
    for k in range(i64(base, 0)):
        value = i64(base, 2 + 2 * k)
        if value == NOTHING_PICKED:
            continue
        kind = entry.rest[at]
        if kind & 3 == CARDS:
            at = at + 2 + entry.rest[at + 1]
        else:
            at = at + 2
        if kind == ONE_CARD + HIDDEN and holds(entry, eligible, value) == 0:
            return 0
        if kind == CARDS + HIDDEN:
            listed = offset(work, value)
            for j in range(i64(listed, 0)):
                card = u8(listed, 8 + j) if game.card_bytes == 1 else u16(listed, 4 + j)
                if holds(entry, eligible, card) == 0:
                    return 0
    return 1


def place_of(game: Game, state: Ptr, card: Int) -> Int:
    if game.where_bytes == 2:
        return u16(state, game.where_at + card)
    return u32(state, game.where_at + card)


def alike_to(game: Game, state: Ptr, entry: HistoryStep, history: HistoryHead, swaps: Ptr) -> Int:
    """How many unknown cards lie where the card lies that was picked unseen: each might have been it."""
    role = entry.value
    if entry.how == RECORDED:
        role = NOT_FOUND
        at = entry.items_before
        for _ in range(entry.picks):
            kind = entry.rest[at]
            if kind == ONE_CARD + HIDDEN:
                role = entry.rest[at + 1]
            at = at + 2 + (entry.rest[at + 1] if kind & 3 == CARDS else 0)
    if role < 0:
        return 0
    card = played(swaps, role, entry.shuffles)
    unknown = history.unknown
    if holds(history, unknown, card) == 0:
        return 0
    first = game.sets_at + place_of(game, state, card) * game.set_words
    total = 0
    for w in range(game.set_words):
        total = total + popcount(i64(state, first + w) & i64(history, unknown + w))
    return total


def index_of(game: Game, work: Ptr, item: Int, first: Int, bit: Int) -> Int:
    """Of a bit of an item's set."""
    mask = game.masks_at + item * game.mask_words
    word = i64(work, mask + lshr(bit, 6))
    if lshr(word, bit & 63) & 1 == 0:
        return NOT_FOUND
    index = first + popcount(word & (shl(1, bit & 63) - 1))
    for w in range(lshr(bit, 6)):
        index = index + popcount(i64(work, mask + w))
    return index


def first_of(game: Game, work: Ptr, item: Int) -> Int:
    """The index of an item's first alternative."""
    if item > 0:
        return i64(work, game.items_at + item)
    return 0


def count_of(game: Game, work: Ptr, item: Int) -> Int:
    """How many alternatives an item has."""
    return i64(work, game.items_at + item + 1) - first_of(game, work, item)


def recorded_first(game: Game, work: Ptr, entry: HistoryStep) -> Int:
    """The word where the recorded alternatives of a decision's item begin."""
    return i64(work, game.recorded_at) + recorded_before(game, work, entry)


def count_alike(game: Game, work: Ptr, entry: HistoryStep, swaps: Ptr) -> Int:
    """How many alternatives of its item look to the seat like the one that was taken unseen."""
    count = count_of(game, work, entry.item)
    if entry.how != RECORDED:
        return count
    recorded = recorded_first(game, work, entry)
    alike = 0
    for n in range(count):
        alike = alike + matches(game, work, offset(work, i64(work, recorded + n)), entry, swaps, 1)
    return alike


def count_eligible(game: Game, work: Ptr, entry: HistoryStep, swaps: Ptr) -> Int:
    """How many of them pick eligible cards."""
    item = entry.item
    options = 0
    if entry.how != RECORDED:
        mask = game.masks_at + item * game.mask_words
        for w in range(game.set_words):
            options = options + popcount(i64(work, mask + w) & i64(entry, entry.eligible + w))
        return options
    recorded = recorded_first(game, work, entry)
    for n in range(count_of(game, work, item)):
        base = offset(work, i64(work, recorded + n))
        if matches(game, work, base, entry, swaps, 1) != 0:
            options = options + is_eligible(game, work, base, entry)
    return options


def nth_eligible(game: Game, work: Ptr, entry: HistoryStep, swaps: Ptr, nth: Int) -> Int:
    """The index of the n-th of these."""
    item = entry.item
    first = first_of(game, work, item)
    left = nth
    if entry.how != RECORDED:
        mask = game.masks_at + item * game.mask_words
        for w in range(game.set_words):
            both = i64(work, mask + w) & i64(entry, entry.eligible + w)
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


def find_exact(game: Game, work: Ptr, group: HistoryStep, swaps: Ptr, stream: Ptr, tally: WorldTally) -> Int:
    """The index of the alternative that a decision names, by any of its variants; one by chance where several
    are named alike, and then a hidden pick has their number times the weight."""
    found = NOT_FOUND
    equals = 0
    entry = group
    more = 1
    while more != 0:
        item = entry.item
        first = first_of(game, work, item)
        count = i64(work, game.items_at + item + 1) - first
        if count > 0 and entry.how != RECORDED:
            bit = entry.value
            if entry.how == CARD and entry.seen != SEEN:
                bit = played(swaps, bit, entry.shuffles)
            index = index_of(game, work, item, first, bit)
            if index >= 0:
                equals = equals + 1
                if equals == 1 or below(stream, equals) == 0:
                    found = index
        elif count > 0:
            copy = entry.copy
            recorded = recorded_first(game, work, entry)
            for n in range(count):
                if matches(game, work, offset(work, i64(work, recorded + n)), entry, swaps, 0) != 0:
                    if copy == 0:
                        return first + n
                    copy = copy - 1
                    if entry.copy == ANY_COPY:
                        equals = equals + 1
                        if equals == 1 or below(stream, equals) == 0:
                            found = first + n
        more = entry.next
        entry = HistoryStep(offset(entry, 8 * more))
    if equals > 1 and group.seen != SEEN:
        tally.step_weight = itof(equals) * tally.step_weight
    return found


def draw(
    game: Game,
    work: Ptr,
    group: HistoryStep,
    swaps: Ptr,
    stream: Ptr,
    tally: WorldTally,
    state: Ptr,
    history: HistoryHead,
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
        more = entry.next
        entry = HistoryStep(offset(entry, 8 * more))
    if alike == 0 or stands_for + options == 0:
        return NOT_FOUND
    tally.step_weight = itof(stands_for + options) / itof(alike)
    drawn = below(stream, stands_for + options)
    if drawn >= options:
        return find_exact(game, work, group, swaps, stream, tally)
    entry = group
    more = 1
    while more != 0:
        options = count_eligible(game, work, entry, swaps)
        if drawn < options:
            return nth_eligible(game, work, entry, swaps, drawn)
        drawn = drawn - options
        more = entry.next
        entry = HistoryStep(offset(entry, 8 * more))
    return NOT_FOUND


def find(
    game: Game,
    work: Ptr,
    group: HistoryStep,
    swaps: Ptr,
    stream: Ptr,
    tally: WorldTally,
    state: Ptr,
    history: HistoryHead,
) -> Int:
    """The index of a decision's alternative among those listed; the weight of its being unseen is noted."""
    seen = group.seen
    if seen == DRAWN:
        return draw(game, work, group, swaps, stream, tally, state, history)
    if seen == TOKEN:
        alike = 0
        entry = group
        more = 1
        while more != 0:
            alike = alike + count_alike(game, work, entry, swaps)
            more = entry.next
            entry = HistoryStep(offset(entry, 8 * more))
        if alike > 0:
            tally.step_weight = 1.0 / itof(alike)
    return find_exact(game, work, group, swaps, stream, tally)


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
