"""`upcard hint`: what moves are worth, in files and with hands of Euchre."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.cli.runner import Done, upcard
from tests.players.losing_players import lose_histories

import upcard as package
from upcard.engine.native.game import NativeGame

HAND = ("--hand", "JS,JC,AS,KS,9H")
QUICK = ("--player", "pimc:40", "--worlds", "30")

pytestmark = pytest.mark.skipif(
    not isinstance(package.load("euchre"), NativeGame), reason="players that value moves need machine code"
)


def told(*words: str, cwd: Path | None = None) -> dict[str, Any]:
    done = upcard("hint", *words, "--json", cwd=cwd)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def moves(found: dict[str, Any]) -> list[str]:
    return [move["move"] for move in found["moves"]]


# --- a hand of Euchre ------------------------------------------------------------------------------


def test_a_hand_is_valued_call_by_call() -> None:
    found = told("euchre", *HAND, "--up", "TS", "--seat", "2", "--score", "6-7", *QUICK)
    assert set(moves(found)) == {"pass", "order it up", "order it up and go alone"}
    assert moves(found)[0] == found["best"]
    assert found["model"] == "quick:64"
    assert found["seat"] == 1
    assert set(found["hand"]) == {"J♠", "J♣", "A♠", "K♠", "9♥"}
    for move in found["moves"]:
        assert 24 <= move["playouts"] <= 30
        assert move["points_interval"][0] < move["points"] < move["points_interval"][1]
        assert sum(result["share"] for result in move["results"]) == pytest.approx(1)


def test_a_certain_lone_march_is_certain() -> None:
    """It was +2.66 with an error of 0.01: nothing beats these cards, whoever holds the others."""
    found = told("euchre", *HAND, "--up", "TS", "--seat", "dealer", *QUICK)
    alone, together = found["moves"][:2]
    assert (alone["move"], alone["points"], alone["points_interval"]) == (
        "pick it up and go alone",
        4,
        [4, 4],
    )
    assert (together["move"], together["points_interval"]) == ("pick it up", [2, 2])
    assert found["best"] == "pick it up and go alone"
    text = upcard("hint", "euchre", *HAND, "--up", "TS", "--seat", "dealer", *QUICK).stdout
    assert "+4.00 certain" in text
    assert "It takes all five tricks, however the other cards lie." in text


def test_no_name_is_cut_at_80_columns() -> None:
    done = upcard("hint", "euchre", *HAND, "--down", "TD", "--seat", "1", *QUICK, columns=40)
    for suit in ("spades", "hearts", "clubs"):
        whole = " ".join(done.stdout.split())
        assert whole.count(f"make {suit} trump") >= 1
    assert "…" not in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 40


def test_the_text_has_the_score_the_errors_and_a_reason() -> None:
    done = upcard("hint", "euchre", *HAND, "--up", "TS", "--seat", "partner", "--score", "6-7", *QUICK)
    assert done.returncode == 0
    assert "You and East 6, South and North 7" in done.stdout
    assert "upcard 10♠" in done.stdout
    assert done.stdout.count("±") >= 6
    found = told("euchre", *HAND, "--up", "TS", "--seat", "partner", "--score", "6-7", *QUICK)
    assert found["reason"] in done.stdout.replace("\n", " ")
    assert re.search(r"(more than|as good as) (ordering up|passing)", found["reason"])
    assert "95 % interval" in done.stdout.replace("\n", " ")
    assert "points are those by which you beat the other side" in done.stdout.replace("\n", " ").lower()


def test_a_player_without_an_opinion_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ("euchre", *HAND, "--up", "TS", "--seat", "2", *QUICK)
    assert told(*asked)["guessed"] is False
    lose_histories(monkeypatch)
    assert told(*asked)["guessed"] is True
    assert "No deal was found that explains all that was seen" in upcard("hint", *asked).stdout


def test_the_score_decides() -> None:
    """With the five top trumps alone is worth more, unless a point is all that is wanted."""
    top = ("euchre", "--hand", "JD,JH,AD,KD,QD", "--up", "9D", "--seat", "1", *QUICK)
    assert told(*top)["best"] == "order it up and go alone"
    at_nine = {move["move"]: move["win"] for move in told(*top, "--score", "9-2")["moves"]}
    assert at_nine["order it up"] == at_nine["order it up and go alone"] == 1
    assert told(*top, "--to", "5", "--score", "4-0")["best"] == "order it up"


def test_the_second_round_names_suits() -> None:
    found = told("euchre", *HAND, "--down", "TD", "--seat", "1", *QUICK)
    assert set(moves(found)) == {
        "pass",
        *(f"make {suit} trump" for suit in ("spades", "hearts", "clubs")),
        *(f"make {suit} trump, go alone" for suit in ("spades", "hearts", "clubs")),
    }
    stuck = told("euchre", *HAND, "--down", "TD", "--seat", "dealer", *QUICK)
    assert "pass" not in moves(stuck)
    assert "pass" in moves(told("euchre", *HAND, "--down", "TD", "--seat", "4", "--rule", "stick=no", *QUICK))


def test_seats_have_numbers_and_names() -> None:
    asked = ("euchre", *HAND, "--up", "9c", *QUICK)
    for number, name in (("1", "eldest"), ("2", "partner"), ("3", "Third"), ("4", "dealer")):
        found = told(*asked, "--seat", number)
        assert found == told(*asked, "--seat", name)
        assert found["seat"] == int(number) - 1


def test_house_rules_hold() -> None:
    found = told("euchre", *HAND, "--up", "TS", "--seat", "2", "--rule", "alone=no", *QUICK)
    assert set(moves(found)) == {"pass", "order it up"}


def test_the_expert_is_the_default_adviser() -> None:
    found = told("euchre", "--hand", "9S,10S,9H,9D,10C", "--up", "AD", "--seat", "1", "--worlds", "30")
    assert found["by"] == "expert"
    assert found["best"] == "pass"


BAD = {
    ("--hand", "JS,JC,AS,KS", "--up", "TS", "--seat", "2"): "a hand has five cards, not 4",
    ("--hand", "JS,JS,AS,KS,9H", "--up", "TS", "--seat", "2"): "the Jack of Spades is named twice",
    (*HAND, "--up", "KS", "--seat", "2"): "the King of Spades is named twice",
    ("--hand", "JS,JC,AS,KS,8H", "--up", "TS", "--seat", "2"): "8H is not a card",
    ("--hand", "JS,JC,AS,KS,9X", "--up", "TS", "--seat", "2"): "9X is not a card",
    (*HAND, "--up", "", "--seat", "2"): "is not a card",
    (*HAND, "--seat", "2"): "needs one of --up and --down",
    (*HAND, "--up", "TS", "--down", "TS", "--seat", "2"): "needs one of --up and --down",
    ("--up", "TS", "--seat", "2"): "needs --hand",
    (*HAND, "--up", "TS"): "needs --seat",
    (*HAND, "--up", "TS", "--seat", "5"): "--seat must be 1",
    (*HAND, "--up", "TS", "--seat", "2", "--score", "10-3"): "the match to 10 is over at 10-3",
    (*HAND, "--up", "TS", "--seat", "2", "--score", "six"): "--score must be your points and theirs",
    (*HAND, "--up", "TS", "--seat", "2", "--rule", "x=y"): "no house rule",
    (*HAND, "--up", "TS", "--seat", "2", "--player", "nobody"): "there is no player called nobody",
    ("--at", "3"): "--at is for a file",
}


@pytest.mark.parametrize(("words", "sentence"), BAD.items(), ids=lambda case: str(case)[:40])
def test_a_wrong_hand_is_one_sentence(words: tuple[str, ...], sentence: str) -> None:
    refused(upcard("hint", "euchre", *words), sentence)


def refused(done: Done[str], sentence: str, code: int = 2) -> None:
    assert done.returncode == code
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1
    assert not done.stdout


# --- files -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A deal of Euchre, one of a game without partners, and a match whose deal does not begin as usual."""
    place = tmp_path_factory.mktemp("played")
    for command in (
        "watch euchre --seed 4 --transcript deal.jsonl",
        "watch slobberhannes --seed 2 --transcript other.jsonl",
        "match euchre --players simple --seed 3 --to 3 --dealer B --names A,B,C,D --record match.jsonl",
    ):
        assert upcard(*command.split(), cwd=place).returncode == 0
    lines = (place / "match.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    until = [n for n, line in enumerate(lines) if '"do":"decision"' in line][11]
    (place / "begun.jsonl").write_text("".join(lines[:until]), encoding="utf-8")
    (place / "broken.jsonl").write_text("no record\n", encoding="utf-8")
    return place


def decisions(file: Path) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [line for line in lines if line["do"] == "decision"]


@pytest.mark.parametrize("file", ["deal.jsonl", "match.jsonl", "other.jsonl"])
def test_every_decision_of_a_file_has_a_hint(files: Path, file: str) -> None:
    taken = decisions(files / file)
    asked = 0
    for number in range(1, len(taken) + 1, 5):
        line = taken[number - 1]
        found = told(file, "--at", str(number), *QUICK, cwd=files)
        assert found["decision"] == number
        assert found["seat"] == line["seat"]
        assert found["played"]
        if found["moves"]:
            asked += 1
            marked = [move for move in found["moves"] if move["played"]]
            assert [move["move"] for move in marked] == [found["played"]]
            key = json.dumps([line["item"], line["picks"], line["copy"]], separators=(",", ":"))
            assert marked[0]["key"] == key
    assert asked >= 2


def test_without_a_number_it_is_the_last_choice(files: Path) -> None:
    found = told("deal.jsonl", *QUICK, cwd=files)
    taken = decisions(files / "deal.jsonl")
    assert found["decision"] == max(n for n, line in enumerate(taken, 1) if line["alternatives"] > 1)
    assert found == told("deal.jsonl", "--at", str(found["decision"]), *QUICK, cwd=files)


def test_text_marks_what_was_played(files: Path) -> None:
    found = told("match.jsonl", "--at", "1", *QUICK, cwd=files)
    done = upcard("hint", "match.jsonl", "--at", "1", *QUICK, cwd=files)
    assert "decision 1 of" in done.stdout
    assert found["name"] in done.stdout.splitlines()[0]
    assert [line for line in done.stdout.splitlines() if line.endswith("  played")]
    assert f"Played: {found['played']}" in done.stdout.replace("\n", " ")
    narrow = upcard("hint", "match.jsonl", "--at", "1", *QUICK, cwd=files, columns=40)
    assert max(map(len, narrow.stdout.splitlines())) <= 40


def test_an_unfinished_match_has_a_hint_for_the_current_decision(files: Path) -> None:
    found = told("begun.jsonl", "--at", "12", *QUICK, cwd=files)
    assert found["played"] is None
    whole = told("match.jsonl", "--at", "12", *QUICK, cwd=files)
    assert moves(found) == moves(whole)
    done = upcard("hint", "begun.jsonl", "--at", "12", *QUICK, cwd=files)
    assert "the decision to be taken now" in done.stdout
    assert "Played" not in done.stdout


def test_a_match_with_its_own_first_dealer_replays(files: Path) -> None:
    done = upcard("replay", "match.jsonl", "--check", cwd=files)
    assert done.returncode == 0, done.stderr
    assert "lines are correct" in done.stdout


def test_values_do_not_depend_on_the_player_that_is_asked(files: Path) -> None:
    """The player only chooses among moves that are about as good."""
    asked = ("match.jsonl", "--at", "1", "--worlds", "30")
    simple, random = (told(*asked, "--player", name, cwd=files) for name in ("simple", "random"))
    values = [{move["move"]: move["points"] for move in found["moves"]} for found in (simple, random)]
    assert values[0] == values[1]


def test_without_machine_code_a_player_still_names_a_move(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UPCARD_BACKEND", "reference")
    done = upcard("hint", "match.jsonl", "--at", "1", "--player", "simple", cwd=files)
    assert "The simple player would" in done.stdout
    assert "Values need machine code." in done.stdout


def test_a_wrong_file_is_one_sentence(files: Path) -> None:
    refused(upcard("hint", "deal.jsonl", "--at", "99", cwd=files), "deal.jsonl has decisions 1 to")
    refused(upcard("hint", "deal.jsonl", "--at", "0", cwd=files), "--at counts decisions from 1")
    refused(upcard("hint", "deal.jsonl", *HAND, cwd=files), "--hand is for a hand of Euchre")
    refused(upcard("hint", "deal.jsonl", "--rule", "stick=no", cwd=files), "--rule is for a hand of Euchre")
    refused(upcard("hint", "missing.jsonl", cwd=files), "no such file")
    refused(upcard("hint", "hearts", cwd=files), "upcard watch hearts --transcript")
    refused(upcard("hint", "broken.jsonl", cwd=files), "line 1: this is not JSON", code=1)
