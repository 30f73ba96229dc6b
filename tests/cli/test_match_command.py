"""`upcard match`: what it prints, and one sentence for whatever is given wrongly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from upcard.cli.console import Stop
from upcard.cli.main import app


def matched(*given: str) -> str:
    done = CliRunner().invoke(app, ["match", *given])
    if done.exception is not None:
        raise done.exception
    return done.stdout


def refused(*given: str) -> Stop:
    with pytest.raises(Stop) as stopped:
        matched(*given)
    return stopped.value


def test_the_summary_fits_a_small_terminal_and_says_what_happened() -> None:
    text = matched("euchre", "--matches", "30", "--rule", "defend=yes")
    lines = text.splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 23
    for row in (
        "  calls  ",
        "    made  ",
        "    marches  ",
        "    euchred  ",
        "  ordered up  ",
        "  lone hands  ",
    ):
        assert row in text
    assert lines[-3].split() == ["of", lines[-3].split()[1], "hands", "first", "second", "third", "dealer"]


def test_counts_of_zero_have_no_line() -> None:
    text = matched("euchre", "--matches", "3", "--rule", "alone=no")
    assert "lone" not in text
    assert "misdeals" not in text


def test_json_has_every_count() -> None:
    told = json.loads(matched("euchre", "--matches", "20", "--json", "--names", "Ann,Bob,Cleo,Dan"))
    counts = told["counts"]
    assert counts["calls"]["share"] == 1
    assert counts["made"]["all"] + counts["euchred"]["all"] == counts["calls"]["all"]
    assert counts["ordered up"]["all"] + counts["named"]["all"] == counts["calls"]["all"]
    assert sum(counts["lone hands"]["sides"]) == counts["lone hands"]["all"]
    assert counts["misdeals"] == {"all": 0, "of": "deals", "share": 0.0}
    assert told["sides"][0]["names"] == "Ann and Cleo"


def test_a_game_that_counts_nothing_shows_nothing_of_it() -> None:
    assert "of " not in matched("whist", "--to", "1").split("\n", 1)[1]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (
            ["--names", "A,B,A,D"],
            "two seats are called A; give each a name of its own, for example --names South",
        ),
        (
            ["--names", "A,B"],
            "euchre has 4 seats, but --names has 2; for example --names South,West,North,East",
        ),
        (["--names", "A,,C,D"], "--names leaves a seat without a name; for example"),
        (["--dealer", "Bob"], "there is no player called Bob; --dealer is South, West, North, East or drawn"),
        (["--to", "0"], "--to must be at least 1, not 0"),
        (["--matches", "0"], "--matches must be at least 1, not 0"),
        (["--matches", "2", "--record", "x"], "--record writes one match; leave --matches out"),
        (["--players", "nobody"], "there is no player called nobody; the players are"),
        (["--players", "random,random,random"], "euchre takes 1 or 2 or 4 players, not 3"),
        (["--rule", "stick"], "--rule needs NAME=VALUE, not stick"),
        (["--rule", "stick=perhaps"], "stick must be yes or no, not perhaps"),
        (["--rule", "burry=no"], "this game has no house rule burry; did you mean bury?"),
    ],
)
def test_wrong_options_are_one_sentence(given: list[str], sentence: str) -> None:
    stopped = refused("euchre", *given)
    assert stopped.code == 2
    assert sentence in stopped.message


def test_a_game_without_a_rotating_deal_takes_no_dealer(tmp_path: Path) -> None:
    path = tmp_path / "pairs.rcy"
    path.write_text(
        "(game (setup (create players 4) (create teams (0, 1) (2, 3))"
        " (create deck (game iloc STOCK) (deck (RANK (A, B)))))"
        " (choice ((inc ((current player) sto SCORE)) (turn pass)))"
        " (scoring max ((current player) sto SCORE)))"
    )
    assert (
        "the dealer never changes in this game; leave out --dealer"
        in refused(str(path), "--dealer", "drawn").message
    )


def test_a_record_with_an_incomplete_last_line_is_resumed(tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    matched("euchre", "--to", "3", "--record", str(whole), "--dealer", "drawn")
    text = whole.read_text()
    for end in (len(text) // 2, text.index("\n", len(text) // 2)):
        cut.write_text(text[:end])
        matched("euchre", "--to", "3", "--record", str(cut), "--dealer", "drawn")
        assert cut.read_text() == text


@pytest.mark.parametrize(
    ("content", "given", "sentence"),
    [
        (
            "hello\n",
            [],
            "line 1: this is not JSON (expecting value in column 1); "
            "each line of a record must be a JSON object",
        ),
        ('{"do":"deal"}\n', [], "the first line of a match record must name the match; give another file"),
        (None, ["--to", "3"], "give the options it was recorded with, or another file"),
        (None, ["--dealer", "West"], "give the options it was recorded with, or another file"),
        (None, ["--names", "A,B,C,D"], "give the options it was recorded with, or another file"),
        (None, ["--seed", "5"], "has seed 0; give --seed 0, or another file"),
    ],
)
def test_another_kind_of_record_is_one_sentence(
    tmp_path: Path, content: str | None, given: list[str], sentence: str
) -> None:
    path = tmp_path / "match.jsonl"
    if content is None:
        matched("euchre", "--to", "1", "--record", str(path))
        content = path.read_text()
        given = given if "--to" in given else ["--to", "1", *given]
    else:
        path.write_text(content)
    stopped = refused("euchre", *given, "--record", str(path))
    assert stopped.code == 2
    assert str(path) in stopped.message
    assert sentence in stopped.message
    assert path.read_text() == content  # and nothing of it is lost


EVEN = """
(game
 (setup (create players 2) (create deck (game vloc D) (deck (N (A)))))
 (do ((all player 'P (inc ('P sto SCORE) 3))))
 (stage player (end (== (game sto DONE) 1)) (choice ((inc (game sto DONE)))))
 (scoring max ((current player) sto SCORE)))
"""


@pytest.mark.parametrize("over", ["caps", "exact"])
def test_a_tie_at_a_target_that_nobody_gets_past_ends_the_match(over: str, tmp_path: Path) -> None:
    (tmp_path / "rules.rcy").write_text(EVEN, encoding="utf-8")
    target = 5 if over == "caps" else 6
    sheet = f'title = "Even"\n[match]\nto = {target}\nover = "{over}"\nties = "play on"\n'
    (tmp_path / "game.toml").write_text(sheet, encoding="utf-8")
    text = matched(str(tmp_path), "--engine", "reference", "--matches", "2", "--workers", "1")
    assert "games a match  2.0, 2 to 2" in text
    assert "shared       2" in text
    assert "unfinished" not in text
