"""Options mean the same in all commands: one name, one placeholder, one help text, one rule for defaults."""

from __future__ import annotations

import subprocess
import sys
from collections import defaultdict
from typing import Any

import pytest
import typer
from tests.cli.runner import upcard
from typer.main import get_command

from upcard.cli.main import app

COMMANDS: dict[str, Any] = getattr(get_command(app), "commands")  # noqa: B009  (a group; typer does not say so)
CONTEXT: Any = typer.Context(get_command(app))
AT_LEAST_ONE = {"--games", "--search-games", "--workers", "--to", "--deals", "--matches", "--packs"}

TABLE: dict[str, tuple[str, ...]] = {
    # option: placeholder, then every default that the help shows
    "--algorithm": ("pcfr+|cfr+|dcfr|mccfr", "pcfr+"),
    "--all-rules": ("",),
    "--ascii": ("",),
    "--at": ("N", "the last choice"),
    "--autolast": ("",),
    "--base": ("0|1", "as in the program"),
    "--check": ("",),
    "--browser": ("", "browser"),
    "--cluster": ("ADDRESS",),
    "--database": ("FILE", "tables.db beside your saved matches"),
    "--deal": ("N", "0"),
    "--dealer": ("NAME|drawn", "the last seat"),
    "--deals": ("N", "100"),
    "--decisions": ("",),
    "--down": ("CARD",),
    "--emit": ("ir|llvm|c|asm|wasm|wat", "ir"),
    "--engine": ("native|reference", "native", "reference"),
    "--every-place": ("",),
    "--expected": ("PLAYER,...",),
    "--explain": ("",),
    "--exploit": ("PLAYER",),
    "--facts": ("",),
    "--figures": ("", "figures"),
    "--format": ("svg|dot", "by the name of the file, else svg"),
    "--from": ("FILE",),
    "--games": ("N", "1", "1000", "2000", "100, or 5 for each set of house rules"),
    "--hand": ("CARD,...",),
    "--host": ("HOST", "127.0.0.1"),
    "--ignore-blank-lines": ("",),
    "--iterations": ("N", "100000, or a million of mccfr"),
    "--json": ("",),
    "--ladder": ("",),
    "--level": ("PLAYER", "strong"),
    "--matches": ("N", "1"),
    "--max-decisions": ("N", "500"),
    "--max-nodes": ("N", "200000"),
    "--names": ("NAME,...", "as in the game"),
    "--output": ("FILE|FOLDER", "standard output", "NAME.html", "the current one"),
    "--pace": ("SECONDS", "0.0", "0.6"),
    "--packs": ("N", "24"),
    "--parquet": ("FILE",),
    "--patience": ("SECONDS", "10.0"),
    "--plain": ("",),
    "--player": ("PLAYER", "expert"),
    "--players": ("PLAYER,...", "random", "published"),
    "--port": ("PORT", "8000"),
    "--public": ("ADDRESS",),
    "--record": ("FILE",),
    "--resume": ("",),
    "--rows": ("FOLDER", "rows"),
    "--rule": ("NAME=VALUE",),
    "--rule-pairs": ("",),
    "--samples": ("N", "20"),
    "--score": ("YOURS-THEIRS", "0-0"),
    "--search-games": ("N", "100", "more for games with fewer decisions"),
    "--seat": ("SEAT",),
    "--secret": ("FILE",),
    "--seed": ("N", "0", "drawn"),
    "--set": ("NAME=VALUE",),
    "--sprt": ("LOW,HIGH",),
    "--strict": ("",),
    "--target": ("POINTS", "0.000001, or none with --iterations or mccfr"),
    "--timeout": ("SECONDS", "10.0"),
    "--worlds": ("N", "500"),
    "--to": ("N", "as in the game"),
    "--transcript": ("FILE",),
    "--trusted": ("",),
    "--up": ("CARD",),
    "--workers": ("N", "all cores"),
}
OTHER_HELP = {
    ("compare", "--rule"): "each one makes a variant",
    ("compare", "--set"): "each one makes a variant",
    ("replay", "--check"): "a record is checked, not the layout of a program",
    ("watch", "--pace"): "everybody's moves are shown, not only those of the others",
    ("study", "--rows"): "a study has a folder for all it writes, so there it is yes or no",
    ("hint", "--seat"): "a hand without a game has seats by their distance from the dealer",
}
"""The same kind of value, but with a use of its own."""


