"""Schwimmen against its rules. South is the eldest, East deals; then come the three spare cards."""

from __future__ import annotations

import pytest
from tests.games.tables import Table

import upcard

PLAIN = {
    "south": "7s 8h 9c",
    "west": "7h 8c 9d",
    "north": "7c 8d 10s",
    "east": "7d 8s 10h",
    "spare": "Jc Qd Ks",
}


def schwimmen(draws: str = "", rule: str = "", first: str = "keep your cards", **hands: str) -> Table:
    """Four players at the first turn, the dealer's choice made."""
    dealt = {**PLAIN, **hands}
    order = [card for cards in dealt.values() for card in cards.split()]
    rules = dict([rule.split("=")]) if rule else {}
    table = Table(upcard.load("schwimmen", rules=rules), [*order, *draws.split()])
    if first:
        table.do(first)
    return table


def held(table: Table, seat: int) -> set[str]:
    view = table.state.observe(seat)
    return {table._face[c] for c in view.places[f"seat{seat}.iloc.HAND"] if c}


def middle(table: Table) -> set[str]:
    return {table._face[c] for c in table.state.observe(0).places["table.vloc.MIDDLE"] if c}


def test_the_dealer_chooses_first_and_then_the_eldest_plays() -> None:
    table = schwimmen(first="")
    assert table.state.to_move == 3
    assert table.options() == ["keep your cards", "put your cards in the middle and take the other three"]
    table.do("keep your cards")
    assert table.state.to_move == 0


def test_a_dealer_who_keeps_turns_the_spare_cards_up() -> None:
    table = schwimmen()
    assert held(table, 3) == {"7d", "8s", "10h"}
    assert middle(table) == {"Jc", "Qd", "Ks"}


def test_a_dealer_may_lay_the_hand_open_and_take_the_spare_cards() -> None:
    table = schwimmen(first="put your cards in the middle and take the other three")
    assert held(table, 3) == {"Jc", "Qd", "Ks"}
    assert middle(table) == {"7d", "8s", "10h"}


def test_without_choosing_the_dealer_keeps() -> None:
    assert schwimmen(rule="choosing=no", first="").options() == ["keep your cards"]


def test_a_turn_exchanges_one_card_or_all_or_passes_or_knocks() -> None:
    options = schwimmen().options()
    ones = {f"exchange {a} for {b}" for a in ("7s", "8h", "9c") for b in ("Jc", "Qd", "Ks")}
    assert set(options) == ones | {"exchange all three cards", "pass", "knock"}
    assert len(options) == 12


def test_exchanging_one_card() -> None:
    table = schwimmen()
    table.do("exchange 8h for Qd")
    assert held(table, 0) == {"7s", "Qd", "9c"}
    assert middle(table) == {"Jc", "8h", "Ks"}
    assert table.state.to_move == 1


def test_exchanging_all_three() -> None:
    table = schwimmen()
    table.do("exchange all three cards")
    assert held(table, 0) == {"Jc", "Qd", "Ks"}
    assert middle(table) == {"7s", "8h", "9c"}


def test_after_a_knock_the_others_have_one_more_turn() -> None:
    table = schwimmen()
    table.do("pass", "knock")
    assert table.state.to_move == 2
    assert "knock" not in table.options()
    table.do("pass", "pass")
    assert table.state.to_move == 0
    table.do("exchange 8h for Qd")
    assert table.state.to_move is None


def test_when_all_pass_three_new_cards_come_to_the_middle() -> None:
    table = schwimmen("As Ah Ac")
    table.do(*["pass"] * 3)
    assert middle(table) == {"Jc", "Qd", "Ks"}
    table.do("pass")
    assert middle(table) == {"As", "Ah", "Ac"}
    assert table.state.to_move == 0


def test_an_exchange_starts_the_passes_anew() -> None:
    table = schwimmen("As Ah Ac")
    table.do("pass", "pass", "pass", "exchange 8s for Ks", "pass", "pass", "pass")
    assert middle(table) == {"Jc", "Qd", "8s"}
    table.do("pass")
    assert middle(table) == {"As", "Ah", "Ac"}


def test_new_cards_come_again_after_four_more_passes() -> None:
    table = schwimmen("As Ah Ac Ad Kh Kd")
    table.do(*["pass"] * 7)
    assert middle(table) == {"As", "Ah", "Ac"}
    table.do("pass")
    assert middle(table) == {"Ad", "Kh", "Kd"}


def test_when_the_pack_is_out_passes_end_the_round() -> None:
    # 32 cards: 15 dealt, five times three, and two are left
    table = schwimmen()
    table.do(*["pass"] * 23)
    assert table.state.to_move == 3
    table.do("pass")
    assert table.state.outcome is not None


