"""The command line as a person meets it: what it prints, and how it ends."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.runner import process, upcard

GAME = """(game
 (declare 3 'ROUNDS)
 (setup
  (create players 2)
  (create deck (game iloc STOCK) (deck (RANK (A, B, C)) (SUIT (H, S)))))
 (do ((shuffle (game iloc STOCK))))
 (stage player
  (end (== (game sto N) 'ROUNDS))
  (choice ((inc (game sto N)) (inc ((current player) sto SCORE)))))
 (scoring max ((current player) sto SCORE)))
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "race.rcy"
    path.write_text(GAME, encoding="utf-8")
    return path


def test_check_is_quiet_about_sound_games(game: Path) -> None:
    done = process("check", "euchre", "whist", str(game))
    assert done.returncode == 0
    assert "error" not in done.stdout
    assert done.stderr == ""


def test_check_names_the_line_of_a_mistake(tmp_path: Path) -> None:
    path = tmp_path / "wrong.rcy"
    path.write_text(GAME.replace("(inc ((current player) sto SCORE))", "(inc 'X)"), encoding="utf-8")
    done = upcard("check", str(path))
    assert done.returncode == 1
    assert "E301" in done.stdout
    assert ":9:" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_check_speaks_json(tmp_path: Path) -> None:
    path = tmp_path / "wrong.rcy"
    path.write_text(GAME.replace("'ROUNDS))", "'RUNDS))"), encoding="utf-8")
    done = upcard("check", "--json", str(path))
    assert done.returncode == 1
    (entry,) = json.loads(done.stdout)
    (diagnostic,) = [d for d in entry["diagnostics"] if d["severity"] == "error"]
    assert diagnostic["code"] == "E301"
    assert diagnostic["line"] == 8
    assert "ROUNDS" in diagnostic["hint"]


def test_facts_are_printed() -> None:
    done = upcard("check", "--facts", "euchre")
    assert done.returncode == 0
    assert "table iloc PACK" in done.stdout
    assert "shuffle (line" in done.stdout
    data = json.loads(upcard("check", "--facts", "--json", "whist").stdout)
    assert data[0]["facts"]["cards"] == 52


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["check", "nosuch.rcy"], "there is no game or file called nosuch.rcy"),
        (["simulate", "eucher"], "did you mean euchre?"),
        (["simulate", "euchre", "--games", "0"], "--games must be at least 1"),
        (["simulate", "euchre", "--set", "STIK=TRUE"], "did you mean STICK?"),
        (["simulate", "euchre", "--set", "STICK=maybe"], "a name in capitals"),
        (["simulate", "euchre", "--set", "STICK"], "NAME=VALUE"),
        (["simulate", "euchre", "--rule", "stck=no"], "did you mean stick?"),
        (["simulate", "euchre", "--rule", "stick=perhaps"], "yes or no"),
        (["simulate", "euchre", "--engine", "steam"], "--engine is native or reference, not steam"),
        (["simulate", "euchre", "--base", "2"], "--base is 0 or 1"),
        (["explain", "E999"], "there is no code E999"),
        (["replay", "nosuch.jsonl"], "nosuch.jsonl: no such file or directory"),
        (["fmt", "nosuch.rcy"], "nosuch.rcy: no such file or directory"),
        (["compile", "euchre", "--emit", "java"], "--emit is ir, llvm, c, asm, wasm or wat"),
    ],
)
def test_misuse_is_one_sentence_and_exit_code_2(arguments: list[str], says: str) -> None:
    done = upcard(*arguments)
    assert done.returncode == 2
    assert says in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert "Traceback" not in done.stderr


def test_simulate_prints_95_percent_intervals() -> None:
    """The 97.5 % point of Student's distribution with 399 degrees of freedom is 1.965927."""
    arguments = ("simulate", "hearts", "--games", "400", "--seed", "1")
    summary = json.loads(upcard(*arguments, "--json").stdout)
    printed = upcard(*arguments).stdout
    for score in summary["scores"]:
        assert f"{score['mean']:8.3f} ± {1.965927 * score['se']:6.3f} " in printed
    choices = summary["branching"]
    assert f"{choices['mean']:.3f} ± {1.965927 * choices['se']:.3f} alternatives per decision" in printed
    assert max(map(len, printed.splitlines())) <= 80


def test_a_wrong_program_is_not_simulated(tmp_path: Path) -> None:
    path = tmp_path / "wrong.rcy"
    path.write_text("(game", encoding="utf-8")
    done = upcard("simulate", str(path))
    assert done.returncode == 1
    assert "E110" in done.stderr


