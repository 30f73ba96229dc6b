"""Whist against its rules. South is the eldest, East deals and owns the last card."""

from __future__ import annotations

import re

import pytest
from tests.games.tables import Table

import upcard

WHIST = upcard.load("whist", engine="reference")


def whist(last: str, *dealt: str, seed: int = 0) -> Table:
    """The last card of the pack, and what South, West, North and East are dealt before it."""
    order = [card for hand in dealt for card in hand.split()]
    return Table(WHIST, order, bottom=[last], seed=seed)


SPADES = "2s 3s 4s 5s 6s 7s 8s 9s 10s Js Qs Ks As"
HEARTS = SPADES.replace("s", "h")
CLUBS = SPADES.replace("s", "c")
DIAMONDS = "2d 3d 4d 5d 6d 7d 8d 9d 10d Jd Qd Kd"


def test_thirteen_cards_each_and_the_eldest_leads() -> None:
    table = whist("Ad", SPADES, HEARTS, CLUBS, DIAMONDS)
    assert table.state.to_move == 0
    assert len(table.options()) == 13
    assert {len(table.state.observe(seat).places[f"seat{seat}.iloc.HAND"]) for seat in range(4)} == {13}


def test_the_last_card_fixes_trump_and_belongs_to_the_dealer() -> None:
    # everyone holds one suit: whoever leads, the dealer's trumps win every trick
    table = whist("Ad", SPADES, HEARTS, CLUBS, DIAMONDS)
    while table.state.to_move is not None:
        table.do(table.options()[0].split()[1])
    assert table.scores() == (0, 7, 0, 7)


def test_everybody_saw_the_last_card() -> None:
    table = whist("Ad", SPADES, HEARTS, CLUBS, DIAMONDS)
    observed = table.state.observe(0)
    ace = next(c for c, face in observed.cards.items() if face == {"SUIT": "DIAMONDS", "RANK": "ACE"})
    assert observed.memory[ace] == {"where": ["seat3.iloc.HAND"], "placed": False}


EXCHANGED = "2s 3s 4s 5s 6s 7s 8s 9s 10s Js Qs Ks 2h", "As 3h 4h 5h 6h 7h 8h 9h 10h Jh Qh Kh Ah"
"""Two hands of one suit each, but for a card of the other's."""


def test_follow_suit_when_able() -> None:
    table = whist("Ad", *EXCHANGED, CLUBS, DIAMONDS)
    table.do("2s")
    assert table.options() == ["play As"]
    table.do("As")
    assert len(table.options()) == 13


def test_the_highest_card_of_the_suit_led_wins_without_trump() -> None:
    table = whist("Ad", *EXCHANGED, CLUBS, DIAMONDS)
    table.do("2h", "Ah", "2c", "2d")  # East trumps
    assert table.state.to_move == 3


def test_players_follow_the_suit_led_not_the_last_card() -> None:
    table = whist(
        "Ad",
        "2s 3s 4s 5s 6s 7s 8s 9s 10s Js Qs 2h 3h",
        "4h 5h 6h 7h 8h 9h 10h Jh Qh Kh Ah 2c 3c",
        "Ks As 4c 5c 6c 7c 8c 9c 10c Jc Qc Kc Ac",
        DIAMONDS,
    )
    table.do("2s", "4h")
    assert table.options() == ["play Ks", "play As"]


def trick(table: Table, cards: dict[int, str]) -> None:
    """Four cards: the named ones, and from the other seats the first legal card, no heart if possible."""
    for _ in range(4):
        options = table.options()
        seat = table.state.to_move
        assert seat is not None
        named = f"play {cards.get(seat)}"
        table.do(named if named in options else min(options, key=lambda o: (o[-1] == "h", options.index(o))))


@pytest.mark.parametrize("pairs", ["AK QJ 109 87 65 43", "KQ J10 98 76 54 32"])
@pytest.mark.parametrize("seed", range(4))
def test_in_every_suit_each_rank_beats_the_next(pairs: str, seed: int) -> None:
    # South and West share spades and hearts, the trumps, by rank; the others have none but East's two
    split = [re.findall("10|.", pair) for pair in pairs.split()]
    strong = [high + suit for suit in "sh" for high, _ in split]
    weak = [low + suit for suit in "sh" for _, low in split if low + suit != "2h"]
    rest = [c for c in ("2s", "As", "Ad", "Ah") if c not in strong + weak]
    winner = seed % 2
    hands = [weak + rest[: 13 - len(weak)], strong + rest[13 - len(weak) :]]
    south, west = hands if winner == 1 else reversed(hands)
    table = whist("2h", " ".join(south), " ".join(west), CLUBS, DIAMONDS, seed=seed)
    for suit in "sh":
        for high, low in split:
            trick(table, {winner: high + suit, 1 - winner: low + suit})
            assert table.state.to_move == winner, f"{high} beats {low}"


def test_any_trump_beats_any_other_card() -> None:
    north, east = "3d 4d 5d 5c 6c 7c 8c 9c 10c Jc Qc Kc Ac", "2c 3c 4c 6d 7d 8d 9d 10d Jd Qd Kd Ad"
    table = whist("2d", SPADES, HEARTS, north, east)
    trick(table, {0: "As", 1: "Ah", 2: "3d", 3: "2c"})
    assert table.state.to_move == 2


def test_the_winner_of_a_trick_takes_its_cards() -> None:
    table = whist("Ad", SPADES, HEARTS, CLUBS, DIAMONDS)
    table.do("2s", "2h", "2c", "2d")
    places = table.state.observe(0).places
    assert [len(places.get(f"seat{seat}.hloc.TAKEN", ())) for seat in range(4)] == [0, 0, 0, 4]


def test_the_side_with_more_points_wins() -> None:
    table = whist("Ad", SPADES, HEARTS, CLUBS, DIAMONDS)
    while table.state.to_move is not None:
        table.do(table.options()[0])
    assert table.state.outcome is not None
    assert table.state.outcome.winners == (1, 3)


def test_only_tricks_above_six_count() -> None:
    seen = set()
    for deal in range(12):
        state = WHIST.deal(5, deal)
        while state.to_move is not None:
            state.play(deal % state.choices)
        places = state.observe(0).places
        north_south = sum(len(places.get(f"seat{seat}.hloc.TAKEN", ())) for seat in (0, 2)) // 4
        seen.add(north_south)
        assert state.outcome is not None
        assert state.outcome.scores is not None
        assert state.outcome.scores[:2] == (max(north_south - 6, 0), max(7 - north_south, 0))
    assert {6, 7, 8} <= seen
