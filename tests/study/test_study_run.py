"""Studies of a game worked out by hand: the same for any number of workers, and gone on with."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from tests.simulate.test_random_games import FAILS, LONG
from tests.simulate.test_random_games import load as program
from tests.study.studies import CHOICES, LEADS, ROUNDS, SAYER, SEATS, made, small_game

from upcard.engine.loader import load
from upcard.simulate.random_games import reference_game
from upcard.study import study_rows
from upcard.study.game_log import Watched, random_games, rounds_in
from upcard.study.plan import BadStudy, Plan
from upcard.study.study_record import OtherStudy, path_of
from upcard.study.study_run import Study
from upcard.study.study_summary import Summed


def plan(folder: Path, games: int = 45, searching: int = 3) -> Plan:
    return Plan.of(small_game(folder), games, 7, [SAYER], searching)


def comparable(study: Study) -> tuple[Any, ...]:
    assert study.skill is not None
    skill = [(game.index, game.points, game.shares) for game in study.skill.results.games]
    return study.games, skill, Summed(study).to_json()


def test_random_games_by_hand(tmp_path: Path) -> None:
    games = list(random_games(small_game(tmp_path), 7, 0, 3))
    assert games == [Watched(deal, "finished", (0, 5), SEATS, CHOICES, ROUNDS) for deal in range(3)]


@pytest.mark.parametrize("name", ["euchre", "oh-hell", "goofspiel", "crazy-eights"])
def test_both_engines_tell_the_same_rounds(name: str) -> None:
    games = list(random_games(load(name), 3, 2, 8))
    assert games == list(random_games(load(name, engine="reference"), 3, 2, 8))
    assert any(game.rounds for game in games) == (name != "crazy-eights")


@pytest.mark.parametrize("text", [FAILS, LONG])
def test_both_engines_report_failing_and_endless_games_alike(text: str) -> None:
    game = program(text)
    games = list(random_games(game, 5, 0, 40 if text == FAILS else 3))
    assert games == list(random_games(reference_game(game), 5, 0, len(games)))
    assert {one.ending for one in games} == ({"failed", "finished"} if text == FAILS else {"cut_off"})


def test_games_of_a_searching_player_by_hand(tmp_path: Path) -> None:
    study = made(plan(tmp_path))
    first = study.games["searching"][0]
    assert (first.seats, first.choices) == (SEATS, CHOICES)
    assert first.spreads == pytest.approx([0.1, 0.2, 0.2, 0.1, 0.1, 0.0, 0.0])
    assert [lead and lead[0] for lead in first.leads] == pytest.approx(LEADS)
    alone = study.games["order"][0]
    assert [lead is not None for lead in alone.leads] == [seat == 0 for seat in SEATS]


def test_some_parts_are_played_and_the_rest_later(tmp_path: Path) -> None:
    study = Study(plan(tmp_path))
    assert sum(study.play(1, ["random", "order"])) == 45 + 3
    assert [study.played(part) for part in study.plan.parts] == [45, 0, 3]
    assert study.skill is not None
    assert not study.skill.results.games
    for _ in study.play(1):
        pass
    assert study.over
    assert comparable(study) == comparable(made(plan(tmp_path)))


def test_every_figure_by_hand(tmp_path: Path) -> None:
    found = Summed(made(plan(tmp_path))).to_json()
    value = {name: one["mean"] for name, one in found["profile"].items()}
    assert value["fairness"] == 0  # seat 1 always wins
    # 2 3 3 2 2 1 1: the slope is (12 * 48 - 6 * 8 * 14) / (7 * 48), 48 and 14 being the sums
    assert value["convergence"] == pytest.approx((1 + 96 / 336) / 2)
    assert value["order"] == -1
    assert value["spread"] == pytest.approx(0.7 / 7)
    # the winner, seat 1, is behind where seat 0 is above one half: at 0.6 and 0.9
    assert value["drama"] == pytest.approx((0.1**0.5 + 0.4**0.5) / 2)
    assert value["security"] == pytest.approx(5 / 7)
    # its own thoughts 0.9, 0.1, 1.0: sure at the first of three
    assert value["decisiveness"] == 0
    assert value["forced"] == pytest.approx(2 / 7)
    assert value["ties"] == 0
    # whoever sits there, seat 1 has 5 and seat 0 nothing: there is no variance to explain
    assert "skill" not in value
    assert found["skill"]["variance"] is None
    assert found["random"]["length"]["mean"] == 7
    assert found["random"]["length"]["quartiles"] == [7, 7, 7]
    assert found["random"]["rounds"] == {"games": 45, "leader": [3, 2, 1], "followers": [3, 2, 1]}
    assert [seat["score"]["mean"] for seat in found["random"]["seats"]] == [0, 5]
    trend = found["searching"]["trend"]
    assert (trend[0][0], trend[0][100], trend[1][0], trend[1][100]) == (0.5, 1, 0.5, 0)
    assert "in every round all players have as many choices as the player who decides first" in found["notes"]


def record(text: str) -> list[dict[str, Any]]:
    """( and ) for stages, a digit for a decision of that seat."""
    made: list[dict[str, Any]] = []
    for letter in text:
        if letter in "()":
            made.append({"do": "stage", "what": "enter" if letter == "(" else "leave"})
        else:
            made.append({"do": "decision", "seat": int(letter)})
    return made


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0", (0,)),
        ("(01)", (0, 0)),
        ("((01)(10))", (1, 1, 2, 2)),
        ("0(1((01)))", (0, 0, 1, 1)),
        # bids in an inner stage of their own, one seat each, are no rounds
        ("((0)(1))((01)(10))", (0, 0, 1, 1, 2, 2)),
        # back from a stage inside a round, the round goes on
        ("((0(01)1))", (1, 2, 2, 1)),
        # a decision after an inner stage is in no round
        ("((01)0(10)1)", (1, 1, 0, 2, 2, 0)),
    ],
)
def test_rounds_in_a_record(text: str, expected: tuple[int, ...]) -> None:
    assert rounds_in(record(text)) == expected


def test_rounds_of_a_trick_game_are_as_published() -> None:
    """Agram, four players: the leader has 6, 5, .. 1 choices; followers' means were published, of 100 games.

    A mean of three followers in a hundred games has an error of about 0.09 here and there.
    """
    study = made(Plan.of(load("agram", rules={"players": "4"}), 100, 1))
    rounds = Summed(study).rounds
    assert rounds is not None
    assert rounds.leader == [6, 5, 4, 3, 2, 1]
    assert rounds.followers == pytest.approx([2.47, 2.49, 2.38, 2.11, 1.67, 1], abs=0.3)


def test_workers_make_no_difference(tmp_path: Path) -> None:
    one, two = made(plan(tmp_path)), made(plan(tmp_path), workers=2)
    assert comparable(one) == comparable(two)


@pytest.mark.parametrize("stop", [1, 3, 4, 8])
def test_interrupted_and_gone_on_with(tmp_path: Path, stop: int) -> None:
    """45 random games come in three pieces, then 3 and 3 games, then the arena's 6."""
    given, whole, cut = plan(tmp_path), tmp_path / "whole", tmp_path / "cut"
    before = made(given, whole)
    study = Study(given, cut)
    steps = study.play(1)
    for _ in range(stop):
        next(steps)
    steps.close()  # type: ignore[attr-defined]
    assert not study.over
    after = made(given, cut)
    assert comparable(after) == comparable(before)
    for part in ("random", "searching", "order"):
        assert path_of(cut, part).read_bytes() == path_of(whole, part).read_bytes()


