"""Hearts against its rules. South is the eldest, East deals; seats are South, West, North, East."""

from __future__ import annotations

import pytest
from tests.games.hands import RANKS, climb, drain, filled, ladder, play, suit
from tests.games.tables import Table

import upcard

SPADES, HEARTS, CLUBS, DIAMONDS = (suit(letter) for letter in "shcd")
SIMPLE = {"pass": "no", "opening": "eldest"}


def hearts(*hands: str, **rules: str) -> Table:
    return numbered(0, *hands, **rules)


def numbered(number: int, *hands: str, **rules: str) -> Table:
    return Table(upcard.load("hearts", rules=rules), filled(13, *hands), number=number)


def plain(*hands: str, **rules: str) -> Table:
    """Without passing, South leads."""
    return hearts(*hands, **{**SIMPLE, **rules})


# --- passing -------------------------------------------------------------------------------------


def test_everybody_passes_three_cards_one_seat_after_the_other() -> None:
    table = hearts(SPADES, HEARTS, CLUBS, DIAMONDS)
    seats = []
    for left in (13, 12, 11) * 4:
        assert table.state.to_move is not None
        seats.append(table.state.to_move)
        assert len(table.options()) == left
        assert all(option.startswith("pass ") for option in table.options())
        table.do(table.options()[0])
    assert seats == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert table.options() == ["play 2c"]


def test_nobody_passes_a_card_on_that_was_passed_to_them() -> None:
    table = hearts(SPADES, HEARTS, CLUBS, DIAMONDS)
    table.do("2s", "3s", "4s")
    assert table.options() == [f"pass {card} on" for card in HEARTS.split()]


@pytest.mark.parametrize(("way", "seat"), [("left", 1), ("across", 2), ("right", 3)])
def test_cards_are_passed_the_way_the_house_passes(way: str, seat: int) -> None:
    # South passes the two of clubs: whoever gets it leads
    table = hearts(CLUBS, HEARTS, SPADES, DIAMONDS, **{"pass": way})
    table.do("2c", "3c", "4c")
    for _ in range(9):
        table.do(table.options()[-1])
    assert table.state.to_move == seat
    assert table.options() == ["play 2c"]


@pytest.mark.parametrize("number", range(16))
def test_in_turn_cards_go_left_right_across_and_nowhere(number: int) -> None:
    table = numbered(number, CLUBS, HEARTS, SPADES, DIAMONDS)
    if number % 4 == 3:
        assert table.options() == ["play 2c"]
        return
    table.do("2c", "3c", "4c")
    for _ in range(9):
        table.do(table.options()[-1])
    assert table.state.to_move == (1, 3, 2)[number % 4]
    assert table.options() == ["play 2c"]


def test_the_dealer_passes_on_to_the_eldest() -> None:
    table = hearts(SPADES, HEARTS, DIAMONDS, CLUBS)
    for _ in range(12):
        table.do(table.options()[0])
    assert table.state.to_move == 0
    assert table.options() == ["play 2c"]


def test_behind_the_two_of_clubs_hearts_are_led_as_after_any_opening() -> None:
    table = hearts("2c", "Ac 2h 3h 5s", "3c", "4c", **{"pass": "no"})
    table.do("2c", "Ac", "3c", "4c")
    assert table.state.to_move == 1
    assert "play 5s" in table.options()
    assert not {"play 2h", "play 3h"} & set(table.options())


def test_without_passing_play_starts_at_once() -> None:
    table = hearts(SPADES, HEARTS, DIAMONDS, CLUBS, **{"pass": "no"})
    assert table.state.to_move == 3
    assert table.options() == ["play 2c"]


# --- what may be played --------------------------------------------------------------------------


def test_after_the_two_of_clubs_everyone_follows_suit() -> None:
    table = hearts("3c 4h", "2c", "5c 6c", "7d", **{"pass": "no"})
    assert table.state.to_move == 1
    table.do("2c")
    assert {"play 5c", "play 6c"} <= set(table.options())
    assert all(option.endswith("c") for option in table.options())


