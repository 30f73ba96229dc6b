"""Crazy Eights against its rules. Ada is the eldest and plays first; hands are dealt Ada, Ben, Cleo.

Short rounds deal one or two cards, which no house does but any round comes down to.
"""

from __future__ import annotations

import pytest
from tests.games.tables import Table

import upcard

ADA = "2s 3s 4h Kh 9c Jd Qd"
BEN = "5s 6h 7h 8c 10c Ad 4d"
CLEO = "As 8s 9h Jh 2c 3c Kd"


def eights(start: str, *hands: str, then: str = "", rule: str = "", **declared: int) -> Table:
    """A round that starts on the given card; `then` lists what is drawn from the stock, first card first."""
    order = [card for hand in hands or (ADA, BEN, CLEO) for card in hand.split()]
    rules = dict(entry.split("=") for entry in rule.split())
    game = upcard.load("crazy-eights", rules=rules, set=declared)
    return Table(game, [*order, *start.split(), *then.split()])


def held(table: Table, seat: int) -> int:
    return len(table.state.observe(seat).places.get(f"seat{seat}.iloc.HAND", ()))


def pile_and_stock(table: Table) -> tuple[int, int]:
    places = table.state.observe(0).places
    return len(places["table.vloc.PILE"]), len(places.get("table.iloc.STOCK", ()))


def test_seven_cards_each_and_the_eldest_begins() -> None:
    table = eights("6s")
    assert table.state.to_move == 0
    assert [held(table, seat) for seat in range(3)] == [7, 7, 7]
    assert pile_and_stock(table) == (1, 30)


def test_the_house_sets_players_and_cards() -> None:
    table = Table(upcard.load("crazy-eights", rules={"players": "5", "cards": "5"}), [])
    assert [held(table, seat) for seat in range(5)] == [5] * 5
    assert pile_and_stock(table) == (1, 52 - 25 - 1)


def test_a_card_follows_by_suit_or_by_rank_and_who_can_play_may_not_draw() -> None:
    table = eights("9s")
    assert table.options() == ["play 2s", "play 3s", "play 9c"]
    table.do("2s", "5s", "As")
    assert table.state.to_move == 0
    assert table.options() == ["play 3s"]


def test_an_eight_goes_on_anything_and_names_any_of_the_four_suits() -> None:
    table = eights("9s")
    table.do("2s")
    suits = ("spades", "hearts", "clubs", "diamonds")
    assert table.options() == ["play 5s", *(f"play 8c, call {suit}" for suit in suits)]
    table.do("play 8c, call diamonds")
    # Cleo may follow with a diamond or another eight, but not with a club
    assert [option.split(",")[0] for option in table.options()] == ["play Kd"] + ["play 8s"] * 4


def test_who_has_only_eights_to_play_must_play_one() -> None:
    table = eights("6s", "8h 8c", "5s 6h", "9c 10c", CARDS=2)
    assert len(table.options()) == 8
    assert not any("draw" in option for option in table.options())


def test_an_eight_on_an_eight_is_allowed_and_names_a_suit_anew() -> None:
    table = eights("9s")
    table.do("2s", "play 8c, call diamonds", "play 8s, call hearts")
    assert table.options() == ["play 4h", "play Kh"]


def test_the_named_suit_is_forgotten_once_it_is_followed() -> None:
    table = eights("9s")
    table.do("2s", "play 8c, call diamonds", "Kd")
    assert table.options() == ["play Kh", "play Jd", "play Qd"]


def test_the_named_suit_stays_named_while_others_draw() -> None:
    table = eights("5d", "2s 3s", "8c 4h", "6s 7h", CARDS=2, then="Ks Kh Js")
    table.do("draw a card", "play 8c, call clubs", "draw a card", "draw a card")
    assert table.state.to_move == 1
    # the four of hearts follows neither clubs nor an eight
    assert table.options() == ["draw a card"]


def test_eights_at_the_start_are_buried_and_the_next_card_turned() -> None:
    table = eights("8h 8d 6s", "2h", "3h", "4h", CARDS=1)
    seen = table.state.observe(0)
    (start,) = seen.places["table.vloc.PILE"]
    assert start is not None
    assert seen.cards[start] == {"SUIT": "SPADES", "RANK": "SIX"}
    assert pile_and_stock(table) == (1, 48)


