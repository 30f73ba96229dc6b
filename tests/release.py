"""Release check: builds both artefacts, looks into them, and runs them in an empty environment.

    python -m tests.release [--keep FOLDER]

The source distribution must hold every file of the repository and build the same wheel as the repository.
The wheel must hold what users need and no tests; installed alone, it must run. Tests that read files of the
repository are run in the unpacked source distribution. Exit 1 at the first thing that is wrong.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
IGNORED = {".venv", ".git", ".hypothesis", "__pycache__", "build", "dist"}
COMMANDS = (
    ("--version",),
    ("check", "euchre", "whist"),
    ("simulate", "euchre", "--games", "20", "--seed", "1"),
    ("explain", "E301"),
)
TESTS = (
    "tests/test_layers.py",
    "tests/test_names.py",
    "tests/test_project_files.py",
    "tests/docs/test_language.py",
)
"""Tests to run from the source distribution: quick ones that read documents, sources and project files."""

Files = Mapping[str, str]
"""Digests of the files of an archive by their path in it."""


class Unfit(Exception):
    """An artefact that must not be released."""


# --- building ------------------------------------------------------------------------------------


def build(source: Path, folder: Path, target: str) -> Path:
    """Builds the "wheel" or the "sdist" of a source tree into an empty folder."""
    run([sys.executable, "-m", "hatchling", "build", "-d", str(folder), "-t", target], source)
    (artefact,) = folder.iterdir()
    return artefact


def build_with_pip(sdist: Path, folder: Path) -> Path:
    """Builds a wheel from the source distribution as `pip install` does."""
    run(
        [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(folder), str(sdist)],
        folder.parent,
    )
    (wheel,) = folder.glob("*.whl")
    return wheel


def run(command: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None) -> str:
    """Runs a command that must succeed, and returns its output."""
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8"
    )
    if done.returncode:
        raise Unfit(f"`{' '.join(command)}` exits with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


# --- what is in them -----------------------------------------------------------------------------


def wheel_files(wheel: Path) -> dict[str, str]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: digest(archive.read(name)) for name in archive.namelist()}


def sdist_files(sdist: Path) -> dict[str, str]:
    """The files of a source distribution, without its top folder."""
    files = {}
    with tarfile.open(sdist) as archive:
        for member in archive.getmembers():
            content = archive.extractfile(member)
            if content is not None:
                files[member.name.partition("/")[2]] = digest(content.read())
    return files


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def source_files(root: Path = ROOT) -> dict[str, str]:
    """The files of the package in a source tree, by their path in the wheel."""
    files = {}
    for folder, prefix in (
        (root / "src" / "upcard", "upcard"),
        (root / "docs" / "errors", "upcard/docs/errors"),
    ):
        for path in folder.rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                files[f"{prefix}/{path.relative_to(folder).as_posix()}"] = digest(path.read_bytes())
    return files


def wheel_errors(files: Files, source: Files) -> Iterator[str]:
    """What is wrong with the contents of a wheel, given the files of the package in the source tree."""
    package = {name: found for name, found in files.items() if ".dist-info/" not in name}
    yield from differences("the wheel", package, source)
    metadata = {name.partition(".dist-info/")[2] for name in files if ".dist-info/" in name}
    for needed in ("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE"):
        if needed not in metadata:
            yield f"the wheel lacks {needed}"


def sdist_errors(files: Files, tracked: Files) -> Iterator[str]:
    """What is wrong with the contents of a source distribution, given the files of the repository."""
    if "PKG-INFO" not in files:
        yield "the source distribution lacks PKG-INFO"
    yield from differences(
        "the source distribution", {n: d for n, d in files.items() if n != "PKG-INFO"}, tracked
    )


def differences(what: str, files: Files, wanted: Files) -> Iterator[str]:
    for name in sorted(wanted.keys() - files.keys()):
        yield f"{what} lacks {name}"
    for name in sorted(files.keys() - wanted.keys()):
        yield f"{what} has {name}, which does not belong in it"
    for name in sorted(files.keys() & wanted.keys()):
        if files[name] != wanted[name]:
            yield f"{what} has another {name} than the repository"


def tracked_files(root: Path = ROOT) -> dict[str, str]:
    """The files that git tracks. In an unpacked source distribution: all files."""
    if (root / ".git").exists():
        names = run(["git", "ls-files", "-z"], root).split("\0")
    else:
        names = [path.relative_to(root).as_posix() for path in root.rglob("*")]
    return {
        name: digest((root / name).read_bytes())
        for name in names
        if name != "PKG-INFO" and (root / name).is_file() and not IGNORED.intersection(name.split("/"))
    }


def refuse(errors: Iterator[str]) -> None:
    found = list(errors)
    if found:
        raise Unfit("\n".join(found))


# --- the whole check -----------------------------------------------------------------------------


def check(folder: Path) -> tuple[Path, Path]:
    """Checks everything, and returns the artefacts, which lie in `folder`."""
    sdist, wheel = build(ROOT, folder / "sdist", "sdist"), build(ROOT, folder / "wheel", "wheel")
    refuse(sdist_errors(sdist_files(sdist), tracked_files()))
    refuse(wheel_errors(wheel_files(wheel), source_files()))
    say(f"{sdist.name} and {wheel.name} hold what they should")

    again = build_with_pip(sdist, folder / "again")
    refuse(differences("the wheel from the source distribution", wheel_files(again), wheel_files(wheel)))
    say("the source distribution builds the same wheel")

    python = empty_environment(folder / "env")
    run([str(python), "-m", "pip", "install", "-q", str(wheel)], folder)
    program = python.with_name("upcard" + python.suffix)
    for words in COMMANDS:
        say(f"$ upcard {' '.join(words)}")
        run([str(program), *words], folder, clean_environment())
    say("the wheel runs in an empty environment")

    unpacked = unpack(sdist, folder / "source")
    path = {"PYTHONPATH": str(unpacked / "src")}
    run([sys.executable, "-m", "pytest", "-n", "0", *TESTS], unpacked, clean_environment() | path)
    say("tests pass in the unpacked source distribution")
    return sdist, wheel


def empty_environment(folder: Path) -> Path:
    """Makes an environment with nothing but pip, and returns its Python."""
    venv.create(folder, with_pip=True)
    if os.name == "nt":
        return folder / "Scripts" / "python.exe"
    return folder / "bin" / "python"


def clean_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST_"))}


def unpack(sdist: Path, folder: Path) -> Path:
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    (top,) = folder.iterdir()
    return top


def say(line: str) -> None:
    print(line, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.release", description=__doc__.splitlines()[0])
    parser.add_argument(
        "--keep", metavar="FOLDER", type=Path, help="where to put the artefacts, if all is well"
    )
    keep: Path | None = parser.parse_args().keep
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        try:
            artefacts = check(Path(name).resolve())
        except Unfit as error:
            print(error, file=sys.stderr)
            return 1
        if keep is not None:
            keep.mkdir(parents=True, exist_ok=True)
            for path in artefacts:
                shutil.copy2(path, keep)
    return 0


if __name__ == "__main__":
    sys.exit(main())
