"""`upcard stats`: the matches of a person, and statistics over them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.runner import upcard

QUICK = ("--plain", "--level", "random", "--engine", "reference")


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("UPCARD_DATA", str(tmp_path))
    return tmp_path / "matches"


def test_without_a_match_it_says_so(data: Path) -> None:
    done = upcard("stats")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"There is no match in {data}.\n"
    assert upcard("stats", "euchre").stdout == f"There is no match of euchre in {data}.\n"


def test_finished_matches_are_counted_and_all_are_listed(data: Path) -> None:
    for seed in ("1", "2", "3"):
        played = upcard("play", "kuhn-poker", "--seed", seed, "--to", "3", *QUICK, given="1\n" * 300)
        assert played.returncode == 0, played.stderr
    assert upcard("play", "euchre", "--seed", "1", *QUICK, given="1\nq\n").returncode == 0
    (data / "broken.jsonl").write_text("no record\n")
    found = json.loads(upcard("stats", "--json").stdout)
    assert len(found["matches"]) == 4
    (kuhn,) = found["statistics"]
    assert (kuhn["game"], kuhn["level"], kuhn["matches"]) == ("kuhn-poker", "random", 3)
    finished = [match for match in found["matches"] if match["over"]]
    assert kuhn["won"] == sum(match["yours"] > max(match["others"]) for match in finished)
    assert kuhn["deals"] == sum(match["deals"] for match in finished)
    assert kuhn["points"] == pytest.approx(sum(match["yours"] for match in finished) / kuhn["deals"])
    (euchre,) = [match for match in found["matches"] if not match["over"]]
    assert euchre["result"] == "unfinished"
    assert found["unreadable"] == [str(data / "broken.jsonl")]
    text = upcard("stats").stdout
    assert "kuhn-poker  random         3" in text
    assert "euchre      unfinished, 0 to 0 after 0 deals" in text
    assert "broken.jsonl is left out" in text
    only = upcard("stats", "euchre").stdout
    assert "kuhn" not in only