def test_an_eight_is_buried_in_the_middle_of_the_stock() -> None:
    # 49 cards lie under the turned eight; when the six is turned, 24 are above it and 24 below
    nothing_fits = "Ah 4h 5h 7h 9h 10h Jh Qh Kh Ac 2c 3c 4c 5c 7c 9c 10c Jc Qc Kc Ad 2d 3d 4d"
    table = eights("8h 6s", "2h", "3h", then=nothing_fits, rule="players=2 draw=until", CARDS=1)
    for _ in range(24):
        table.do("draw a card")
    assert table.options() == ["draw a card"]
    table.do("draw a card")
    assert table.options()[0] == "play 8h, call spades"


def test_who_cannot_play_draws_one_card_and_the_turn_passes() -> None:
    table = eights("6s", "2h 3h", "5s 6h", "9c 10c", CARDS=2, then="7s")
    assert table.options() == ["draw a card"]
    table.do("draw a card")
    assert held(table, 0) == 3
    assert table.state.to_move == 1
    assert table.options() == ["play 5s", "play 6h"]


@pytest.mark.parametrize(("word", "cards"), [("play 7s", 2), ("pass", 3)])
def test_the_house_may_let_the_drawn_card_be_played_or_kept(word: str, cards: int) -> None:
    table = eights("6s", "2h 3h", "5s 6h", "9c 10c", CARDS=2, then="7s", rule="draw=play")
    table.do("draw a card")
    assert table.state.to_move == 0
    assert table.options() == ["play 7s", "pass"]
    table.do(word)
    assert held(table, 0) == cards
    assert table.state.to_move == 1


def test_a_drawn_card_that_does_not_fit_is_kept_and_no_second_one_drawn() -> None:
    table = eights("6s", "2h 3h", "5s 6h", "9c 10c", CARDS=2, then="7d", rule="draw=play")
    table.do("draw a card")
    assert table.options() == ["pass"]
    table.do("pass")
    assert table.options() == ["play 5s", "play 6h"]
    table.do("5s")
    assert table.options() == ["draw a card"]


def test_the_house_may_make_a_player_draw_until_a_card_fits() -> None:
    table = eights("6s", "2h 3h", "5s 6h", "9c 10c", CARDS=2, then="7d 9d 7s", rule="draw=until")
    table.do("draw a card")
    assert table.state.to_move == 0
    assert table.options() == ["draw a card"]
    table.do("draw a card", "draw a card")
    assert table.state.to_move == 0
    assert table.options() == ["play 7s"]
    table.do("play 7s")
    assert table.state.to_move == 1


def test_the_pile_but_its_top_card_becomes_a_new_stock() -> None:
    # 5 x 10 cards are dealt and one turned: the stock is a single card
    hands = (
        "2s 3s 4s 5s 6s 7s 9s 10s Js Qs",
        "2h 3h 4h 5h 6h 7h 9h 10h Jh Qh",
        "2c 3c 4c 5c 6c 7c 9c 10c Jc Qc",
        "2d 3d 4d 5d 6d 7d 9d 10d Jd Qd",
        "As Ah Ac Ad 8s 8h 8c 8d Ks Kh",
    )
    table = eights("Kc", *hands, then="Kd", rule="players=5", CARDS=10)
    table.do("draw a card")
    assert pile_and_stock(table) == (1, 0)
    table.do("pass")  # Ben has no club, and there is nothing to draw
    table.do("2c")
    assert pile_and_stock(table) == (1, 1)  # the king of clubs is the new stock
    table.do("2d")
    assert pile_and_stock(table) == (2, 1)
    table.do("Ad", "Kd")
    assert pile_and_stock(table) == (4, 1)
    assert table.options() == ["draw a card"]
    table.do("draw a card")
    assert pile_and_stock(table) == (1, 3)


COUNTS = [
    ("8d", 50), ("Kd", 10), ("Qd", 10), ("Jd", 10), ("10d", 10), ("9d", 9), ("7d", 7),
    ("6d", 6), ("5d", 5), ("4d", 4), ("3d", 3), ("2d", 2), ("Ad", 1),
]  # fmt: skip


@pytest.mark.parametrize(("card", "count"), COUNTS)
def test_who_is_out_first_scores_what_the_others_hold(card: str, count: int) -> None:
    table = eights("6s", "3s", card, "9c", CARDS=1)
    table.do("3s")
    assert table.scores() == (count + 9, 0, 0)
    assert table.state.outcome is not None
    assert table.state.outcome.winners == (0,)


def test_the_round_goes_on_while_everybody_holds_a_card() -> None:
    table = eights("6s", "3s 2h", "4s 5s", "7s 9c", CARDS=2, then="10h")
    table.do("3s", "4s", "7s", "draw a card", "5s")
    assert table.scores() == (0, 2 + 10 + 9, 0)
