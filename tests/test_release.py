"""The artefacts: what `tests.release` checks, and that it notices what is wrong with them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests import release

import upcard

ROOT = release.ROOT


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return release.build(ROOT, tmp_path_factory.mktemp("sdist"), "sdist")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return release.build(ROOT, tmp_path_factory.mktemp("wheel"), "wheel")


def test_both_bear_the_version_of_the_package(sdist: Path, wheel: Path) -> None:
    version = upcard.__version__
    assert [sdist.name, wheel.name] == [f"upcard-{version}.tar.gz", f"upcard-{version}-py3-none-any.whl"]


def test_the_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    files = release.wheel_files(wheel)
    assert list(release.wheel_errors(files, release.source_files())) == []
    for needed in (
        "upcard/py.typed",
        "upcard/games/euchre/rules.rcy",
        "upcard/games/euchre/game.toml",
        "upcard/library/starter/rules.rcy",
        "upcard/engine/native/kernels/random_numbers.py",
        "upcard/docs/errors/E301.md",
    ):
        assert needed in files
    assert not [name for name in files if Path(name).name.startswith(("test_", "conftest"))]


def test_the_source_distribution_holds_the_repository(sdist: Path) -> None:
    files = release.sdist_files(sdist)
    for needed in (
        "tests/conftest.py",
        ".ci/run",
        ".github/workflows/ci.yml",
        "docs/errors/E301.md",
        "CHANGELOG.md",
    ):
        assert needed in files
    assert not [name for name in files if release.IGNORED.intersection(name.split("/"))]


def test_the_source_distribution_builds_the_same_wheel(sdist: Path, wheel: Path, tmp_path: Path) -> None:
    source = release.unpack(sdist, tmp_path / "source")
    again = release.build(source, tmp_path / "again", "wheel")
    assert release.wheel_files(again) == release.wheel_files(wheel)


@pytest.mark.parametrize("words", release.COMMANDS, ids=lambda words: words[0])
def test_the_wheel_runs_elsewhere(wheel: Path, words: tuple[str, ...], tmp_path: Path) -> None:
    """From the archive unpacked beside the dependencies; `tests.release` has an environment for it alone."""
    import zipfile

    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    code = "import sys, upcard; print(upcard.__file__); from upcard.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "site")},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(str(tmp_path / "site"))


def test_what_is_missing_strange_or_changed_is_named() -> None:
    wanted = {"upcard/py.typed": "1", "upcard/output.py": "2"}
    metadata = {
        f"upcard-1.dist-info/{name}": "0" for name in ("METADATA", "RECORD", "WHEEL", "entry_points.txt")
    }
    files = {"upcard/output.py": "3", "tests/conftest.py": "4", **metadata}
    assert list(release.wheel_errors(files, wanted)) == [
        "the wheel lacks upcard/py.typed",
        "the wheel has tests/conftest.py, which does not belong in it",
        "the wheel has another upcard/output.py than the repository",
        "the wheel lacks licenses/LICENSE",
    ]
    assert list(release.sdist_errors({"LICENSE": "1"}, {"LICENSE": "1", ".ci/run": "2"})) == [
        "the source distribution lacks PKG-INFO",
        "the source distribution lacks .ci/run",
    ]


def test_a_command_that_fails_ends_the_check(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "print('why'); raise SystemExit(3)"]
    with pytest.raises(release.Unfit, match=re.escape("exits with 3:\nwhy")):
        release.run(command, tmp_path)


def test_the_check_says_what_is_wrong(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], sdist: Path
) -> None:
    monkeypatch.setattr(release, "build", lambda *_: sdist)
    monkeypatch.setattr(release, "tracked_files", lambda: {"no-such-file": ""})
    monkeypatch.setattr(sys, "argv", ["release"])
    assert release.main() == 1
    assert "the source distribution lacks no-such-file" in capsys.readouterr().err
