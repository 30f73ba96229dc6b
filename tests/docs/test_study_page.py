"""The page about studies: its commands are run, with fewer games, and what it says of figures is so."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from upcard.cli.main import app
from upcard.study.study_summary import MEANINGS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "study.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^\$ upcard (.*)$", PAGE, re.MULTILINE)


def test_there_are_commands() -> None:
    assert len(COMMANDS) == 5


@pytest.mark.parametrize("command", COMMANDS)
def test_the_page_works_as_written(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    if "pimc" in command:
        pytest.importorskip("llvmlite", reason="llvmlite is not installed here")
        few = ["--games", "3", "--search-games", "1"]
    else:
        few = ["--games", "3", "--engine", "reference"]
    words = [*shlex.split(command), *few, "--workers", "1", "--no-figures"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.exception
    if "-o" in words:
        assert list((tmp_path / words[words.index("-o") + 1]).iterdir())


def test_the_figures_of_the_page_are_those_of_a_profile() -> None:
    shown = re.findall(r"^    (\w+) +-?\d\.\d+ \(.*?\) +(.*)$", PAGE, re.MULTILINE)
    assert dict(shown) == MEANINGS
