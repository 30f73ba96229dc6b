"""`upcard study` and `upcard compare` as a person meets them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.study.studies import GAME
from typer.testing import CliRunner

from upcard.cli.console import Stop
from upcard.cli.main import app
from upcard.parallel.pool import in_order
from upcard.study import study_run as studying


def run(*arguments: str) -> tuple[int, str, str]:
    """Exit code, what was printed, and the sentence that it ended with."""
    done = CliRunner().invoke(app, list(arguments))
    if isinstance(done.exception, Stop):
        return done.exception.code, done.stdout, done.exception.message
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.stdout, ""


@pytest.fixture
def game(tmp_path: Path) -> str:
    path = tmp_path / "rounds.rcy"
    path.write_text(GAME, encoding="utf-8")
    return str(path)


def study(game: str, *arguments: str) -> tuple[int, str, str]:
    return run("study", game, "--engine", "reference", "--workers", "1", "--no-figures", *arguments)


def test_a_page_the_tables_and_the_same_as_json(game: str, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    code, text, _ = study(game, "--games", "30", "-o", str(folder), "--decisions")
    assert code == 0
    assert "30 games of random players" in text
    assert "decisions a game      7.00 ± 0.00, 7 to 7" in text
    assert "convergence   0.643 (0.643 to 0.643)" in text
    assert "need --players" in text
    names = {path.name for path in folder.iterdir()} - {"games.parquet", "decisions.parquet"}
    assert names == {"record", "games.csv", "decisions.csv", "summary.json"}
    code, again, _ = study(game, "--games", "30", "-o", str(folder), "--json")
    found = json.loads(again)
    assert found == json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    assert found["random"]["seats"][1]["score"]["mean"] == 5
    assert found["complete"] is True
    code, text, _ = study(game, "--games", "30", "-o", str(folder))
    assert "30 games, 30 of them from the record" in text


def test_a_player_without_estimates(game: str) -> None:
    code, text, _ = study(game, "--games", "5", "--players", "random", "--search-games", "2")
    assert code == 0
    assert "random gives no estimates" in " ".join(text.split())
    assert "order" in text


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--games", "0"), "--games must be at least 1, not 0"),
        (("--workers", "0"), "--workers must be at least 1, not 0"),
        (("--search-games", "5"), "--search-games needs a searching player; name one with --players"),
        (("--players", "random", "--search-games", "0"), "--search-games must be at least 1, not 0"),
        (("--players", "a,b,c"), "there is no player called a; the players are"),
        (("--players", "random,random,random"), "a study takes at most two players, one that searches"),
        (("--decisions",), "--decisions writes a table; give its folder with -o"),
        (("--decisions", "--no-rows", "-o", "x"), "--decisions and --no-rows contradict each other; "),
        (("--rule", "x"), "--rule needs NAME=VALUE, not x"),
    ],
)
def test_misuse(game: str, arguments: tuple[str, ...], expected: str) -> None:
    code, text, sentence = study(game, *arguments)
    assert code == 2
    assert text == ""
    assert sentence.startswith(expected)


def test_a_file_in_the_way(game: str) -> None:
    assert study(game, "-o", game) == (2, "", f"{game} is a file; give -o a folder")


def test_another_study_in_the_folder(game: str, tmp_path: Path) -> None:
    assert study(game, "--games", "3", "-o", str(tmp_path / "out"))[0] == 0
    code, _, sentence = study(game, "--games", "4", "-o", str(tmp_path / "out"))
    assert code == 2
    assert "contains another study: --games was different (3)" in sentence


def test_a_game_that_fails(tmp_path: Path) -> None:
    path = tmp_path / "failing.rcy"
    wrong = "(choice ((inc (game sto SAID) (// 1 (game sto SAID)))))"
    path.write_text(GAME.replace("(choice ((inc (game sto SAID) 1) (inc (game sto SAID) 2)))", wrong))
    code, _, sentence = study(str(path), "--games", "3")
    assert (code, sentence) == (1, "3 of 3 games failed; upcard simulate says where")


def test_ctrl_c_keeps_what_is_there(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interrupted after two pieces of twenty games, and gone on with: as if nothing had been."""
    common = (game, "--games", "90", "--seed", "3", "-o")
    cut, whole = tmp_path / "cut", tmp_path / "whole"

    def interrupted(*given: Any) -> Iterator[Any]:
        for number, piece in enumerate(in_order(*given)):
            if number == 2:
                raise KeyboardInterrupt
            yield piece

    with monkeypatch.context() as patched:
        patched.setattr(studying, "in_order", interrupted)
        code, text, sentence = study(*common, str(cut))
    assert code == 130
    told = "interrupted after 40 of 90 games; the figures cover what was played; "
    assert sentence == f"{told}{cut} keeps them, and the same command resumes"
    assert "40 games of random players" in text
    assert json.loads((cut / "summary.json").read_text(encoding="utf-8"))["complete"] is False
    assert len((cut / "games.csv").read_text(encoding="utf-8").splitlines()) == 41
    for folder in (cut, whole):
        assert study(*common, str(folder))[0] == 0
    for name in ("summary.json", "games.csv", "record/random.jsonl"):
        assert (cut / name).read_bytes() == (whole / name).read_bytes()


