"""Slobberhannes against its rules. South is the eldest, East deals; hands are dealt one after the other."""

from __future__ import annotations

import itertools

import pytest
from tests.games.hands import drain, filled, play, suit, taken
from tests.games.tables import Table

import upcard

RANKS = ("7", "8", "9", "10", "J", "Q", "K", "A")
SPADES, HEARTS, CLUBS, DIAMONDS = (suit(letter, RANKS) for letter in "shcd")
PACK = f"{SPADES} {HEARTS} {CLUBS} {DIAMONDS}".split()


def slobberhannes(*hands: str, **rules: str) -> Table:
    return Table(upcard.load("slobberhannes", rules=rules), filled(8, *hands, pack=PACK))


def test_eight_cards_each_and_the_eldest_leads_anything() -> None:
    table = slobberhannes(SPADES, HEARTS, CLUBS, DIAMONDS)
    assert table.state.to_move == 0
    assert len(table.options()) == 8
    assert len(table.state.observe(0).cards) == 32


def test_follow_suit_when_able_and_otherwise_play_anything() -> None:
    table = slobberhannes("7s 8s 9s 10s Js Qs 7h 8h", "Ks As 9h", "7c 8c 9c 10c Jc Qc Kc Ac", "")
    table.do("7s")
    assert table.options() == ["play Ks", "play As"]
    table.do("As")
    assert len(table.options()) == 8


def test_a_discard_never_wins() -> None:
    table = slobberhannes(SPADES, HEARTS, CLUBS, DIAMONDS)
    play(table, "7s Ah Ac Ad")
    assert table.state.to_move == 0


@pytest.mark.parametrize(("low", "high"), [*itertools.pairwise(RANKS)])
def test_the_next_higher_card_wins_and_its_winner_leads(low: str, high: str) -> None:
    # West beats South in spades, South beats West in diamonds
    south, west = f"{low}s {high}d", f"{high}s {low}d"
    taken = f"{south} {west}".split()
    rest = [card for card in f"{SPADES} {DIAMONDS}".split() if card not in taken]
    table = slobberhannes(" ".join([south, *rest[:6]]), " ".join([west, *rest[6:]]), HEARTS, CLUBS)
    play(table, f"{low}s {high}s - -")
    assert table.state.to_move == 1
    play(table, f"{low}d - - {high}d")
    assert table.state.to_move == 0


def test_all_three_penalties_cost_a_fourth_point() -> None:
    # South's spades take every trick
    assert drain(slobberhannes(SPADES, HEARTS, CLUBS, DIAMONDS)) == (4, 0, 0, 0)


def test_the_fourth_point_is_a_house_rule() -> None:
    assert drain(slobberhannes(SPADES, HEARTS, CLUBS, DIAMONDS, extra="no")) == (3, 0, 0, 0)


# South takes seven tricks in spades and loses the last, a heart, to West
LAST = ("8s 9s 10s Js Qs Ks As 7h", "8h 9h 10h Jh Qh Kh Ah 7s", CLUBS, DIAMONDS)


def test_the_last_trick_costs_a_point() -> None:
    table = slobberhannes(*LAST)
    play(table, "As 7s - - " + "- - - - " * 6)
    assert table.state.to_move == 0
    play(table, "7h - - -")
    assert table.scores() == (2, 1, 0, 0)


def test_the_queen_of_clubs_costs_a_point_wherever_it_falls() -> None:
    # North keeps the queen of clubs for the last trick, which West takes
    table = slobberhannes(*LAST)
    play(table, "As 7s 7c - 8s - 8c - 9s - 9c - 10s - 10c - Js - Jc - Qs - Ac - Ks - Kc -")
    play(table, "7h - Qc -")
    assert table.scores() == (1, 2, 0, 0)


def test_the_first_trick_costs_a_point() -> None:
    # West takes the first spade and then leads hearts to the end
    west = "As 8h 9h 10h Jh Qh Kh Ah"
    table = slobberhannes("7s 8s 9s 10s Js Qs Ks 7h", west, CLUBS, DIAMONDS)
    play(table, "7s As 7c -")
    assert table.state.to_move == 1
    play(table, "8h - - -")
    assert drain(table) == (0, 4, 0, 0)


def test_the_second_trick_costs_nothing_by_itself() -> None:
    # South takes the first trick and gives West the lead, who keeps it to the end
    table = slobberhannes("As 7h 8s 9s 10s Js Qs Ks", "7s 8h 9h 10h Jh Qh Kh Ah", CLUBS, DIAMONDS)
    play(table, "As 7s - - 7h 8h - -")
    assert taken(table, 4) == [4, 4, 0, 0]
    assert drain(table) == (1, 2, 0, 0)


def test_the_fewest_points_win() -> None:
    table = slobberhannes(SPADES, HEARTS, CLUBS, DIAMONDS)
    drain(table)
    assert table.state.outcome is not None
    assert table.state.outcome.winners == (1, 2, 3)


@pytest.mark.parametrize(("rule", "place"), [("no", "hloc"), ("yes", "vloc")])
def test_tricks_lie_face_down_or_open(rule: str, place: str) -> None:
    table = slobberhannes(SPADES, HEARTS, CLUBS, DIAMONDS, open=rule)
    play(table, "7s 7h 7c 7d")
    for seat in range(4):
        places = table.state.observe(seat).places
        lying = places[f"seat0.{place}.TAKEN"]
        assert len(lying) == 4
        assert (None in lying) == (rule == "no")
    assert sum(len(c) for p, c in places.items() if p.endswith("TAKEN")) == 4