def test_simulate_gives_the_agreed_json(game: Path) -> None:
    done = process("simulate", str(game), "--games", "50", "--seed", "3", "--json")
    assert done.returncode == 0
    data = json.loads(done.stdout)
    assert list(data) == [
        "game",
        "engine",
        "seed",
        "games",
        "seconds",
        "games_per_second",
        "ends",
        "decisions",
        "branching",
        "forced_share",
        "seats",
        "scores",
        "first_place",
    ]
    assert data["ends"] == {"finished": 50, "stuck": 0, "cut_off": 0, "failed": 0}
    assert set(data["decisions"]) == {"mean", "se", "min", "max"}
    assert data["branching"]["mean"] == 2
    assert data["seats"] == 2
    assert abs(sum(data["first_place"]) - 1) < 1e-9


def test_simulate_counts_cut_off_games(game: Path) -> None:
    done = upcard("simulate", str(game), "--games", "20", "--max-decisions", "2", "--json")
    assert json.loads(done.stdout)["ends"]["cut_off"] == 20


def test_a_failing_game_is_counted_and_named(tmp_path: Path) -> None:
    path = tmp_path / "fails.rcy"
    path.write_text(GAME.replace("(inc (game sto N))", "(inc (game sto N) (// 1 0))"), encoding="utf-8")
    done = upcard("simulate", str(path), "--games", "5")
    assert done.returncode == 1
    assert "5 failed" in done.stdout
    assert "line 9" in done.stdout
    assert "divided by zero" in done.stdout


def test_overrides_reach_the_game(game: Path) -> None:
    done = upcard("simulate", str(game), "--games", "5", "--set", "ROUNDS=0", "--json")
    assert json.loads(done.stdout)["decisions"]["max"] == 0


def test_results_do_not_depend_on_workers() -> None:
    def figures(workers: str) -> dict[str, object]:
        done = upcard("simulate", "euchre", "--games", "120", "--seed", "5", "--json", "--workers", workers)
        return {k: v for k, v in json.loads(done.stdout).items() if "second" not in k}

    assert figures("1") == figures("2")


def test_both_engines_give_the_same_figures(game: Path) -> None:
    def figures(*more: str) -> dict[str, object]:
        done = upcard("simulate", str(game), "--games", "40", "--seed", "5", "--json", *more)
        return {k: v for k, v in json.loads(done.stdout).items() if "second" not in k}

    machine, book = figures(), figures("--engine", "reference")
    assert book["engine"] == "reference"
    assert {**machine, "engine": "reference"} == book