def options() -> list[tuple[str, str, Any]]:
    return [
        (name, param.opts[-1], param)
        for name, command in COMMANDS.items()
        for param in command.params
        if param.param_type_name == "option"
    ]


def shown(param: Any) -> tuple[str, str]:
    """Help and default, as the help of a command shows them."""
    text = param.get_help_record(CONTEXT)[1]
    text, _, default = text.removesuffix("  [required]").partition("  [default: ")
    return text, default.removesuffix("]").removeprefix("(").removesuffix(")")


def test_the_table_lists_every_option() -> None:
    assert {option for _, option, _ in options()} == set(TABLE)


def test_placeholders_and_defaults_are_those_of_the_table() -> None:
    defaults: dict[str, set[str]] = defaultdict(set)
    for command, option, param in options():
        metavar, *_ = TABLE[option]
        given = "" if param.is_flag else param.metavar
        if option == "--output":
            assert given in metavar.split("|"), command
        elif (command, option) not in OTHER_HELP:
            assert given == metavar, (command, option)
        defaults[option] |= {shown(param)[1]} - {""}
    assert {option: sorted(found) for option, found in defaults.items()} == {
        option: sorted(row[1:]) for option, row in TABLE.items()
    }


def test_an_option_has_the_same_help_and_heading_in_every_command() -> None:
    texts: dict[str, set[tuple[str, str, str]]] = defaultdict(set)
    for command, option, param in options():
        if (command, option) not in OTHER_HELP:
            key = f"{option} {param.metavar}" if option == "--output" else option
            texts[key].add((shown(param)[0], str(param.rich_help_panel), param.type.name))
    assert {option: words for option, words in texts.items() if len(words) > 1} == {}


def test_exceptions_are_needed() -> None:
    for command, option in OTHER_HELP:
        own = {shown(param)[0] for name, other, param in options() if (name, other) == (command, option)}
        others = {shown(param)[0] for name, other, param in options() if other == option and name != command}
        assert own
        assert not own & others, f"{option} of {command} is like the others"


def test_every_value_with_a_default_shows_it() -> None:
    for command, option, param in options():
        if not param.is_flag and param.default not in (None, []) and not param.required:
            assert shown(param)[1], (command, option)


def test_help_texts_are_sentences() -> None:
    for command, option, param in options():
        text = shown(param)[0]
        assert text.endswith("."), (command, option)
        assert text[0].isupper() or text.startswith("native"), (command, option)
        assert "  " not in text, (command, option)


def test_arguments_are_named_alike() -> None:
    games = {
        param.metavar
        for command in COMMANDS.values()
        for param in command.params
        if param.param_type_name == "argument" and param.name in ("game", "games", "only")
    }
    assert games == {"GAME", "GAME...", "[GAME]", "[GAME...]"}


def counts() -> list[tuple[str, str]]:
    return [(name, option) for name, option, _ in options() if option in AT_LEAST_ONE]


def test_some_options_have_a_range() -> None:
    assert {option for _, option in counts()} == AT_LEAST_ONE


@pytest.mark.parametrize("command, option", counts())
def test_a_number_out_of_range_is_refused(command: str, option: str) -> None:
    for number in ("0", "-3"):
        done = upcard(command, "euchre", option, number)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == f"upcard: {option} must be at least 1, not {number}\n"


def test_no_engine_is_imported_to_start() -> None:
    """What a command needs is imported when it runs."""
    text = "import sys, upcard.cli.main; print(*sorted(m for m in sys.modules if m.startswith('upcard.')))"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    packages = {name.split(".")[1] for name in done.stdout.split()}
    assert packages == {"cli", "lazy", "output", "terminal_text"}
