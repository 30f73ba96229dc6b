"""Blackjack against its rules. Hands are those of the players in turn; `dealer` shows the first card."""

from __future__ import annotations

import pytest
from tests.games.tables import Table

import upcard

WORDS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five"}


def blackjack(*hands: str, dealer: str, draws: str = "", **rules: str) -> Table:
    """As many players as hands; `draws` is what the shoe gives after the deal."""
    dealt = [hand.split() for hand in hands]
    up, hole = dealer.split()
    order = [*(hand[0] for hand in dealt), up, *(hand[1] for hand in dealt), hole, *draws.split()]
    return Table(upcard.load("blackjack", rules={"players": WORDS[len(hands)], **rules}), order)


def settled(table: Table, *words: str) -> tuple[int, ...]:
    table.do(*words)
    return table.scores()


def test_three_play_with_one_pack() -> None:
    state = upcard.load("blackjack").deal(3, 5)
    assert len(state.observe(0).cards) == 52
    assert state.game.seats == 3


def test_two_cards_may_stand_hit_or_double() -> None:
    table = blackjack("10s 6h", dealer="9s 9h", draws="2s")
    assert table.state.to_move == 0
    assert table.options() == ["stand", "hit", "double"]


def test_three_cards_may_not_be_doubled() -> None:
    table = blackjack("5s 6h", dealer="9s 9h", draws="2s 2h")
    table.do("hit")
    assert table.options() == ["stand", "hit"]


def test_no_doubling_as_a_house_rule() -> None:
    assert blackjack("5s 6h", dealer="9s 9h", doubling="no").options() == ["stand", "hit"]


def test_only_the_first_card_of_the_dealer_is_seen() -> None:
    table = blackjack("10s 6h", dealer="9s 8h")
    view = table.state.observe(0)
    seen = {view.cards[c]["RANK"] for cards in view.places.values() for c in cards if c}
    assert seen == {"TEN", "SIX", "NINE"}


def test_more_than_the_dealer_wins_less_loses_equal_is_returned() -> None:
    table = blackjack("10s 9d", "10h 8d", "10c 7d", dealer="9s 9h")
    assert settled(table, "stand", "stand", "stand") == (10, 0, -10)
    assert table.state.outcome is not None
    assert table.state.outcome.winners == (0,)


def test_players_take_their_turns_one_after_the_other() -> None:
    table = blackjack("10s 2d", "10h 3d", dealer="9s 9h", draws="2s 3s 4h")
    seats = []
    for word in ("hit", "hit", "stand", "hit", "stand"):
        seats.append(table.state.to_move)
        table.do(word)
    assert seats == [0, 0, 0, 1, 1]
    assert table.scores() == (-10, -10)


def test_over_twenty_one_is_lost_even_if_the_dealer_goes_over_too() -> None:
    table = blackjack("10s 6d", "10h 5d", dealer="9s 7h", draws="6s Kd")
    table.do("hit")  # Ann has 22
    assert table.state.to_move == 1
    assert settled(table, "stand") == (-10, 10)


def test_twenty_one_stands_by_itself() -> None:
    table = blackjack("10s 6d", "10h 5d", dealer="9s 9h", draws="5s")
    table.do("hit")
    assert table.state.to_move == 1
    assert settled(table, "stand") == (10, -10)


def test_twenty_one_with_an_ace_as_eleven_stands_by_itself() -> None:
    table = blackjack("As 6d", "10h 5d", dealer="9s 9h", draws="4s")
    table.do("hit")
    assert table.state.to_move == 1
    assert settled(table, "stand") == (10, -10)


def test_twenty_does_not_stand_by_itself() -> None:
    assert blackjack("Ks Qd", dealer="9s 9h").options() == ["stand", "hit", "double"]
    assert blackjack("As 9d", dealer="9s 9h").options() == ["stand", "hit", "double"]
    assert blackjack("5s 6d", dealer="9s 9h").options() == ["stand", "hit", "double"]


def test_an_ace_counts_one_when_eleven_is_too_much() -> None:
    table = blackjack("As 6d", dealer="9s 9h", draws="9d 3d")
    table.do("hit")  # 1 + 6 + 9
    assert table.options() == ["stand", "hit"]
    assert settled(table, "hit", "stand") == (10,)  # and 3 more: nineteen
    table = blackjack("As 6d", dealer="9s 7h", draws="5d Kd")
    assert settled(table, "hit", "stand") == (10,)  # 1 + 6 + 5 stand, and the dealer has 26


@pytest.mark.parametrize(
    ("hand", "other", "score"),
    [
        ("As 7d", "9s 9h", 0),  # 18, soft
        ("As 8d", "9s 9h", 10),
        ("As 6d", "9s 9h", -10),
        ("As Ad", "10s 2h", -10),  # 12 against 22 would win: the dealer draws a five and has 17
    ],
)
def test_an_ace_counts_eleven_when_it_can(hand: str, other: str, score: int) -> None:
    assert settled(blackjack(hand, dealer=other, draws="5c"), "stand") == (score,)