def test_a_line_that_was_not_finished_is_played_again(tmp_path: Path) -> None:
    given = plan(tmp_path)
    before = made(given, tmp_path / "study")
    path = path_of(tmp_path / "study", "random")
    data = path.read_bytes()
    path.write_bytes(data[:-17])
    study = Study(given, tmp_path / "study")
    assert len(study.games["random"]) == 44
    for _ in study.play(1):
        pass
    assert comparable(study) == comparable(before)
    assert path.read_bytes() == data


def test_another_study_is_not_gone_on_with(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    made(plan(tmp_path), folder)
    with pytest.raises(
        OtherStudy, match=r"contains another study: --games was different \(45\); use the same"
    ):
        Study(plan(tmp_path, games=50), folder)
    nobody = Plan.of(small_game(tmp_path), 45, 7)
    with pytest.raises(OtherStudy, match=r"--players was different \(sayer,random\)"):
        Study(nobody, folder)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nonsense\n", "is not the record of a study"),
        ('{"do":"arena"}\n', "is not the record of a study"),
        ("HEADER\n{}\n", "line 2: deal is missing; it must be a whole number"),
        ('HEADER\n{"deal":1}\n', "line 2: ending is missing"),
        ("HEADER\n[\n", "line 2: this is not JSON"),
        (
            'HEADER\n{"deal":1,"ending":"finished","scores":[1,2],"seats":[0],"choices":[1]}\n',
            "line 2: deal must be 0 in this line",
        ),
        (
            'HEADER\n{"deal":0,"ending":[],"scores":[1,2],"seats":[0],"choices":[1]}\n',
            "line 2: ending must be .*, not a list",
        ),
        (
            'HEADER\n{"deal":0,"ending":"finished","scores":null,"seats":[0],"choices":[1]}\n',
            "line 2: scores must be null for a game that failed",
        ),
        (
            'HEADER\n{"deal":0,"ending":"finished","scores":[1,2],"seats":[0],"choices":[1],"spreads":["x"]}\n',
            r"line 2: spreads\[0\] must be a number, not",
        ),
        (
            'HEADER\n{"deal":0,"ending":"finished","scores":[1,2,3],"seats":[0],"choices":[1]}\n',
            "line 2: scores must be a list of 2, one for each seat",
        ),
        (
            'HEADER\n{"deal":0,"ending":"finished","scores":[1,2],"seats":[0],"choices":[1,2]}\n',
            "line 2: choices must be a list of 1, one for each decision",
        ),
    ],
)
def test_damaged_records(tmp_path: Path, text: str, expected: str) -> None:
    given = plan(tmp_path)
    path = path_of(tmp_path / "study", "random")
    path.parent.mkdir(parents=True)
    path.write_text(text.replace("HEADER", json.dumps(given.header("random"))), encoding="utf-8")
    with pytest.raises(OtherStudy, match=expected):
        Study(given, tmp_path / "study")


