"""`upcard new` makes a game that runs, and `upcard test` plays its positions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.runner import process
from tests.cli.runner import upcard as run

import upcard
from upcard.library.new_game import FILES, CannotCreate, create_game
from upcard.recycle.formatter import format_source
from upcard.recycle.source import Source


def test_a_new_game_runs_at_once(tmp_path: Path) -> None:
    made = process("new", "high-card", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    assert sorted(path.name for path in (tmp_path / "high-card").iterdir()) == sorted(FILES)
    suggested = [line.split()[1:] for line in made.stdout.splitlines() if line.startswith("  upcard ")]
    assert {words[0] for words in suggested} == {"watch", "simulate", "rules", "test", "check"}
    for words in suggested:
        done = process(*words, cwd=tmp_path)
        assert done.returncode == 0, f"{words}: {done.stderr}"
        assert done.stdout
    assert "no problems" in run("check", "--strict", "high-card", cwd=tmp_path).stdout


def test_it_carries_the_name_everywhere(tmp_path: Path) -> None:
    folder = create_game("high-card-2", tmp_path)
    for file in FILES:
        text = (folder / file).read_text(encoding="utf-8")
        assert "@" not in text
        assert "High Card 2" in text or "high-card-2" in text
    assert upcard.load(folder).narrator.sheet is not None


def test_it_is_laid_out(tmp_path: Path) -> None:
    text = (create_game("high-card", tmp_path) / "rules.rcy").read_text(encoding="utf-8")
    assert format_source(Source("rules.rcy", text)) == text


def test_every_move_of_it_has_words(tmp_path: Path) -> None:
    state = upcard.load(create_game("high-card", tmp_path)).deal(1, 0)
    while state.to_move is not None:
        assert all(move.text.startswith("play ") for move in state.moves)
        state.play(0)
    assert state.outcome is not None
    assert sum(state.outcome.scores or ()) == 3


def test_existing_files_are_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "rules.rcy").write_text("mine", encoding="utf-8")
    done = run("new", "mine", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == "upcard: mine already exists; choose another name, or another place with -o\n"
    assert (tmp_path / "mine" / "rules.rcy").read_text(encoding="utf-8") == "mine"
    assert len(list((tmp_path / "mine").iterdir())) == 1


def test_another_place(tmp_path: Path) -> None:
    (tmp_path / "my games").mkdir()
    done = run("new", "duel", "-o", "my games", cwd=tmp_path)
    assert done.returncode == 0
    assert (tmp_path / "my games" / "duel" / "rules.rcy").is_file()
    assert "upcard watch 'my games/duel'" in done.stdout
    done = run("new", "duel", "-o", "nowhere", cwd=tmp_path)
    assert done.returncode == 2
    assert "there is no folder nowhere" in done.stderr


@pytest.mark.parametrize("name", ["", "Duel", "my duel", "../duel", "duel/", "-duel", "a--b", "dü"])
def test_names_are_plain(tmp_path: Path, name: str) -> None:
    with pytest.raises(CannotCreate, match="lower-case letters, digits and hyphens"):
        create_game(name, tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_library_game_s_name_is_taken(tmp_path: Path) -> None:
    with pytest.raises(CannotCreate, match="euchre is already a game in the library"):
        create_game("euchre", tmp_path)


def test_a_position_that_does_not_hold_is_the_answer_no(tmp_path: Path) -> None:
    folder = create_game("duel", tmp_path)
    path = folder / "positions.toml"
    path.write_text(path.read_text(encoding="utf-8").replace("[2, 1]", "[1, 2]"), encoding="utf-8")
    done = run("test", "duel", cwd=tmp_path)
    assert done.returncode == 1
    assert "  wrong  Each trick is a point" in done.stdout
    assert "Score: South 2; North 1." in done.stdout
    assert done.stdout.endswith("3 positions, 1 wrong\n")
    found = json.loads(run("test", "duel", "--json", cwd=tmp_path).stdout)
    assert [entry["holds"] for entry in found] == [True, True, False]
    assert run("test", "duel", "--engine", "native", cwd=tmp_path).stdout == done.stdout


def test_a_game_without_positions(tmp_path: Path) -> None:
    done = run("test", "euchre", cwd=tmp_path)
    assert done.returncode == 2
    assert (
        done.stderr
        == "upcard: euchre has no positions.toml beside its program; upcard new writes an example\n"
    )
