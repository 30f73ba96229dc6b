"""`upcard games` and `upcard rules` as a person meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.runner import process, upcard

from upcard.cli.commands.games import _without_title
from upcard.cli.text_layout import shorten
from upcard.library import names
from upcard.library.catalogue import Entry
from upcard.library.new_game import create_game


def test_every_game_has_a_line_in_the_list() -> None:
    done = process("games")
    assert done.returncode == 0
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    listed = [line.split()[0] for line in lines if line.startswith("  ")]
    assert sorted(listed) == names()
    assert max(map(len, lines)) <= 80
    (euchre,) = [line for line in lines if line.startswith("  euchre ")]
    assert euchre.split()[1] == "4"
    assert "two jacks that beat everything" in euchre
    assert "Trick taking" in lines


def test_the_list_as_json() -> None:
    listed = json.loads(upcard("games", "--json").stdout)
    assert sorted(entry["name"] for entry in listed) == names()
    (whist,) = [entry for entry in listed if entry["name"] == "whist"]
    assert whist["players"] == 4
    assert whist["players_offered"] == [4]
    assert whist["family"] == "trick taking"
    assert whist["line"]


@pytest.mark.parametrize("columns", [40, 80, 300])
def test_rules_keep_to_the_width(columns: int) -> None:
    done = upcard("rules", "euchre", columns=columns)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert all(
        len(line) <= min(columns, 100) or line.startswith("    upcard ") or "https://" in line
        for line in lines
    )
    assert "\x1b" not in done.stdout, "a pipe gets plain text"
    text = " ".join(done.stdout.split())
    assert "The jack of trump, the right bower, is the highest card." in text
    assert "stick Stick the dealer: in the second round the dealer may not pass yes (usual), no" in text
    assert "until a side has 10 points or more; the side with the most points then wins" in text
    assert "4 players in partnerships" in text
    assert "Five Hundred, Whist, Écarté In the library: upcard rules whist" in text
    assert "John McLeod's pages of card game rules" in text


def test_rules_as_json() -> None:
    about = json.loads(upcard("rules", "euchre", "--json").stdout)
    assert about["title"] == "Euchre"
    assert about["players"] == 4
    assert about["seats"] == ["South", "West", "North", "East"]
    assert about["house_rules"][0]["name"] == "stick"
    assert about["house_rules"][0]["choices"] == ["yes", "no"]
    assert about["house_rules"][0]["default"] == "yes"
    assert about["match"]["to"] == 10
    assert about["match"]["best"] == "highest"
    assert about["related_in_library"] == ["whist"]


@pytest.mark.parametrize("name", names())
def test_the_rules_of_every_game_can_be_read(name: str) -> None:
    done = upcard("rules", name)
    assert done.returncode == 0, done.stderr
    for part in ("How it is played", "The match", "Sources"):
        assert part in done.stdout


def test_the_rules_of_a_game_outside_the_library(tmp_path: Path) -> None:
    folder = create_game("skirmish", tmp_path)
    by_folder = upcard("rules", str(folder))
    assert by_folder.returncode == 0
    assert by_folder.stdout.startswith("Skirmish\n  Trick taking; 2 players\n")
    assert upcard("rules", str(folder / "rules.rcy")).stdout == by_folder.stdout


def test_lists_inside_rules_keep_their_lines(tmp_path: Path) -> None:
    folder = create_game("skirmish", tmp_path)
    sheet = folder / "game.toml"
    text = sheet.read_text(encoding="utf-8")
    table = "A trick scores\n  2   for a pair\n"
    table += "  10  for a run that goes on and on until the line is too long for it\n\nEnd."
    sheet.write_text(text.replace("When all cards are played,", table + " Then"), encoding="utf-8")
    shown = upcard("rules", str(folder), columns=50).stdout
    assert "\n  A trick scores\n    2   for a pair\n    10  for a run" in shown
    assert "until the\n        line is too long for it\n\n  End. Then" in shown


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["rules", "eucher"], 2, "did you mean euchre?"),
        (["rules", "no-such-game-at-all"], 2, "there is no game or file called no-such-game-at-all"),
    ],
)
def test_misuse_is_one_sentence(arguments: list[str], code: int, says: str) -> None:
    done = upcard(*arguments)
    assert done.returncode == code
    assert says in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_program_without_a_sheet_has_no_rules_in_words(tmp_path: Path) -> None:
    folder = create_game("skirmish", tmp_path)
    (folder / "game.toml").unlink()
    done = upcard("rules", str(folder))
    assert done.returncode == 1
    assert "has no game.toml" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_wrong_program_is_shown_with_its_line(tmp_path: Path) -> None:
    folder = create_game("skirmish", tmp_path)
    rules = folder / "rules.rcy"
    rules.write_text(rules.read_text(encoding="utf-8").replace("(shuffle", "(shufle"), encoding="utf-8")
    done = upcard("rules", str(folder))
    assert done.returncode == 1
    assert "shufle" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_ascii_terminal_gets_ascii_rules() -> None:
    done = process("rules", "euchre", encoding="ascii")
    assert done.returncode == 0, done.stderr
    assert "Ecarte" in done.stdout


def test_a_long_line_is_cut_at_a_colon_or_a_word() -> None:
    assert shorten("Short and good", 20) == "Short and good"
    assert shorten("A game of taking nothing: every heart costs a point", 30) == "A game of taking nothing"
    assert (
        shorten("A game of taking nothing and of much else besides", 30) == "A game of taking nothing and …"
    )
    assert shorten("A: colon that comes far too early in the line", 30) == "A: colon that comes far too …"


def test_the_list_does_not_name_a_game_twice() -> None:
    def alone(title: str, line: str) -> str:
        return _without_title(Entry("x", title, "", 2, (2,), line))

    assert alone("Rummy", "Rummy is the mother of a family.") == "The mother of a family"
    assert alone("Pitch", "Pitch, or Setback, is a child of All Fours.") == "A child of All Fours"
    assert alone("Kuhn Poker", "Kuhn poker is the smallest game.") == "The smallest game"
    assert alone("Golf", "In Golf low scores win.") == "In Golf low scores win"
    assert alone("Snap", "Snap, snap: it is loud.") == "Snap, snap: it is loud"
