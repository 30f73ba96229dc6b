"""Every command in a process whose output is ASCII alone: nothing fails, and all of it is readable."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.hostile_text import names_of_commands
from tests.cli.many_commands import run_all
from tests.cli.runner import Done, upcard

from upcard.course.pack import pack_text
from upcard.euchre.euchre_cards import STANDARD
from upcard.terminal_text import to_ascii

ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
QUICK = ["--engine", "reference", "--workers", "1"]
PEOPLE = [part for name in ("Zoë", "Barbara", "Chi-Chih", "Dabbala") for part in (name, "Simple")]
COMMANDS = {
    "games": [],
    "rules": ["euchre"],
    "show": ["euchre"],
    "new": ["mine"],
    "check": ["odd.rcy"],
    "fmt": ["odd.rcy", "--check"],
    "explain": ["E102"],
    "simulate": ["kuhn-poker", "--games", "20", *QUICK],
    "rows": ["rows"],
    "watch": ["euchre", "--engine", "reference"],
    "replay": ["game.jsonl"],
    "stats": [],
    "play": ["euchre", "--plain", "--level", "random", "--seed", "1", "--engine", "reference"],
    "serve": ["écarté"],
    "hint": ["game.jsonl", "--player", "random", "--worlds", "20"],
    "match": ["kuhn-poker", "--matches", "3", *QUICK],
    "arena": ["kuhn-poker", "--players", "random,random", "--deals", "5", *QUICK],
    "test": ["mine"],
    "verify": ["kuhn-poker", "--games", "2", "--workers", "1"],
    "compile": ["kuhn-poker"],
    "bench": ["odd.rcy"],
    "graph": ["kuhn-poker", "--explain", "--engine", "reference"],
    "study": ["kuhn-poker", "--games", "20", "--no-figures", "--no-rows", *QUICK],
    "compare": ["kuhn-poker", "leduc-holdem", "--games", "20", "--no-figures", *QUICK],
    "solve": ["kuhn-poker", "--iterations", "50"],
    "encoding": ["euchre"],
    "page": ["odd.rcy"],
    "site": ["--games", "0"],
    "course": ["pack.in", "noshuffle", "1", *PEOPLE],
    "judge": ["écarté"],
}
REFUSED = {"check": 1, "bench": 1, "page": 1, "fmt": 1, "site": 2, "judge": 2, "serve": 2}
DOCUMENTS = {"show", "course"}
"""They print a program or a name in the bytes that it has."""


def environment(folder: Path) -> dict[str, str]:
    given = {key: value for key, value in os.environ.items() if key != "PYTHONIOENCODING"}
    return {**given, **ASCII, "UPCARD_DATA": str(folder / "data"), "COLUMNS": "80"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("ascii")
    (place / "pack.in").write_text(pack_text(STANDARD), encoding="utf-8")
    (place / "odd.rcy").write_text("(game ♠ ±)\n", encoding="utf-8")
    for words in (
        ["new", "mine"],
        ["watch", "euchre", "--transcript", "game.jsonl", *QUICK[:2]],
        ["simulate", "kuhn-poker", "--games", "20", "--rows", "rows", *QUICK],
    ):
        assert upcard(*words, cwd=place).returncode == 0
    return place


def test_every_command_is_run() -> None:
    assert sorted(COMMANDS) == names_of_commands()


@pytest.fixture(scope="module")
def outputs(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Done[bytes]]:
    """Of every command, run one after the other in a process whose locale is ASCII."""
    empty = tmp_path_factory.mktemp("empty")
    commands = [
        (empty if command == "new" else folder, [command, *words], "1\nq\n")
        for command, words in COMMANDS.items()
    ]
    return dict(zip(COMMANDS, run_all(commands, environment(folder)), strict=True))


def test_a_command_in_a_process_of_its_own(folder: Path, outputs: dict[str, Done[bytes]]) -> None:
    words = [sys.executable, "-m", "upcard", "rules", *COMMANDS["rules"]]
    done = subprocess.run(words, cwd=folder, capture_output=True, env=environment(folder), timeout=100)
    assert (done.returncode, done.stdout, done.stderr) == (0, outputs["rules"].stdout, b"")


@pytest.mark.parametrize("command", names_of_commands())
def test_every_command_is_readable_in_ascii(command: str, outputs: dict[str, Done[bytes]]) -> None:
    done = outputs[command]
    assert done.returncode == REFUSED.get(command, 0), done.stderr
    assert b"Traceback" not in done.stderr
    assert done.stderr.isascii()
    assert done.stdout.isascii() or command in DOCUMENTS
    assert b"\\u" not in done.stdout, "a character of ours has no replacement"
    assert done.stdout or done.stderr


@pytest.mark.parametrize("command, head, cell", [("simulate", "score", ""), ("match", "share", " %")])
def test_columns_stay_columns(command: str, head: str, cell: str, outputs: dict[str, Done[bytes]]) -> None:
    """A sign that is wider in ASCII moves its heading and all rows alike."""
    lines = outputs[command].stdout.decode("ascii").split("\n")
    first = next(at for at, line in enumerate(lines) if head in line.split()) + 1
    errors = [re.search(rf"\+/- +[\d.]+{cell}", line) for line in lines[first : first + 2]]
    assert [found and found.end() for found in errors] == [lines[first - 1].index(head) + len(head)] * 2
    assert len({found and found.start() for found in errors}) == 1


def test_replacements() -> None:
    assert (
        to_ascii("Écarté: 9♠ 10♥ J♣ A♦ · 0.5 ± 0.1 – “so” …")
        == 'Ecarte: 9s 10h Jc Ad - 0.5 +/- 0.1 - "so" ...'
    )
    assert to_ascii("┌─┐│▒▶→ß") == "+-+|#>->ss"
    assert to_ascii("日") == "\\u65e5"


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are POSIX")
def test_the_table_in_ascii(tmp_path: Path) -> None:
    from tests.terminal.terminals import Terminal

    words = ["play", "euchre", "--seed", "3", "--level", "random", "--pace", "0", "--engine", "reference"]
    with Terminal(words, tmp_path, 80, 24, PYTHONIOENCODING="", **ASCII) as table:
        table.wait_for("Press Enter to begin")
        screen = table.pressed("\r", "or pass?")
        assert screen.isascii()
        assert "Qd is turned up" in screen
        assert "|  Kh  |" in screen
        assert "+------+" in screen
        table.press("q")
        table.press("\r")
        assert table.ended() == 0, table.after
        assert table.output.isascii()
