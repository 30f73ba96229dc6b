"""Cuckoo against its rules. Ada speaks first, Eve deals; each is dealt one card, in that order."""

from __future__ import annotations

import pytest
from tests.games.tables import Table

import upcard

KEEP, SWAP, CUT = "keep the card", "exchange with the next player", "exchange with the pack"


def cuckoo(cards: str, *rules: str) -> Table:
    """The cards of the players, then those on top of the pack."""
    return Table(upcard.load("cuckoo", rules=dict(rule.split("=") for rule in rules)), cards.split())


def test_each_keeps_or_exchanges_with_the_next_and_the_dealer_with_the_pack() -> None:
    table = cuckoo("5s 6s 7s 8s 9s")
    for seat in range(4):
        assert table.state.to_move == seat
        assert table.options() == [KEEP, SWAP]
        table.do(KEEP)
    assert table.state.to_move == 4
    assert table.options() == [KEEP, CUT]


def test_everybody_is_dealt_one_card_and_sees_only_that() -> None:
    table = cuckoo("5s 6s 7s 8s 9s")
    seen = table.state.observe(2)
    assert [len(seen.places[f"seat{seat}.iloc.HAND"]) for seat in range(5)] == [1] * 5
    assert seen.places["seat1.iloc.HAND"] == (None,)
    assert seen.places["seat2.iloc.HAND"] != (None,)
    assert len(seen.places["table.iloc.PACK"]) == 47


def test_the_lowest_card_loses_a_life() -> None:
    table = cuckoo("5s 4s 7s 8s 9s")
    table.do(*[KEEP] * 5)
    assert table.scores() == (0, 1, 0, 0, 0)
    assert table.state.outcome is not None
    assert table.state.outcome.winners == (0, 2, 3, 4)


ORDER = "A 2 3 4 5 6 7 8 9 10 J Q K".split()


@pytest.mark.parametrize("low", range(12))
def test_aces_are_low_and_kings_high(low: int) -> None:
    table = cuckoo(f"{ORDER[low + 1]}s {ORDER[low]}h {ORDER[low + 1]}c", "players=3")
    table.do(*[KEEP] * 3)
    assert table.scores() == (0, 1, 0)


def test_all_who_tie_for_the_lowest_lose_a_life() -> None:
    table = cuckoo("5s 4s 7s 4h 9s")
    table.do(*[KEEP] * 5)
    assert table.scores() == (0, 1, 0, 1, 0)


def test_an_exchange_passes_the_low_card_on() -> None:
    table = cuckoo("2s 6s 7s 8s 9s")
    table.do(SWAP, KEEP, KEEP, KEEP, KEEP)
    assert table.scores() == (0, 1, 0, 0, 0)
    table = cuckoo("2s 6s 7s 8s 9s")
    table.do(SWAP, SWAP, SWAP, SWAP, KEEP)
    assert table.scores() == (0, 0, 0, 0, 1)


def test_both_know_what_they_exchanged_and_nobody_else_does() -> None:
    table = cuckoo("2s 6s 7s 8s 9s")
    table.do(SWAP)
    two = next(c for c, f in table.state.observe(0).cards.items() if f == {"SUIT": "SPADES", "RANK": "TWO"})
    assert table.state.observe(0).memory[two]["where"] == ["seat1.iloc.HAND"]
    assert table.state.observe(1).places["seat1.iloc.HAND"] == (two,)
    assert len(table.state.observe(3).memory[two]["where"]) > 1


def test_a_king_refuses_and_is_seen_by_all() -> None:
    table = cuckoo("2s Ks 7s 8s 9s")
    table.do(SWAP)
    seen = table.state.observe(3)
    (king,) = seen.places["table.mem.CUCKOO"]
    assert seen.memory[king or ""]["where"] == ["seat1.iloc.HAND"]
    table.do(*[KEEP] * 4)
    assert table.scores() == (1, 0, 0, 0, 0)


def test_a_king_may_be_given_away() -> None:
    table = cuckoo("2s Ks 7s 8s 9s")
    table.do(SWAP, SWAP, SWAP)
    # Ben gave the king to Cleo and has the seven; Cleo passed it on and has the eight
    assert "table.mem.CUCKOO" in table.state.observe(0).places
    assert len(table.state.observe(0).places["table.mem.CUCKOO"]) == 1
    table.do(KEEP, KEEP)
    assert table.scores() == (1, 0, 0, 0, 0)
    table = cuckoo("Ks 2s 7s 8s 9s")
    table.do(SWAP)
    assert not table.state.observe(0).places.get("table.mem.CUCKOO")
    table.do(*[KEEP] * 4)
    assert table.scores() == (1, 0, 0, 0, 0)


def test_by_house_rule_kings_must_be_given_too() -> None:
    table = cuckoo("2s Ks 7s 8s 9s", "kings=no")
    table.do(SWAP)
    assert not table.state.observe(0).places.get("table.mem.CUCKOO")
    table.do(*[KEEP] * 4)
    assert table.scores() == (0, 1, 0, 0, 0)


def test_the_dealer_takes_the_top_card_of_the_pack() -> None:
    table = cuckoo("5s 6s 7s 8s 2s Qh 3h")
    table.do(*[KEEP] * 4, CUT)
    assert table.scores() == (1, 0, 0, 0, 0)
    table = cuckoo("5s 6s 7s 8s 9s 3h")
    table.do(*[KEEP] * 4, CUT)
    assert table.scores() == (0, 0, 0, 0, 1)


def test_a_king_on_top_of_the_pack_is_shown_and_stays_there() -> None:
    table = cuckoo("5s 6s 7s 8s 2s Kh")
    table.do(*[KEEP] * 4, CUT)
    assert table.scores() == (0, 0, 0, 0, 1)
    assert len(table.state.observe(0).places["table.mem.CUCKOO"]) == 1
    table = cuckoo("5s 6s 7s 8s 2s Kh", "kings=no")
    table.do(*[KEEP] * 4, CUT)
    assert table.scores() == (1, 0, 0, 0, 0)
    assert not table.state.observe(0).places.get("table.mem.CUCKOO")


def test_the_dealer_shows_nothing_but_the_king_that_lies_on_top() -> None:
    table = cuckoo("5s 6s 7s 8s 2s Kh 3h")
    table.do(*[KEEP] * 4, CUT)
    seen = table.state.observe(0)
    (shown,) = seen.places["table.mem.CUCKOO"]
    assert seen.cards[shown or ""] == {"SUIT": "HEARTS", "RANK": "KING"}
    # a king at the bottom of the pack does not come into it
    table = Table(upcard.load("cuckoo"), "5s 6s 7s 8s 2s Qh 3h".split(), bottom=["Kd"])
    table.do(*[KEEP] * 4, CUT)
    assert not table.state.observe(0).places.get("table.mem.CUCKOO")
