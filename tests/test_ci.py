"""`.ci/run`: it takes the test command from the README, runs every step in order, and stops at a failure."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
CI = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")

pytestmark = pytest.mark.skipif(os.name != "posix" or not shutil.which("bash"), reason="needs bash")

STEPS = [
    "the test command",
    "ruff check .",
    "ruff format --check .",
    "mypy",
    "python -m sphinx -q -W",
    "python -m tests.release",
]

TOOL = """#!/bin/sh
# Stands in for a tool: notes how it was called, and fails at the step that the test names.
called="$(basename "$0") $*"
echo "$called" >> "$CALLS"
case "$called" in "$FAILING"*) exit 1;; esac
"""


def run_ci(folder: Path, failing: str) -> tuple[int, list[str]]:
    """`.ci/run` in a copy of the project whose tools only note their calls; exit code and calls."""
    for part in (".ci", ".venv/bin"):
        (folder / part).mkdir(parents=True)
    (folder / ".ci" / "run").write_text(CI, encoding="utf-8")
    (_, _), (start, end) = (
        found.span(1) for found in re.finditer(r"^```sh\n(.*?)^```$", README, re.M | re.S)
    )
    readme = f"{README[:start]}.venv/bin/the test command\n{README[end:]}"
    (folder / "README.md").write_text(readme, encoding="utf-8")
    tools = folder / ".venv" / "bin"
    for name in ("the", "ruff", "mypy", "python"):
        (tools / name).write_text(TOOL, encoding="utf-8")
        (tools / name).chmod(0o755)
    calls = folder / "calls"
    path = os.pathsep.join([str(tools), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", str(folder / ".ci" / "run")],
        capture_output=True,
        timeout=100,
        env={**os.environ, "PATH": path, "CALLS": str(calls), "FAILING": failing},
    )
    return done.returncode, calls.read_text(encoding="utf-8").splitlines()


def test_every_step_runs_in_order(tmp_path: Path) -> None:
    code, calls = run_ci(tmp_path, "nothing")
    assert code == 0
    assert len(calls) == len(STEPS)
    assert all(call.startswith(step) for call, step in zip(calls, STEPS, strict=True)), calls


@pytest.mark.parametrize("step", STEPS)
def test_a_failing_step_ends_it(step: str, tmp_path: Path) -> None:
    code, calls = run_ci(tmp_path, step)
    assert code != 0
    assert calls[-1].startswith(step)
