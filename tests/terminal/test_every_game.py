"""Every game of the library at the table: played to its end in lines, drawn at 80 by 24, nothing hidden."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from tests.terminal.sessions import (
    Spy,
    check_faces,
    loaded,
    no_program_names,
    program_names,
    sitting,
    table_of,
)

import upcard
from upcard.library import names
from upcard.library.sheet import MatchRules
from upcard.players import RandomPlayer
from upcard.terminal import table_screen as general_picture
from upcard.terminal.render import Prompt
from upcard.terminal.table_narrator import TableNarrator
from upcard.terminal.table_view import make_view, view_of
from upcard.terminal.ui import question

NAMES = names()


@pytest.mark.parametrize("name", NAMES)
def test_a_script_plays_it_to_its_end(name: str, tmp_path: Path) -> None:
    """Always the first choice; answers that mean nothing, and every command, in between."""
    table = table_of(name, person=1, rules=MatchRules(deals=1))
    ui = Spy("?\nh\nu\nc\nr\nv\nt\nnonsense\n99999\n\n" + "1\n" * 1200 + "v\n")
    with sitting(table, ui, tmp_path / "match.jsonl") as at_table:
        at_table.begin(4)
        last = at_table.play(["Welcome."])
    printed = ui.output.getvalue()
    assert last[0].endswith(("match.", f"{table.names[0]}.")) or "share the win" in last[0]
    assert "Score:" in printed
    assert "is not a choice here" in printed
    assert "Traceback" not in printed
    assert "  " not in re.sub(r"(?m)^ +|(?<=\d) +", "", printed.split("Keys")[0]).replace("\n", ""), (
        "ragged text"
    )
    if "♠" in printed:
        assert ui.checked > 3
    no_program_names(printed, table.game)


@pytest.mark.parametrize("name", NAMES)
def test_every_name_of_a_program_has_words(name: str) -> None:
    """A place without words would only be `cards`; a word for nothing is a slip of the pen."""
    game = loaded(name)
    sheet = game.narrator.sheet
    assert sheet is not None
    assert set(sheet.table) <= program_names(game) | computed(name)
    places = set(re.findall(r"\b(?:vloc|iloc|hloc|oloc|mem)\s+([A-Z][A-Z0-9]+)", game.program.source.text))
    assert places <= set(sheet.table), (
        f"[table] of {name} has no words for {sorted(places - set(sheet.table))}"
    )


def computed(name: str) -> set[str]:
    """Names that a program makes from variables."""
    golf = {f"{row}{column}" for row in ("TOP", "LOW") for column in ("LEFT", "MIDDLE", "RIGHT")}
    return golf if name == "golf-six" else set()


@pytest.mark.parametrize("name", NAMES)
def test_screens_fit_and_hide_what_the_seat_cannot_see(name: str) -> None:
    """From every seat, on its turn and on others', also in plain letters."""
    game = loaded(name)
    state = game.deal(6, 1)
    players = [RandomPlayer(6, 1, seat) for seat in range(game.seats)]
    around = {"deal": 0, "scores": [100] * game.seats, "to": 500, "deals": 1}
    around["names"] = [game.narrator.seat(seat) for seat in range(game.seats)]
    drawn = 0
    while (mover := state.to_move) is not None and state.decisions < 300:
        if state.decisions % 7 == 0:
            seat = mover if state.decisions % 2 else (mover + 1) % game.seats
            observation = state.observe(seat, around)
            for plain in (False, True):
                view = make_view(observation, TableNarrator.at(game.narrator, observation, plain))
                picture = view_of(observation)
                last = max(0, len(view.options) - 1)
                prompt = Prompt(question(view), last, open=bool(view.options))
                lines = picture.draw(view, prompt, 80, 24).lines()
                text = "\n".join(lines)
                assert len(lines) == 24
                assert max(map(len, lines)) <= 80
                assert plain is False or text.isascii()
                assert not view.options or re.search(rf"[▶>] *{last + 1}\b", text), (
                    "the chosen one is not marked"
                )
                no_program_names(text, game)
                check_faces(text, view)
                drawn += 1
        state.play(players[mover].pick(state.choices))
    assert drawn


def test_a_table_turns_with_the_deal() -> None:
    """Who sits where changes what the program's seats are called, also inside a phrase."""
    game = loaded("euchre")
    observation = game.deal(1, 0).observe(0, {"names": ["West", "North", "East", "South"], "scores": [0] * 4})
    narrator = TableNarrator.at(game.narrator, observation)
    story = narrator.story(observation.records, observation)
    assert story[0] == "South shuffles and deals."
    assert story[1].startswith("West is dealt ")
    assert story[2] == "North is dealt 5 cards."
    view = make_view(replace(observation, match={**(observation.match or {}), "to": 10, "deal": 0}), narrator)
    assert [chair.name for chair in view.chairs] == ["West", "North", "East", "South"]
    assert [chair.partner for chair in view.chairs] == [False, False, True, False]
    assert [chair.deals for chair in view.chairs] == [False, False, False, True]


def test_ten_players_are_all_shown() -> None:
    game = upcard.load("cuckoo", rules={"players": "10"}, engine="reference")
    names_of_ten = [game.narrator.seat(seat) for seat in range(10)]
    around = {"deal": 0, "scores": list(range(10)), "to": 500, "deals": 1, "names": names_of_ten}
    observation = game.deal(6, 1).observe(0, around)
    view = make_view(observation, TableNarrator.at(game.narrator, observation))
    text = "\n".join(general_picture.draw(view, Prompt("?"), 80, 24).lines())
    for seat, name in enumerate(names_of_ten[1:], 1):
        assert f"{name} card face down" in text
        assert f"{name[:3]} {seat}" in text
