"""`upcard graph` as a person meets it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.cli.runner import upcard
from tests.graph.movements import EDGES, GAME


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "small.rcy"
    path.write_text(GAME, encoding="utf-8")
    return path


def test_svg_is_the_default_and_depends_on_the_seed() -> None:
    first, again = upcard("graph", "kuhn-poker", "--seed", "5"), upcard("graph", "kuhn-poker", "--seed", "5")
    assert first.returncode == 0
    assert first.stdout == again.stdout
    root = ElementTree.fromstring(first.stdout)
    assert root.tag.endswith("svg")
    assert "seed 5" in first.stdout


def test_json_keeps_program_names(game: Path) -> None:
    done = upcard("graph", str(game), "--games", "3", "--json", "--explain")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert data["games"] == 3
    found = {(e["from"], e["to"], e["kind"]): e["count"] for e in data["edges"]}
    assert found == {edge: 3 * count for edge, count in EDGES.items()}
    assert data["explanation"][0].startswith("The game begins with 6 cards")


def test_the_suffix_of_the_file_selects_the_format(game: Path, tmp_path: Path) -> None:
    for name, start in (("a.svg", "<svg"), ("a.dot", "digraph"), ("a.gv", "digraph"), ("a.json", "{")):
        done = upcard("graph", str(game), "-o", str(tmp_path / name))
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)


def test_words_are_printed_beside_a_file(game: Path, tmp_path: Path) -> None:
    done = upcard("graph", str(game), "--explain", "-o", str(tmp_path / "a.svg"))
    assert done.returncode == 0
    assert "becomes known to" in done.stdout
    assert "<svg" not in done.stdout
    assert (tmp_path / "a.svg").exists()


def test_a_recorded_game_is_drawn(tmp_path: Path) -> None:
    record = tmp_path / "hand.jsonl"
    assert upcard("watch", "kuhn-poker", "--seed", "3", "--transcript", str(record)).returncode == 0
    recorded = upcard("graph", str(record), "--json")
    played = upcard("graph", "kuhn-poker", "--seed", "3", "--json")
    assert recorded.returncode == 0, recorded.stderr
    assert json.loads(recorded.stdout) == json.loads(played.stdout)
    refused = upcard("graph", str(record), "--games", "4")
    assert refused.returncode == 2
    assert "a transcript is one recorded game" in refused.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["euchre", "--games", "0"], "--games must be at least 1, not 0"),
        (["euchre", "--workers", "0"], "--workers must be at least 1, not 0"),
        (["euchre", "--format", "pdf"], "--format is svg or dot, not pdf"),
        (["eucher"], "euchre"),
        (["kuhn-poker", "-o", "no/such/folder/a.svg"], "no such file or directory"),
    ],
)
def test_misuse_is_one_sentence(arguments: list[str], said: str) -> None:
    done = upcard("graph", *arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_failing_game_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "failing.rcy"
    path.write_text(
        """(game
 (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A, B)))))
 (do ((move (top (game vloc NONE)) (top (game vloc PILE)))))
 (scoring max ((current player) sto SCORE)))
""",
        encoding="utf-8",
    )
    done = upcard("graph", str(path))
    assert done.returncode == 1
    assert "1 of 1 games failed" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent the POSIX way here")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_draws_what_was_played(workers: str) -> None:
    upcard("graph", "kuhn-poker")  # so that the machine code is there already
    command = ["graph", "kuhn-poker", "--games", "10000000", "--json"]
    ours, theirs = os.openpty()  # a terminal, so that the bar says when games have been played
    running = subprocess.Popen(
        [sys.executable, "-m", "upcard", *command, "--workers", workers],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**os.environ, "COLUMNS": "100", "TERM": "xterm"},
        text=True,
    )
    os.close(theirs)
    said = b""
    while not re.search(rb"[1-9][0-9]*/10000000", said):
        said += os.read(ours, 4096)
    running.send_signal(signal.SIGINT)
    while b"interrupted after" not in said:
        said += os.read(ours, 4096)
    out, _ = running.communicate(timeout=120)
    os.close(ours)
    assert running.returncode == 130
    assert json.loads(out)["games"] > 0


@pytest.mark.parametrize("extra", [(), ("--format", "svg"), ("--json",)])
def test_a_picture_that_is_no_drawing_is_refused(extra: tuple[str, ...], tmp_path: Path) -> None:
    done = upcard("graph", "kuhn-poker", "--engine", "reference", "-o", "x.png", *extra, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == (
        "upcard: x.png would be a .png picture, but drawings are svg or dot; write x.svg\n"
    )
    assert not list(tmp_path.iterdir())
