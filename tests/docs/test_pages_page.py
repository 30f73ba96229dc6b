"""The page about pages: its commands are run, with fewer games, and what it says of numbers is so."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from tests.cli.runner import upcard

from upcard.site import page_data as making

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "pages.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^\$ upcard (.*)$", PAGE, re.MULTILINE)


def test_there_are_commands() -> None:
    assert len(COMMANDS) == 4


@pytest.mark.parametrize("command", COMMANDS)
def test_the_page_works_as_written(command: str, tmp_path: Path) -> None:
    few = ["--players", "none", "--games", "6", "--workers", "1"]
    done = upcard(*shlex.split(command), *few, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    told = re.search(rf"^\$ upcard {re.escape(command)}\n(?![$`])(.*)$", PAGE, re.MULTILINE)
    assert told is None or done.stdout == told[1] + "\n"
    assert list(tmp_path.rglob("*.html"))


def test_numbers_are_those_of_the_program() -> None:
    assert f"{making.GAMES} if left out" in PAGE
    assert f"`{making.SEARCHER}` if left out, `{making.NOBODY}` for none" in PAGE
    assert making.CHOICES == 5000
    assert f"from {making.MIN_GAMES} to {making.MAX_GAMES}" in PAGE
