"""Kernels that keep what each seat knows about the position of cards (docs/language/knowing.md).

The rules are those of `shared/knowledge.py`, which explains them, and are applied to the event log of
stepping code. A game's memory of what is known begins with a table that follows the log, since the rules see
the table as it was right after each action:

    where       per card its place
    counts      per place how many cards it has
    candidates  two sets of cards, scratch
    per seat    the set of cards whose position is known, then per card the set of places where it can be
"""

from __future__ import annotations

from upcard.engine.native.kernels.language import Int, Ptr, i64, lshr, offset, popcount, set_i64, shl
from upcard.engine.native.lower.runtime import DECK, EXCHANGE, MOVE, REMEMBER, SHUFFLE, SWAP
from upcard.engine.native.seat_view.view_facts import ViewFacts, sees


def has_bit(words: Ptr, at: Int, number: Int) -> Int:
    return lshr(i64(words, at + lshr(number, 6)), number & 63) & 1


def set_bit(words: Ptr, at: Int, number: Int) -> None:
    word = at + lshr(number, 6)
    set_i64(words, word, i64(words, word) | shl(1, number & 63))


def clear_bit(words: Ptr, at: Int, number: Int) -> None:
    word = at + lshr(number, 6)
    set_i64(words, word, i64(words, word) & ~shl(1, number & 63))


def placed_at(facts: ViewFacts, seat: Int) -> Int:
    """Where a seat's set of cards with a known position begins."""
    return facts.known_at + seat * facts.seat_words


def row_at(facts: ViewFacts, seat: Int, card: Int) -> Int:
    """Where the set of places begins in which a card can be."""
    return placed_at(facts, seat) + facts.set_words + card * facts.place_words


def only(facts: ViewFacts, known: Ptr, seat: Int, card: Int, place: Int) -> None:
    """The card is in that place."""
    row = row_at(facts, seat, card)
    for w in range(facts.place_words):
        set_i64(known, row + w, 0)
    set_bit(known, row, place)


def settle(facts: ViewFacts, known: Ptr, seat: Int, card: Int, place: Int) -> None:
    """A card that the seat recognised came to a place."""
    only(facts, known, seat, card, place)
    if i64(facts, facts.lists_at + place) >= 0 or sees(facts, place, seat) != 0:
        set_bit(known, placed_at(facts, seat), card)
    else:
        clear_bit(known, placed_at(facts, seat), card)


def find_candidates(facts: ViewFacts, known: Ptr, seat: Int, source: Int, by_position: Int, at: Int) -> None:
    """The cards that may be the one that was taken from a place."""
    for w in range(facts.set_words):
        set_i64(known, at + w, 0)
    placed = placed_at(facts, seat)
    for card in range(facts.room):
        possible = has_bit(known, row_at(facts, seat, card), source)
        if possible != 0 and (has_bit(known, placed, card) & by_position) == 0:
            set_bit(known, at, card)


def spread(facts: ViewFacts, known: Ptr, seat: Int, card: Int, place: Int, at: Int) -> None:
    """A card that the seat did not recognise came to a place: every candidate can be there."""
    for other in range(facts.room):
        if has_bit(known, at, other) != 0:
            set_bit(known, row_at(facts, seat, other), place)
    clear_bit(known, placed_at(facts, seat), card)


def unplace(facts: ViewFacts, known: Ptr, seat: Int, place: Int, but: Int, and_but: Int) -> None:
    """The seat no longer knows the positions of a place's cards, except of two."""
    placed = placed_at(facts, seat)
    for card in range(facts.room):
        if i64(known, card) == place and card != but and card != and_but:
            clear_bit(known, placed, card)


def forget_if_empty(facts: ViewFacts, known: Ptr, place: Int) -> None:
    """An empty place is removed from every set that has another one."""
    if i64(known, facts.room + place) != 0:
        return
    for seat in range(facts.seats):
        for card in range(facts.room):
            row = row_at(facts, seat, card)
            if has_bit(known, row, place) != 0:
                count = 0
                for w in range(facts.place_words):
                    count = count + popcount(i64(known, row + w))
                if count > 1:
                    clear_bit(known, row, place)


def learn_deck(facts: ViewFacts, known: Ptr, event: Ptr) -> None:
    place = i64(event, 0)
    first = i64(event, 1)
    count = i64(event, 2)
    set_i64(known, facts.room + place, i64(known, facts.room + place) + count)
    for card in range(first, first + count):
        set_i64(known, card, place)
        for seat in range(facts.seats):
            only(facts, known, seat, card, place)
            set_bit(known, placed_at(facts, seat), card)


