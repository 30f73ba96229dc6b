"""Spades against its rules. South is the eldest, East deals; South and North play against West and East."""

from __future__ import annotations

import pytest
from tests.games.hands import RANKS, climb, drain, filled, ladder, play, suit
from tests.games.tables import Table

import upcard

SPADES, HEARTS, CLUBS, DIAMONDS = (suit(letter) for letter in "shcd")


def spades(*hands: str, **rules: str) -> Table:
    return Table(upcard.load("spades", rules=rules), filled(13, *hands))


def bid(table: Table, *bids: str) -> Table:
    """Bids from South round to East: a number, or nil."""
    for said in bids:
        table.do(f"bid {said}")
    return table


def bags(table: Table) -> tuple[int, ...]:
    integers = table.state.observe(0).integers
    return tuple(integers.get(f"team{team}.BAGS", 0) for team in (0, 1))


# --- bidding -------------------------------------------------------------------------------------


def test_each_player_bids_once_from_the_eldest_on_nil_or_one_to_thirteen() -> None:
    table = spades(SPADES, HEARTS, CLUBS, DIAMONDS)
    for seat in range(4):
        assert table.state.to_move == seat
        assert table.options() == ["bid nil", *(f"bid {number}" for number in range(1, 14))]
        table.do("bid 3")
    assert table.state.to_move == 0
    assert all(option.startswith("play ") for option in table.options())


def test_without_nil_everybody_bids_one_at_least() -> None:
    table = spades(SPADES, HEARTS, CLUBS, DIAMONDS, nil="no")
    assert table.options() == [f"bid {number}" for number in range(1, 14)]


def test_everybody_has_seen_their_cards_before_the_bidding() -> None:
    table = spades(SPADES, HEARTS, CLUBS, DIAMONDS)
    for seat in range(4):
        hand = table.state.observe(seat).places[f"seat{seat}.iloc.HAND"]
        assert len(hand) == 13
        assert None not in hand


def test_a_blind_nil_is_offered_before_the_cards_are_seen() -> None:
    table = spades(SPADES, HEARTS, CLUBS, DIAMONDS, blind="yes")
    assert table.options() == ["look at your cards", "bid nil without looking"]
    assert set(table.state.observe(0).places["seat0.hloc.DEALT"]) == {None}
    table.do("look at your cards")
    assert None not in table.state.observe(0).places["seat0.iloc.HAND"]
    assert len(table.options()) == 14
    table.do("bid 4")
    assert table.state.to_move == 1
    assert table.options() == ["look at your cards", "bid nil without looking"]
    table.do("bid nil without looking")
    assert table.state.to_move == 2
    assert None not in table.state.observe(1).places["seat1.iloc.HAND"]


# --- play ----------------------------------------------------------------------------------------

# South wins what it leads in clubs unless West, who has no club, plays a spade
LEADER = "Ac Kc Qc Jc 2s 3s 4s 5s 2h 3h 4h 5h 6h"
VOID = "6s 7s 8h 9h 10h Jh Qh 2d 3d 4d 5d 6d 7d"


def opened(**rules: str) -> Table:
    return bid(spades(LEADER, VOID, "2c 3c 4c", "5c 6c 7c", **rules), "3", "3", "3", "3")


def test_spades_are_not_led_before_one_has_been_played() -> None:
    table = opened()
    assert len(table.options()) == 9
    assert not any(option.endswith("s") for option in table.options())
    play(table, "Ac 2d 2c 5c")
    assert table.state.to_move == 0
    assert len(table.options()) == 8


def test_a_spade_that_ruffs_breaks_spades() -> None:
    table = opened()
    play(table, "Jc 6s 2c 5c")
    assert table.state.to_move == 1
    assert len(table.options()) == 12
    assert "play 7s" in table.options()


def test_spades_are_led_at_any_time_where_the_house_allows_it() -> None:
    assert len(opened(**{"break": "no"}).options()) == 13


def test_who_holds_nothing_but_spades_may_lead_one() -> None:
    table = bid(spades(SPADES, HEARTS, CLUBS, DIAMONDS), *["3"] * 4)
    assert len(table.options()) == 13


def test_follow_suit_when_able_and_otherwise_play_anything() -> None:
    table = opened()
    table.do("2h")
    assert set(table.options()) == {f"play {card}" for card in "8h 9h 10h Jh Qh".split()}
    table = opened()
    table.do("Ac")
    assert len(table.options()) == 13


def test_a_discard_of_another_suit_does_not_win() -> None:
    table = opened()
    play(table, "Jc Qh 2c 5c")
    assert table.state.to_move == 0


@pytest.mark.parametrize("first", [0, 1])
def test_the_next_higher_card_of_the_suit_wins_and_its_winner_leads(first: int) -> None:
    """South and West take turns; North and East, with one plain suit each, never follow and never win."""
    table = bid(spades(*ladder(first), HEARTS, DIAMONDS, **{"break": "no"}), *["1"] * 4)
    climb(table, first)
    assert table.state.to_move == 0