def test_who_holds_a_card_of_the_suit_led_plays_nothing_else() -> None:
    west = "3c 9c 2s 3s 4s 5s 6s 2d 3d 4d 5d 2h 3h"
    table = plain("2c 4c 10d", west, "Ac Kc Qc", "5c 6c 7c")
    table.do("2c")
    assert table.options() == ["play 3c", "play 9c"]
    table.do("9c", "Ac", "5c", "Kc", "6c", "4c")
    assert table.options() == ["play 3c"]
    table.do("3c", "Qc", "7c")
    assert table.state.to_move == 0  # without a club South may discard
    assert {"play 10d"} < set(table.options())


def test_the_eldest_may_lead_anything_but_hearts() -> None:
    table = plain("2c Qs 3h 4h 5h 6h 7h 8h 9h 10h Jh Qh 2d", "", "", "")
    assert table.state.to_move == 0
    assert set(table.options()) == {"play 2c", "play Qs", "play 2d"}


MIXED = "Qs Ks 2h 3h 4h 5h 6h 7h 2d 3d 4d 5d 6d"


@pytest.mark.parametrize("opening", ["clubs", "eldest"])
def test_no_penalty_card_is_discarded_on_the_first_trick(opening: str) -> None:
    table = plain(CLUBS, MIXED, "", "", opening=opening)
    table.do("2c")
    assert set(table.options()) == {f"play {card}" for card in "Ks 2d 3d 4d 5d 6d".split()}


def test_penalty_cards_are_free_on_the_first_trick_where_the_house_allows_it() -> None:
    table = plain(CLUBS, MIXED, "", "", clean="no")
    table.do("2c")
    assert len(table.options()) == 13


def test_a_queen_that_costs_nothing_may_be_discarded_on_the_first_trick() -> None:
    table = plain(CLUBS, MIXED, "", "", queen="0")
    table.do("2c")
    assert "play Qs" in table.options()
    assert len(table.options()) == 7


def test_who_holds_nothing_but_penalty_cards_may_play_one_on_the_first_trick() -> None:
    table = plain(CLUBS, "Qs 2h 3h 4h 5h 6h 7h 8h 9h 10h Jh Qh Kh", "", "")
    table.do("2c")
    assert len(table.options()) == 13


def test_from_the_second_trick_on_penalty_cards_may_be_discarded() -> None:
    table = plain(CLUBS, MIXED, "", "")
    play(table, "Ac Ks - - Kc")
    assert len(table.options()) == 12


# South leads clubs that nobody beats, West has none; North holds the two of clubs, East more
LEADER = "Ac Kc Qc Jc 10c 9c 8c 8h 9h 3s 4s 5s 6s"


def after_one_trick(lead: str, discard: str, **rules: str) -> Table:
    table = plain(LEADER, MIXED, "", "", **{"clean": "no", **rules})
    table.do(lead, discard, "2c", "3c")
    assert table.state.to_move == 0
    return table


def may_lead_hearts(table: Table) -> bool:
    return {"play 8h", "play 9h"} <= set(table.options())


def test_hearts_are_not_led_before_one_has_been_played() -> None:
    table = after_one_trick("Ac", "2d")
    assert len(table.options()) == 10
    assert not may_lead_hearts(table)


def test_a_discarded_heart_breaks_hearts_for_good() -> None:
    table = after_one_trick("Ac", "7h")
    assert len(table.options()) == 12
    assert may_lead_hearts(table)
    play(table, "Kc 2d - 4c")
    assert may_lead_hearts(table)


def test_the_queen_of_spades_breaks_hearts_only_by_house_rule() -> None:
    assert not may_lead_hearts(after_one_trick("Ac", "Qs"))
    assert may_lead_hearts(after_one_trick("Ac", "Qs", **{"break": "queen"}))


def test_neither_another_queen_nor_another_spade_breaks_hearts() -> None:
    assert not may_lead_hearts(after_one_trick("Qc", "Ks", **{"break": "queen"}))


def test_a_heart_breaks_hearts_also_where_the_queen_does() -> None:
    assert may_lead_hearts(after_one_trick("Ac", "7h", **{"break": "queen"}))


def test_hearts_are_led_at_any_time_where_the_house_allows_it() -> None:
    table = plain(LEADER, MIXED, "", "", **{"break": "free"})
    assert len(table.options()) == 13
    assert may_lead_hearts(after_one_trick("Ac", "2d", **{"break": "free"}))


