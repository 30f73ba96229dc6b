"""The examples in the help of every command are run, in the order in which they are shown."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

import pytest
from tests.cli.hostile_text import names_of_commands
from tests.cli.runner import upcard
from tests.cli.test_help import help_of
from tests.web.processes import serve_briefly

from upcard.cli.examples import examples_of
from upcard.course.pack import pack_text
from upcard.euchre.euchre_cards import STANDARD

LESS: dict[str, list[str]] = {
    "verify": ["--games", "1", "--workers", "1"],
    "hint": ["--player", "random", "--worlds", "20"],
    "study": ["--games", "10", "--no-figures", "--workers", "1"],
    "compare": ["--games", "10", "--no-figures", "--workers", "1"],
    "page": ["--games", "10", "--players", "none", "--workers", "1"],
    "site": ["--games", "10", "--players", "none", "--workers", "1"],
    "judge": ["--packs", "1"],
    "watch": ["--pace", "0"],
}
"""Added to the examples of a command, so that they take a second instead of a minute."""
PACKAGES = {"page": "matplotlib", "site": "matplotlib", "simulate": "pyarrow", "rows": "pyarrow"}
"""What examples of a command need beside Upcard."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that examples name."""
    place = tmp_path_factory.mktemp("examples")
    (place / "pack.in").write_text(pack_text(STANDARD), encoding="utf-8")
    program = place / "euchre.exe"
    program.write_text(
        f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m upcard course "$@"\n', encoding="utf-8"
    )
    program.chmod(0o755)
    for words in (["new", "my-game"], ["watch", "euchre", "--seed", "7", "--transcript", "hand.jsonl"]):
        assert upcard(*words, cwd=place).returncode == 0
    return place


@pytest.mark.parametrize("command", names_of_commands())
def test_examples_run(command: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UPCARD_DATA", str(folder / "data"))
    if command in PACKAGES:
        pytest.importorskip(PACKAGES[command], reason=f"{PACKAGES[command]} is not installed here")
    if command == "rows":
        assert upcard("simulate", "whist", "--games", "20", "--rows", "hands", cwd=folder).returncode == 0
    if command == "judge" and os.name != "posix":
        pytest.skip("the student's program is a shell script here")
    if command == "bench":
        _measure_briefly(monkeypatch)
    for example in examples_of(help_of(command)):
        words = shlex.split(example.partition(" > ")[0])[1:]
        if command == "serve":
            assert "The table is open at http://" in serve_briefly(words[1:], folder)
            continue
        done = upcard(*words, *LESS.get(command, []), cwd=folder, given="q\n")
        assert done.returncode == 0, (example, done.stdout, done.stderr)
        assert done.stdout or command in ("fmt", "graph"), example
        assert done.stderr == "", example


def _measure_briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("llvmlite", reason="llvmlite is not installed here")
    from upcard.verify import speed

    monkeypatch.setattr(speed, "SECONDS", 0.001)
    monkeypatch.setattr(speed, "TRIES", 1)
    monkeypatch.setattr(speed, "COMPILES", 1)
    monkeypatch.setattr(speed, "open_spiel", lambda: None)
