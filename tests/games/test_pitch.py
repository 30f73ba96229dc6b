"""Pitch against its rules. South is the eldest, East deals; hands of six are dealt one after the other."""

from __future__ import annotations

import itertools

import pytest
from tests.games.hands import RANKS, drain, filled, play, suit
from tests.games.tables import Table

import upcard

LOW_HEARTS = "4h 5h 6h 7h 8h 9h"
LOW_CLUBS = "4c 5c 6c 7c 8c 9c"
LOW_DIAMONDS = "4d 5d 6d 7d 8d 9d"
OTHERS = (LOW_HEARTS, LOW_CLUBS, LOW_DIAMONDS)


def pitch(*hands: str, **rules: str) -> Table:
    return Table(upcard.load("pitch", rules=rules), filled(6, *hands))


def bid(table: Table, *calls: str) -> Table:
    """Calls from South on: `pass`, or a number."""
    for call in calls:
        table.do(call if call == "pass" else f"bid {call}")
    return table


def south_plays(number: str, *hands: str, **rules: str) -> Table:
    """South bids, the others pass if they are still asked."""
    passes = [] if number == "4" and "steal" not in rules else ["pass"] * 3
    return bid(pitch(*hands, **rules), number, *passes)


# --- bidding -------------------------------------------------------------------------------------


def test_six_cards_each_and_the_eldest_passes_or_bids_two_to_four() -> None:
    table = pitch("", "", "", "")
    assert [len(table.state.observe(0).places[f"seat{seat}.iloc.HAND"]) for seat in range(4)] == [6] * 4
    assert table.state.to_move == 0
    assert table.options() == ["pass", "bid 2", "bid 3", "bid 4"]


def test_each_bid_is_higher_than_the_last_and_everybody_is_asked_once() -> None:
    table = bid(pitch("", "", "", ""), "2")
    assert table.state.to_move == 1
    assert table.options() == ["pass", "bid 3", "bid 4"]
    bid(table, "3")
    assert table.options() == ["pass", "bid 4"]
    bid(table, "pass")
    assert table.state.to_move == 3
    assert table.options() == ["pass", "bid 4"]
    bid(table, "pass")
    assert table.state.to_move == 1
    assert all(option.startswith("play ") for option in table.options())


def test_nobody_is_asked_after_a_bid_of_four() -> None:
    table = bid(pitch("", "", "", ""), "pass", "4")
    assert table.state.to_move == 1
    assert len(table.options()) == 6


def test_the_dealer_is_stuck_when_everybody_else_passes() -> None:
    table = bid(pitch("", "", "", ""), "pass", "pass", "pass")
    assert table.options() == ["bid 2", "bid 3", "bid 4"]


def test_a_dealer_who_is_not_stuck_may_pass_and_the_deal_is_thrown_in() -> None:
    table = bid(pitch("", "", "", "", stick="no"), "pass", "pass", "pass")
    assert table.options() == ["pass", "bid 2", "bid 3", "bid 4"]
    bid(table, "pass")
    assert table.scores() == (0, 0, 0, 0)


def test_only_the_dealer_may_steal_the_bid_and_only_by_house_rule() -> None:
    table = bid(pitch("", "", "", "", steal="yes"), "3")
    assert table.options() == ["pass", "bid 4"]
    bid(table, "pass", "pass")
    assert table.options() == ["pass", "bid 3", "bid 4"]
    bid(table, "3")
    assert table.state.to_move == 3
    assert len(table.options()) == 6


def test_a_bid_of_four_can_be_stolen_by_the_dealer() -> None:
    table = bid(pitch("", "", "", "", steal="yes"), "4", "pass", "pass")
    assert table.options() == ["pass", "bid 4"]
    bid(table, "4")
    assert table.state.to_move == 3


# --- play ----------------------------------------------------------------------------------------

TRUMPS = "As Ks Qs Js 2s 3s"
MIXED = "4s 5s 2h 3h 2d 3d"


def test_the_first_card_led_names_trump_for_the_whole_deal() -> None:
    # spades are trump: West's spade beats the club that South leads to the second trick
    table = south_plays("2", "As Ac 3c 5c 6c 7c", "2s 3s 2h 3h 4h 5h", LOW_DIAMONDS, "8h 9h 10h Jh Qh Kh")
    play(table, "As 2s - -")
    assert table.state.to_move == 0
    play(table, "Ac 3s - -")
    assert table.state.to_move == 1


def test_trump_may_be_played_by_who_could_follow_but_nothing_else() -> None:
    table = south_plays("2", "As Ah 9c 10c Jc Qc", MIXED, "", "")
    play(table, "As 4s - - Ah")
    assert set(table.options()) == {"play 5s", "play 2h", "play 3h"}


def test_trump_must_be_followed_when_led() -> None:
    table = south_plays("2", TRUMPS, MIXED, "", "")
    table.do("As")
    assert set(table.options()) == {"play 4s", "play 5s"}


def test_who_cannot_follow_may_play_anything() -> None:
    table = south_plays("2", "As Ac 9c 10c Jc Qc", MIXED, "", "")
    play(table, "As 4s - - Ac")
    assert len(table.options()) == 5


@pytest.mark.parametrize(("low", "high"), [*itertools.pairwise(RANKS)])
def test_the_next_higher_card_wins_in_trump_and_in_plain_suits(low: str, high: str) -> None:
    # West beats South in spades, which are trump, South beats West in clubs, West beats South in diamonds
    south, west = f"{low}s {high}c {low}d", f"{high}s {low}c {high}d"
    named = f"{south} {west}".split()
    diamonds = [card for card in suit("d").split() if card not in named]
    south, west = f"{south} {' '.join(diamonds[:3])}", f"{west} {' '.join(diamonds[3:6])}"
    table = south_plays("2", south, west, "2h 3h 4h 5h 6h 7h", "8h 9h 10h Jh Qh Kh")
    play(table, f"{low}s {high}s - -")
    assert table.state.to_move == 1
    play(table, f"{low}c - - {high}c")
    assert table.state.to_move == 0
    play(table, f"{low}d {high}d - -")
    assert table.state.to_move == 1


