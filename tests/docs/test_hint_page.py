"""The page about hints: its commands are run.

What is on the table must be as printed there; what a player thinks of it is the player's business, but all
that is valued on the page is valued.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from tests.cli.runner import upcard

import upcard as package
from upcard.engine.native.game import NativeGame

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "hint.md").read_text(encoding="utf-8")
VALUED = re.compile(r"^[* ] (.*?) +\d+\.\d% ±")


def shown(text: str) -> tuple[str, set[str]]:
    """What comes before the first empty line, and the moves that are valued."""
    found = [VALUED.match(line) for line in text.splitlines()]
    return text.partition("\n\n")[0].strip(), {match[1] for match in found if match}


@pytest.mark.skipif(
    not isinstance(package.load("euchre"), NativeGame), reason="the expert searches in machine code"
)
def test_the_page_works_as_written(tmp_path: Path) -> None:
    blocks = re.findall(r"^```console\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    commands = 0
    for block in blocks:
        for part in re.split(r"^\$ upcard ", block, flags=re.MULTILINE)[1:]:
            command, _, printed = part.partition("\n")
            words = shlex.split(command.partition(" > ")[0])
            done = upcard(*words, cwd=tmp_path, columns=90)
            commands += 1
            if printed.strip():
                assert shown(done.stdout + done.stderr) == shown(printed), command
    assert commands == 5
    assert re.search(r"`--seed`.*`--json`", PAGE, re.DOTALL)
