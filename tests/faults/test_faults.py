"""Bounded runs of `python -m tests.faults`, which has one thread, as forking needs.

Here every so-many-th call fails; the long run fails each of them.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="commands under test are forked")
ROOT = Path(__file__).resolve().parents[2]


def run(*words: str) -> str:
    command = [sys.executable, "-m", "tests.faults", *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=110)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def hits(printed: str) -> dict[str, int]:
    """How many faults of each kind were reached."""
    rows = [line.split() for line in printed.splitlines() if " faults, " in line]
    return {row[1]: int(row[2]) for row in rows}


@pytest.mark.parametrize(
    ("command", "step", "kinds"),
    [
        ("arena", 12, {"open", "write", "fsync", "mmap"}),
        ("match", 120, {"open", "write", "fsync", "mmap"}),
        ("study", 50, {"open", "write", "fsync", "rename", "mmap"}),
        ("play", 180, {"open", "write", "fsync", "mmap"}),
        ("fmt", 1, {"open", "write", "fsync", "rename"}),
        ("solve", 4, {"open", "write", "fsync", "rename"}),
        ("rows", 4, {"open", "write", "fsync", "rename", "mmap"}),
        ("cache", 18, {"open", "write", "rename", "mmap"}),
        ("arena-program", 8, {"spawn"}),
        ("study-workers", 18, {"spawn"}),
    ],
)
def test_every_fault_is_a_sentence_and_costs_nothing(command: str, step: int, kinds: set[str]) -> None:
    found = hits(run("sweep", command, "--step", str(step)))
    assert {kind for kind, count in found.items() if count} == kinds


def test_killed_at_random_nothing_is_lost_or_counted_twice() -> None:
    printed = run("kill", "arena", "study", "play", "rows", "--count", "5", "--seed", "3")
    kills = {row[0]: int(row[1]) for row in map(str.split, printed.splitlines()) if "kills," in row}
    # a record's life goes on to its end, so there are often more kills than asked for
    assert set(kills) == {"arena", "study", "play", "rows"}
    assert min(kills.values()) >= 5
