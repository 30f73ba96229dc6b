"""Help of the command line at 80 columns: groups, whole sentences, nothing cut."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.cli.hostile_text import names_of_commands
from tests.cli.runner import upcard
from typer.main import get_command

from upcard.cli import command_list
from upcard.cli.examples import examples_of
from upcard.cli.main import app

GROUPS = ["Play", "Design", "Measure", "Study", "Develop"]


def help_of(command: str) -> str:
    found: Any = getattr(get_command(app), "commands")  # noqa: B009
    return str(found[command].help)


def test_upcard_alone_is_a_friendly_start() -> None:
    done = upcard()
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Upcard plays, measures and studies card games")
    tried = re.findall(r"^  upcard (\w+)", done.stdout, re.MULTILINE)
    assert len(tried) == 4
    assert set(tried) <= set(names_of_commands())
    assert "upcard -h lists all commands" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_commands_are_in_groups() -> None:
    text = upcard("-h").stdout
    assert list(command_list.GROUPS) == GROUPS
    assert re.findall(r"^(\w+):$", text, re.MULTILINE) == [*GROUPS, "Options"]
    listed = re.findall(r"^  ([a-z]+) {2,}[A-Z]", text, re.MULTILINE)
    assert listed == [name for group in command_list.GROUPS.values() for name in group]
    assert sorted(listed) == names_of_commands()


def test_summaries_have_one_whole_line() -> None:
    lines = upcard("-h").stdout.splitlines()
    for command in names_of_commands():
        summary = " ".join(help_of(command).partition("\n\n")[0].split()).removesuffix(".")
        assert f"  {command:<8}  {summary}" in lines


@pytest.mark.parametrize("words", [(), *((name,) for name in names_of_commands())])
def test_help_fits_80_columns_and_has_a_short_form(words: tuple[str, ...]) -> None:
    done = upcard(*words, "-h")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == upcard(*words, "--help").stdout
    for line in done.stdout.splitlines():
        assert len(line) <= 80
        assert not line.endswith(("...", "…")) or line.startswith("Usage: "), line


@pytest.mark.parametrize("command", names_of_commands())
def test_help_is_a_sentence_then_perhaps_a_paragraph_then_examples(command: str) -> None:
    sentence, *paragraphs, examples = help_of(command).strip().split("\n\n")
    assert re.fullmatch(r"[A-Z][^.]*(?:positions\.toml)?\.", sentence), sentence
    assert len(paragraphs) <= 1
    assert examples.startswith("Examples:\n")
    assert 1 <= len(examples_of(help_of(command))) <= 3
    for line in examples_of(help_of(command)):
        assert line.split()[:2] == ["upcard", command]
    text = upcard(command, "-h").stdout
    assert text.rstrip().endswith("\n  ".join(["Examples:", *examples_of(help_of(command))]))


def test_the_version() -> None:
    done = upcard("--version")
    assert done.returncode == 0
    assert re.fullmatch(r"upcard \d+\.\d+\.\d+\S*\n", done.stdout)