def test_the_lowest_trump_beats_a_plain_ace_and_a_discard_wins_nothing() -> None:
    table = south_plays(
        "2", "3s Ac 9c 10c Jc Qc", "2s 4h 5h 6h 7h 8h", "4d 5d 6d 7d 8d 9d", "9h 10h Jh Qh Kh Ah"
    )
    play(table, "3s 2s - -")
    assert table.state.to_move == 0
    table = south_plays(
        "2", "4s Ac 9c 10c Jc Qc", "2s 3s 5h 6h 7h 8h", "4d 5d 6d 7d 8d 9d", "9h 10h Jh Qh Kh Ah"
    )
    play(table, "4s 3s - - Ac 2s 9d Ah")
    assert table.state.to_move == 1


# --- scoring -------------------------------------------------------------------------------------


def test_high_low_jack_and_game_are_a_point_each() -> None:
    assert drain(south_plays("4", TRUMPS, *OTHERS)) == (4, 0, 0, 0)


def test_the_jack_counts_only_when_it_was_dealt() -> None:
    assert drain(south_plays("3", "As Ks Qs 10s 2s 3s", *OTHERS)) == (3, 0, 0, 0)


def test_a_jack_of_another_suit_is_no_point() -> None:
    south = "As Ks Qs 10s 2s 3s"
    assert drain(south_plays("3", south, "Jh 5h 6h 7h 8h 9h", *OTHERS[1:])) == (3, 0, 0, 0)


def test_a_bidder_who_makes_less_is_set_back_by_the_bid() -> None:
    assert drain(south_plays("4", "As Ks Qs 10s 2s 3s", *OTHERS)) == (-4, 0, 0, 0)


def test_a_bidder_scores_all_that_was_made() -> None:
    assert drain(south_plays("2", TRUMPS, *OTHERS)) == (4, 0, 0, 0)


def test_low_goes_to_the_taker_or_by_house_rule_to_its_first_holder() -> None:
    hands = ("As Ks Qs Js 4s 3s", "2s 5h 6h 7h 8h 9h", LOW_CLUBS, LOW_DIAMONDS)
    assert drain(south_plays("2", *hands)) == (4, 0, 0, 0)
    assert drain(south_plays("2", *hands, low="dealt")) == (3, 1, 0, 0)


def test_low_dealt_to_the_taker_is_one_point() -> None:
    assert drain(south_plays("2", TRUMPS, *OTHERS, low="dealt")) == (4, 0, 0, 0)


def test_the_others_score_what_they_make_and_the_jack_goes_to_its_taker() -> None:
    # West takes the jack with the queen, which is high, and so has game; South keeps the low and is set back
    table = south_plays("2", "Js 2s 3c 5c 6c 7c", "Qs 4h 5h 6h 7h 8h", LOW_DIAMONDS, "2h 3h 8c 9c 2d 3d")
    play(table, "Js Qs - 2d 4h - 2h 2s")
    assert drain(table) == (-2, 3, 0, 0)


def test_game_goes_to_the_most_valuable_tricks() -> None:
    # South has an ace, a king and a queen: nine. West's ten is more
    table = south_plays("2", "As Ks Qs 4s 2s 3h", "5h 6h 7h 8h 9h 10h", LOW_CLUBS, LOW_DIAMONDS)
    assert drain(table) == (2, 1, 0, 0)


def test_nobody_has_game_when_it_is_tied() -> None:
    # South has an ace, a king, a queen and a jack: four, three, two and one are as much as West's ten
    table = south_plays("2", "As Ks Qs Js 2s 3h", "5h 6h 7h 8h 9h 10h", LOW_CLUBS, LOW_DIAMONDS)
    assert drain(table) == (3, 0, 0, 0)


def test_partners_score_together() -> None:
    hands = ("As Ks Qs Js 4s 3s", LOW_HEARTS, "2s 5c 6c 7c 8c 9c", LOW_DIAMONDS)
    assert drain(south_plays("4", *hands, partners="yes")) == (4, 0, 4, 0)
    assert drain(south_plays("4", *hands, partners="yes", low="dealt")) == (4, 0, 4, 0)
    assert drain(south_plays("4", *hands, low="dealt")) == (-4, 0, 1, 0)


def test_partners_are_set_back_together() -> None:
    hands = ("As Ks Qs 10s 2s 3s", *OTHERS)
    assert drain(south_plays("4", *hands, partners="yes")) == (-4, 0, -4, 0)


@pytest.mark.parametrize(("partners", "scores"), [("no", (2, 1, 0, 0)), ("yes", (3, 0, 3, 0))])
def test_partners_count_their_tricks_together_for_game(partners: str, scores: tuple[int, ...]) -> None:
    # towards game South takes nine, North a king and West a ten
    hands = ("As Ks Qs 2s 3c 3h", "5h 6h 7h 8h 9h 10h", "5d 6d 7d 8d Kc 2h", LOW_CLUBS)
    table = south_plays("2", *hands, partners=partners)
    play(table, "As - 5d - Ks - 6d - Qs - 7d - 2s - 8d - 3c - Kc -")
    assert drain(table) == scores


def test_the_most_points_win() -> None:
    table = south_plays("4", TRUMPS, *OTHERS)
    drain(table)
    assert table.state.outcome is not None
    assert table.state.outcome.winners == (0,)
