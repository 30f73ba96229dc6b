"""Leduc hold'em against its rules. Ann speaks first; cards are Ann's, Ben's and the common card."""

from __future__ import annotations

import pytest
from tests.games.tables import Table

import upcard


def leduc(ann: str, ben: str, common: str, **rules: str) -> Table:
    return Table(upcard.load("leduc-holdem", rules=rules), [ann, ben, common])


def after(table: Table, *words: str) -> Table:
    table.do(*words)
    return table


def test_the_first_player_checks_or_bets() -> None:
    table = leduc("Js", "Ks", "Qs")
    assert table.state.to_move == 0
    assert table.options() == ["check", "bet"]
    table.do("check")
    assert table.state.to_move == 1
    assert table.options() == ["check", "bet"]


def test_a_bet_is_folded_to_called_or_raised() -> None:
    table = after(leduc("Js", "Ks", "Qs"), "bet")
    assert table.state.to_move == 1
    assert table.options() == ["fold", "call", "raise"]


def test_after_a_bet_and_a_raise_there_is_no_more_raising() -> None:
    table = after(leduc("Js", "Ks", "Qs"), "bet", "raise")
    assert table.state.to_move == 0
    assert table.options() == ["fold", "call"]


def test_a_bet_after_a_check_may_be_raised_once() -> None:
    table = after(leduc("Js", "Ks", "Qs"), "check", "bet")
    assert table.options() == ["fold", "call", "raise"]
    table.do("raise")
    assert table.state.to_move == 1
    assert table.options() == ["fold", "call"]


@pytest.mark.parametrize(
    "line", [("check", "check"), ("bet", "call"), ("check", "bet", "call"), ("bet", "raise", "call")]
)
def test_the_first_player_begins_the_second_round_as_well(line: tuple[str, ...]) -> None:
    table = after(leduc("Js", "Ks", "Qs"), *line)
    assert table.state.to_move == 0
    assert table.options() == ["check", "bet"]
    table.do("bet")
    assert table.options() == ["fold", "call", "raise"]


def test_the_common_card_is_turned_between_the_rounds() -> None:
    def seen(table: Table) -> set[str]:
        view = table.state.observe(0)
        cards = {card for cards in view.places.values() for card in cards if card}
        return {view.cards[card]["RANK"] for card in cards}

    table = leduc("Js", "Ks", "Qs")
    assert seen(table) == {"JACK"}
    assert seen(after(table, "check")) == {"JACK"}
    assert seen(after(table, "check")) == {"JACK", "QUEEN"}
    assert seen(after(table, "check", "check")) == {"JACK", "QUEEN", "KING"}


@pytest.mark.parametrize(
    ("line", "pays"),
    [
        (("bet", "fold"), (1, -1)),
        (("check", "bet", "fold"), (-1, 1)),
        (("bet", "raise", "fold"), (-3, 3)),
        (("check", "bet", "raise", "fold"), (3, -3)),
        (("check", "check", "bet", "fold"), (1, -1)),
        (("bet", "call", "check", "bet", "fold"), (-3, 3)),
        (("check", "check", "bet", "raise", "fold"), (-5, 5)),
        (("bet", "raise", "call", "bet", "raise", "fold"), (-9, 9)),
    ],
)
def test_who_folds_loses_what_is_paid_so_far(line: tuple[str, ...], pays: tuple[int, int]) -> None:
    assert after(leduc("Js", "Ks", "Qs"), *line).scores() == pays
    assert after(leduc("Ks", "Js", "Qs"), *line).scores() == pays


@pytest.mark.parametrize(
    ("line", "each"),
    [
        (("check", "check", "check", "check"), 1),
        (("bet", "call", "check", "check"), 3),
        (("bet", "raise", "call", "check", "check"), 5),
        (("check", "check", "bet", "call"), 5),
        (("check", "check", "bet", "raise", "call"), 9),
        (("check", "bet", "raise", "call", "check", "bet", "raise", "call"), 13),
    ],
)
def test_bets_are_two_chips_and_then_four(line: tuple[str, ...], each: int) -> None:
    assert after(leduc("Ks", "Js", "Qs"), *line).scores() == (each, -each)
    assert after(leduc("Js", "Ks", "Qs"), *line).scores() == (-each, each)


@pytest.mark.parametrize(
    ("ann", "ben", "common", "won"),
    [
        ("Ks", "Qs", "Js", 1),
        ("Qs", "Js", "Ks", 1),
        ("Ks", "Js", "Qs", 1),
        ("Js", "Ks", "Jh", 1),  # a pair beats a king
        ("Js", "Qs", "Jh", 1),
        ("Qs", "Ks", "Qh", 1),
        ("Ks", "Qs", "Kh", 1),
        ("Ks", "Kh", "Js", 0),
        ("Js", "Jh", "Ks", 0),
        ("Qh", "Qs", "Ks", 0),
    ],
)
def test_a_pair_wins_then_the_higher_card_and_equal_cards_share(
    ann: str, ben: str, common: str, won: int
) -> None:
    checks = ["check"] * 4
    assert after(leduc(ann, ben, common), *checks).scores() == (won, -won)
    assert after(leduc(ben, ann, common), *checks).scores() == (-won, won)


def test_the_winner_has_the_higher_score() -> None:
    outcome = after(leduc("Ks", "Js", "Qs"), *["check"] * 4).state.outcome
    assert outcome is not None
    assert outcome.winners == (0,)


def test_more_raises_as_a_house_rule() -> None:
    table = after(leduc("Js", "Ks", "Qs", raises="one"), "bet")
    assert table.options() == ["fold", "call"]
    table = after(leduc("Js", "Ks", "Qs", raises="three"), "bet", "raise")
    assert table.options() == ["fold", "call", "raise"]
    table.do("raise")
    assert table.options() == ["fold", "call"]
    table = after(leduc("Js", "Ks", "Qs", raises="four"), "bet", "raise", "raise", "raise")
    assert table.options() == ["fold", "call"]


def test_who_folded_shows_nothing() -> None:
    table = after(leduc("Js", "Ks", "Qs"), "bet", "fold")
    for seat, own in ((0, "JACK"), (1, "KING")):
        view = table.state.observe(seat)
        cards = {card for cards in view.places.values() for card in cards if card}
        assert {view.cards[card]["RANK"] for card in cards} == {own}
