"""Kernels that read recorded alternatives: the event of a decision, and the moves as their chooser sees them.

A recorded alternative has the number of its picks, then a site and a value for each; behind them the item,
how many words of effects come before it looks at a hidden face (-1: it never does), the number of words, and
the effects.

What is written of the moves: how many there are, then for each its item; whether a card it picks is hidden;
its picks, as in the event of a decision, with hidden cards -1, before the others; whether it does more than
is shown; how many words its shown effects take, and these.
"""

from __future__ import annotations

from upcard.engine.native.kernels.language import Int, Ptr, i64, offset, set_i64, u8, u16, u32
from upcard.engine.native.seat_view.seat_log import (
    DECISION,
    DECISION_WORDS,
    VALUE,
    sort_words,
    visible,
    write_event,
)
from upcard.engine.native.seat_view.view_facts import (
    CARDS,
    ONE_CARD,
    OPEN,
    STEP_WORDS,
    ViewFacts,
    chooser_of,
)

NOTHING_PICKED = -(1 << 63)
"""The value of an any form that had nothing to pick from."""


def picks_of(facts: ViewFacts, work: Ptr, index: Int) -> Ptr:
    return offset(work, i64(work, i64(work, facts.begins_at) + 2 * index))


def behind_picks(facts: ViewFacts, work: Ptr, index: Int) -> Ptr:
    """An alternative's item and effects."""
    return offset(work, i64(work, i64(work, facts.begins_at) + 2 * index + 1))


def listed_card(facts: ViewFacts, work: Ptr, value: Int, number: Int) -> Int:
    """A card of a picked list."""
    cards = offset(work, value + 8)
    return u8(cards, number) if facts.card_bytes == 1 else u16(cards, number)


def list_size(work: Ptr, value: Int) -> Int:
    return i64(offset(work, value), 0)


def place_of(facts: ViewFacts, state: Ptr, card: Int) -> Int:
    """The number of the place where a card lies."""
    at = facts.where_at + card
    if facts.where_bytes == 2:
        return u16(state, at)
    return u32(state, at)


def how_often(facts: ViewFacts, work: Ptr, value: Int, card: Int) -> Int:
    """How often a picked list has a card: a memory may have it twice."""
    found = 0
    for i in range(list_size(work, value)):
        if listed_card(facts, work, value, i) == card:
            found = found + 1
    return found


def same_pick(facts: ViewFacts, work: Ptr, one: Ptr, i: Int, other: Ptr, j: Int) -> Int:
    """Whether two picks are of the same kind and the same element; the order of cards does not count."""
    sort = i64(facts, facts.sites_at + i64(one, 1 + 2 * i))
    if sort & ~OPEN != i64(facts, facts.sites_at + i64(other, 1 + 2 * j)) & ~OPEN:
        return 0
    a = i64(one, 2 + 2 * i)
    b = i64(other, 2 + 2 * j)
    if sort & 3 != CARDS:
        return a == b
    if list_size(work, a) != list_size(work, b):
        return 0
    for n in range(list_size(work, a)):
        card = listed_card(facts, work, a, n)
        if how_often(facts, work, a, card) != how_often(facts, work, b, card):
            return 0
    return 1


def next_pick(picks: Ptr, number: Int) -> Int:
    """The first pick from `number` on that picked something."""
    count = i64(picks, 0)
    while number < count:
        if i64(picks, 2 + 2 * number) != NOTHING_PICKED:
            return number
        number = number + 1
    return count


def same_move(facts: ViewFacts, work: Ptr, a: Int, b: Int) -> Int:
    """Whether two alternatives have the same item and the same picks."""
    if i64(behind_picks(facts, work, a), 0) != i64(behind_picks(facts, work, b), 0):
        return 0
    one = picks_of(facts, work, a)
    other = picks_of(facts, work, b)
    i = next_pick(one, 0)
    j = next_pick(other, 0)
    while i < i64(one, 0) and j < i64(other, 0):
        if same_pick(facts, work, one, i, other, j) == 0:
            return 0
        i = next_pick(one, i + 1)
        j = next_pick(other, j + 1)
    return i == i64(one, 0) and j == i64(other, 0)


