"""The page about players is carried out: its players are saved under their names, its commands are run."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

from upcard.players.registry import player_names

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "players.md").read_text(encoding="utf-8")


def test_the_page_works_as_written(tmp_path: Path) -> None:
    found = re.findall(r"Save this as `(\w+\.py)`:\n\n```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    assert [name for name, _ in found] == ["counting.py", "passing.py"]
    for name, text in found:
        assert text.count("\n") < 30
        (tmp_path / name).write_text(text, encoding="utf-8")
    commands = re.findall(r"^\$ upcard (.*)$", PAGE, re.MULTILINE)
    assert len(commands) == 2
    for command in commands:
        words = shlex.split(command.replace("python3", sys.executable))
        assert any(name in word for name, _ in found for word in words)
        done = subprocess.run(
            [sys.executable, "-m", "upcard.cli.main", *words, "--engine", "reference", "--workers", "1"],
            capture_output=True,
            text=True,
            encoding="utf-8",
            cwd=tmp_path,
            timeout=110,
        )
        assert done.returncode == 0, done.stderr
        assert "forfeited" not in done.stdout
        assert "10 hands, 20 games" in done.stdout


def test_the_page_describes_every_player() -> None:
    assert [name for name in player_names() if f"`{name}`" not in PAGE] == []
