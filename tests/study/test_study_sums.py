"""Random games of which only sums are kept: the same study as of single games, interrupted or not."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests import records
from tests.study.studies import made, small_game

from upcard.engine.loader import load
from upcard.study import plan as study_plan
from upcard.study import study_rows
from upcard.study import study_run as studying
from upcard.study.plan import Plan
from upcard.study.study_record import OtherStudy, path_of
from upcard.study.study_run import Study
from upcard.study.study_summary import Summed

KEPT = 5


@pytest.fixture(autouse=True)
def few_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study_plan, "KEPT", KEPT)


@pytest.mark.parametrize("name", ["euchre", "leduc-holdem", "crazy-eights"])
def test_both_engines_make_the_same_study(name: str) -> None:
    by_machine = made(Plan.of(load(name), 40, 3), workers=2)
    reference_game = made(Plan.of(load(name, engine="reference"), 40, 3))
    assert by_machine.plan.traced_games.engine == "native"
    assert len(by_machine.games["random"]) == KEPT
    assert by_machine.sums.games == 40 - KEPT
    assert by_machine.games == reference_game.games
    assert by_machine.sums == reference_game.sums
    assert Summed(by_machine).to_json() == Summed(reference_game).to_json()
    assert rows(by_machine) == rows(reference_game)


def rows(study: Study) -> list[list[Any]]:
    return [*study_rows.game_rows(study), *study_rows.decision_rows(study)]


def test_how_many_are_kept_makes_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan.of(load("euchre"), 60, 1)
    few = made(plan)
    found, few_games = Summed(few).to_json(), list(study_rows.game_rows(few))
    few_decisions = list(study_rows.decision_rows(few))
    monkeypatch.setattr(study_plan, "KEPT", 100)
    every = made(plan)
    assert (len(every.games["random"]), every.sums.games) == (60, 0)
    expected = Summed(every).to_json()
    assert found["random"].pop("rounds")["games"] == KEPT
    assert expected["random"].pop("rounds")["games"] == 60
    assert found == expected
    assert few_games == list(study_rows.game_rows(every))
    # rounds are told of games that are kept
    decisions = [row[:5] for row in study_rows.decision_rows(every)]
    assert [row[:5] for row in few_decisions] == decisions
    assert len(decisions) == sum(row[3] for row in few_games)


@pytest.mark.parametrize("stop", [1, 2, 7, 30])
def test_interrupted_and_gone_on_with(tmp_path: Path, stop: int) -> None:
    """A piece of five games, then 35 pieces of one."""
    plan, whole, cut = Plan.of(small_game(tmp_path), 40, 7), tmp_path / "whole", tmp_path / "cut"
    before = made(plan, whole)
    study = Study(plan, cut)
    steps = study.play(1)
    for _ in range(stop):
        next(steps)
    steps.close()  # type: ignore[attr-defined]
    assert study.done == KEPT + stop - 1
    again = Study(plan, cut)
    assert again.resumed == KEPT + stop - 1
    assert Summed(again).to_json()["random"]["games"] == KEPT + stop - 1
    after = made(plan, cut)
    assert Summed(after).to_json() == Summed(before).to_json()
    for part in ("random", "sums"):
        assert path_of(cut, part).read_bytes() == path_of(whole, part).read_bytes()


def test_killed_and_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is closed: what was written when it happened is all there is."""
    plan = Plan.of(small_game(tmp_path), 40, 7)
    monkeypatch.setattr(studying, "WRITE_SECONDS", -1.0)
    study = Study(plan, tmp_path / "going")
    steps = study.play(1)
    for _ in range(9):
        next(steps)
    shutil.copytree(tmp_path / "going", tmp_path / "killed")
    steps.close()  # type: ignore[attr-defined]
    again = Study(plan, tmp_path / "killed")
    assert again.resumed == KEPT + 8
    assert made(plan, tmp_path / "killed").sums == made(plan).sums


