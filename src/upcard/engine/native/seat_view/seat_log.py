"""Kernels that write the event log as one seat sees it: cards that it does not see are -1.

A game's log is that of stepping code, with two more events that only views know:

    DECISION    words of the actions that follow; number, seat, alternatives, index, item, copy; how many
                picks there are; for each pick its site and how many cards it has, then each card with its
                place, or -1 and a value
    DONE        the actions of a decision end here (in what a seat sees; a game's log has their size instead)

In what a seat sees, the event of a decision holds whether it is its own, the number and the seat; of its own
also alternatives, item and copy, and for each pick its site and how many cards it has, then the cards; or -1
and a value; or -2 if it did not see every card.
"""

from __future__ import annotations

from upcard.engine.native.kernels.language import Int, Ptr, i64, lshr, offset, set_i64
from upcard.engine.native.lower.runtime import EXCHANGE, FORGET, MOVE, REMEMBER, SHUFFLE, STAGE
from upcard.engine.native.seat_view.view_facts import ViewFacts, sees

DECISION, DONE = STAGE + 1, STAGE + 2
VALUE, UNSEEN = -1, -2
"""Instead of a number of cards."""
DECISION_WORDS = 10
"""Words of a DECISION before its picks."""


def visible(facts: ViewFacts, work: Ptr, seat: Int, card: Int, place: Int, other: Int) -> Int:
    """Whether the seat that lists sees a card (`seat` -1), or a seat sees one of the places it lay in."""
    if seat < 0:
        return 1 - (lshr(i64(work, facts.watched_at + lshr(card, 6)), card & 63) & 1)
    return sees(facts, place, seat) | sees(facts, other, seat)


def write_shuffle(facts: ViewFacts, seat: Int, event: Ptr, values: Ptr) -> Int:
    """What a seat sees of a shuffle, in how many words: the place, how many cards, those that it sees."""
    place = i64(event, 0)
    if place < 0:  # how many cards a computed collection has may depend on cards that nobody sees
        return 1
    set_i64(values, 1, i64(event, 2))
    if seat < 0 or sees(facts, place, seat) == 0:
        return 2
    for i in range(i64(event, 2)):
        set_i64(values, 2 + i, i64(event, 3 + i))
    return 2 + i64(event, 2)


def write_event(
    facts: ViewFacts, work: Ptr, seat: Int, kind: Int, words: Int, event: Ptr, out: Ptr, at: Int
) -> Int:
    """One event as a seat sees it; as the chooser lists it if `seat` is -1."""
    values = offset(out, 8 * at + 16)
    set_i64(out, at, kind)
    for i in range(words):
        set_i64(values, i, i64(event, i))
    if kind == MOVE or kind == REMEMBER:  # noqa: SIM109 (kernels have no tuples)
        if visible(facts, work, seat, i64(event, 0), i64(event, 1), i64(event, 2)) == 0:
            set_i64(values, 0, -1)
    elif kind == FORGET:
        if visible(facts, work, seat, i64(event, 0), i64(event, 1), i64(event, 1)) == 0:
            set_i64(values, 0, -1)
    elif kind == EXCHANGE:
        a = i64(event, 0)
        b = i64(event, 3)
        set_i64(values, 1, i64(event, 1))
        set_i64(values, 0, a if visible(facts, work, seat, a, i64(event, 1), i64(event, 4)) != 0 else -1)
        set_i64(values, 2, b if visible(facts, work, seat, b, i64(event, 1), i64(event, 4)) != 0 else -1)
        set_i64(values, 3, i64(event, 4))
        words = 4
    elif kind == SHUFFLE:
        words = write_shuffle(facts, seat, event, values)
    set_i64(out, at + 1, words)
    return at + 2 + words