def test_with_two_players_the_last_three_cards_are_still_used() -> None:
    # 32 cards: 9 dealt, seven times three, and two are left
    table = Table(upcard.load("schwimmen", rules={"players": "two"}), "7s 8h 9c 7h 8c 9d".split())
    table.do("keep your cards", *["pass"] * 15)
    assert table.state.to_move == 1
    table.do("pass")
    assert table.state.outcome is not None


def test_with_five_players_the_pack_runs_out_sooner() -> None:
    # 18 dealt, four times three, and two are left
    table = Table(upcard.load("schwimmen", rules={"players": "five"}), "7s 8h 9c 7h 8c 9d".split())
    table.do("keep your cards", *["pass"] * 24)
    assert table.state.to_move == 4
    table.do("pass")
    assert table.state.outcome is not None


def test_thirty_one_ends_the_round_at_once() -> None:
    table = schwimmen(south="As Ks 9c", spare="Qs Jc Qd")
    table.do("exchange 9c for Qs")
    assert table.state.to_move is None
    assert table.scores() == (0, 1, 0, 0)  # West has nine, the others ten


def test_thirty_one_in_the_deal_ends_the_round_before_a_turn() -> None:
    table = schwimmen(west="Ah Kh Qh")
    assert table.state.to_move is None


def test_thirty_does_not_end_the_round() -> None:
    table = schwimmen(west="Kh Qh Jh", south="As Ah 9c", north="8c 9d 10s")
    assert table.state.to_move == 0


def test_three_aces_end_the_round_and_everybody_else_loses_a_life() -> None:
    table = schwimmen(south="As Ah 9c", spare="Ac Jc Qd")
    table.do("exchange 9c for Ac")
    assert table.scores() == (0, 1, 1, 1)
    assert table.state.outcome is not None
    assert table.state.outcome.winners == (0,)


def showdown(**hands: str) -> tuple[int, ...]:
    table = schwimmen(**hands)
    table.do("knock", "pass", "pass", "pass")
    return table.scores()


def test_the_lowest_hand_loses_a_life() -> None:
    # south 9, west 9, north 10, east 10
    assert showdown(west="7h 8c 10d") == (1, 0, 0, 0)


def test_who_ties_for_the_lowest_loses_a_life_too() -> None:
    assert showdown() == (1, 1, 0, 0)


RANKED = [
    ("7s 8h 9c", 9),
    ("7s 8h 10c", 10),
    ("7s 8h Jc", 10),
    ("7s 8h Qc", 10),
    ("7s 8h Kc", 10),
    ("7s 8h Ac", 11),
    ("7s 8s 9c", 15),
    ("7s 9s 8c", 16),
    ("8s 9s 7c", 17),
    ("Ks 7s Ac", 17),
    ("Ks 8s Ac", 18),
    ("Ks 9s Ac", 19),
    ("Ks Qs Ac", 20),
    ("As Qs Kc", 21),
    ("7s 8s 9s", 24),
    ("8s 9s Js", 27),
    ("10s Js Qs", 30),
    ("7s 7h 7c", 30.5),
    ("Ks Kh Kc", 30.5),
]


@pytest.mark.parametrize(("hand", "worth"), RANKED)
def test_what_a_hand_is_worth(hand: str, worth: float) -> None:
    """South against West, each of whose hands is worth a known number; the others have more."""
    rivals = {9: "7h 8c 9d", 10: "7h 8c 10d", 15: "7d 8d 9h", 17: "8d 9d 7h", 20: "Kd Jd 9h", 30: "Jd Qd Kd"}
    mine = set(hand.split())
    apart = {value: other for value, other in rivals.items() if not mine & set(other.split())}
    assert apart, "a rival that shares no card"
    for value, other in apart.items():
        theirs = other.split()
        table = Table(upcard.load("schwimmen", rules={"players": "two"}), [*hand.split(), *theirs])
        table.do("keep your cards", "knock", "pass")
        assert table.scores() == (int(worth <= value), int(value <= worth)), f"{hand} against {other}"


def test_a_hand_is_hidden_from_the_others_until_the_end() -> None:
    table = schwimmen()
    view = table.state.observe(0)
    seen = {table._face[c] for cards in view.places.values() for c in cards if c}
    assert seen == {"7s", "8h", "9c", "Jc", "Qd", "Ks"}
    assert not any("WORTH" in name for name, value in view.integers.items() if value)


@pytest.mark.parametrize(("word", "seats"), [("two", 2), ("three", 3), ("five", 5), ("six", 6)])
def test_the_last_player_deals_whatever_the_number(word: str, seats: int) -> None:
    state = upcard.load("schwimmen", rules={"players": word}).deal(2, 1)
    assert state.to_move == seats - 1
    state.play(0)
    assert state.to_move == 0
    state.play(len(state.moves) - 1)  # a knock
    turns = 0
    while state.to_move is not None:
        state.play(len(state.moves) - 1)  # pass
        turns += 1
    assert turns == seats - 1
