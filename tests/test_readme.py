"""The README is a working transcript: its commands and its Python are run."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest
from tests.cli.runner import upcard as run_command
from tests.web.processes import serve_briefly

import upcard

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


def test_there_are_two_commands_complete_in_themselves() -> None:
    run, test = blocks("sh")
    for command in (run, test):
        assert command.count("\n") == 1
        assert command.startswith("python3 -m venv .venv && .venv/bin/pip install")
    assert ".venv/bin/upcard" in run
    assert ".venv/bin/pytest" in test


def test_the_tour_runs_as_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tour,) = blocks("console")
    assert tour
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))  # matches saved at the table
    for line in tour.splitlines():
        assert line.startswith("$ upcard ")
        words = shlex.split(line.removeprefix("$ upcard "), comments=True)
        if words[0] == "serve":
            assert serve_briefly(words[1:], tmp_path)
            continue
        done = run_command(*words, cwd=tmp_path, given="q\n")
        assert done.returncode == 0, f"{line}: {done.stderr}"
        assert done.stdout


def test_the_python_runs_as_written(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = blocks("python")
    exec(compile(code, "README", "exec"), {})
    moves, hand = capsys.readouterr().out.splitlines()
    assert moves == "['pass', 'order it up', 'order it up and go alone']"
    assert hand.startswith("['TEN of HEARTS', 'JACK of HEARTS'")
    assert len(re.findall(r"[A-Z]+ of [A-Z]+", hand)) == 5


def test_it_is_about_one_screen() -> None:
    assert len(README.splitlines()) <= 60


def test_the_package_s_own_example() -> None:
    done = doctest.testmod(upcard)
    assert done.attempted > 0
    assert done.failed == 0