def test_no_rows_writes_no_tables(game: str, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    code, text, _ = study(game, "--games", "3", "--no-rows", "-o", str(folder))
    assert code == 0
    assert f"written to {folder}: summary.json" in text
    assert {path.name for path in folder.iterdir()} == {"record", "summary.json"}


def test_ctrl_c_waits_for_no_large_tables(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interrupted while games are played, and then while tables are written."""
    folder = tmp_path / "out"
    common = (game, "--games", "30", "-o", str(folder))
    monkeypatch.setattr("upcard.cli.study_files.QUICK_TABLES", 15)

    def interrupted(*given: Any) -> Iterator[Any]:
        yield next(in_order(*given))
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(studying, "in_order", interrupted)
        code, text, sentence = study(*common)
    assert code == 130
    assert sentence.startswith("interrupted after 20 of 30 games")
    assert "tables are not written of so many games before all are played" in text
    assert {path.name for path in folder.iterdir()} == {"record", "summary.json"}

    def stopped(*_: object) -> Any:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("upcard.study.study_rows.Table.add", stopped)
        code, _, sentence = study(*common)
    assert code == 130
    told = f"interrupted while tables were written; {folder} keeps the games, and the same command resumes"
    assert sentence == told
    assert {path.name for path in folder.iterdir()} == {"record", "summary.json"}
    assert study(*common)[0] == 0
    assert (folder / "games.csv").exists()


def compare(*arguments: str) -> tuple[int, str, str]:
    return run("compare", *arguments, "--engine", "reference", "--workers", "1", "--no-figures")


def test_variants_side_by_side(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    variants = ("--rule", "players=two", "--rule", "players=three,ties=waits")
    code, text, _ = compare("goofspiel", *variants, "--games", "2", "-o", str(folder))
    assert code == 0
    heads, *rows = [line.split() for line in text.splitlines()]
    assert heads == ["players=two", "players=three", "ties=waits"]
    assert rows[0] == ["games", "2", "2"]
    assert rows[1] == ["decisions", "a", "game", "26.00", "39.00"]
    found = json.loads((folder / "compared.json").read_text(encoding="utf-8"))
    assert list(found) == ["players=two", "players=three ties=waits"]
    assert (folder / "goofspiel-players=two" / "games.csv").exists()


def test_several_games_as_json() -> None:
    code, text, _ = compare("kuhn-poker", "goofspiel", "--games", "2", "--json")
    assert code == 0
    found = json.loads(text)
    assert {name: one["random"]["games"] for name, one in found.items()} == {"kuhn-poker": 2, "goofspiel": 2}


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("euchre",), "compare needs two variants: give two games, or --rule or --set twice"),
        (("euchre", "--rule", "stick=no"), "compare needs two variants"),
        (("euchre", "euchre"), "euchre is given twice; leave one out"),
        (("euchre", "--rule", "stick", "--rule", "x=1"), "--rule needs NAME=VALUE, not stick"),
        (("euchre", "nonsuch"), "there is no"),
        (("euchre", "--rule", "stick=no", "--rule", "stick=perhaps"), "stick"),
    ],
)
def test_comparing_misuse(arguments: tuple[str, ...], expected: str) -> None:
    code, text, sentence = compare(*arguments)
    assert code == 2
    assert text == ""
    assert expected in sentence