def test_too_many_players(tmp_path: Path) -> None:
    with pytest.raises(BadStudy, match="not 3; upcard arena compares any number"):
        Plan.of(small_game(tmp_path), 1, 0, [SAYER] * 3, 1)


def test_rows(tmp_path: Path) -> None:
    study = made(plan(tmp_path))
    study_rows.write(study, tmp_path, ("games", "decisions"))
    with (tmp_path / "games.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["part"] for row in rows] == ["random"] * 45 + ["searching"] * 3 + ["order"] * 3
    assert rows[0] | {"spread": "", "drama": ""} == rows[0]
    assert (rows[0]["decisions"], rows[0]["mean_choices"], rows[0]["forced"]) == ("7", "2.0", "2")
    assert [rows[0][name] for name in ("score_0", "score_1", "rank_0", "rank_1")] == ["0", "5", "1", "0"]
    assert (rows[45]["spread"], rows[45]["security"]) == ("0.1", "0.714286")
    with (tmp_path / "decisions.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == 7 * 51
    assert [line["round"] for line in lines[:7]] == ["", "0", "0", "1", "1", "2", "2"]
    assert [line["leads"] for line in lines[:7]] == ["", "1", "0", "1", "0", "1", "0"]
    assert (lines[7 * 45]["lead_0"], lines[7 * 45]["lead_1"]) == ("0.5", "0.5")


def test_rows_as_parquet_are_the_same(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed here")
    study = made(plan(tmp_path))
    study_rows.write(study, tmp_path, ("games", "decisions"))
    for name, rows in (("games", study_rows.game_rows), ("decisions", study_rows.decision_rows)):
        table = parquet.read_table(tmp_path / f"{name}.parquet")
        assert [list(row.values()) for row in table.to_pylist()] == list(rows(study))
