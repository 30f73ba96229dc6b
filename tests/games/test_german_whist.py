"""German Whist against its rules. South leads first; the stock is named from its top, turned cards first."""

from __future__ import annotations

import pytest
from tests.games.hands import FULL_PACK, RANKS, drain, filled, ladder, play, suit, taken
from tests.games.tables import Table

import upcard

SPADES, HEARTS, CLUBS, DIAMONDS = (suit(letter) for letter in "shcd")


def german_whist(south: str, north: str, stock: str = "", **rules: str) -> Table:
    """Two hands of thirteen, then the stock as named, then whatever is left."""
    named = stock.split()
    hands = filled(13, south, north, pack=[card for card in FULL_PACK if card not in named])
    return Table(upcard.load("german-whist", rules=rules), [*hands, *named])


def hand(table: Table, seat: int) -> list[dict[str, str]]:
    """What a seat sees of its own hand."""
    seen = table.state.observe(seat)
    return [face(table, card) for card in seen.places.get(f"seat{seat}.iloc.HAND", ())]


def hand_size(table: Table, seat: int) -> int:
    return len(hand(table, seat))


def face(table: Table, card: str | None) -> dict[str, str]:
    assert card is not None
    return dict(table.state.observe(0).cards[card])


def test_thirteen_cards_each_and_the_one_who_did_not_deal_leads() -> None:
    table = german_whist(SPADES, HEARTS)
    assert table.state.to_move == 0
    assert [hand_size(table, seat) for seat in (0, 1)] == [13, 13]
    assert len(table.options()) == 13


def test_follow_suit_when_able() -> None:
    table = german_whist("2s 3s 4s 5s 6s 7s 8s 9s 10s Js 2h 3h 4h", "Qs Ks As", "2c")
    table.do("2s")
    assert table.options() == ["play Qs", "play Ks", "play As"]


def test_who_has_none_of_the_suit_may_play_anything() -> None:
    table = german_whist(SPADES, HEARTS)
    table.do("2s")
    assert len(table.options()) == 13


def test_the_winner_takes_the_turned_card_and_leads_and_the_other_draws_unseen() -> None:
    table = german_whist(SPADES, HEARTS, "9c 4d 5d")
    table.do("2s", "2h")
    assert table.state.to_move == 0
    assert "play 9c" in table.options()
    assert hand_size(table, 0) == 13
    assert set(table.state.observe(0).places["seat1.iloc.HAND"]) == {None}
    assert {"SUIT": "DIAMONDS", "RANK": "FOUR"} in hand(table, 1)
    assert [face(table, card) for card in table.state.observe(1).places["table.vloc.TURNED"]] == [
        {"SUIT": "DIAMONDS", "RANK": "FIVE"}
    ]


def test_the_second_player_takes_the_turned_card_after_winning() -> None:
    table = german_whist("2s 3s", "As Ks", "9c 4d 5d")
    table.do("2s", "As")
    assert table.state.to_move == 1
    assert taken(table, 2) == [0, 2]
    assert "play 9c" in table.options()
    assert {"SUIT": "DIAMONDS", "RANK": "FOUR"} in hand(table, 0)


def test_the_first_turned_card_fixes_trump_whatever_is_turned_later() -> None:
    # hearts are trump: North's lowest beats a spade; a diamond turned next changes nothing
    table = german_whist(SPADES, HEARTS, "2d 2c 3c")
    table.do("As", "2h")
    assert table.state.to_move == 0
    south, north = f"{suit('s', RANKS[1:])} 2c", f"{suit('h', RANKS[1:])} 3c"
    table = german_whist(south, north, "2h 2d 3d 4d")
    table.do("As", "3h")
    assert table.state.to_move == 1
    table.do("2h", "3s")
    assert table.state.to_move == 1


@pytest.mark.parametrize("first", [0, 1])
def test_the_next_higher_card_of_the_suit_wins_and_its_winner_leads(first: int) -> None:
    table = german_whist(*ladder(first), "2d")
    for rank in range(first, 12, 2):
        for letter, leader in (("s", 0), ("c", 1)):
            assert table.state.to_move == leader
            play(table, f"{RANKS[rank]}{letter} {RANKS[rank + 1]}{letter}")
    assert table.state.to_move == 0


def test_a_card_of_another_suit_does_not_win() -> None:
    table = german_whist(SPADES, HEARTS, "2d")
    table.do("2s", "Ah")
    assert table.state.to_move == 0


# South wins the first half with spades and collects the turned cards: eight high clubs, which are trump, and
# five low diamonds. North gets the rest.
STOCK = (
    "7c 7d 8c 8d 9c 9d 10c 10d Jc Jd Qc Qd Kc Kd Ac Ad "  # turned, unseen, turned, ...
    "2d 2c 3d 3c 4d 4c 5d 5c 6d 6c"
)


def test_only_the_tricks_of_the_second_half_count() -> None:
    table = german_whist(SPADES, HEARTS, STOCK)
    assert drain(table) == (8, 5)
    assert table.state.decisions == 52


def test_all_tricks_count_by_house_rule() -> None:
    assert drain(german_whist(SPADES, HEARTS, STOCK, all="yes")) == (21, 5)


def test_after_thirteen_tricks_nothing_is_drawn() -> None:
    table = german_whist(SPADES, HEARTS, STOCK)
    for tricks in range(1, 27):
        play(table, "- -")
        left = 13 if tricks <= 13 else 26 - tricks
        assert [hand_size(table, seat) for seat in (0, 1)] == [left, left]
    assert table.state.to_move is None


def test_the_most_tricks_win() -> None:
    table = german_whist(SPADES, HEARTS, STOCK)
    drain(table)
    assert table.state.outcome is not None
    assert table.state.outcome.winners == (0,)
