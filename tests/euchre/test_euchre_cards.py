"""The three orders of cards, and the left bower."""

from __future__ import annotations

from itertools import pairwise

import pytest
from tests.course.course_games import card

from upcard.euchre.euchre_cards import STANDARD, plain, with_led, with_trump


def test_plain_order_goes_by_rank_and_ties_by_suit() -> None:
    order = "9s 9h 9c 9d 10s 10h 10c 10d Js Jh Jc Jd Qs Qh Qc Qd Ks Kh Kc Kd As Ah Ac Ad".split()
    assert sorted(STANDARD, key=plain) == [card(face) for face in order]


def test_trumps_are_above_every_other_card() -> None:
    order = "9s 9c 9d 10s 10c 10d Js Jc Qs Qc Qd Ks Kc Kd As Ac Ad 9h 10h Qh Kh Ah Jd Jh".split()
    assert sorted(STANDARD, key=lambda c: with_trump(c, "HEARTS")) == [card(face) for face in order]


def test_the_suit_led_is_between_trumps_and_the_rest() -> None:
    order = "9s 9h 10s 10h Js Jh Qs Qh Ks Kh As Ah 9d 10d Jd Qd Kd Ad 9c 10c Qc Kc Ac Js Jc".split()
    order.remove("Js")  # the left bower, when clubs are trump
    found = sorted(STANDARD, key=lambda c: with_led(c, "CLUBS", "DIAMONDS"))
    assert found == [card(face) for face in order]


@pytest.mark.parametrize(
    ("trump", "left"), [("SPADES", "Jc"), ("CLUBS", "Js"), ("HEARTS", "Jd"), ("DIAMONDS", "Jh")]
)
def test_the_left_bower_belongs_to_trump(trump: str, left: str) -> None:
    assert [c for c in STANDARD if c.suit_under(trump) != c.suit] == [card(left)]
    assert card(left).suit_under(trump) == trump


@pytest.mark.parametrize("led", ["SPADES", "HEARTS", "CLUBS", "DIAMONDS"])
def test_a_led_suit_leaves_no_two_cards_equal(led: str) -> None:
    heights = sorted(with_led(c, "SPADES", led) for c in STANDARD)
    assert all(low < high for low, high in pairwise(heights))


def test_a_card_says_its_name() -> None:
    assert [card(face).text for face in ("9s", "10h", "Jc", "Ad")] == [
        "Nine of Spades",
        "Ten of Hearts",
        "Jack of Clubs",
        "Ace of Diamonds",
    ]
