"""`upcard judge` as a student meets it: programs that are right, wrong in one thing, or none at all."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.runner import process_bytes
from tests.cli.runner import upcard_bytes as upcard

from upcard.course import judge_program as judging
from upcard.course.pack import pack_text
from upcard.euchre.euchre_cards import STANDARD

STUDENT = Path(__file__).resolve().parents[1] / "course" / "student.py"

GAMES = functools.cache(judging._game)

pytestmark = pytest.mark.skipif(os.name != "posix", reason="programs are made executable by their first line")


@pytest.fixture(autouse=True)
def _one_set_of_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every program is judged on the same games, which need be made only once."""
    monkeypatch.setattr(judging, "_game", GAMES)


def program(folder: Path, text: str, name: str = "euchre.exe") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


def student(folder: Path, right: str = "", wrong: str = "") -> Path:
    """The student's program, with one thing broken."""
    text = STUDENT.read_text(encoding="utf-8")
    assert right in text
    return program(
        folder,
        f"#!{sys.executable} -IS\n" + (text.replace(right, wrong) if right else text),
    )


def test_a_program_that_is_right(tmp_path: Path) -> None:
    student(tmp_path)
    done = process_bytes("judge", "./euchre.exe", "--packs", "8", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    assert done.stdout.decode() == (
        "./euchre.exe printed the expected output for 8 packs and 8 wrong command lines.\n"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["euchre.exe"], "nothing is left behind"


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("[3, 2, 3, 2, 2, 3, 2, 3]", "[2, 3, 2, 3, 3, 2, 3, 2]"),
        ("(trump + 2) % 4", "(trump + 1) % 4"),
        ("if honours >= 2 else", "if honours >= 3 else"),
        ("trump if dealer or honours >= 1", "trump if dealer or honours >= 2"),
        ("card = max(side)", "card = min(side)"),
        ("same, key=lambda c: height(c, trump, led)", "same"),
        (
            "mixed[0::2], mixed[1::2] = pack[12:], pack[:12]",
            "mixed[1::2], mixed[0::2] = pack[12:], pack[:12]",
        ),
        ("        self.hand.sort()\n\n    def play", "\n    def play"),
        (
            'print(f"{teams[team]} have {score[team]} points")',
            'print(f"{teams[team]} have {score[team]} point")',
        ),
        ('(winners, 2, "march!")', '(winners, 2, "")'),
        ("while max(score) < int(argv[3])", "while max(score) <= int(argv[3])"),
        ("number % 4, pack)", "(number + 1) % 4, pack)"),
        ("<= 100:", "<= 101:"),
        ('print(f"Error opening {argv[1]}")', 'print(f"Cannot open {argv[1]}")'),
    ],
)
def test_one_mistake_is_found(tmp_path: Path, right: str, wrong: str) -> None:
    path = student(tmp_path, right, wrong)
    done = upcard("judge", "./euchre.exe", "--packs", "8", cwd=tmp_path)
    assert done.returncode == 1
    said = done.stdout.decode().splitlines()
    if said[0] == "The program failed with exit status 1, not 0.":  # the mistake makes it raise an exception
        assert said[1] == "The end of its standard error:"
        return
    assert said[0].startswith("Line ")
    assert said[1].startswith("  expected  ")
    assert said[2].startswith("  printed   ")
    assert said[1].split(maxsplit=1)[1] != said[2].split(maxsplit=1)[1]
    command = said[3].removeprefix("To reproduce it: ")
    assert command.startswith(str(path))
    # the command shows it: the line is among what the program prints, unless that is where it stops
    again = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, text=True, timeout=100)
    printed = said[2].removeprefix("  printed   ")
    assert printed == "the end of the output" or printed.strip('"') in again.stdout.split("\n")


def test_a_wrong_exit_status_is_found(tmp_path: Path) -> None:
    student(tmp_path, "        print(USAGE)\n        return 1", "        print(USAGE)\n        return 0")
    done = upcard("judge", "./euchre.exe", "--packs", "1", cwd=tmp_path)
    assert done.returncode == 1
    assert b"but the exit status is 0; after an error it must be another number" in done.stdout
    student(tmp_path, 'win!")\n    return 0', 'win!")\n    return 3')
    done = upcard("judge", "./euchre.exe", "--packs", "1", cwd=tmp_path)
    assert done.returncode == 1
    assert b"the exit status is 3, not 0" in done.stdout


