"""`upcard simulate --rows` and `upcard rows`: the same statistics from games and from their rows."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.cli.runner import upcard

pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed here")
TIMES = ("engine", "seconds", "games_per_second")


def timeless(text: str) -> dict[str, Any]:
    return {key: value for key, value in json.loads(text).items() if key not in TIMES}


@pytest.mark.parametrize("game", ["euchre", "hearts", "kuhn-poker", "golf-six"])
def test_rows_print_what_the_simulation_printed(game: str, tmp_path: Path) -> None:
    words = ("simulate", game, "--games", "400", "--seed", "3")
    plain = upcard(*words).stdout
    written = upcard(*words, "--rows", "r", cwd=tmp_path).stdout
    read = upcard("rows", "r", cwd=tmp_path).stdout
    assert plain.splitlines()[1:] == written.splitlines()[1:] == read.splitlines()[1:]
    assert read.splitlines()[0] == plain.splitlines()[0].partition(" in ")[0]
    data = [
        upcard(*words, "--json").stdout,
        upcard(*words, "--json", "--rows", "again", cwd=tmp_path).stdout,
        upcard("rows", "r", "--json", cwd=tmp_path).stdout,
    ]
    assert timeless(data[0]) == timeless(data[1]) == json.loads(data[2])


def test_the_first_line_says_what_was_there(tmp_path: Path) -> None:
    words = ("simulate", "euchre", "--seed", "3", "--rows", "r")
    upcard(*words, "--games", "300000", cwd=tmp_path)
    longer = upcard(*words, "--games", "310000", cwd=tmp_path).stdout.splitlines()
    assert re.match(
        r"Euchre: 310,000 games, 47,856 of them played now in [\d.]+ s, [\d,]+ a second$", longer[0]
    )
    there = upcard(*words, "--games", "310000", cwd=tmp_path).stdout.splitlines()
    assert there[0] == "Euchre: 310,000 games, whose rows were there already"
    assert there[1:] == longer[1:]
    fewer = upcard(*words, "--games", "299", cwd=tmp_path)
    assert (fewer.returncode, fewer.stdout) == (2, "")
    assert fewer.stderr == (
        "upcard: r contains the rows of more than 299 games; ask for more games, or choose another folder\n"
    )


def test_failed_games_are_named_from_rows_too(tmp_path: Path) -> None:
    upcard("new", "mine", cwd=tmp_path)
    rules = tmp_path / "mine" / "rules.rcy"
    text = rules.read_text(encoding="utf-8")
    rules.write_text(text.replace("(repeat 3 (move", "(repeat (// 3 0) (move", 1), encoding="utf-8")
    written = upcard("simulate", "mine/", "--games", "5", "--rows", "r", cwd=tmp_path)
    read = upcard("rows", "r", cwd=tmp_path)
    assert written.returncode == read.returncode == 1
    assert "deal 0 failed at line" in read.stdout
    assert read.stdout.splitlines()[1:] == written.stdout.splitlines()[1:]
    assert (
        pq.read_table(tmp_path / "r" / "deals-000000000000-000000262144.parquet")["score_0"].null_count == 5
    )


def test_sentences(tmp_path: Path) -> None:
    upcard("simulate", "kuhn-poker", "--games", "5", "--rows", "r", cwd=tmp_path)
    other = upcard("simulate", "kuhn-poker", "--games", "5", "--seed", "1", "--rows", "r", cwd=tmp_path)
    assert other.returncode == 2
    assert other.stderr == (
        "upcard: r contains rows of another simulation: --seed was different (0); use the same options, or "
        "choose another folder\n"
    )
    none = upcard("rows", "nowhere", cwd=tmp_path)
    assert (none.returncode, none.stderr) == (2, "upcard: nowhere: there is no such folder; check its name\n")
    part = next((tmp_path / "r").glob("*.parquet"))
    part.write_bytes(part.read_bytes()[:-100])
    for words in (("rows", "r"), ("simulate", "kuhn-poker", "--games", "5", "--rows", "r")):
        damaged = upcard(*words, cwd=tmp_path)
        assert damaged.returncode == 1
        assert damaged.stderr.startswith(f"upcard: r{os.sep}{part.name}: ")
        assert damaged.stderr.endswith(
            ", so the file is damaged; delete it and run the simulation again with this folder\n"
        )
    (tmp_path / "file").write_text("x")
    taken = upcard("simulate", "kuhn-poker", "--games", "5", "--rows", "file", cwd=tmp_path)
    assert (taken.returncode, "Traceback" in taken.stderr) == (2, False)
    assert taken.stderr == "upcard: file: file exists; give another name\n"


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent the POSIX way here")
def test_after_ctrl_c_the_same_command_goes_on(tmp_path: Path) -> None:
    """The rows of an interrupted run are those of the first parts, and nothing else is left behind."""
    folder = tmp_path / "r"
    command = [
        "simulate",
        "euchre",
        "--games",
        "1000000000",
        "--json",
        "--rows",
        str(folder),
        "--workers",
        "2",
    ]
    running = subprocess.Popen(
        [sys.executable, "-m", "upcard", *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while running.poll() is None and len(list(folder.glob("*.parquet"))) < 3:
        pass
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=100)
    assert running.returncode == 130
    games = json.loads(out)["games"]
    assert games
    assert games % (1 << 18) == 0
    assert err == (
        f"upcard: interrupted after {games} of 1000000000 games; run the same command again to go on from "
        f"the rows in {folder}\n"
    )
    assert [path.name for path in folder.iterdir() if path.suffix != ".parquet"] == [".lock"]
    found = json.loads(upcard("rows", str(folder), "--json").stdout)
    assert found["games"] >= games
    words = ("simulate", "euchre", "--games", str(found["games"]))
    again = upcard(*words, "--json", "--rows", str(folder))
    assert timeless(again.stdout) == found == timeless(upcard(*words, "--json").stdout)
