"""Oh Hell against its rules. Ada is the eldest, the last seat deals; hands are dealt one after the other."""

from __future__ import annotations

import pytest
from tests.games.hands import FULL_PACK, RANKS, drain, filled, ladder, play, suit, taken
from tests.games.tables import Table

import upcard


def oh_hell(turned: str, *hands: str, **rules: str) -> Table:
    order = filled(int(rules.get("cards", "7")), *hands, pack=[card for card in FULL_PACK if card != turned])
    return Table(upcard.load("oh-hell", rules=rules), [*order, turned])


def bid(table: Table, bids: str) -> Table:
    for number in bids.split():
        table.do(f"bid {number}")
    return table


def sizes(table: Table, seats: int) -> list[int]:
    return [len(table.state.observe(0).places[f"seat{seat}.iloc.HAND"]) for seat in range(seats)]


# --- the deal ------------------------------------------------------------------------------------


def test_seven_cards_each_and_one_turned() -> None:
    table = oh_hell("Ad", "", "", "", "")
    assert sizes(table, 4) == [7, 7, 7, 7]
    assert len(table.state.observe(0).places["table.vloc.TURNED"]) == 1


@pytest.mark.parametrize(
    ("players", "cards", "dealt"), [("3", "10", 10), ("5", "3", 3), ("6", "10", 8), ("4", "12", 12)]
)
def test_as_many_players_and_cards_as_agreed(players: str, cards: str, dealt: int) -> None:
    # six times nine cards are more than a pack: then one less, so that a card is left to turn
    game = upcard.load("oh-hell", rules={"players": players, "cards": cards})
    places = game.deal(3, 0).observe(0).places
    hands = [places[f"seat{seat}.iloc.HAND"] for seat in range(int(players))]
    assert {len(hand) for hand in hands} == {dealt}
    assert f"seat{players}.iloc.HAND" not in places


def test_a_card_is_always_left_to_be_turned() -> None:
    # thirteen cards for four would take the whole pack
    game = upcard.load("oh-hell", set={"CARDS": 13})
    places = game.deal(3, 0).observe(0).places
    assert len(places["seat3.iloc.HAND"]) == 12
    assert len(places["table.vloc.TURNED"]) == 1


# --- bidding -------------------------------------------------------------------------------------


def test_everyone_bids_none_to_all_in_turn() -> None:
    table = oh_hell("Ad", "", "", "", "")
    for seat in range(3):
        assert table.state.to_move == seat
        assert table.options() == [f"bid {number}" for number in range(8)]
        table.do("bid 1")
    assert table.state.to_move == 3


def test_the_dealer_may_not_make_the_bids_come_out_even() -> None:
    table = bid(oh_hell("Ad", "", "", "", ""), "1 2 0")
    assert table.options() == [f"bid {number}" for number in (0, 1, 2, 3, 5, 6, 7)]


def test_the_dealer_bids_freely_once_the_others_have_bid_too_much() -> None:
    table = bid(oh_hell("Ad", "", "", "", ""), "3 4 1")
    assert len(table.options()) == 8


def test_only_the_dealer_is_hooked() -> None:
    table = bid(oh_hell("Ad", "", "", "", ""), "3 4")
    assert len(table.options()) == 8
    table = bid(oh_hell("Ad", "", "", "", ""), "3 3")
    assert len(table.options()) == 8


def test_without_the_hook_the_dealer_bids_freely() -> None:
    table = bid(oh_hell("Ad", "", "", "", "", hook="no"), "1 2 0")
    assert len(table.options()) == 8


def test_the_dealer_is_the_last_of_however_many_play() -> None:
    table = bid(oh_hell("Ad", "", "", "", players="3", cards="2"), "1 0")
    assert table.state.to_move == 2
    assert table.options() == ["bid 0", "bid 2"]


# --- play ----------------------------------------------------------------------------------------

ONE_SUIT = tuple(suit(letter, RANKS[:7]) for letter in "shcd")