def came_into_sight(facts: ViewFacts, seat: Int, card: Int, place: Int, log: Ptr, at: Int, end: Int) -> Int:
    """Whether a seat saw a card where it lay, or where the events up to `end` brought it."""
    if sees(facts, place, seat) != 0:
        return 1
    while at < end:
        kind = i64(log, at)
        if kind == MOVE or kind == REMEMBER:  # noqa: SIM109
            if i64(log, at + 2) == card and sees(facts, i64(log, at + 4), seat) != 0:
                return 1
        elif kind == EXCHANGE:
            if i64(log, at + 2) == card and sees(facts, i64(log, at + 6), seat) != 0:
                return 1
            if i64(log, at + 5) == card and sees(facts, i64(log, at + 3), seat) != 0:
                return 1
        at = at + 2 + i64(log, at + 1)
    return 0


def sort_words(words: Ptr, count: Int) -> None:
    """By insertion: there are few."""
    for i in range(1, count):
        word = i64(words, i)
        j = i
        while j > 0:
            if i64(words, j - 1) <= word:
                break
            set_i64(words, j, i64(words, j - 1))
            j = j - 1
        set_i64(words, j, word)


def write_decision_seen(facts: ViewFacts, seat: Int, log: Ptr, start: Int, out: Ptr, at: Int) -> Int:
    """A decision as a seat sees it: the item, the picks and the number of alternatives can depend on hidden
    cards, so it sees them of its own decisions only."""
    event = offset(log, 8 * start + 16)
    mine = i64(event, 2) == seat
    set_i64(out, at, DECISION)
    set_i64(out, at + 2, mine)
    set_i64(out, at + 3, i64(event, 1))
    set_i64(out, at + 4, i64(event, 2))
    first = at
    at = at + 5
    if mine != 0:
        set_i64(out, at, i64(event, 3))
        set_i64(out, at + 1, i64(event, 5))
        set_i64(out, at + 2, i64(event, 6))
        copy_at = at + 2
        picks = i64(event, 7)
        set_i64(out, at + 3, picks)
        at = at + 4
        n = start + DECISION_WORDS
        behind = start + 2 + i64(log, start + 1)
        for _ in range(picks):
            count = i64(log, n + 1)
            set_i64(out, at, i64(log, n))
            set_i64(out, at + 1, count)
            if count == VALUE:
                set_i64(out, at + 2, i64(log, n + 2))
                at = at + 3
                n = n + 3
            else:
                seen = 1
                for i in range(count):
                    card = i64(log, n + 2 + 2 * i)
                    set_i64(out, at + 2 + i, card)
                    place = i64(log, n + 3 + 2 * i)
                    seen = seen & came_into_sight(
                        facts, seat, card, place, log, behind, behind + i64(event, 0)
                    )
                n = n + 2 + 2 * count
                if seen != 0:
                    sort_words(offset(out, 8 * at + 16), count)
                    at = at + 2 + count
                else:
                    set_i64(out, at + 1, UNSEEN)
                    set_i64(out, copy_at, -1)
                    at = at + 2
    set_i64(out, first + 1, at - first - 2)
    return at


def write_log(facts: ViewFacts, work: Ptr, seat: Int, log: Ptr, words: Int, out: Ptr, at: Int) -> Int:
    """Some words of a game's log as a seat sees them; at most twice as many words."""
    n = 0
    acted = -1
    while n < words:
        if n == acted:
            set_i64(out, at, DONE)
            set_i64(out, at + 1, 0)
            at = at + 2
            acted = -1
        size = i64(log, n + 1)
        if i64(log, n) == DECISION:
            at = write_decision_seen(facts, seat, log, n, out, at)
            acted = n + 2 + size + i64(log, n + 2)
        else:
            at = write_event(facts, work, seat, i64(log, n), size, offset(log, 8 * n + 16), out, at)
        n = n + 2 + size
    if n == acted:
        set_i64(out, at, DONE)
        set_i64(out, at + 1, 0)
        at = at + 2
    return at


KERNELS = (visible, write_shuffle, write_event, came_into_sight, sort_words, write_decision_seen, write_log)