def test_the_lowest_spade_beats_the_ace_of_the_suit_led() -> None:
    west = f"2s {suit('h', RANKS[1:])}"
    table = bid(spades(CLUBS, west, DIAMONDS, f"{suit('s', RANKS[1:])} 2h"), *["3"] * 4)
    play(table, "Ac 2s Ad 2h")
    assert table.state.to_move == 1


# --- scoring -------------------------------------------------------------------------------------


def south_takes_all(*bids: str, **rules: str) -> Table:
    table = bid(spades(SPADES, HEARTS, CLUBS, DIAMONDS, **rules), *bids)
    drain(table)
    return table


def north_takes_twelve(*bids: str, **rules: str) -> Table:
    """South takes the first trick with the ace of clubs, North trumps the second and draws the rest."""
    south, north = f"{suit('c', RANKS[1:])} 2s", f"{suit('s', RANKS[1:])} 2c"
    table = bid(spades(south, HEARTS, north, DIAMONDS, **rules), *bids)
    play(table, "Ac - - - Kc - - -")
    assert table.state.to_move == 2
    drain(table)
    return table


def test_a_contract_made_scores_ten_a_trick_and_partners_bids_add_up() -> None:
    assert south_takes_all("11", "1", "2", "3").scores() == (130, -40, 130, -40)


def test_a_trick_above_the_contract_is_a_point_and_a_bag() -> None:
    table = south_takes_all("6", "1", "4", "1")
    assert table.scores() == (103, -20, 103, -20)
    assert bags(table) == (3, 0)


def test_a_side_that_falls_short_loses_ten_for_each_trick_it_bid_and_has_no_bags() -> None:
    table = south_takes_all("13", "1", "1", "1")
    assert table.scores() == (-140, -20, -140, -20)
    assert bags(table) == (0, 0)


@pytest.mark.parametrize(("rule", "points", "counted"), [("free", 103, 0), ("no", 100, 0)])
def test_bags_count_as_the_house_counts_them(rule: str, points: int, counted: int) -> None:
    table = south_takes_all("6", "1", "4", "1", bags=rule)
    assert table.scores() == (points, -20, points, -20)
    assert bags(table) == (counted, 0)


@pytest.mark.parametrize(("worth", "points"), [("100", 80), ("50", 30)])
def test_a_nil_that_holds_is_worth_what_the_house_says(worth: str, points: int) -> None:
    # West takes nothing, East falls two short; North bids nil too and takes nothing
    table = south_takes_all("13", "nil", "nil", "2", nil=worth)
    assert table.scores() == (130 + int(worth), points, 130 + int(worth), points)


@pytest.mark.parametrize(("worth", "loss"), [("100", 100), ("50", 50)])
def test_a_nil_that_fails_costs_what_the_house_says_and_its_tricks_are_bags(worth: str, loss: int) -> None:
    table = north_takes_twelve("nil", "1", "12", "1", nil=worth)
    assert table.scores() == (120 - loss + 1, -20, 120 - loss + 1, -20)
    assert bags(table) == (1, 0)


def test_the_tricks_of_a_failed_nil_do_not_help_the_partner() -> None:
    table = north_takes_twelve("nil", "1", "13", "1")
    assert table.scores()[0] == -130 - 100 + 1
    assert bags(table) == (1, 0)


def test_the_tricks_of_a_failed_nil_help_the_partner_by_house_rule() -> None:
    table = north_takes_twelve("nil", "1", "13", "1", help="yes")
    assert table.scores()[0] == 130 - 100
    assert bags(table) == (0, 0)


def test_helping_does_not_change_bids_other_than_nil() -> None:
    assert north_takes_twelve("1", "1", "12", "1", help="yes").scores()[0] == 130


def test_partners_who_both_bid_nil_win_or_lose_each_by_themselves() -> None:
    table = south_takes_all("nil", "1", "nil", "1")
    assert table.scores()[0] == -100 + 100 + 13
    assert bags(table) == (13, 0)


@pytest.mark.parametrize(("seat", "points"), [(0, -200 + 10 * 0 - 10 + 13), (2, 200 + 130)])
def test_a_blind_nil_wins_or_loses_two_hundred(seat: int, points: int) -> None:
    table = spades(SPADES, HEARTS, CLUBS, DIAMONDS, blind="yes")
    for turn in range(4):
        if turn == seat:
            table.do("bid nil without looking")
        else:
            table.do("look at your cards", "bid 13" if turn == 0 else "bid 1")
    drain(table)
    assert table.scores()[0] == points
    assert table.scores()[1] == -20


def test_more_points_win() -> None:
    outcome = south_takes_all("13", "1", "nil", "1").state.outcome
    assert outcome is not None
    assert outcome.winners == (0, 2)
