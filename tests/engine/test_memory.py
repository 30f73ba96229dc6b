"""Programs that are dropped leave nothing behind; the long run `many_programs` does the same with 500."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="this system does not tell what is mapped")
@pytest.mark.parametrize(("backend", "count"), [("llvm", 15), ("c", 4), ("wasm", 15)])
def test_dropped_programs_leave_nothing(backend: str, count: int) -> None:
    if backend == "llvm":
        pytest.importorskip("llvmlite", reason="llvmlite is not installed here")
    given = ["--count", str(count), "--warm", "3"]
    if backend != "wasm":  # which does not search yet
        given.append("--search")
    done = subprocess.run(
        [sys.executable, "-m", "tests.engine.many_programs", *given],
        cwd=ROOT,
        env={**os.environ, "UPCARD_BACKEND": backend},
        capture_output=True,
        text=True,
        timeout=110,
    )
    if backend == "c" and "no C compiler" in done.stderr:
        pytest.skip("there is no C compiler here")
    assert done.returncode == 0, done.stdout + done.stderr
