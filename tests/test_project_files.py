"""Project files agree: workflows, classifiers, versions, changelog, citation, editor and hook settings."""

from __future__ import annotations

import configparser
import importlib.util
import re
import shlex
import subprocess
import sys
import tomllib
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import yaml

import upcard

ROOT = Path(__file__).resolve().parents[1]
WORKFLOWS = ROOT / ".github" / "workflows"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SYSTEMS = {
    "ubuntu-latest": "Operating System :: POSIX :: Linux",
    "macos-latest": "Operating System :: MacOS",
    "windows-latest": "Operating System :: Microsoft :: Windows",
}
TOOLS = {"mypy", "pip", "pytest", "ruff", "sphinx"}
"""What `python -m` may run besides the modules of the tests."""


def load(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def classified(prefix: str) -> list[str]:
    found = (re.fullmatch(rf"{prefix} :: (.+)", line) for line in PROJECT["project"]["classifiers"])
    return [match[1] for match in found if match]


PYTHONS = [version for version in classified("Programming Language :: Python") if "." in version]


# --- workflows -----------------------------------------------------------------------------------


def runs(workflow: str) -> list[tuple[str, str, list[str]]]:
    """Every run of a workflow's jobs: the system, the Python, and the commands."""
    found = []
    for job in load(WORKFLOWS / workflow)["jobs"].values():
        matrix: dict[str, list[str]] = job.get("strategy", {}).get("matrix", {})
        for values in product(*matrix.values()):
            filled = fill(job, dict(zip(matrix, values, strict=True)))
            (python,) = (step["with"]["python-version"] for step in filled["steps"] if "with" in step)
            commands = [step["run"] for step in filled["steps"] if "run" in step]
            found.append((filled["runs-on"], python, commands))
    return found


def fill(part: Any, values: dict[str, str]) -> Any:
    """Part of a job with the values of one cell of its matrix."""
    if isinstance(part, dict):
        return {key: fill(inner, values) for key, inner in part.items() if key != "strategy"}
    if isinstance(part, list):
        return [fill(inner, values) for inner in part]
    if isinstance(part, str):
        return re.sub(r"\$\{\{ matrix\.(\w+) \}\}", lambda match: values[match[1]], part)
    return part


def test_every_supported_python_is_tested_on_every_system_once() -> None:
    tested = [(system, python) for system, python, _ in runs("ci.yml")]
    assert sorted(tested) == sorted(product(SYSTEMS, PYTHONS))
    for system, classifier in SYSTEMS.items():
        assert classifier in PROJECT["project"]["classifiers"], system


def test_the_newest_python_runs_everything_and_the_others_the_tests() -> None:
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    steps = re.findall(r"^\.venv/bin/(?:python -m )?(.+)$", ci, re.MULTILINE)
    site = "sphinx -q -W --keep-going -j auto -b dirhtml docs build/docs"
    assert steps == ["ruff check .", "ruff format --check .", "mypy", site, "tests.release"]
    for system, python, commands in runs("ci.yml"):
        if python != PYTHONS[-1]:
            assert commands[-1] == "python -m pytest", (system, python)
        elif system != "windows-latest":
            assert commands == ["bash .ci/run"], system
        else:
            written_out = [command.removeprefix("python -m ") for command in commands[1:]]
            assert written_out == ["pytest", *steps[:2], "mypy --platform linux", site, "tests.release"]


@pytest.mark.parametrize("workflow", sorted(path.name for path in WORKFLOWS.iterdir()))
def test_the_commands_of_workflows_exist(workflow: str) -> None:
    for system, python, commands in runs(workflow):
        assert system in SYSTEMS
        assert python in PYTHONS
        assert commands
        for command in commands:
            program, *words = shlex.split(command)
            if program == "bash":
                assert (ROOT / words[0]).is_file(), command
                continue
            assert (program, words[0]) == ("python", "-m"), command
            assert words[1] in TOOLS or importlib.util.find_spec(words[1]) is not None, command


NIGHTLY = [shlex.split(command) for _, _, commands in runs("nightly.yml") for command in commands[1:]]


@pytest.mark.parametrize("module", sorted({words[2] for words in NIGHTLY}))
def test_the_options_of_long_runs_exist(module: str) -> None:
    asked = [sys.executable, "-m", module, "--help"]
    shown = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, timeout=100, check=True).stdout
    for words in NIGHTLY:
        if words[2] == module:
            for option in (word for word in words if word.startswith("--")):
                assert re.search(rf"{option}\b", shown), option


