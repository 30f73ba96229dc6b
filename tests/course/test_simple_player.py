"""The Simple player, decision by decision. South is the eldest, East deals."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.games.tables import Table

import upcard
from upcard.course.simple_player import SimplePlayer
from upcard.engine.api import Observation
from upcard.match.match_play import NO_BUDGET
from upcard.players.registry import player_factory, player_names
from upcard.recycle.diagnostics import Refused

PACK = [rank + suit for suit in "shcd" for rank in ("9", "10", "J", "Q", "K", "A")]
SEATS = ("south", "west", "north", "east")


def table(up: str, rule: str = "alone=no", **hands: str) -> Table:
    """Hands that are not named are filled up with what is left, low cards of spades first."""
    named = {up, *(card for hand in hands.values() for card in hand.split())}
    rest = [card for card in PACK if card not in named]
    order: list[str] = []
    for seat in SEATS:
        cards = hands.get(seat, "").split()
        while len(cards) < 5:
            cards.append(rest.pop(0))
        order += cards
    word, choice = rule.split("=")
    return Table(upcard.load("euchre", rules={word: choice}, engine="reference"), [*order, up])


def choice(seen: Observation) -> str:
    assert seen.to_move == seen.seat
    again = Observation.from_json(seen.to_json())
    move = SimplePlayer().choose(seen, NO_BUDGET).move
    assert SimplePlayer().choose(again, NO_BUDGET).move == move, "an observation is data"
    return move.text.translate(str.maketrans("♠♥♣♦", "shcd"))


def chosen(at: Table) -> str:
    seat = at.state.to_move
    assert seat is not None
    return choice(at.state.observe(seat))


# --- round one -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "call"),
    [
        ("Jh 9s 10s 9c 10c", "pass"),
        ("Jh Jd 9s 10s 9c", "order it up"),  # both bowers
        ("Jd Qh 9s 10s 9c", "order it up"),  # the left bower counts
        ("Kh Ah 9s 10s 9c", "order it up"),
        ("9h 10h Ah 9s 10s", "pass"),  # nine and ten are no honours
        ("As Ac Ad Ks Kc", "pass"),  # other suits neither
        ("Js Jc Qd Kd Ad", "pass"),  # nor the rest of the twin's suit
    ],
)
def test_round_one_takes_two_honours(hand: str, call: str) -> None:
    up = "Qh" if "Qh" not in hand else "9h"
    assert chosen(table(up, south=hand)) == call


def test_the_upcard_is_no_honour_of_the_hand_even_for_the_dealer() -> None:
    at = table("Jh", east="Ah 9s 10s 9c 10c", south="9d 10d Qc Kc Ac", west="Js Qs Ks As Jc")
    at.do(*["pass"] * 3)
    assert chosen(at) == "pass"


def test_the_public_position_orders_the_nine_of_spades_up() -> None:
    """The dealer holds 9 10 Q K A of spades and the nine of spades is turned up: a pack with two nines."""
    at = table("Jd", east="9s 10s Qs Ks As")
    at.do(*["pass"] * 3)
    seen = at.state.observe(3)
    nine = next(id_ for id_, face in seen.cards.items() if (face["RANK"], face["SUIT"]) == ("NINE", "SPADES"))
    places = {**seen.places, "table.vloc.UPCARD": (nine,)}
    assert (
        choice(replace(seen, places=places, strings={**seen.strings, "table.UP": "SPADES"})) == "pick it up"
    )


# --- round two -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "call"),
    [
        ("Qd 9s 10s 9c 10c", "make diamonds trump"),
        ("Jh 9s 10s 9c 10c", "make diamonds trump"),  # the left bower
        ("9d 10d 9s 10s 9c", "pass"),
        ("As Ac Ks Kc Js", "pass"),  # it names no other suit
        ("Ah Kh 9s 9c 10c", "pass"),
    ],
)
def test_round_two_takes_one_honour_of_the_twin(hand: str, call: str) -> None:
    at = table("Qh", south=hand)
    at.do(*["pass"] * 4)
    assert chosen(at) == call


def test_a_stuck_dealer_names_the_twin_whatever_it_holds() -> None:
    at = table("Qs", east="9h 10h 9d 10d Ad")
    at.do(*["pass"] * 7)
    assert "pass" not in at.options()
    assert chosen(at) == "make clubs trump"


def test_a_dealer_names_the_twin_also_where_it_need_not() -> None:
    at = table("Qs", "stick=no", east="9h 10h 9d 10d Ad")
    at.do(*["pass"] * 7)
    assert "pass" in at.options()
    assert chosen(at) == "make clubs trump"


def test_it_never_goes_alone() -> None:
    at = table("9h", "alone=yes", south="Jh Jd Ah Kh Qh")
    assert "order it up and go alone" in at.options()
    assert chosen(at) == "order it up"


# --- the discard ---------------------------------------------------------------------------------


def test_the_lowest_of_six_is_buried_and_ties_go_by_suit() -> None:
    at = table("Ah", east="9c 9s 9d Jd Kh")
    at.do("order it up")
    assert chosen(at) == "discard 9s"


def test_the_upcard_itself_is_buried_when_it_is_lowest() -> None:
    at = table("9h", east="10h Qh Kh Jd Jh")
    at.do("order it up")
    assert chosen(at) == "discard 9h"


def test_a_bower_is_not_low() -> None:
    at = table("9h", east="Jd Ks As Ac Ad")
    at.do("order it up")
    assert chosen(at) == "discard Ks"


# --- play ----------------------------------------------------------------------------------------


def test_it_leads_its_highest_plain_card() -> None:
    at = table("9h", south="9s 10s Qs Ks As", east="Qh Kh Ah 9c 10c")
    at.do("pass", "order it up", "9c")
    assert chosen(at) == "play As"


def test_equal_ranks_are_led_by_suit() -> None:
    at = table("9h", south="As Ac Ad Jh Ah", east="Qh Kh 9c 10c Qc")
    at.do("pass", "order it up", "9c")
    assert chosen(at) == "play Ad"


def test_the_left_bower_is_not_led_as_a_plain_card() -> None:
    at = table("9h", south="Jd 9s 9c Ah Kh", east="Qs Ks As Qc Kc")
    at.do("pass", "order it up", "Qs")
    assert chosen(at) == "play 9c"


def test_with_only_trumps_the_highest_is_led() -> None:
    at = table("9h", south="Jd Ah Kh Qh 10h", east="Qs Ks As Qc Kc")
    at.do("pass", "order it up", "Qs")
    assert chosen(at) == "play Jd"


def test_the_public_position_takes_the_nine_of_hearts_up_and_leads_the_ace_of_spades() -> None:
    at = table(
        "9h",
        south="Js 9d 10d 9c 10c",
        west="Qd Kd Ad Qc Kc",
        north="Jc Ac Qh Kh Ah",
        east="9s 10s Qs Ks As",
    )
    at.do("order it up")
    assert chosen(at) == "discard 9s"
    at.do("9s", "Js", "Qc", "Jc", "Ks")
    assert at.state.to_move == 3
    assert "play 9h" in at.options()
    assert chosen(at) == "play As"


def test_the_public_position_throws_the_nine_of_spades_on_a_diamond() -> None:
    at = table("9h", south="9d 10d 9c 10c Jc", west="9s 10s Qs Ks As", east="Qh Kh Ah Qc Kc")
    at.do("pass", "order it up", "Qc", "9d")
    assert chosen(at) == "play 9s"


def test_it_follows_with_its_highest_even_when_it_cannot_win() -> None:
    at = table("9h", south="As 9d 10d 9c 10c", west="9s 10s Ks Qd Kd", east="Qh Kh Ah Qc Kc")
    at.do("pass", "order it up", "Qc", "As")
    assert chosen(at) == "play Ks"


def test_it_follows_a_trump_with_the_left_bower() -> None:
    at = table("9h", south="Ah 9d 10d 9c 10c", west="Jd Qd Kd 9s Qh", east="Kh Ks As Qc Kc")
    at.do("pass", "order it up", "Qc", "Ah")
    assert chosen(at) == "play Jd"


def test_the_left_bower_does_not_follow_its_printed_suit() -> None:
    at = table("9h", south="Ad 9s 10s 9c 10c", west="Jd Qs Ks Ac Kc", east="Kh Qh As Qc Jc")
    at.do("pass", "order it up", "Qc", "Ad")
    assert chosen(at) == "play Qs"


def test_a_player_out_of_the_suit_throws_the_lowest_card() -> None:
    at = table("9h", south="Ad 9c 10c Jc Qc", west="9s 10s Qs Ks As", east="Kh Qh Kc Ac Js")
    at.do("pass", "order it up", "Js", "Ad")
    assert chosen(at) == "play 9s"
    at = table("9h", south="Ad 9c 10c Jc Qc", west="Jd Ah Kh 10h Qh", east="9s 10s Qs Ks As")
    at.do("pass", "order it up", "9s", "Ad")
    assert chosen(at) == "play 10h"


# --- its name ------------------------------------------------------------------------------------


def test_it_is_registered_and_knows_euchre_only() -> None:
    assert "simple" in player_names()
    assert isinstance(
        player_factory("simple", upcard.load("euchre", engine="reference"))(0, 0, 0), SimplePlayer
    )
    with pytest.raises(Refused, match="plays only Euchre, not whist"):
        player_factory("simple", upcard.load("whist", engine="reference"))