def test_the_eldest_leads_and_suit_is_followed() -> None:
    table = bid(oh_hell("Ad", "2s 3s 4s 5s 6s 7s 2h", "8s 9s 3h", "", ""), "0 0 0 0")
    assert table.state.to_move == 0
    assert len(table.options()) == 7
    table.do("2s")
    assert all(option.endswith("s") for option in table.options())
    table = bid(oh_hell("Ad", *ONE_SUIT), "0 0 0 0")
    table.do("2s")
    assert len(table.options()) == 7


def test_the_turned_suit_is_trump() -> None:
    # everyone holds a suit of their own: the one whose suit is turned takes every trick
    for letter, winner in (("h", 1), ("c", 2), ("d", 3), ("s", 0)):
        table = bid(oh_hell(f"A{letter}", *ONE_SUIT), "0 0 0 0")
        play(table, "7s - - -")
        assert table.state.to_move == winner


def test_without_trump_the_suit_led_wins() -> None:
    table = bid(oh_hell("Ah", *ONE_SUIT, trump="no"), "0 0 0 0")
    assert table.state.observe(0).places.get("table.vloc.TURNED", ()) == ()
    play(table, "2s - - -")
    assert table.state.to_move == 0


def test_the_lowest_trump_beats_the_highest_card_led() -> None:
    table = bid(oh_hell("Ah", "As", "2h", "Kd", "Jd", cards="1"), "0 0 0 0")
    play(table, "- - - -")
    assert table.scores() == (10, 0, 10, 10)


@pytest.mark.parametrize("first", [0, 1])
def test_the_next_higher_card_of_the_suit_wins_and_its_winner_leads(first: int) -> None:
    """Ada and Ben hold spades and clubs between them; Cleo's hearts never follow, and diamonds are trump."""
    odd = "A" if first == 0 else "2"
    ada, ben = (" ".join(card for card in hand.split() if card[0] != odd) for hand in ladder(first))
    table = oh_hell("Ad", ada, ben, suit("h", RANKS[:12]), players="3", cards="12")
    bid(table, "6 6 1")
    for rank in range(first, 12, 2):
        for letter, leader in (("s", 0), ("c", 1)):
            assert table.state.to_move == leader
            low, high = RANKS[rank] + letter, RANKS[rank + 1] + letter
            play(table, f"{low} {high} -" if leader == 0 else f"{low} - {high}")
            assert taken(table, 3)[leader] == 3 * (rank - first + 2 * leader) // 2
    assert table.scores() == (16, 16, 0)


# --- scoring -------------------------------------------------------------------------------------


def hearts_win(bids: str, **rules: str) -> tuple[int, ...]:
    """Hearts are trump and Ben has them all: he takes the seven tricks."""
    return drain(bid(oh_hell("Ah", *ONE_SUIT, **rules), bids))


def test_a_kept_bid_scores_ten_and_a_point_for_each_trick() -> None:
    assert hearts_win("0 7 0 2") == (10, 17, 10, 0)


def test_too_many_tricks_are_as_bad_as_too_few() -> None:
    assert hearts_win("0 5 1 0") == (10, 0, 0, 10)


def test_the_bonus_is_what_the_house_says() -> None:
    assert hearts_win("0 7 1 0", bonus="5") == (5, 12, 0, 5)


def test_a_missed_bid_scores_its_tricks_by_house_rule() -> None:
    assert hearts_win("0 5 1 0", missed="tricks") == (10, 7, 0, 10)
    assert hearts_win("0 7 1 0", missed="tricks") == (10, 17, 0, 10)


def test_a_missed_bid_loses_what_it_is_off_by_house_rule() -> None:
    assert hearts_win("0 5 3 0", missed="off") == (10, -2, -3, 10)
    assert hearts_win("0 6 0 0", missed="off") == (10, -1, 10, 10)
    assert hearts_win("0 7 1 0", missed="off") == (10, 17, -1, 10)


def test_the_most_points_win() -> None:
    table = bid(oh_hell("Ah", *ONE_SUIT), "0 7 0 2")
    drain(table)
    assert table.state.outcome is not None
    assert table.state.outcome.winners == (1,)