def test_contributors_get_the_commands_of_long_runs() -> None:
    contributing = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert NIGHTLY
    for words in NIGHTLY:
        assert f"`{' '.join(words[:3])}" in contributing


# --- versions ------------------------------------------------------------------------------------


def test_the_supported_pythons_are_stated_alike() -> None:
    assert PROJECT["project"]["requires-python"] == f">={PYTHONS[0]}"
    assert PROJECT["tool"]["ruff"]["target-version"] == f"py{PYTHONS[0].replace('.', '')}"
    numbers = [tuple(map(int, version.split("."))) for version in PYTHONS]
    assert numbers == [(3, minor) for minor in range(numbers[0][1], numbers[-1][1] + 1)]


def test_the_version_is_in_one_place() -> None:
    path = ROOT / PROJECT["tool"]["hatch"]["version"]["path"]
    assert "version" not in PROJECT["project"]
    assert PROJECT["project"]["dynamic"] == ["version"]
    assert f'\n__version__ = "{upcard.__version__}"\n' in path.read_text(encoding="utf-8")
    assert re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?", upcard.__version__)


RELEASES = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)


def test_the_changelog_begins_with_what_is_not_released_or_with_this_version() -> None:
    assert RELEASES[0] == "Unreleased" or RELEASES[0].startswith(f"{upcard.__version__} - ")
    dated = [re.fullmatch(r"(\d+)\.(\d+)\.(\d+) - (\d{4}-\d{2}-\d{2})", line) for line in RELEASES]
    dated = dated[1:] if RELEASES[0] == "Unreleased" else dated
    assert all(dated), "a release is `## 1.2.3 - 2026-12-31`"
    numbers = [tuple(int(number) for number in match.groups()[:3]) for match in dated if match]
    assert numbers == sorted(set(numbers), reverse=True)


def test_the_changelog_has_the_usual_sections() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    usual = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    for release in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        sections = re.findall(r"^### (.+)$", release, re.MULTILINE)
        assert sections
        assert len(sections) == len(set(sections))
        assert set(sections) <= usual


# --- citation, editors, hooks, templates ---------------------------------------------------------


def test_the_citation_agrees_with_the_package() -> None:
    citation = load(ROOT / "CITATION.cff")
    assert {"cff-version", "message", "title", "authors", "type"} <= citation.keys()
    assert citation["title"].lower() == PROJECT["project"]["name"]
    assert citation["license"] == PROJECT["project"]["license"]
    assert "version" not in citation, "the version is in src/upcard/__init__.py only"


def test_editors_break_lines_where_the_formatter_does() -> None:
    settings = configparser.ConfigParser()
    settings.read_string("[top]\n" + (ROOT / ".editorconfig").read_text(encoding="utf-8"))
    assert settings["top"]["root"] == "true"
    assert settings["*"]["end_of_line"] == "lf"
    assert settings["*.py"]["max_line_length"] == str(PROJECT["tool"]["ruff"]["line-length"])


def test_hooks_run_the_tools_of_the_environment() -> None:
    extras = PROJECT["project"]["optional-dependencies"]["dev"]
    installed = {re.split(r"[>=<\[]", requirement)[0] for requirement in extras}
    for repository in load(ROOT / ".pre-commit-config.yaml")["repos"]:
        assert repository["repo"] == "local", "other hooks would be fetched from the network"
        for hook in repository["hooks"]:
            assert hook["language"] == "system"
            program, *words = shlex.split(hook["entry"])
            assert program.startswith(".venv/bin/")
            assert program.removeprefix(".venv/bin/") in installed
            assert all((ROOT / word).is_file() for word in words if word.startswith("tests/"))
            if "files" in hook:
                assert re.search(hook["files"], "src/upcard/output.py")


@pytest.mark.parametrize(
    "path", sorted((ROOT / ".github" / "ISSUE_TEMPLATE").iterdir()), ids=lambda path: path.stem
)
def test_issue_templates_have_a_header(path: Path) -> None:
    _, header, body = path.read_text(encoding="utf-8").split("---\n", 2)
    assert {"name", "about"} <= yaml.safe_load(header).keys()
    assert body.strip()
