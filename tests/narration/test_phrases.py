"""Phrases of a sheet: the first that matches is used, and who acts can decide which."""

from __future__ import annotations

from upcard.engine.loader import load
from upcard.library.sheet import Phrase, Sheet
from upcard.narration.narrator import Narrator, Record


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
