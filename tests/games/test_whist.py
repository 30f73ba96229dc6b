"""Whist against its rules. South is the eldest, East deals and owns the last card."""

from __future__ import annotations

from tests.games.tables import Table

import upcard


def whist(last: str, *dealt: str) -> Table:
    """The last card of the pack, and what South, West, North and East are dealt before it."""
    order = [card for hand in dealt for card in hand.split()]
    return Table(upcard.load("whist"), order, bottom=[last])


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


def test_follow_suit_when_able() -> None:
    table = whist(
        "Ad",
        "2s 3s 4s 5s 6s 7s 8s 9s 10s Js Qs Ks 2h",
        "As 3h 4h 5h 6h 7h 8h 9h 10h Jh Qh Kh Ah",
        CLUBS,
        DIAMONDS,
    )
    table.do("2s")
    assert table.options() == ["play As"]
    table.do("As")
    assert len(table.options()) == 13


def test_the_highest_card_of_the_suit_led_wins_without_trump() -> None:
    table = whist(
        "Ad",
        "2s 3s 4s 5s 6s 7s 8s 9s 10s Js Qs Ks 2h",
        "As 3h 4h 5h 6h 7h 8h 9h 10h Jh Qh Kh Ah",
        CLUBS,
        DIAMONDS,
    )
    table.do("2h", "Ah", "2c", "2d")  # East trumps
    assert table.state.to_move == 3


def test_only_tricks_above_six_count() -> None:
    # North and South share the spades and hearts; clubs are trump and split: seven tricks to six
    outcome = {}
    for deal in range(40):
        state = upcard.load("whist").deal(5, deal)
        while state.to_move is not None:
            state.play(0)
        won = [state.table.ints.get((seat, "TRICKS"), 0) for seat in range(4)]
        assert sum(won) == 13
        assert state.outcome is not None
        assert state.outcome.scores is not None
        side = won[0] + won[2]
        outcome[side] = state.outcome.scores[:2]
    assert len(outcome) > 3
    for side, scores in outcome.items():
        assert scores == (max(side - 6, 0), max(13 - side - 6, 0))
