"""Kernels that write the table as one seat sees it.

In words, one after the other:

how deep stages of players are, then for each the current seat and the next one; the same of teams, where
the next one follows; how many teams, for each its size and its members
the storages of numbers and strings
for each point map the form that set it, or 0, and what it captured
how many places have cards; for each its number, how many cards, whether they are seen, the cards or backs
how many cards are face down; for each whether its position is known, and the set of places where it can be
"""

from __future__ import annotations

from upcard.engine.native.kernels.language import Int, Ptr, ctz, i64, lshr, offset, popcount, set_i64, u8, u16
from upcard.engine.native.seat_view.seat_knowledge import has_bit, placed_at, row_at
from upcard.engine.native.seat_view.seat_log import sort_words
from upcard.engine.native.seat_view.view_facts import STEP_WORDS, ViewFacts, sees


def write_cycles(facts: ViewFacts, state: Ptr, out: Ptr, at: Int) -> Int:
    step = facts.steps_at + STEP_WORDS * i64(state, facts.pc)
    seat_depth = i64(facts, step)
    team_depth = i64(facts, step + 1)
    set_i64(out, at, seat_depth)
    at = at + 1
    for depth in range(seat_depth + 1):
        set_i64(out, at, i64(state, facts.seat_index + depth))
        set_i64(out, at + 1, i64(state, facts.seat_queue + depth))
        at = at + 2
    set_i64(out, at, team_depth)
    at = at + 1
    for depth in range(team_depth + 1):
        set_i64(out, at, i64(state, facts.team_index + depth))
        at = at + 1
    teams = i64(state, facts.teams)
    set_i64(out, at, teams)
    at = at + 1
    for team in range(teams):
        size = i64(state, facts.team_size + team)
        set_i64(out, at, size)
        at = at + 1
        for i in range(size):
            set_i64(out, at, i64(state, facts.members + team * facts.seats + i))
            at = at + 1
    return at


def write_storages(facts: ViewFacts, state: Ptr, out: Ptr, at: Int) -> Int:
    for i in range(facts.stored):
        set_i64(out, at, i64(state, facts.stored_at + i))
        at = at + 1
    for i in range(facts.maps):
        first = i64(facts, facts.maps_at + i)
        site = i64(state, first)
        set_i64(out, at, site)
        at = at + 1
        if site != 0:
            captured = facts.captured_at + 2 * (site - 1)
            for n in range(i64(facts, captured + 1)):
                set_i64(out, at, i64(state, first + i64(facts, captured) + n))
                at = at + 1
    return at


def write_place(facts: ViewFacts, state: Ptr, place: Int, out: Ptr, at: Int) -> Int:
    """The cards of a place, bottom to top, or in card order; gives how many."""
    listed = i64(facts, facts.lists_at + place)
    if listed >= 0:
        count = i64(state, lshr(listed, 3))
        cards = offset(state, listed + 8)
        for i in range(count):
            set_i64(out, at + i, u8(cards, i) if facts.card_bytes == 1 else u16(cards, i))
        return count
    first = facts.sets_at + place * facts.set_words
    count = 0
    for w in range(facts.set_words):
        left = i64(state, first + w)
        for _ in range(popcount(left)):
            set_i64(out, at + count, 64 * w + ctz(left))
            left = left & (left - 1)
            count = count + 1
    return count


def write_places(facts: ViewFacts, state: Ptr, seat: Int, out: Ptr, at: Int) -> Int:
    count_at = at
    shown = 0
    at = at + 1
    for n in range(facts.places):
        place = i64(facts, facts.order_at + n)
        count = write_place(facts, state, place, out, at + 3)
        if count != 0:
            shown = shown + 1
            seen = sees(facts, place, seat)
            set_i64(out, at, place)
            set_i64(out, at + 1, count)
            set_i64(out, at + 2, seen)
            if seen == 0:
                for i in range(count):
                    set_i64(out, at + 3 + i, i64(facts, facts.backs_at + i64(out, at + 3 + i)))
                if i64(facts, facts.lists_at + place) < 0:
                    # in card order, the backs would reveal cards
                    sort_words(offset(out, 8 * at + 24), count)
            at = at + 3 + count
    set_i64(out, count_at, shown)
    return at


def write_memory(facts: ViewFacts, known: Ptr, seat: Int, out: Ptr, at: Int) -> Int:
    """Where the seat's face-down cards can be."""
    placed = placed_at(facts, seat)
    count_at = at
    count = 0
    at = at + 1
    for card in range(facts.room):
        if sees(facts, i64(known, card), seat) == 0:
            count = count + 1
            set_i64(out, at, card)
            set_i64(out, at + 1, has_bit(known, placed, card))
            row = row_at(facts, seat, card)
            for w in range(facts.place_words):
                set_i64(out, at + 2 + w, i64(known, row + w))
            at = at + 2 + facts.place_words
    set_i64(out, count_at, count)
    return at


KERNELS = (write_cycles, write_storages, write_place, write_places, write_memory)
