"""`upcard replay` on the screen of the table: forwards, back, from one seat or with every hand."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from tests.cli.runner import upcard

if sys.platform == "win32":
    pytest.skip("pseudo-terminals are POSIX", allow_module_level=True)

from tests.terminal.terminals import Terminal

RIGHT, LEFT, DOWN, UP, HOME, END = "\x1b[C", "\x1b[D", "\x1b[B", "\x1b[A", "\x1b[H", "\x1b[F"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("recorded")
    reference = ("--engine", "reference", "--seed", "3")
    assert upcard("watch", "euchre", *reference, "--transcript", "hand.jsonl", cwd=path).returncode == 0
    assert (
        upcard("match", "euchre", *reference, "--to", "3", "--record", "match.jsonl", cwd=path).returncode
        == 0
    )
    return path


def test_a_transcript_is_stepped_through(folder: Path) -> None:
    with Terminal(["replay", str(folder / "hand.jsonl")], folder) as table:
        first = table.wait_for("Move 0 of")
        assert "all hands" in first
        assert "10♦" in first, "South's hand"
        assert "J♥" in first, "West's hand"
        second = table.pressed(RIGHT, "Move 1 of")
        assert "South passes." in second
        assert table.pressed(LEFT, "Move 0 of") == first
        table.pressed("s", "as South sees it")
        assert "J♥" not in table.text
        assert table.pressed("s", "as West sees it").count("▒") == 0
        last = table.pressed(END, "Score: ")
        assert table.pressed(RIGHT, "Score: ") == last, "the end is the end"
        assert "Move 0 of" in table.pressed(HOME, "Move 0 of")
        table.pressed("a", "all hands")
        assert max(map(len, table.lines)) <= 80
        table.press("q")
        assert table.ended() == 0


def test_a_match_is_stepped_through_deal_by_deal(folder: Path) -> None:
    with Terminal(["replay", str(folder / "match.jsonl"), "--seat", "west"], folder, 120, 40) as table:
        assert "as West sees it" in table.wait_for("hand 1")
        table.pressed(DOWN, "hand 2")
        table.pressed(RIGHT, "Move 1 of")
        table.pressed(UP, "Move 0 of")
        table.pressed(UP, "hand 1")
        table.press("q")
        assert table.ended() == 0


def test_in_a_pipe_it_is_text_and_json_only_where_it_is_asked_for(folder: Path) -> None:
    told = upcard("watch", "euchre", "--engine", "reference", "--seed", "3").stdout
    assert upcard("replay", "hand.jsonl", cwd=folder).stdout == told
    north = upcard("replay", "hand.jsonl", "--seat", "north", cwd=folder).stdout
    assert "West is dealt 5 cards." in north
    assert "North is dealt 5 cards." not in north
    records = upcard("replay", "hand.jsonl", "--json", cwd=folder).stdout.splitlines()
    assert json.loads(records[0])["do"] == "game"
    match = upcard("replay", "match.jsonl", cwd=folder).stdout
    assert match.count("Score so far:") > 1
    assert "The match is over. Final score: South and North" in match
    refused = upcard("replay", "match.jsonl", "--seat", "nobody", cwd=folder)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "there is no player nobody in this match; choose South, West, North, East" in refused.stderr


def test_watch_takes_players_and_a_pace() -> None:
    simple = upcard("watch", "euchre", "--engine", "reference", "--seed", "3", "--players", "simple,random")
    assert simple.returncode == 0, simple.stderr
    at_random = upcard("watch", "euchre", "--engine", "reference", "--seed", "3")
    assert simple.stdout != at_random.stdout
    paced = upcard(
        *("watch", "euchre", "--engine", "reference", "--seed", "3"),
        *("--players", "simple,random", "--pace", "0.001"),
    )
    assert paced.stdout == simple.stdout
    for words, sentence in (
        (("--players", "simple,simple,simple"), "euchre takes 1 or 2 or 4 players, not 3"),
        (("--pace", "-1"), "--pace is a number of seconds from 0 to 60, not -1"),
        (("--trusted",), "--trusted"),
    ):
        refused = upcard("watch", "euchre", "--engine", "reference", *words)
        assert refused.returncode == 2
        assert sentence in refused.stderr
