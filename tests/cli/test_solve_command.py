"""`upcard solve`: its report, its files, the player that follows them, and one sentence for every mistake."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("llvmlite", reason="llvmlite is not installed here")

from tests.cli.runner import upcard

import upcard as api

KUHN = ("solve", "kuhn-poker")


@pytest.fixture(scope="module")
def strategy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("strategy") / "kuhn.json"
    done = upcard(*KUHN, "-o", str(path))
    assert (done.returncode, done.stderr) == (0, "")
    assert f"play it with solved:{path}" in done.stdout
    return path


def test_the_report_says_what_to_do_with_every_card() -> None:
    done = upcard(*KUHN)
    assert (done.returncode, done.stderr) == (0, "")
    text = done.stdout
    assert "Kuhn Poker: 58 nodes, 12 information sets" in text
    assert "Ann -0.055556, Ben +0.055556 points a hand" in text
    assert "    K  always call\n" in text
    assert "  Ann bets a chip:\n    K  always call\n    Q  fold 2 times in 3, call 1 time in 3\n" in text
    assert max(map(len, text.splitlines())) <= 90


def test_json_has_the_figures() -> None:
    done = upcard(*KUHN, "--json", "--exploit", "random")
    found = json.loads(done.stdout)
    assert found["value"][0] == pytest.approx(-1 / 18, abs=1e-6)
    assert found["bounds"][0] <= -1 / 18 <= found["bounds"][1]
    assert 0 <= found["exploitability"] <= 1e-6
    assert (found["nodes"], found["information_sets"]) == (58, 12)
    assert found["iterations"] > 0
    assert found["seconds"] >= 0
    # the uniform strategy loses this much to best responses: a published figure
    assert found["player"]["exploitability"] == pytest.approx(0.458333, abs=1e-6)
    assert found["player"]["against_solution"][0] < -1 / 18


def test_expected_points_of_a_line_up() -> None:
    done = upcard(*KUHN, "--json", "--expected", "random,random")
    assert json.loads(done.stdout)["expected"] == pytest.approx([1 / 8, -1 / 8], abs=1e-9)  # by hand
    done = upcard(*KUHN, "--json", "--expected", "solution,solution")
    found = json.loads(done.stdout)
    assert found["expected"] == found["value"]
    done = upcard(*KUHN, "--expected", "solution,random")
    assert "  Ann: solution gets +0." in done.stdout
    done = upcard(*KUHN, "--expected", "random")
    assert done.returncode == 2
    assert "--expected names a player for each of the 2 seats, not 1" in done.stderr


def test_columns_have_the_probabilities_of_the_file(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    done = upcard(*KUHN, "--iterations", "50", "-o", "kuhn.json", "--parquet", "kuhn.parquet", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    table = parquet.read_table(tmp_path / "kuhn.parquet")
    written = json.loads((tmp_path / "kuhn.json").read_text(encoding="utf-8"))
    expected = [
        (number, one["key"], action["text"], action["keys"], action["probability"])
        for number, one in enumerate(written["sets"])
        for action in one["actions"]
    ]
    columns = ("information_set", "key", "action", "moves", "probability")
    assert [tuple(row[name] for name in columns) for row in table.to_pylist()] == expected
    about = json.loads(table.schema.metadata[b"upcard"])
    assert (about["table"], about["iterations"]) == ("strategy", 50)


def test_a_player_that_follows_the_file_does_as_well_as_the_solution(strategy: Path) -> None:
    done = upcard(*KUHN, "--json", "--exploit", f"solved:{strategy}", "--samples", "2000")
    assert done.returncode == 0, done.stderr
    player = json.loads(done.stdout)["player"]
    assert player["against_solution"] == pytest.approx([-1 / 18, 1 / 18], abs=0.01)
    assert player["exploitability"] < 0.05


def test_the_arena_and_matches_take_the_player(strategy: Path) -> None:
    solved = f"solved:{strategy}"
    done = upcard("arena", "kuhn-poker", "--players", f"{solved},random", "--deals", "300", "--json")
    assert done.returncode == 0, done.stderr
    found = api.arena.run("kuhn-poker", [solved, "random"], deals=300)
    assert found.names == (solved, "random")
    assert upcard("match", "kuhn-poker", "--players", f"{solved},random").returncode == 0


def test_a_strategy_of_other_rules_is_refused(strategy: Path) -> None:
    done = upcard("arena", "leduc-holdem", "--players", f"solved:{strategy},random")
    assert done.returncode == 2
    assert f"{strategy} is a strategy of kuhn-poker with another program or other rules" in done.stderr
    done = upcard("solve", "leduc-holdem", "--from", str(strategy))
    assert done.returncode == 2
    done = upcard("arena", "kuhn-poker", "--players", "solved:missing.json,random")
    assert (done.returncode, done.stderr) == (
        2,
        "upcard: missing.json cannot be read: no such file or directory; write solved:FILE for a file of "
        "upcard solve --output\n",
    )
    done = upcard("arena", "kuhn-poker", "--players", "solved:,random")
    assert (done.returncode, done.stderr) == (
        2,
        "upcard: solved: must be followed by a file, as in solved:kuhn.json\n",
    )


def test_going_on_from_a_file(strategy: Path, tmp_path: Path) -> None:
    """In two parts or in one, the strategy is the same."""
    half, both, whole = (tmp_path / name for name in ("half.json", "both.json", "whole.json"))
    assert upcard(*KUHN, "--iterations", "40", "-o", str(half)).returncode == 0
    done = upcard(*KUHN, "--iterations", "100", "--from", str(half), "-o", str(both))
    assert (done.returncode, done.stderr) == (0, "")
    assert upcard(*KUHN, "--iterations", "100", "-o", str(whole)).returncode == 0
    assert both.read_text() == whole.read_text()
    done = upcard(*KUHN, "--algorithm", "dcfr", "--from", str(half))
    assert done.returncode == 2
    assert "was computed with pcfr+; continue it with --algorithm pcfr+" in done.stderr


def test_a_damaged_file_is_one_sentence(strategy: Path, tmp_path: Path) -> None:
    data = json.loads(strategy.read_text())
    path = tmp_path / "damaged.json"
    for change, why in (
        ({"do": "match"}, 'do must be "strategy", not "match"'),
        ({"sets": data["sets"][:3]}, "has other information sets than the game has now"),
        ({"sets": "all"}, "sets must be a list"),
        ({"progress": {**data["progress"], "stream": [1]}}, "needs at least 4"),
        ({"extra": 1}, "extra is not a known key"),
    ):
        path.write_text(json.dumps({**data, **change}))
        done = upcard(*KUHN, "--from", str(path))
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
        assert why in done.stderr, done.stderr
    sets = json.loads(strategy.read_text())["sets"]
    sets[0]["actions"][0]["probability"] = 0.9
    sets[0]["actions"][1]["probability"] = 0.9
    path.write_text(json.dumps({**data, "sets": sets}))
    done = upcard("match", "kuhn-poker", "--players", f"solved:{path},random")
    assert done.returncode == 2
    assert "must have probabilities whose sum is 1" in done.stderr


@pytest.mark.parametrize(
    "words, why",
    [
        (("--algorithm", "cfr"), "--algorithm is pcfr+, cfr+, dcfr or mccfr, not cfr"),
        (("--target", "0"), "--target is a number of points above 0, not 0"),
        (("--target", "nan"), "--target is a number of points above 0, not nan"),
        (("--iterations", "0"), "--iterations must be at least 1, not 0"),
        (("--samples", "5"), "--samples needs a player; name one with --exploit"),
        (("--exploit", "nobody"), "there is no player called nobody"),
        (("-o", "missing/file.json"), "missing/file.json: no such file or directory"),
    ],
)
def test_mistakes(words: tuple[str, ...], why: str) -> None:
    done = upcard(*KUHN, *words)
    assert done.returncode == 2
    assert done.stderr.startswith(f"upcard: {why}")
    assert done.stderr.count("\n") == 1


def test_a_game_that_is_too_large_is_the_answer_no() -> None:
    done = upcard(*KUHN, "--max-nodes", "50")
    assert done.returncode == 1
    assert done.stderr.startswith(
        "upcard: the tree of kuhn-poker has more than 50 nodes; allow more with --max-nodes"
    )
    assert upcard("solve", "whist").returncode == 1


def test_sampling_and_iterations() -> None:
    done = upcard(*KUHN, "--algorithm", "mccfr", "--iterations", "2000", "--seed", "4", "--json")
    again = upcard(*KUHN, "--algorithm", "mccfr", "--iterations", "2000", "--seed", "4", "--json")
    one, other = (json.loads(text.stdout) for text in (done, again))
    assert one["iterations"] == 2000
    assert one["value"] == other["value"]


def test_many_situations_are_counted() -> None:
    done = upcard("solve", "leduc-holdem", "--iterations", "20", "--rule", "raises=one")
    assert done.returncode == 0
    assert "more situations are left out; --output FILE writes them all" in done.stdout


@pytest.mark.skipif(os.name != "posix", reason="the signal is sent as a terminal does on POSIX")
def test_ctrl_c_keeps_the_strategy(tmp_path: Path) -> None:
    path = tmp_path / "stopped.json"
    words = [*KUHN, "--iterations", "1000000000", "-o", str(path)]
    with subprocess.Popen(
        [sys.executable, "-m", "upcard", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as running:
        for _ in range(20):  # once is enough, unless it comes before there is a strategy
            time.sleep(3)
            running.send_signal(signal.SIGINT)
            if running.poll() is not None:
                break
            try:
                running.wait(10)
                break
            except subprocess.TimeoutExpired:
                continue
        out, error = running.communicate(timeout=30)
    assert running.returncode == 130
    assert "interrupted after" in error
    assert "the figures are of the strategy so far" in error
    assert "Kuhn Poker" in out
    assert json.loads(path.read_text())["iterations"] > 1000