def write_decision(facts: ViewFacts, state: Ptr, work: Ptr, index: Int, out: Ptr, room: Int) -> Int:
    """The event of a decision before it is carried out; gives its words, and writes no more than there is
    room for. The words of its actions are set later."""
    copy = 0
    for before in range(index):
        copy = copy + same_move(facts, work, before, index)
    picks = picks_of(facts, work, index)
    at = DECISION_WORDS
    made = 0
    for n in range(i64(picks, 0)):
        site = i64(picks, 1 + 2 * n)
        value = i64(picks, 2 + 2 * n)
        if value == NOTHING_PICKED:
            continue
        made = made + 1
        sort = i64(facts, facts.sites_at + site) & 3
        count = VALUE
        words = 3
        if sort == ONE_CARD:
            count = 1
            words = 4
        elif sort == CARDS:
            count = list_size(work, value)
            words = 2 + 2 * count
        if at + words <= room:
            set_i64(out, at, site)
            set_i64(out, at + 1, count)
            if count == VALUE:
                set_i64(out, at + 2, value)
            for i in range(count):
                card = value if sort == ONE_CARD else listed_card(facts, work, value, i)
                set_i64(out, at + 2 + 2 * i, card)
                set_i64(out, at + 3 + 2 * i, place_of(facts, state, card))
        at = at + words
    set_i64(out, 0, DECISION)
    set_i64(out, 1, at - 2)
    set_i64(out, 2, 0)
    set_i64(out, 3, i64(state, facts.decisions))
    set_i64(out, 4, chooser_of(facts, state))
    set_i64(out, 5, i64(state, facts.choices))
    set_i64(out, 6, index)
    set_i64(out, 7, i64(behind_picks(facts, work, index), 0))
    set_i64(out, 8, copy)
    set_i64(out, 9, made)
    return at


def is_picked(facts: ViewFacts, work: Ptr, picks: Ptr, number: Int, wanted: Ptr) -> Int:
    """Whether a pick is what a move names: its sort, how many cards, and the cards, or VALUE and a value."""
    value = i64(picks, 2 + 2 * number)
    sort = i64(facts, facts.sites_at + i64(picks, 1 + 2 * number)) & ~OPEN
    if sort != i64(wanted, 0):
        return 0
    if sort & 3 != CARDS:
        return value == i64(wanted, 2)
    if list_size(work, value) != i64(wanted, 1):
        return 0
    for i in range(i64(wanted, 1)):
        card = i64(wanted, 2 + i)
        named = 0
        for j in range(i64(wanted, 1)):
            if i64(wanted, 2 + j) == card:
                named = named + 1
        if how_often(facts, work, value, card) != named:
            return 0
    return 1


def find_move(facts: ViewFacts, state: Ptr, work: Ptr, move: Ptr) -> Int:
    """The alternative that a move names, or -1. The move has its item, its copy, the number of its picks, and
    the picks (`is_picked`)."""
    copies = i64(move, 1)
    for index in range(i64(state, facts.choices)):
        if i64(behind_picks(facts, work, index), 0) != i64(move, 0):
            continue
        picks = picks_of(facts, work, index)
        n = next_pick(picks, 0)
        at = 3
        left = i64(move, 2)
        while left > 0 and n < i64(picks, 0):
            if is_picked(facts, work, picks, n, offset(move, 8 * at)) == 0:
                break
            at = at + 2 + (1 if i64(move, at + 1) == VALUE else i64(move, at + 1))
            n = next_pick(picks, n + 1)
            left = left - 1
        if left == 0 and n == i64(picks, 0):
            if copies == 0:
                return index
            copies = copies - 1
    return -1


# --- moves as their chooser sees them ------------------------------------------------------------


def most_words(facts: ViewFacts, work: Ptr, count: Int) -> Int:
    """The most words that the moves take."""
    words = 1
    for index in range(count):
        picks = picks_of(facts, work, index)
        words = words + 5 + i64(behind_picks(facts, work, index), 2)
        for n in range(i64(picks, 0)):
            words = words + 3
            if i64(facts, facts.sites_at + i64(picks, 1 + 2 * n)) & 3 == CARDS:
                value = i64(picks, 2 + 2 * n)
                if value != NOTHING_PICKED:
                    words = words + list_size(work, value)
    return words


def is_blank(facts: ViewFacts, work: Ptr, index: Int) -> Int:
    """Whether an alternative picks a card that its chooser does not see."""
    picks = picks_of(facts, work, index)
    for n in range(i64(picks, 0)):
        value = i64(picks, 2 + 2 * n)
        sort = i64(facts, facts.sites_at + i64(picks, 1 + 2 * n))
        if value == NOTHING_PICKED or sort & OPEN != 0:
            continue
        if sort & 3 == ONE_CARD:
            if visible(facts, work, -1, value, 0, 0) == 0:
                return 1
        elif sort & 3 == CARDS:
            for i in range(list_size(work, value)):
                if visible(facts, work, -1, listed_card(facts, work, value, i), 0, 0) == 0:
                    return 1
    return 0


def write_picked_card(facts: ViewFacts, work: Ptr, open_site: Int, card: Int, out: Ptr, at: Int) -> None:
    seen = open_site
    if seen == 0:
        seen = visible(facts, work, -1, card, 0, 0)
    set_i64(out, at, card if seen != 0 else -1)


