"""The arena as a person meets it: what it prints, how it ends, and what a kill or Ctrl-C leaves."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests import records
from tests.cli import runner
from tests.cli.runner import Done
from tests.players.losing_players import lose_histories

from upcard.players import registry
from upcard.players.levels import LEVELS

OWN = Path(__file__).resolve().parents[1] / "players" / "own.py"
KUHN = ("arena", "kuhn-poker", "--engine", "reference", "--workers", "1")


def environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONIOENCODING": "utf-8", "KEEPING": str(folder)}


def upcard(*arguments: str, cwd: Path) -> Done[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KEEPING", str(cwd))
        return runner.upcard(*arguments, cwd=cwd)


def sentence(done: Done[str]) -> str:
    assert "Traceback" not in done.stderr
    (line,) = done.stderr.splitlines()
    return line.removeprefix("upcard: ")


def test_a_page_and_the_same_as_json(tmp_path: Path) -> None:
    arguments = (
        "arena",
        "euchre",
        "--players",
        "simple,random",
        "--deals",
        "6",
        "--seed",
        "1",
        "--workers",
        "1",
    )
    done = upcard(*arguments, "--engine", "reference", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert done.stdout.startswith("Euchre: 6 hands, 12 games in ")
    found = json.loads(upcard(*arguments, "--engine", "reference", "--json", cwd=tmp_path).stdout)
    (pair,) = found["pairs"]
    assert f"by {pair['ahead']['mean']:.3f} ± " in done.stdout
    assert (found["played"], found["games"], found["forfeits"]) == (6, 12, [])
    assert [player["name"] for player in found["players"]] == ["simple", "random"]
    assert found["ratings"] is None


def test_players_from_files_that_misbehave_forfeit(tmp_path: Path) -> None:
    players = f"random,{OWN}:Raising,{OWN}:Drawing:50"
    done = upcard(*KUHN, "--players", players, "--deals", "4", "--trusted", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "  players from files and programs are trusted: they could know the cards" in done.stdout
    assert "  own.py:Raising  " in done.stdout
    forfeits = [line for line in done.stdout.splitlines() if "raised ValueError: I give up" in line]
    assert forfeits
    assert all(line.strip().startswith(("deal 1, ", "deal 3, ", "hand 1, ", "hand 3, ")) for line in forfeits)


def test_a_match_ends_with_a_sentence_where_a_player_misbehaves(tmp_path: Path) -> None:
    players = f"random,{OWN}:Dying"
    done = upcard("match", "kuhn-poker", "--engine", "reference", "--players", players, cwd=tmp_path)
    assert done.returncode == 1
    assert sentence(done) == f"{OWN}:Dying ended with exit code 3; its last message: so long"


def test_own_play_matches(tmp_path: Path) -> None:
    players = f"{OWN}:First,{OWN}:Last"
    done = upcard(
        "match", "kuhn-poker", "--engine", "reference", "--players", players, "--json", cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["players"] == players.split(",")


@pytest.mark.parametrize(
    "arguments, code, said",
    [
        (("--players", "random"), 2, "name at least two"),
        ((), 2, "give either --players A,B or --ladder"),
        (("--players", "random,random", "--ladder"), 2, "give either --players A,B or --ladder"),
        (("--players", "randon,random"), 2, "did you mean random?"),
        (("--players", "random,random:0"), 2, "has an invalid budget"),
        (("--players", "random,mine.py:Mine"), 2, "mine.py cannot be read"),
        (("--players", "simple,random"), 2, "the simple player plays only Euchre"),
        (("--players", "random,random", "--deals", "0"), 2, "--deals must be at least 1"),
        (("--players", "random,random", "--patience", "0"), 2, "--patience is a number of seconds above 0"),
        (("--players", "random,random", "--patience", "nan"), 2, "--patience is a number of seconds above 0"),
        (("--players", "random,random", "--to", "5"), 2, "add --matches"),
        (("--players", "random,random", "--sprt", "1,0"), 2, "LOW below HIGH"),
        (("--players", "random,random,random", "--sprt", "0,1"), 2, "--sprt compares two players"),
        (("--players", "random,random", "--record", "no/such/folder/r"), 2, "no such file or directory"),
        (("--players", "random,random", "--parquet", "no/such/folder/p"), 2, "no such file or directory"),
    ],
)
def test_misuse_is_one_sentence(tmp_path: Path, arguments: tuple[str, ...], code: int, said: str) -> None:
    done = upcard(*KUHN, "--deals", "1", *arguments, cwd=tmp_path)
    assert done.returncode == code
    assert said in sentence(done)


def test_a_ladder_plays_the_levels_that_exist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All levels that exist are played; here they are random players."""
    others = {name: kind for name, kind in registry._FACTORIES.items() if name not in LEVELS}

    def ladder(levels: str) -> Done[str]:
        monkeypatch.setattr(registry, "_FACTORIES", others | dict.fromkeys(levels.split(), registry._random))
        return upcard(*KUHN, "--ladder", "--deals", "2", cwd=tmp_path)

    for levels, there in (("", "none"), ("steady", "only steady")):
        done = ladder(levels)
        assert done.returncode == 1
        assert sentence(done).endswith(f"and there is {there}")
    done = ladder("casual strong expert")
    assert done.returncode == 0, done.stderr
    assert "strong over casual" in done.stdout
    assert "expert over strong" in done.stdout
    assert "expert over casual" not in done.stdout


