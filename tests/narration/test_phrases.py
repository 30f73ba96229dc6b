"""Phrases of a sheet: the first that matches is used, and who acts can decide which."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import pytest

from upcard.engine.loader import load
from upcard.library.sheet import Phrase, Sheet
from upcard.narration.narrator import Narrator, Record
from upcard.terminal.table_narrator import TableNarrator


def told(narrator: Narrator, *records: Record) -> list[str]:
    return list(narrator.tell(records, {}))


def decision(seat: int, *actions: Record) -> Record:
    return {"do": "decision", "seat": seat, "actions": actions}


ORDER: Record = {"do": "set", "owner": "seat3", "name": "CALL", "value": "ORDER"}
SHEET = Sheet(
    "A game",
    seat_names=("South", "West", "North", "East"),
    place_names=("first", "second", "third", "dealer"),
    phrases=(
        Phrase("set", name="CALL", who="dealer", tell="{seat} picks it up.", pick="pick it up"),
        Phrase("set", name="CALL", tell="{seat} orders it up.", pick="order it up"),
    ),
)


def test_words_can_depend_on_who_acts() -> None:
    narrator = Narrator(SHEET, 1)
    assert told(narrator, decision(3, ORDER)) == ["East picks it up."]
    assert told(narrator, decision(1, ORDER)) == ["West orders it up."]
    assert told(narrator, ORDER) == ["East picks it up."], "by the rules: the owner of the storage"
    assert told(narrator, {**ORDER, "owner": "table"}) == ["The table orders it up."]


def test_the_dealer_of_euchre_picks_up_what_others_order_up() -> None:
    state = load("euchre").deal(seed=7)
    assert [move.text for move in state.moves] == ["pass", "order it up", "order it up and go alone"]
    for _ in range(3):
        state.play(state.moves[0])
    assert [move.text for move in state.moves] == ["pass", "pick it up", "pick it up and go alone"]
    assert [move.text for move in state.observe(3).moves] == ["pass", "pick it up", "pick it up and go alone"]
    state.play(state.moves[1])
    narrator = state.game.narrator
    story = list(narrator.tell(state.observe(0).records, state.observe(0).cards))
    assert "East picks it up." in story


# --- without a phrase ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Position:
    """A position in which the first seat is to move."""

    to_move: int | None
    faces: Mapping[str, Mapping[str, str]]


CARDS = {"X:1": {"RANK": "ACE", "SUIT": "SPADES"}}
HERE = Position(0, CARDS)


MOVE: Record = {"do": "move", "card": "X:1", "from": "seat0.iloc.HAND", "to": "table.vloc.PILE"}
CYCLE: Record = {"do": "cycle", "which": "next", "seat": 2}


@pytest.mark.parametrize(
    ("effects", "text"),
    [
        ([MOVE], "A♠ from South's HAND to the table's PILE"),
        ([{"do": "pass"}], "pass"),
        ([{"do": "set", "owner": "table", "name": "BID", "value": 3}], "The table's BID becomes 3"),
        ([MOVE, {"do": "set", "owner": "seat0", "name": "CALL", "value": "X"}], "order it up"),
        ([CYCLE], "North is next"),
        ([{"do": "points", "owner": "table", "name": "WORTH", "awards": []}], "the table's WORTH is set"),
        ([], "do nothing"),
    ],
)
def test_a_move_without_words_is_described_in_the_programs_names(effects: list[Record], text: str) -> None:
    assert Narrator(SHEET, 1).move(effects, HERE) == text


def test_at_the_table_too_and_in_hints() -> None:
    names = ["Ann", "Ben", "Cleo", "Dan"]
    sheet = replace(SHEET, table={"HAND": "hand", "PILE": "pile"})
    narrator = TableNarrator(sheet, 1, names)
    assert narrator.move([MOVE], HERE) == "A♠ from Ann's hand to the pile"
    assert narrator.move([CYCLE], HERE) == "Cleo is next"


def test_a_decision_without_a_phrase_is_told_and_one_with_an_empty_phrase_is_not() -> None:
    narrator = Narrator(replace(SHEET, phrases=(*SHEET.phrases, Phrase("pass"))), 1)
    known = CARDS
    assert list(narrator.tell([decision(0, MOVE)], known)) == [
        "South: A♠ from South's HAND to the table's PILE"
    ]
    assert list(narrator.tell([MOVE], known)) == [], "what follows from the rules needs a phrase"
    assert list(narrator.tell([decision(0, {"do": "pass"})], known)) == []