def test_interrupted_in_the_middle_of_adding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C may come anywhere: the sums are those before."""
    plan, folder = Plan.of(small_game(tmp_path), 40, 7), tmp_path / "study"
    study = Study(plan, folder)
    steps = study.play(1)
    for _ in range(4):
        next(steps)
    before = study.sums

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("upcard.stats.histogram.Histogram.merge", interrupted)
        with pytest.raises(KeyboardInterrupt):
            next(steps)
    assert study.sums is before
    assert Study(plan, folder).sums == before
    assert made(plan, folder).sums == made(plan).sums


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda _: "nonsense\n", "is not the record of a study"),
        (lambda lines: f"{lines[0]}\n{{}}\n", "line 2: ends is missing"),
        (lambda lines: f"{lines[0]}\n{lines[1]}\n{lines[1]}\n", "line 2: this line must be the last"),
        (
            lambda lines: f"{lines[0]}\n{lines[1].replace('[35,', '[36,')}\n",
            "line 2: scores.0. has parts that do not agree",
        ),
        (lambda lines: f"{lines[0].replace(':40', ':41')}\n{lines[1]}\n", "--games was different"),
    ],
)
def test_damaged_sums(tmp_path: Path, change: Any, expected: str) -> None:
    plan, folder = Plan.of(small_game(tmp_path), 40, 7), tmp_path / "study"
    made(plan, folder)
    path = path_of(folder, "sums")
    records.strip_checksums(path)
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text(change(lines), encoding="utf-8")
    with pytest.raises(OtherStudy, match=expected):
        Study(plan, folder)


def test_sums_that_were_not_finished_are_played_again(tmp_path: Path) -> None:
    plan, folder = Plan.of(small_game(tmp_path), 40, 7), tmp_path / "study"
    before = made(plan, folder)
    path = path_of(folder, "sums")
    data = path.read_bytes()
    path.write_bytes(data[:-17])
    study = Study(plan, folder)
    assert study.sums.games == 0
    assert made(plan, folder).sums == before.sums
    assert path.read_bytes() == data


def test_the_record_is_no_longer_for_more_games(tmp_path: Path) -> None:
    sizes = []
    for games in (300, 3000):
        made(Plan.of(load("kuhn-poker"), games), tmp_path / str(games))
        record = json.loads(path_of(tmp_path / str(games), "sums").read_text("utf-8").splitlines()[1])
        sizes.append(sum(len(one) for one in (*record["lengths"], *record["scores"], *record["choices"])))
    assert sizes[0] == sizes[1]


def test_tables_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study = made(Plan.of(load("euchre"), 60, 1))
    told: list[int] = []
    monkeypatch.setattr(study_rows, "AT_ONCE", 25)
    study_rows.write(study, tmp_path, ["games"], told.append)
    assert told == [25, 25, 10]
    assert study_rows.expected(study, ["games"]) == 60
    with (tmp_path / "games.csv").open(encoding="utf-8", newline="") as file:
        written = list(csv.reader(file))
    assert len(written) == 61
    assert [row[1] for row in written[1:]] == [str(deal) for deal in range(60)]
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed here")
    assert parquet.ParquetFile(tmp_path / "games.parquet").num_row_groups == 3
    table = parquet.read_table(tmp_path / "games.parquet")
    assert [list(row.values()) for row in table.to_pylist()] == list(study_rows.game_rows(study))


def test_an_unfinished_table_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study = made(Plan.of(small_game(tmp_path), 20, 7))
    monkeypatch.setattr(study_rows, "AT_ONCE", 8)

    def interrupted(_: int) -> None:
        raise KeyboardInterrupt

    folder = tmp_path / "out"
    folder.mkdir()
    with pytest.raises(KeyboardInterrupt):
        study_rows.write(study, folder, ["games"], interrupted)
    assert list(folder.iterdir()) == []