def waiting(tmp_path: Path, *more: str) -> list[str]:
    """A contest whose second player waits at deal 3 while a file is there."""
    players = f"random,{OWN}:Waiting"
    return [*KUHN, "--players", players, "--trusted", "--deals", "6", "--patience", "300", *more]


def started(tmp_path: Path, arguments: list[str]) -> subprocess.Popen[str]:
    """Runs until deals 0 to 2 are on record; what then goes on waits for a file to go away."""
    (tmp_path / "hold").touch()
    process = subprocess.Popen(
        [sys.executable, "-m", "upcard.cli.main", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        cwd=tmp_path,
        env=environment(tmp_path),
    )
    record, pid = tmp_path / "r.jsonl", tmp_path / "waiting"
    while not (record.exists() and record.read_text().count("\n") >= 7 and pid.exists() and pid.read_text()):
        assert process.poll() is None
        time.sleep(0.05)
    return process


def gone(pid: int) -> None:
    """Waits for a player whose arena was killed to end by itself, while it is thinking."""
    for _ in range(1200):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        stat = Path(f"/proc/{pid}/stat")
        if stat.exists() and ") Z " in stat.read_text():  # nobody has asked how it ended
            return
        time.sleep(0.05)
    raise AssertionError(f"process {pid} was left behind")


def test_a_killed_contest_is_resumed_without_loss(tmp_path: Path) -> None:
    arguments = waiting(tmp_path, "--record", "r.jsonl", "--json")
    process = started(tmp_path, arguments)
    process.kill()
    process.communicate()
    gone(int((tmp_path / "waiting").read_text()))
    assert len(records.timeless(tmp_path / "r.jsonl")) == 7
    (tmp_path / "hold").unlink()
    again = json.loads(upcard(*arguments, cwd=tmp_path).stdout)
    assert again["resumed"] == 6
    fresh = waiting(tmp_path, "--record", "fresh.jsonl", "--json")
    whole = json.loads(upcard(*fresh, cwd=tmp_path).stdout)
    assert records.timeless(tmp_path / "r.jsonl") == records.timeless(tmp_path / "fresh.jsonl")
    for key in ("players", "pairs", "forfeits", "played", "games"):
        assert again[key] == whole[key]
    done = upcard(*arguments, "--seed", "5", cwd=tmp_path)
    assert done.returncode == 2
    assert sentence(done) == (
        "r.jsonl belongs to another contest: --seed was different (0); "
        "use the same options, or choose another file"
    )


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C is sent as a signal")
def test_ctrl_c_prints_the_results_so_far(tmp_path: Path) -> None:
    arguments = waiting(tmp_path, "--record", "r.jsonl")
    process = started(tmp_path, arguments)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130
    assert ": 3 " in out.splitlines()[0]
    assert err.strip() == (
        "upcard: interrupted after 3 of 6 deals; the figures cover what was played; "
        "r.jsonl keeps them, and the same command resumes"
    )
    assert len(records.timeless(tmp_path / "r.jsonl")) == 7


def test_a_table_of_games(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    done = upcard(*KUHN, "--players", "random,random", "--deals", "3", "--parquet", "p", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert parquet.read_table(tmp_path / "p").num_rows == 6


FAILS = """(game
 (setup
  (create players 2)
  (create deck (game iloc STOCK) (deck (RANK (A, B, C)))))
 (stage player
  (end (== (game sto N) 3))
  (choice ((inc (game sto N)) (inc (game sto N) (// 1 0)))))
 (scoring max ((current player) sto SCORE)))
"""


def test_a_game_that_fails_ends_it_with_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "fails.rcy").write_text(FAILS, encoding="utf-8")
    arguments = (
        "arena",
        "fails.rcy",
        "--players",
        f"{OWN}:First,{OWN}:Last",
        "--deals",
        "3",
        "--workers",
        "1",
    )
    done = upcard(*arguments, "--engine", "reference", cwd=tmp_path)
    assert done.returncode == 1
    said = sentence(done)
    assert said.startswith("deal 0 of seed 0 failed at line 7: ")
    assert said.endswith("stopped after 0 of 3 deals; the figures cover what was played")


def test_decisions_without_worlds_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    lose_histories(monkeypatch)
    done = runner.upcard(
        "arena", "kuhn-poker", "--players", "pimc:20,random", "--deals", "5", "--workers", "1"
    )
    line = next(line for line in done.stdout.splitlines() if line.startswith("  guessed"))
    assert re.fullmatch(
        r"  guessed  pimc:20 at (\d+) of \1 decisions: it found no deal that fits all it saw", line
    )
