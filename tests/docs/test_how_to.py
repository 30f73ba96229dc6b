"""The how-to guides and explanations are carried out: files are written, commands and programs are run."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from tests.docs.steps import DOCS, commands, fences, run_page

from upcard.terminal.answers import COMMANDS

ROOT = DOCS.parent
FOLDER = DOCS / "how-to"
PAGES = sorted(page for page in FOLDER.glob("*.md") if page.name != "index.md")
STUDENT = ROOT / "tests" / "course" / "student.py"


def prepare(page: Path, folder: Path) -> None:
    """What a reader of the page has before reading it."""
    if page.stem == "eecs280":
        text = STUDENT.read_text(encoding="utf-8")
        program(folder / "euchre.exe", text)
        program(folder / "wrong.exe", text.replace("honours >= 2", "honours >= 3"))


def program(path: Path, text: str) -> None:
    path.write_text(f"#!{sys.executable}\n{text}", encoding="utf-8")
    path.chmod(0o755)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_guide_works_as_written(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if page.stem == "make-pages":
        pytest.importorskip("matplotlib", reason="matplotlib is not installed here")
    if page.stem == "cluster":
        pytest.importorskip("distributed", reason="distributed is not installed here")
    if page.stem == "vector-environment":
        pytest.importorskip("numpy", reason="numpy is not installed here")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))  # saved matches
    prepare(page, tmp_path)
    assert not [printed for printed in run_page(page, tmp_path) if "forfeit" in printed]


@pytest.mark.parametrize("page", sorted((DOCS / "explanation").glob("*.md")), ids=lambda page: page.stem)
def test_commands_of_an_explanation_work(page: Path, tmp_path: Path) -> None:
    if any(fence.about.startswith("console") for fence in fences(page)):
        run_page(page, tmp_path)


def test_the_guides_are_listed() -> None:
    text = (FOLDER / "index.md").read_text(encoding="utf-8")
    assert [page.name for page in PAGES if f"]({page.name})" not in text] == []


def test_the_guides_have_commands() -> None:
    found = [
        command
        for page in PAGES
        for fence in fences(page)
        if fence.about.startswith("console")
        for command in commands(fence)
    ]
    assert len(found) > 30


def test_the_keys_of_the_table_are_those_of_the_page() -> None:
    """The log, taking back and laying down were missing from it."""
    text = (FOLDER / "play-euchre.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `(.)` \|", text, re.MULTILINE)) == set(COMMANDS)
