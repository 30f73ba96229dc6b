"""`upcard encoding`: the table of a game, as text and as data, and a sentence where there is none."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.runner import upcard

import upcard as api

WITHOUT = """(game
 (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A, K)))))
 (do ((create deck (game vloc PILE) (deck (RANK (Q))))))
 (choice ((turn pass)))
 (scoring max 0))
"""


def test_the_table_says_what_every_byte_means() -> None:
    done = upcard("encoding", "kuhn-poker")
    assert (done.returncode, done.stderr) == (0, "")
    encoding = api.load("kuhn-poker").encoding
    assert done.stdout.startswith(f"Kuhn Poker: observation of {encoding.size} bytes\n")
    for field in encoding.fields:
        last = field.offset + field.size - 1
        span = str(last) if field.size == 1 else f"{field.offset}-{last}"
        assert f"\n  {span:<5}  {field.name}: " in done.stdout
    assert "\n4 actions\n  0  item 1\n" in done.stdout
    assert f"\nInformation state of {encoding.information_state_size} bytes\n" in done.stdout


def test_the_data_are_those_of_python() -> None:
    done = upcard("encoding", "oh-hell", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == api.load("oh-hell").encoding.to_json()


def test_house_rules_change_the_table() -> None:
    changed = json.loads(upcard("encoding", "euchre", "--rule", "stick=no", "--json").stdout)
    assert changed["game"]["overrides"] == {"STICK": "FALSE"}


def test_a_game_without_an_encoding_gets_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "decks.rcy"
    path.write_text(WITHOUT, encoding="utf-8")
    done = upcard("encoding", str(path))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "upcard: decks has no encoding of fixed size, because chance or play decides which cards there are; "
        "use observations\n"
    )
