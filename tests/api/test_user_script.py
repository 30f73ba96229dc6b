"""A user's script passes `mypy --strict` and runs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.api import user_script

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = Path(user_script.__file__)
CACHE = ROOT / ".mypy_cache" / "user_script"
"""Kept between runs, because without it mypy reads the whole package."""


def mypy(script: Path) -> subprocess.CompletedProcess[str]:
    """Checks a script as a user does, without Upcard's own configuration."""
    options = ["--strict", "--config-file=", "--follow-imports=silent", f"--cache-dir={CACHE}"]
    return subprocess.run(
        [sys.executable, "-m", "mypy", *options, str(script)],
        cwd=script.parent,
        capture_output=True,
        text=True,
        timeout=580,
    )


def test_the_script_runs() -> None:
    user_script.main()


@pytest.mark.timeout(600)  # without its cache mypy reads the whole package
def test_the_script_is_typed(tmp_path: Path) -> None:
    pytest.importorskip("mypy", reason="mypy is not installed here")
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.read_text(encoding="utf-8"), encoding="utf-8")
    done = mypy(script)
    assert done.returncode == 0, done.stdout + done.stderr
    wrong = tmp_path / "wrong.py"
    wrong.write_text(
        'import upcard\nstate: upcard.State = upcard.load("euchre").deal()\nstate.play("nonsense")\n',
        encoding="utf-8",
    )
    done = mypy(wrong)
    assert done.returncode == 1
    assert 'incompatible type "str"' in done.stdout