def test_a_line_says_why_the_reference_engine_plays(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UPCARD_BACKEND", "reference")
    done = upcard("simulate", str(game), "--games", "5", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["engine"] == "reference"
    reason = "UPCARD_BACKEND is set to reference, which turns machine code off"
    assert done.stderr == f"upcard: using the reference engine: {reason}\n"
    assert upcard("simulate", str(game), "--games", "5", "--engine", "reference").stderr == ""


def test_a_match_of_one_deal(game: Path) -> None:
    done = upcard("match", str(game), "--matches", "2")
    assert done.stdout.splitlines()[0].endswith(": 2 matches of 1 deal")


@pytest.mark.parametrize("command", ["verify", "bench"])
def test_commands_that_need_machine_code_say_that_it_is_missing(
    command: str, game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UPCARD_BACKEND", "c")
    monkeypatch.setenv("CC", "no-such-compiler")
    done = upcard(command, str(game))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "upcard: there is no C compiler no-such-compiler\n"


def test_an_unknown_backend_is_refused(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UPCARD_BACKEND", "steam")
    done = upcard("simulate", str(game))
    assert done.returncode == 2
    assert done.stderr == "upcard: UPCARD_BACKEND must be llvm, c, wasm or reference, not steam\n"


@pytest.mark.parametrize("name", ["euchre", "whist"])
def test_watch_uses_the_words_of_the_sheet_only(name: str) -> None:
    facts = json.loads(upcard("check", "--facts", "--json", name).stdout)[0]["facts"]
    names = {entry["name"] for entry in facts["locations"]}
    names |= {name.split()[1] for kind in facts["storages"].values() for name in kind}
    for seed in range(4):
        done = upcard("watch", name, "--seed", str(seed))
        assert done.returncode == 0
        words = set(done.stdout.replace(".", " ").replace(":", " ").split())
        assert not words & names
        assert "♠" in done.stdout


def test_watch_in_ascii_has_no_suits() -> None:
    done = upcard("watch", "euchre", "--seed", "7", "--ascii")
    assert done.stdout.isascii()
    assert "plays 9d" in done.stdout


def test_watch_tells_any_program(game: Path) -> None:
    done = upcard("watch", str(game), "--seed", "1")
    assert done.returncode == 0
    assert "STOCK is shuffled" in done.stdout
    assert done.stdout.rstrip().splitlines()[-1].startswith("Score: p")


@pytest.mark.parametrize("what", ["euchre", "own"])
def test_transcripts_replay(what: str, game: Path, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    name = "euchre" if what == "euchre" else str(game)
    assert upcard("watch", name, "--seed", "9", "--transcript", str(file)).returncode == 0
    game.unlink()  # a transcript of one's own program carries it along
    done = process("replay", str(file), "--check")
    assert done.returncode == 0
    assert "lines are correct" in done.stdout
    lines = file.read_text(encoding="utf-8").splitlines()
    at = next(i for i, line in enumerate(lines) if json.loads(line)["do"] == "decision")
    spoilt = json.loads(lines[at])
    spoilt["seat"] = 3
    file.write_text("\n".join([*lines[:at], json.dumps(spoilt), *lines[at + 1 :]]), encoding="utf-8")
    done = upcard("replay", str(file))
    assert done.returncode == 1
    assert f"line {at + 1}:" in done.stderr


def test_one_seat_s_view_hides_the_others_cards(tmp_path: Path) -> None:
    file = tmp_path / "hand.jsonl"
    upcard("watch", "euchre", "--seed", "9", "--transcript", str(file))
    done = upcard("replay", str(file), "--seat", "2", "--json")
    assert done.returncode == 0
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert "seed" not in records[0]
    assert upcard("replay", str(file), "--seat", "north", "--json").stdout == done.stdout
    refused = upcard("replay", str(file), "--seat", "4")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.startswith("upcard: there is no seat 4; euchre has 0 to 3: South, West, ")
    for record in records:
        if record["do"] == "move" and record["to"].endswith("iloc.HAND"):
            assert (record["card"] is not None) == (
                record["to"].startswith("seat2") or "UPCARD" in record["from"]
            )
        assert "seen" not in record


def test_fmt_formats_and_is_idempotent(game: Path) -> None:
    game.write_text(GAME.replace("\n ", " "), encoding="utf-8")
    assert upcard("fmt", "--check", str(game)).returncode == 1
    assert upcard("fmt", str(game)).returncode == 0
    assert upcard("fmt", "--check", str(game)).returncode == 0
    assert upcard("check", str(game)).returncode == 0
    piped = process("fmt", "-", given=GAME)
    assert piped.returncode == 0
    assert piped.stdout.startswith("(game\n")


def test_library_games_are_formatted_and_have_no_warnings() -> None:
    from upcard.library import find, names

    for name in names():
        assert upcard("fmt", "--check", str(find(name).rules)).returncode == 0
    done = upcard("check", "--strict", *names())
    assert done.returncode == 0, done.stdout


def test_explain_prints_the_page_of_a_code() -> None:
    done = upcard("explain", "e301")
    assert done.returncode == 0
    assert done.stdout.startswith("# E301")


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent the POSIX way here")
def test_ctrl_c_keeps_what_was_played() -> None:
    upcard("simulate", "euchre", "--games", "1")  # so that the machine code is there already
    command = ["simulate", "euchre", "--games", "1000000000000", "--json", "--workers", "1"]
    ours, theirs = os.openpty()  # a terminal, so that the bar says when games have been played
    running = subprocess.Popen(
        [sys.executable, "-m", "upcard", *command],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**os.environ, "COLUMNS": "100", "TERM": "xterm"},
        text=True,
    )
    os.close(theirs)
    said = _read_until(ours, rb"[1-9][0-9]*/1000000000000")
    running.send_signal(signal.SIGINT)
    out, _ = running.communicate(timeout=120)
    said += _read_until(ours, b"interrupted after")
    os.close(ours)
    assert running.returncode == 130
    assert json.loads(out)["games"] > 0


def _read_until(terminal: int, pattern: bytes) -> bytes:
    said = b""
    while not re.search(pattern, said):
        said += os.read(terminal, 4096)
    return said


def test_bench_prints_the_speed_of_the_engines(
    game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("llvmlite", reason="llvmlite is not installed here")
    from upcard.cli.commands.bench import bench
    from upcard.verify import speed as measuring

    monkeypatch.setattr(measuring, "SECONDS", 0.001)
    monkeypatch.setattr(measuring, "TRIES", 1)
    monkeypatch.setattr(measuring, "COMPILES", 1)
    monkeypatch.setattr(measuring, "open_spiel", lambda: None)
    bench([str(game)], as_json=True)
    told = json.loads(capsys.readouterr().out)
    assert told["open_spiel"] is None
    (row,) = told["games"].values()
    assert list(row) == [
        "native_per_second",
        "reference_per_second",
        "ratio",
        "compile_seconds",
        "cached_start_seconds",
        "state_bytes",
    ]
    assert row["ratio"] == pytest.approx(row["native_per_second"] / row["reference_per_second"])
    assert row["state_bytes"] > 100
    bench([str(game)], as_json=False)
    assert str(game) in capsys.readouterr().out


def test_bench_of_an_unknown_game() -> None:
    done = upcard("bench", "euchere")
    assert done.returncode == 2
    assert "did you mean euchre?" in done.stderr