def learn_move(facts: ViewFacts, known: Ptr, event: Ptr) -> None:
    card = i64(event, 0)
    source = i64(event, 1)
    target = i64(event, 2)
    by_position = i64(event, 4)
    counts = facts.room
    set_i64(known, card, target)
    set_i64(known, counts + source, i64(known, counts + source) - 1)
    set_i64(known, counts + target, i64(known, counts + target) + 1)
    for seat in range(facts.seats):
        saw_it_go = sees(facts, source, seat)
        knew = has_bit(known, placed_at(facts, seat), card) & by_position
        if (saw_it_go | sees(facts, target, seat) | knew) != 0:
            settle(facts, known, seat, card, target)
        else:
            find_candidates(facts, known, seat, source, by_position, counts + facts.places)
            spread(facts, known, seat, card, target, counts + facts.places)
        if by_position == 0 and saw_it_go == 0:
            unplace(facts, known, seat, source, card, card)
    forget_if_empty(facts, known, source)


def learn_exchange(facts: ViewFacts, known: Ptr, event: Ptr) -> None:
    a = i64(event, 0)
    home_a = i64(event, 1)
    position_a = i64(event, 2)
    b = i64(event, 3)
    home_b = i64(event, 4)
    position_b = i64(event, 5)
    if a != b:
        set_i64(known, a, home_b)
        set_i64(known, b, home_a)
    first = facts.room + facts.places
    second = first + facts.set_words
    for seat in range(facts.seats):
        sees_a = sees(facts, home_a, seat)
        sees_b = sees(facts, home_b, seat)
        placed = placed_at(facts, seat)
        knows_a = sees_a | sees_b | (has_bit(known, placed, a) & position_a)
        knows_b = sees_a | sees_b | (has_bit(known, placed, b) & position_b)
        # both sets of candidates are of the time before anything changes
        if knows_a == 0:
            find_candidates(facts, known, seat, home_a, position_a, first)
        if knows_b == 0:
            find_candidates(facts, known, seat, home_b, position_b, second)
        if knows_a != 0:
            settle(facts, known, seat, a, home_b)
        else:
            spread(facts, known, seat, a, home_b, first)
        if knows_b != 0:
            settle(facts, known, seat, b, home_a)
        else:
            spread(facts, known, seat, b, home_a, second)
        if position_a == 0 and sees_a == 0:
            unplace(facts, known, seat, home_a, a, b)
        if position_b == 0 and sees_b == 0:
            unplace(facts, known, seat, home_b, a, b)


def look_at(facts: ViewFacts, known: Ptr, seat: Int, place: Int) -> None:
    """The seat sees what lies in a place."""
    if sees(facts, place, seat) != 0:
        for card in range(facts.room):
            if i64(known, card) == place:
                only(facts, known, seat, card, place)
                set_bit(known, placed_at(facts, seat), card)


def learn_swap(facts: ViewFacts, known: Ptr, event: Ptr) -> None:
    a = i64(event, 0)
    b = i64(event, 1)
    if a == b:
        return
    counts = facts.room
    kept = i64(known, counts + a)
    set_i64(known, counts + a, i64(known, counts + b))
    set_i64(known, counts + b, kept)
    for card in range(facts.room):
        if i64(known, card) == a:
            set_i64(known, card, b)
        elif i64(known, card) == b:
            set_i64(known, card, a)
    for seat in range(facts.seats):
        for card in range(facts.room):
            row = row_at(facts, seat, card)
            in_a = has_bit(known, row, a)
            in_b = has_bit(known, row, b)
            if in_a != in_b:
                if in_a != 0:
                    clear_bit(known, row, a)
                    set_bit(known, row, b)
                else:
                    clear_bit(known, row, b)
                    set_bit(known, row, a)
        look_at(facts, known, seat, a)
        look_at(facts, known, seat, b)
    forget_if_empty(facts, known, a)
    forget_if_empty(facts, known, b)


def learn(facts: ViewFacts, known: Ptr, log: Ptr, words: Int) -> None:
    """Applies some words of an event log."""
    if facts.learns == 0:
        return
    at = 0
    while at < words:
        kind = i64(log, at)
        event = offset(log, 8 * at + 16)
        if kind == MOVE:
            learn_move(facts, known, event)
        elif kind == DECK:
            learn_deck(facts, known, event)
        elif kind == EXCHANGE:
            learn_exchange(facts, known, event)
        elif kind == SWAP:
            learn_swap(facts, known, event)
        elif kind == SHUFFLE:
            if i64(event, 0) >= 0:
                for seat in range(facts.seats):
                    if sees(facts, i64(event, 0), seat) == 0:
                        unplace(facts, known, seat, i64(event, 0), -1, -1)
        elif kind == REMEMBER:
            for seat in range(facts.seats):
                only(facts, known, seat, i64(event, 0), i64(event, 1))
        at = at + 2 + i64(log, at + 1)


KERNELS = (
    has_bit,
    set_bit,
    clear_bit,
    placed_at,
    row_at,
    only,
    settle,
    find_candidates,
    spread,
    unplace,
    forget_if_empty,
    learn_deck,
    learn_move,
    learn_exchange,
    look_at,
    learn_swap,
    learn,
)
