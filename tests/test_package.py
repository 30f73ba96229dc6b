"""What is built is complete: the wheel carries games and error pages and runs on its own."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from hatchling.builders.wheel import WheelBuilder

    folder = tmp_path_factory.mktemp("wheel")
    (wheel,) = WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"])
    target = folder / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(target)
    return target


def test_the_wheel_carries_everything(unpacked: Path) -> None:
    for path in (ROOT / "src" / "upcard" / "games").rglob("*.*"):
        assert (unpacked / "upcard" / "games" / path.parent.name / path.name).is_file()
    for path in (ROOT / "src" / "upcard" / "library" / "starter").iterdir():
        assert (unpacked / "upcard" / "library" / "starter" / path.name).is_file()
    for path in (ROOT / "docs" / "errors").glob("*.md"):
        assert (unpacked / "upcard" / "docs" / "errors" / path.name).is_file()
    assert (unpacked / "upcard" / "py.typed").is_file()


@pytest.mark.parametrize(
    "arguments", [["check", "euchre", "whist"], ["watch", "euchre"], ["explain", "E301"], ["new", "duel"]]
)
def test_the_wheel_runs_elsewhere(unpacked: Path, tmp_path: Path, arguments: list[str]) -> None:
    code = f"import sys; sys.path.insert(0, {str(unpacked)!r}); import upcard; print(upcard.__file__)"
    code += f"; sys.argv = ['upcard', *{arguments!r}]; from upcard.cli.main import main; main()"
    env = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=120, env=env
    )
    assert done.returncode == 0, done.stderr
    assert str(unpacked) in done.stdout.splitlines()[0]
