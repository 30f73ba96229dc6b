"""Keys typed ahead play nothing: a move needs a key pressed while its question is on the screen."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("pseudo-terminals are POSIX", allow_module_level=True)

from tests.terminal.terminals import Terminal
from tests.terminal.type_ahead import Typed, type_ahead

from upcard.terminal.saves import open_saved


@pytest.mark.parametrize(("game", "to"), [("euchre", 5), ("hearts", 40), ("cribbage", 61)])
def test_a_match_with_random_keys_typed_ahead_plays_only_what_was_chosen(
    game: str, to: int, tmp_path: Path
) -> None:
    typed = type_ahead(game, to, 5, tmp_path)
    assert len(typed.played) > 10
    assert typed.played == typed.chosen, typed.sentence


def test_a_move_that_nobody_chose_is_noticed() -> None:
    assert Typed([1, 2], [1, 2], 1).is_right
    assert not Typed([1, 2], [1, 3], 1).is_right
    assert not Typed([1, 2], [1, 2, 2], 1).is_right
    assert not Typed([], [], 1).is_right
    assert "decision 1 is the first that differs" in Typed([1, 2], [1, 3], 1).sentence


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