@pytest.mark.parametrize("face", ["10", "J", "Q", "K"])
def test_an_ace_and_a_ten_card_pay_three_to_two_without_a_turn(face: str) -> None:
    table = blackjack(f"As {face}d", "10h 9d", dealer="9s 9h")
    assert table.state.to_move == 1
    assert settled(table, "stand") == (15, 10)


def test_six_to_five_as_a_house_rule() -> None:
    table = blackjack("Ks Ad", "10h 9d", dealer="9s 9h", blackjack="twelve")
    assert settled(table, "stand") == (12, 10)


def test_a_blackjack_beats_a_twenty_one_of_three_cards() -> None:
    table = blackjack("Ks Ad", "10h 6d", dealer="9s 7h", draws="5d 5h")
    assert settled(table, "hit") == (15, 0)  # both Ben and the dealer make 21


@pytest.mark.parametrize("dealer", ["As Kh", "Ks Ah"])
def test_a_dealers_blackjack_ends_the_round_at_once(dealer: str) -> None:
    table = blackjack("10h 9d", "Ad Kd", "5c 5d", dealer=dealer)
    assert table.scores() == (-10, 0, -10)


def test_eleven_without_an_ace_is_no_blackjack() -> None:
    table = blackjack("10s 9d", dealer="6s 5h", draws="6c")
    assert settled(table, "stand") == (10,)


def test_doubling_takes_one_card_for_twice_the_stake() -> None:
    table = blackjack("5s 6d", "5h 6h", dealer="9s 9h", draws="9d 2d")
    table.do("double")
    assert table.state.to_move == 1
    assert settled(table, "double") == (20, -20)


def test_a_doubled_hand_that_goes_over_loses_twice() -> None:
    assert settled(blackjack("10s 6d", dealer="9s 9h", draws="6s"), "double") == (-20,)


@pytest.mark.parametrize(
    ("dealer", "draws", "total"),
    [
        ("9s 7h", "2c 9c", 18),  # sixteen draws
        ("9s 8h", "2c", 17),  # seventeen stands
        ("10s 2h", "3c Ac 9c", 16 + 9),  # an ace as one: sixteen draws, and goes over
        ("As 5h", "Ad 9c", 17),  # sixteen with an ace draws; seventeen stands
        ("As 7h", "9c", 18),
        ("As 6h", "9c", 17),
        ("As 5h", "5c Kc", 21),
        ("As 5h", "6c 4c 10c", 12 + 4 + 10),  # 1 + 5 + 6 is twelve, not more
        ("As Ah", "5c 9c", 17),
        ("As 9h", "9c", 20),
        ("6s 5h", "Ac 5c", 17),  # twelve with an ace that can only count one
    ],
)
def test_the_dealer_draws_to_seventeen(dealer: str, draws: str, total: int) -> None:
    for hand, worth in (("10d 7d", 17), ("10d 8d", 18), ("Jd 9d", 19), ("Jd Qd", 20)):
        table = blackjack(hand, dealer=dealer, draws=draws)
        won = 1 if total > 21 or worth > total else -1 if worth < total else 0
        assert settled(table, "stand") == (10 * won,), f"{hand} against {total}"


@pytest.mark.parametrize(("dealer", "draws"), [("As 6h", "2c 9c"), ("As 2h", "4c 2c 9c")])
def test_on_a_soft_seventeen_the_dealer_draws_as_a_house_rule(dealer: str, draws: str) -> None:
    assert settled(blackjack("10d 8d", dealer=dealer, draws=draws), "stand") == (10,)
    assert settled(blackjack("10d 8d", dealer=dealer, draws=draws, seventeen="draws"), "stand") == (-10,)


@pytest.mark.parametrize("dealer", ["10s 7h", "As 7h"])
def test_on_other_hands_that_house_rule_changes_nothing(dealer: str) -> None:
    for seventeen in ("stands", "draws"):
        table = blackjack("10d 9d", dealer=dealer, draws="4c 3c", seventeen=seventeen)
        assert settled(table, "stand") == (10,)


@pytest.mark.parametrize("rank", "2 3 4 5 6 7 8 9 10 J Q K".split())
def test_each_card_counts_its_number(rank: str) -> None:
    worth = int(rank) if rank.isdigit() else 10
    # eleven and the card, against every total that the dealer can have
    for dealer, total in (("10s 7h", 17), ("10s 8h", 18), ("10s 9h", 19), ("10s Qh", 20)):
        table = blackjack("5d 6d", dealer=dealer, draws=f"{rank}c")
        mine = 11 + worth
        won = 2 * ((mine > total) - (mine < total))
        assert settled(table, "double") == (10 * won,), f"{mine} against {total}"
    low = blackjack(f"{rank}d 4h", dealer="10s 7h", draws="4c")
    mine = worth + 8
    assert settled(low, "double") == (20 * ((mine > 17) - (mine < 17)),)


@pytest.mark.parametrize(("rule", "cards"), [("two", 104), ("six", 312)])
def test_more_packs_as_a_house_rule(rule: str, cards: int) -> None:
    assert len(upcard.load("blackjack", rules={"packs": rule}).deal(0, 0).faces) == cards