def test_who_holds_nothing_but_hearts_may_lead_one() -> None:
    table = plain(HEARTS, SPADES, CLUBS, DIAMONDS)
    assert table.options() == [f"play {card}" for card in HEARTS.split()]


# --- tricks and points ---------------------------------------------------------------------------


@pytest.mark.parametrize("first", [0, 1])
def test_the_next_higher_card_of_the_suit_wins_and_its_winner_leads(first: int) -> None:
    """South and West take turns; North and East, with one suit each, never follow and never win."""
    south, west = ladder(first)
    table = plain(south, west, HEARTS, DIAMONDS)
    climb(table, first)
    assert drain(table) == (7, 19, 0, 0)


# North leads the two of clubs; South takes it with the ace and gives the lead back with a spade
SPLIT = ("Ac 2s 3s 4s 5s 6s 7s 8s 9s 10s Js Qs Ks", HEARTS, f"{suit('c', RANKS[:-1])} As", DIAMONDS)


def split(first_diamond: str = "2d", **rules: str) -> tuple[int, ...]:
    """South takes one heart, and North the rest of the penalty cards."""
    table = hearts(*SPLIT, **{"pass": "no", **rules})
    table.do("2c", first_diamond, "Ac", "2h")
    table.do("2s", "3h", "As", "Ad")
    return drain(table)


def test_a_heart_costs_one_and_the_queen_of_spades_thirteen() -> None:
    assert split() == (1, 0, 25, 0)


@pytest.mark.parametrize(("queen", "points"), [("7", 19), ("5", 17), ("0", 12)])
def test_the_queen_costs_what_the_house_says(queen: str, points: int) -> None:
    assert split(queen=queen) == (1, 0, points, 0)


def test_the_jack_of_diamonds_takes_ten_off_only_by_house_rule() -> None:
    assert split("Jd", jack="yes") == (-9, 0, 25, 0)
    assert split("Qd", jack="yes") == (1, 0, 15, 0)
    assert split("Jd", jack="no") == (1, 0, 25, 0)


@pytest.mark.parametrize(
    ("rules", "scores"),
    [
        ({}, (26, 26, 0, 26)),
        ({"moon": "own"}, (0, 0, -26, 0)),
        ({"moon": "no"}, (0, 0, 26, 0)),
        ({"queen": "7"}, (20, 20, 0, 20)),
        ({"moon": "own", "queen": "5"}, (0, 0, -18, 0)),
        ({"jack": "yes"}, (26, 26, -10, 26)),
    ],
)
def test_taking_every_penalty_card_shoots_the_moon(rules: dict[str, str], scores: tuple[int, ...]) -> None:
    # North has all clubs and takes every trick
    table = hearts(SPADES, HEARTS, CLUBS, DIAMONDS, **{"pass": "no", **rules})
    assert drain(table) == scores


def test_the_fewest_points_win() -> None:
    table = hearts(SPADES, HEARTS, CLUBS, DIAMONDS, **{"pass": "no"})
    drain(table)
    assert table.state.outcome is not None
    assert table.state.outcome.winners == (2,)


def test_a_seat_sees_what_it_passed_and_not_what_others_pass() -> None:
    table = hearts(SPADES, HEARTS, CLUBS, DIAMONDS)
    table.do("2s", "3s", "4s", "2h")
    places = table.state.observe(1).places
    assert places["seat0.iloc.PASSED"] == (None, None, None)
    assert None not in places["seat1.iloc.PASSED"]


@pytest.mark.parametrize(("rule", "place"), [("no", "hloc"), ("yes", "vloc")])
def test_tricks_lie_face_down_or_open(rule: str, place: str) -> None:
    south, west = SPADES.replace("As", "2h"), HEARTS.replace("2h", "As")
    table = plain(south, west, CLUBS, DIAMONDS, open=rule)
    play(table, "2s As 2c 2d")  # West takes the trick
    for seat in range(4):
        places = table.state.observe(seat).places
        taken = places[f"seat1.{place}.TAKEN"]
        assert len(taken) == 4
        assert (None in taken) == (rule == "no")
    assert sum(len(c) for p, c in places.items() if p.endswith("TAKEN")) == 4
