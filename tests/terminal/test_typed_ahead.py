"""Keys typed ahead play nothing: a move needs a key pressed while its question is on the screen."""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("pseudo-terminals are POSIX", allow_module_level=True)

from tests.terminal.terminals import Terminal

from upcard.engine.api import Record
from upcard.match.match_play import Match
from upcard.match.match_record import resume
from upcard.terminal.saves import open_saved
from upcard.terminal.table_narrator import TableNarrator
from upcard.terminal.table_setup import saved_table
from upcard.terminal.table_view import make_view

JUNK = [
    "\r",
    "\r",
    " ",
    "1\r",
    "2\r",
    "3\r",
    "\x1b[B\r",
    "\x1b[A",
    "9h",
    "qs",
    "5c\r",
    "j",
    "x",
    "u",
    "\r\r\r",
]
"""Each of these may play a card if it is taken for an answer; none of them leaves the table."""
SELECTED = re.compile(r"▶ *([0-9]+)")


def typed(game: str, to: int, chance: random.Random, data: Path) -> list[int]:
    """Play a match with keys typed ahead after every answer; returns the options that were chosen."""
    arguments = ["play", game, "--seed", "5", "--level", "random", "--engine", "reference", "--pace", "0"]
    chosen: list[int] = []
    with Terminal([*arguments, "--to", str(to)], data) as table:
        table.wait_for("Press Enter to begin")
        answer = "\r"
        while True:
            drawn = table.frames
            table.press(answer + "".join(chance.choices(JUNK, k=8)))
            while table.frames == drawn or not re.search("Your turn|Enter: ", table.text):
                if not table._read(1.0):
                    assert table.ended() == 0, table.output[-2000:]
                    return chosen
            if "Your turn" in table.text:
                if chance.random() < 0.3:
                    drawn = table.frames
                    table.press("\x1b[C")
                    table.wait_for(lambda _, drawn=drawn: table.frames > drawn)  # type: ignore[misc]
                marked = SELECTED.findall(table.text)
                chosen.append(int(marked[-1]))
            answer = "\r"


@pytest.mark.parametrize(("game", "to"), [("euchre", 5), ("hearts", 40), ("cribbage", 61)])
def test_a_match_with_random_keys_typed_ahead_plays_only_what_was_chosen(
    game: str, to: int, tmp_path: Path
) -> None:
    chosen = typed(game, to, random.Random(game), tmp_path)
    (file,) = (tmp_path / "matches").glob("*.jsonl")
    saved = open_saved(file)
    assert saved.over
    table = saved_table(saved, "reference", playing=False)
    played = []

    def listen(match: Match, line: Record) -> None:
        if line["person"] == 0:
            assert match.state is not None
            observation = match.state.observe(line["seat"], match.around())
            view = make_view(observation, TableNarrator.at(table.game.narrator, observation))
            key = (line["item"], line["picks"], line["copy"])
            (number,) = [
                option.number
                for option in view.options
                if (option.move.item, [dict(pick) for pick in option.move.picks], option.move.copy) == key
            ]
            played.append(number)

    resume(table, saved.lines, before=listen)
    assert len(played) > 10
    assert played == chosen


def test_enter_closes_a_panel_and_plays_nothing(tmp_path: Path) -> None:
    arguments = ["play", "hearts", "--seed", "5", "--level", "random", "--engine", "reference", "--pace", "0"]
    with Terminal(arguments, tmp_path) as table:
        table.wait_for("Press Enter to begin")
        table.play_on("takes the trick.")
        table.pressed("u", "The last trick:")
        assert "Enter goes back to your choices" in table.text
        shown = table.pressed("\r", "q save and quit")
        assert "Your turn: play a card." in shown
        assert "▶ " in shown
        table.press("q")
        assert table.ended() == 0
    lines = [line["do"] for line in open_saved(next((tmp_path / "matches").glob("*.jsonl"))).lines]
    with Terminal(["play", "--resume", "--engine", "reference", "--pace", "0"], tmp_path) as again:
        again.wait_for("Press Enter to begin")
        assert "Your turn: play a card." in again.pressed("\r", "Your turn")
        again.press("q")
        again.ended()
    assert [line["do"] for line in open_saved(next((tmp_path / "matches").glob("*.jsonl"))).lines] == lines


def test_lines_typed_ahead_are_dropped_in_a_terminal(tmp_path: Path) -> None:
    arguments = ["play", "hearts", "--plain", "--seed", "5", "--level", "random", "--engine", "reference"]
    with Terminal(arguments, tmp_path) as table:
        while "> " not in table.output:
            table._read(1.0)
        table.press("1\n2\n3\n1\n")
        while table.output.count("Your turn") < 2:
            table._read(1.0)
        while not table.output.rstrip(" ").endswith(">"):
            table._read(1.0)
        table.press("q\n")
        assert table.ended() == 0
    (file,) = (tmp_path / "matches").glob("*.jsonl")
    mine = [line for line in open_saved(file).lines if line["do"] == "decision" and line["person"] == 0]
    assert len(mine) == 1
