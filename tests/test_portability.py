"""The package does without what only POSIX systems have."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.skipif(os.name != "posix", reason="elsewhere every test shows it")
def test_modules_and_machine_code_do_without_posix(tmp_path: Path) -> None:
    pytest.importorskip("llvmlite")
    done = subprocess.run(
        [sys.executable, "-m", "tests.portability"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=110,
        env={**os.environ, "UPCARD_CACHE": str(tmp_path), "UPCARD_BACKEND": "llvm"},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["native 100", "reference 100"]
