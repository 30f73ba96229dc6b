"""Options that several commands have are the same in all of them, and their numbers are looked at."""

from __future__ import annotations

import subprocess
import sys
from collections import defaultdict

import pytest
from tests.cli.runner import upcard
from typer.main import get_command

from upcard.cli.main import app

COMMANDS = getattr(get_command(app), "commands")  # noqa: B009  (a group; typer does not say so)
AT_LEAST_ONE = {"--games", "--search-games", "--workers", "--to", "--deals", "--packs"}
SHARED = {"--set", "--rule", "--base", "--engine", "--patience", "--json", "--output"}
"""Those that mean the same wherever they are; --rule and --set of compare make variants."""
OF_ITS_OWN = {
    ("compare", "--rule"),
    ("compare", "--set"),
    ("graph", "--output"),
    ("page", "--output"),
    ("site", "--output"),
}


def counts() -> list[tuple[str, str]]:
    return [
        (name, param.opts[-1])
        for name, command in COMMANDS.items()
        for param in command.params
        if param.opts[-1] in AT_LEAST_ONE
    ]


def test_some_options_have_a_range() -> None:
    assert {option for _, option in counts()} == AT_LEAST_ONE


@pytest.mark.parametrize("command, option", counts())
def test_a_number_out_of_range_is_refused(command: str, option: str) -> None:
    for number in ("0", "-3"):
        done = upcard(command, "euchre", option, number)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == f"upcard: {option} is at least 1, not {number}\n"


def test_shared_options_have_the_same_help() -> None:
    texts: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for name, command in COMMANDS.items():
        for param in command.params:
            option = param.opts[-1]
            if option in SHARED and (name, option) not in OF_ITS_OWN:
                texts[option].add((param.help, param.metavar))
    assert set(texts) == SHARED
    assert {option: words for option, words in texts.items() if len(words) > 1} == {}


def test_no_engine_is_imported_to_start() -> None:
    """What a command needs is imported when it runs."""
    text = "import sys, upcard.cli.main; print(*sorted(m for m in sys.modules if m.startswith('upcard.')))"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    packages = {name.split(".")[1] for name in done.stdout.split()}
    assert packages == {"cli", "output", "terminal_text"}
