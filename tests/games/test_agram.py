"""Agram against its rules. Ada is the eldest; hands are dealt one after the other."""

from __future__ import annotations

import itertools

import pytest
from tests.games.hands import drain, filled, play
from tests.games.tables import Table

import upcard

RANKS = ("3", "4", "5", "6", "7", "8", "9", "10", "A")
PACK = [rank + suit for suit in "shcd" for rank in RANKS if rank + suit != "As"]


def agram(*hands: str, **rules: str) -> Table:
    return Table(upcard.load("agram", rules=rules), filled(6, *hands, pack=PACK))


def test_the_pack_has_35_cards_and_no_ace_of_spades() -> None:
    cards = upcard.load("agram").deal(0, 0).observe(0).cards.values()
    assert len(cards) == 35
    assert {"SUIT": "SPADES", "RANK": "ACE"} not in cards
    assert sum(card["RANK"] == "ACE" for card in cards) == 3


@pytest.mark.parametrize(("players", "cards"), [("3", "6"), ("4", "6"), ("2", "6"), ("5", "6"), ("3", "5")])
def test_everybody_is_dealt_the_same_and_plays_it_all(players: str, cards: str) -> None:
    state = upcard.load("agram", rules={"players": players, "cards": cards}).deal(1, 1)
    places = state.observe(0).places
    hands = [places[f"seat{seat}.iloc.HAND"] for seat in range(int(players))]
    assert {len(hand) for hand in hands} == {int(cards)}
    while state.to_move is not None:
        state.play(0)
    assert state.decisions == int(players) * int(cards)


HANDS = ("3s 4s 5h 6h 7c 8c", "9s 10s 3h 4h 9c 10c", "3d 4d 5d 6d 7d Ad")


def test_the_eldest_leads_anything() -> None:
    table = agram(*HANDS)
    assert table.state.to_move == 0
    assert len(table.options()) == 6


def test_follow_suit_when_able() -> None:
    table = agram(*HANDS)
    table.do("4s")
    assert table.options() == ["play 9s", "play 10s"]


def test_who_has_none_of_the_suit_may_play_anything() -> None:
    table = agram(*HANDS)
    table.do("4s", "9s")
    assert len(table.options()) == 6


def test_the_winner_of_a_trick_leads_to_the_next() -> None:
    table = agram(*HANDS)
    table.do("4s", "9s", "3d")
    assert table.state.to_move == 1
    assert len(table.options()) == 5


def test_a_discard_never_wins() -> None:
    table = agram(*HANDS)
    table.do("5h", "3h", "Ad")
    assert table.state.to_move == 0


@pytest.mark.parametrize(("low", "high"), [*itertools.pairwise(RANKS)])
def test_the_next_higher_card_wins_from_any_seat(low: str, high: str) -> None:
    # three tricks in three suits: Ben beats Ada, Ada beats Ben, Ben beats Ada; Cleo has spades only
    ada = f"{low}h {high}c {low}d"
    ben = f"{high}h {low}c {high}d"
    cleo = "3s 4s 5s 6s 7s 8s"
    others = [card for card in PACK if card[-1] != "s" and card not in f"{ada} {ben}".split()]
    ada_more, ben_more = others[:3], others[3:6]
    table = agram(" ".join([ada, *ada_more]), " ".join([ben, *ben_more]), cleo)
    play(table, f"{low}h {high}h -")
    assert table.state.to_move == 1
    play(table, f"{low}c - {high}c")
    assert table.state.to_move == 0
    play(table, f"{low}d {high}d -")
    assert table.state.to_move == 1


def test_only_the_last_trick_counts() -> None:
    # Ada takes five tricks in hearts and must then lead the three of clubs to Ben's four
    table = agram("5h 6h 7h 8h 9h 3c", "4c 3s 4s 5s 6s 7s", "3d 4d 5d 6d 7d 8d")
    play(table, "5h 3s - 6h 4s - 7h 5s - 8h 6s - 9h 7s -")
    assert drain(table) == (0, 1, 0)


def test_holding_the_lead_to_the_end_wins() -> None:
    assert drain(agram("5h 6h 7h 8h 9h 10h", "4c 3s 4s 5s 6s 7s", "3d 4d 5d 6d 7d 8d")) == (1, 0, 0)


def test_the_winner_of_the_last_trick_wins_the_deal() -> None:
    table = agram("5h 6h 7h 8h 9h 10h", "4c 3s 4s 5s 6s 7s", "3d 4d 5d 6d 7d 8d")
    drain(table)
    assert table.state.outcome is not None
    assert table.state.outcome.winners == (0,)
    assert table.state.outcome.ranks == (0, 1, 1)
