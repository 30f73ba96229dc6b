"""The page about hints: its commands are run, and print what the page shows.

`python -m tests.docs.hint_page --write` brings the page up to date.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.docs.hint_page import BLOCK, PAGE, commands, run

import upcard as package
from upcard.engine.native.game import NativeGame

TEXT = PAGE.read_text(encoding="utf-8")


@pytest.mark.skipif(
    not isinstance(package.load("euchre"), NativeGame), reason="hints are played out in machine code"
)
def test_the_commands_print_what_the_page_shows(tmp_path: Path) -> None:
    count = 0
    for block in BLOCK.findall(TEXT):
        for command, printed in commands(block):
            assert run(command, tmp_path).strip() == printed, command
            count += 1
    assert count == 6


def test_the_page_names_the_columns_of_the_table() -> None:
    for word in ("wins deal", "95 % interval", "certain", "--worlds", "--seed", "--json"):
        assert word in TEXT


def test_the_page_gives_the_figures_of_the_calibration() -> None:
    results = PAGE.parents[1] / "benchmarks" / "results" / "calibration.md"
    found = re.search(r"(\d+) of (\d+) values .*; (\d+) if it is not", results.read_text(encoding="utf-8"))
    assert found is not None
    allowed, values, strict = found.groups()
    assert f"has {values} values checked" in TEXT
    assert f"in the interval of {strict}, and in that of {allowed}" in TEXT