def words_shown(behind: Ptr) -> Int:
    """Words of effects up to those that depend on a hidden face."""
    peeked = i64(behind, 1)
    words = i64(behind, 2)
    return peeked if peeked >= 0 and peeked < words else words


def write_alternative(facts: ViewFacts, work: Ptr, telling: Int, index: Int, out: Ptr, at: Int) -> Int:
    """One alternative without hidden cards."""
    picks = picks_of(facts, work, index)
    rest = behind_picks(facts, work, index)
    item = i64(rest, 0)
    set_i64(out, at, item)
    set_i64(out, at + 1, is_blank(facts, work, index))
    made_at = at + 2
    made = 0
    at = at + 3
    for n in range(i64(picks, 0)):
        site = i64(picks, 1 + 2 * n)
        value = i64(picks, 2 + 2 * n)
        if value == NOTHING_PICKED:
            continue
        made = made + 1
        sort = i64(facts, facts.sites_at + site)
        set_i64(out, at, site)
        if sort & 3 == ONE_CARD:
            set_i64(out, at + 1, 1)
            write_picked_card(facts, work, sort & OPEN, value, out, at + 2)
            at = at + 3
        elif sort & 3 == CARDS:
            count = list_size(work, value)
            set_i64(out, at + 1, count)
            for i in range(count):
                card = listed_card(facts, work, value, i)
                write_picked_card(facts, work, sort & OPEN, card, out, at + 2 + i)
            sort_words(offset(out, 8 * at + 16), count)
            at = at + 2 + count
        else:
            set_i64(out, at + 1, VALUE)
            set_i64(out, at + 2, value)
            at = at + 3
    set_i64(out, made_at, made)
    end = words_shown(rest)
    more = 1 if i64(rest, 1) >= 0 else 0  # whether anything follows is a secret
    if telling != 0 and i64(facts, telling + item) != 0:
        more = 1
        end = 0
    set_i64(out, at, more)
    size_at = at + 1
    at = at + 2
    n = 0
    while n < end:
        kind = i64(rest, 3 + n)
        size = i64(rest, 4 + n)
        at = write_event(facts, work, -1, kind, size, offset(rest, 8 * n + 40), out, at)
        n = n + 2 + size
    set_i64(out, size_at, at - size_at - 1)
    return at


def words_of(moves: Ptr, at: Int) -> Int:
    """The size of a written alternative."""
    first = at
    picks = i64(moves, at + 2)
    at = at + 3
    for _ in range(picks):
        at = at + 2 + (1 if i64(moves, at + 1) == VALUE else i64(moves, at + 1))
    return at + 2 + i64(moves, at + 1) - first


def precedes(moves: Ptr, one: Int, other: Int) -> Int:
    """An order of written alternatives that depends on nothing but what is visible."""
    for i in range(words_of(moves, one)):
        if i64(moves, one + i) != i64(moves, other + i):
            return i64(moves, one + i) < i64(moves, other + i)
    return 0


def write_moves(facts: ViewFacts, state: Ptr, work: Ptr, spare: Int, out: Ptr, at: Int) -> Int:
    """The alternatives of the open decision as the chooser sees them. Those with hidden cards come last, in
    an order of what is visible of them, since the order of the list depends on hidden cards. At the word
    `spare` of `out` begins room for one alternative."""
    count = i64(state, facts.choices)
    telling = i64(facts, facts.steps_at + STEP_WORDS * i64(state, facts.pc) + 2)
    set_i64(out, at, count)
    at = at + 1
    blanks = 0
    for index in range(count):
        if is_blank(facts, work, index) != 0:
            blanks = blanks + 1
        else:
            at = write_alternative(facts, work, telling, index, out, at)
    if blanks == 0:
        return at
    first = at
    for index in range(count):
        if is_blank(facts, work, index) != 0:
            size = write_alternative(facts, work, telling, index, out, spare) - spare
            place = first
            while place < at:
                after = place + words_of(out, place)
                if precedes(out, spare, place) != 0:
                    break
                place = after
            n = at - 1
            while n >= place:
                set_i64(out, n + size, i64(out, n))
                n = n - 1
            for i in range(size):
                set_i64(out, place + i, i64(out, spare + i))
            at = at + size
    return at


EXPORTED = (find_move,)
KERNELS = (
    picks_of,
    behind_picks,
    listed_card,
    list_size,
    place_of,
    how_often,
    same_pick,
    next_pick,
    same_move,
    write_decision,
    is_picked,
    find_move,
    most_words,
    is_blank,
    write_picked_card,
    words_shown,
    write_alternative,
    words_of,
    precedes,
    write_moves,
)
