"""Totals of cards, as the sheet describes them, and never of cards that the viewer does not see."""

from __future__ import annotations

from dataclasses import replace

import pytest

from upcard.engine.loader import load
from upcard.library.sheet import Extra, Total
from upcard.narration.card_totals import total_text
from upcard.terminal.seat_view import View, look
from upcard.terminal.table_narrator import TableNarrator
from upcard.terminal.table_screen import place_text

PIPS = [[[["RANK", "ACE"]], 1], [[["RANK", "KING"]], 10], [[["RANK", "FIVE"]], 5], [[["RANK", "SIX"]], 6]]
SOFT = Total("HAND", "PIPS", extra=Extra("RANK", "ACE", 10, 21, "soft {total}"))


@pytest.mark.parametrize(
    ("ranks", "text"),
    [
        ("KING FIVE", "15"),
        ("ACE SIX", "soft 17"),
        ("ACE KING", "soft 21"),
        ("ACE ACE", "soft 12"),
        ("ACE SIX KING", "17"),
        ("ACE ACE KING", "12"),
        ("KING KING FIVE", "25"),
        ("", ""),
    ],
)
def test_an_ace_counts_eleven_if_that_is_not_too_much(ranks: str, text: str) -> None:
    assert total_text(SOFT, [{"RANK": rank} for rank in ranks.split()], PIPS) == text


def test_a_card_counts_the_sum_of_all_awards_that_it_fits() -> None:
    awards = [*PIPS, [[["SUIT", "SPADES"], ["RANK", "SIX"]], 100]]
    assert total_text(Total("HAND", "X"), [{"RANK": "SIX", "SUIT": "SPADES"}], awards) == "106"
    assert total_text(Total("HAND", "X"), [{"RANK": "SIX", "SUIT": "HEARTS"}], awards) == "6"


def test_the_best_suit_counts() -> None:
    hand = [{"RANK": rank, "SUIT": suit} for rank, suit in (("KING", "H"), ("SIX", "S"), ("FIVE", "S"))]
    assert total_text(Total("HAND", "PIPS", "SUIT", "{total} in one suit"), hand, PIPS) == "11 in one suit"


def test_a_point_map_that_is_not_set_yet_gives_no_total() -> None:
    assert total_text(SOFT, [{"RANK": "ACE"}], None) == ""


# --- at the table ------------------------------------------------------------------------------------


def shown(view: View) -> list[str]:
    places = [*view.table, *(place for chair in view.chairs for place in chair.places)]
    return [place_text(view, place) for place in places]


def test_blackjack_shows_all_hands_and_only_the_dealers_open_card() -> None:
    state = load("blackjack").deal(seed=3)
    seen = state.observe(0)
    view = look(seen, TableNarrator.at(state.game.narrator, seen))
    assert "hole card face down" in shown(view)
    assert "dealer 7♦ (7)" in shown(view)
    assert "hand Q♥ 3♦ (13)" in shown(view)


def test_a_total_that_would_give_hidden_cards_away_is_not_shown() -> None:
    """Every place has a total here, and none of them contains a face-down card."""
    game = load("rummy")
    state = game.deal(seed=2)
    seen = state.observe(0)
    sheet = game.narrator.sheet
    assert sheet is not None
    everywhere = replace(sheet, totals=tuple(replace(sheet.totals[0], of=name) for name in sheet.table))
    view = look(seen, TableNarrator(everywhere, 1, sheet.seat_names))
    mine, theirs = view.chairs[0].places[0], view.chairs[1].places[0]
    assert mine.total.startswith("counts ")
    assert theirs.words == "hand"
    assert not theirs.total
    assert all(not place.total for place in view.table if None in place.cards)
    assert any(place.total for place in view.table), "the top of the discards"