def test_blank_lines_are_ignored_on_request(tmp_path: Path) -> None:
    student(tmp_path, "        print()\n        return trump, seat", "        return trump, seat")
    assert upcard("judge", "./euchre.exe", "--packs", "2", cwd=tmp_path).returncode == 1
    assert (
        upcard("judge", "./euchre.exe", "--packs", "2", "--ignore-blank-lines", cwd=tmp_path).returncode == 0
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("#!/bin/sh\nkill -SEGV $$\n", "The program crashed (SIGSEGV, exit status 139)."),
        ("#!/bin/sh\nsleep 1000\n", "The program was still running after 0.5 s and was stopped."),
        ("#!/bin/sh\nsleep 1000 &\n", "The program was still running after 0.5 s and was stopped."),
        ("#!/bin/sh\nwhile :; do echo $$ $$ $$ $$ $$ $$ $$ $$ $$ $$ $$; done\n", None),
    ],
)
def test_programs_that_crash_hang_or_never_stop(tmp_path: Path, text: str, sentence: str | None) -> None:
    program(tmp_path, text)
    seconds = "100" if sentence is None or "crashed" in sentence else "0.5"
    done = upcard("judge", "./euchre.exe", "--packs", "1", "--timeout", seconds, cwd=tmp_path)
    assert done.returncode == 1
    expected = sentence or "The program printed far more than it should and was stopped."
    assert done.stdout.decode().splitlines()[0] == expected
    assert (tmp_path / "judge-0-0.pack").read_text(encoding="utf-8") == pack_text(STANDARD)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (["missing"], "there is no program missing; give the path of an executable"),
        (["."], ". is not a program; give the path of an executable"),
        (["pack.in"], "pack.in cannot be run: permission denied"),
        (["text.exe"], "text.exe cannot be run: exec format error"),
        (["pack.in", "--packs", "0"], "--packs must be at least 1, not 0"),
        (["pack.in", "--timeout", "0"], "--timeout is more than 0 and at most 3600, not 0"),
    ],
)
def test_a_program_that_cannot_be_run_is_one_sentence(table: Path, given: list[str], sentence: str) -> None:
    program(table, "hello\n", "text.exe")
    done = upcard("judge", *given, cwd=table)
    assert done.returncode == 2
    assert done.stderr.decode().endswith(f"{sentence}\n")
    assert done.stderr.startswith(b"upcard: ")
    assert done.stderr.count(b"\n") == 1


def test_a_crash_says_its_exit_status_and_the_end_of_standard_error(tmp_path: Path) -> None:
    program(
        tmp_path,
        "#!/bin/sh\nfor n in 1 2 3 4 5 6 7; do echo note $n >&2; done\n"
        "echo 'terminate called: bad index' >&2\nexit 134\n",
    )
    done = process_bytes("judge", "./euchre.exe", "--packs", "1", cwd=tmp_path)
    assert done.returncode == 1
    text = done.stdout.decode()
    assert "The program failed with exit status 134, not 0." in text
    assert 'The end of its standard error:\n  "note 4"' in text
    assert '  "terminate called: bad index"\n' in text
    assert "note 3" not in text, "the last five lines"


def test_a_signal_is_named_with_what_the_program_said(tmp_path: Path) -> None:
    program(tmp_path, "#!/bin/sh\necho 'Assertion failed: hand.size() == 5' >&2\nkill -ABRT $$\n")
    done = process_bytes("judge", "./euchre.exe", "--packs", "1", cwd=tmp_path)
    assert done.returncode == 1
    assert "The program crashed (SIGABRT, exit status 134)." in done.stdout.decode()
    assert '"Assertion failed: hand.size() == 5"' in done.stdout.decode()


def test_endless_standard_error_does_not_stop_a_program_that_is_right(tmp_path: Path) -> None:
    student(tmp_path, "import sys\n", "import sys\nsys.stderr.write('x' * 1_000_000)\n")
    done = process_bytes("judge", "./euchre.exe", "--packs", "1", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
