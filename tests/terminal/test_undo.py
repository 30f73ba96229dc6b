"""Taking the last decision back: the game goes on from there, and the record says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.runner import upcard

from upcard.terminal.saves import open_saved

QUICK = ("--plain", "--level", "random", "--engine", "reference", "--seed", "3")


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("UPCARD_DATA", str(tmp_path))
    return tmp_path / "matches"


def the_file(data: Path) -> Path:
    (file,) = data.glob("*.jsonl")
    return file


def test_a_decision_is_taken_back_and_another_made(data: Path) -> None:
    done = upcard("play", "hearts", "--to", "20", *QUICK, given="1\n2\n1\nz\n3\nq\n")
    assert done.returncode == 0, done.stderr
    assert "Taken back. This match no longer counts in your statistics." in done.stdout
    saved = open_saved(the_file(data))
    mine = [line for line in saved.lines if line["do"] == "decision" and line["person"] == 0]
    assert saved.undone
    assert len(mine) == 3
    written = [json.loads(line)["do"] for line in the_file(data).read_text().splitlines()]
    assert written.count("undo") == 1
    kept = [line["do"] for line in saved.lines]
    assert written.count("decision") > kept.count("decision"), "the file keeps what was taken back"
    plain = upcard("play", "--resume", "--plain", "--engine", "reference", given="1\n" * 200)
    assert plain.returncode == 0, plain.stderr
    assert "Final score" in plain.stdout
    assert upcard("replay", str(the_file(data)), "--check").returncode == 0
    found = json.loads(upcard("stats", "--json").stdout)
    assert found["statistics"] == []
    assert found["matches"][0]["undone"]
    assert "with a decision taken back" in upcard("stats").stdout


def test_several_decisions_are_taken_back_one_by_one(data: Path) -> None:
    done = upcard("play", "hearts", *QUICK, given="1\n2\nz\nz\nz\nq\n")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("Taken back.") == 2
    assert "There is no decision of yours in this deal that you could take back." in done.stdout
    assert [line["do"] for line in open_saved(the_file(data)).lines] == ["match", "deal"]


def test_a_wrong_undo_line_is_named(data: Path) -> None:
    upcard("play", "hearts", *QUICK, given="1\nq\n")
    lines = [json.loads(line) for line in the_file(data).read_text().splitlines()]
    for line in lines:
        line.pop("crc")
    lines.append({"do": "undo", "lines": 99})
    the_file(data).write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = upcard("replay", str(the_file(data)), "--check")
    assert done.returncode == 1
    assert f"line {len(lines)}: lines must be a number from 1 to" in done.stderr
