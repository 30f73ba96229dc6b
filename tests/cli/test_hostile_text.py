"""Nothing that a command reads can act on a terminal: attacks in every input, and a look at every output.

The commands and their options come from the command line itself, so a new one is tried or a test fails.
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import pytest
from tests.cli.hostile_text import (
    ATTACK,
    BROKEN,
    CLIPBOARD,
    NAME,
    SHOWN,
    HostileFiles,
    commands,
    names_of_commands,
    options_of,
)
from tests.cli.runner import upcard_bytes, upcard_in_terminal

from upcard.course.pack import pack_text
from upcard.euchre.euchre_cards import STANDARD
from upcard.terminal_text import visible

if sys.platform == "win32":
    pytest.skip("such names and pseudo-terminals are POSIX", allow_module_level=True)

from tests.terminal.terminals import Terminal

# such long names leave a figure no room
pytestmark = pytest.mark.filterwarnings("ignore:constrained_layout not applied")
OURS = re.compile(r"\x1b\[[0-9;]*m|\r?\x1b\[2K|\x1b\[1A|\x1b\[\?25[hl]|\r(?=\x1b)")
"""Colours, and what a progress bar draws itself with."""
DOCUMENTS = {"show", "fmt", "course"}
"""In a pipe they print a program, or what the course's program prints, byte for byte."""
STREAMS_WITHOUT_GUARD = {
    "output.py",
    "players/external/host.py",
    "players/external/pipes.py",
    "storage/jsonl.py",
}
"""The guard itself; the two ends of a pipe to an external player; and records, which are written to files."""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> HostileFiles:
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "pack.in").write_text(pack_text(STANDARD), encoding="utf-8")
    return HostileFiles(folder)


@pytest.fixture(autouse=True)
def hostile_environment(files: HostileFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UPCARD_DATA", str(files.folder / f"data{NAME}"))
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)


def check(text: str) -> None:
    """Every character is printable or a newline, and no line was begun by a name."""
    assert "\x1b[5m" not in text
    plain = OURS.sub("", text)
    assert visible(plain, lines=True) == plain
    assert "\t" not in plain
    assert not [line for line in plain.split("\n") if line.strip().startswith("FORGED")]
    assert "Traceback" not in plain


def test_every_command_is_tried(files: HostileFiles) -> None:
    assert sorted(commands(files)) == names_of_commands()


@pytest.mark.parametrize("command", names_of_commands())
def test_a_pipe_gets_visible_text(command: str, files: HostileFiles) -> None:
    shown = ""
    for words in commands(files)[command]:
        done = upcard_bytes(*words, cwd=files.folder, given=given(command))
        out, error = done.stdout.decode("utf-8", "surrogateescape"), done.stderr.decode()
        assert done.returncode in (0, 1, 2)
        check(error)
        if command not in DOCUMENTS:
            check(out)
        shown += out + error
    assert any(attack in shown for attack in SHOWN) or CLIPBOARD in shown, "the attack reached no output"


@pytest.mark.parametrize("command", names_of_commands())
def test_a_terminal_gets_visible_text(command: str, files: HostileFiles) -> None:
    shown = ""
    for words in commands(files)[command]:
        text = upcard_in_terminal(*words, cwd=files.folder, given=given(command))
        check(text)
        shown += text
    assert any(attack in shown for attack in SHOWN), "the attack reached no output"
    assert "[red]" in shown


@pytest.mark.parametrize("command", names_of_commands())
def test_every_option_and_argument(command: str, files: HostileFiles, tmp_path: Path) -> None:
    # what is refused at last, so that nothing is played for long
    usual = ["--games", "0"] if command == "site" else [str(files.broken)]
    for words in ([NAME], [f"--{ATTACK}"], *([*usual, option, NAME] for option in options_of(command))):
        done = upcard_bytes(command, *words, cwd=tmp_path, given="q\n")
        assert done.returncode in (0, 1, 2)
        check(done.stderr.decode())
        check(done.stdout.decode())


def given(command: str) -> str:
    return BROKEN if command == "fmt" else "1\nq\n"


def test_the_table_in_a_terminal(files: HostileFiles) -> None:
    words = ["play", "--resume", "--pace", "0", "--engine", "reference"]
    with Terminal([*words, "--record", str(files.unplayed)], files.folder / f"data{NAME}") as table:
        table.wait_for("Enter")
        assert "\\x1b]52" in table.text
        table.press("\r")
        table.wait_for("?")
        for key in "?", "r", "s":
            table.press(key)
            table.press("\r")
        assert table.keep_pressing("q\r") == 0, table.after
        for screen in table.output.split("\x1b[H"):
            assert CLIPBOARD not in screen
            assert not set(controls(screen)) - {"\r"}, ascii(screen)


def controls(screen: str) -> str:
    """What is left of a screen but printable text and what draws it."""
    opening = r"\x1b\[\?1049h\x1b\[\?25l\x1b\[2J"
    ours = re.compile(rf"{opening}|\x1b\[(?:[0-9;]*m|K|J|\?(?:1049|25)[hl])")
    return "".join(c for c in ours.sub("", screen) if c != "\n" and visible(c) != c)


def test_only_one_module_writes_to_the_streams() -> None:
    """A `print` elsewhere would let a newline in a name begin a line of its own."""
    package = Path(__file__).resolve().parents[2] / "src" / "upcard"
    found = {
        f"{path.relative_to(package).as_posix()}:{node.lineno}"
        for path in package.rglob("*.py")
        if path.relative_to(package).as_posix() not in STREAMS_WITHOUT_GUARD
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and _writes(ast.unparse(node.func))
    }
    assert not found


def _writes(function: str) -> bool:
    streams = r"sys\.(__)?std(out|err)(__)?(\.buffer)?\.write(lines)?"
    return bool(re.fullmatch(rf"print|input|os\.write|(typer|click)\.s?echo|{streams}", function))
