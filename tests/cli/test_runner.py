"""A command in this process does what it does in one of its own: the streams, the exit code, the folder."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest
from tests.cli.runner import Done, process, process_bytes, upcard, upcard_bytes

from upcard.library.new_game import create_game


def told(done: Done[str]) -> tuple[int, str, str]:
    """All of it, but what a usage line calls the program, which is how it was started."""
    out, err = (re.sub(r"^(Usage): (python\S* -m )?\S+", r"\1", text) for text in (done.stdout, done.stderr))
    return done.returncode, out, err


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--version"],
        ["simulate", "--help"],
        ["simulate", "eucher"],
        ["simulate", "euchre", "--set", "STICK=maybe"],
        ["simulate", "mine", "--games", "0"],
        ["check", "mine", "wrong.rcy"],
        ["test", "mine"],
        ["watch", "mine", "--seed", "3"],
        ["fmt", "-"],
        ["course"],
    ],
    ids=lambda words: " ".join(words) or "nothing",
)
def test_both_say_the_same(tmp_path: Path, words: list[str]) -> None:
    create_game("mine", tmp_path)
    (tmp_path / "wrong.rcy").write_text("(game (setup))", encoding="utf-8")
    given = "(game  (setup (create players 2)) (scoring max 1))\n"
    ours = upcard(*words, cwd=tmp_path, given=given, columns=90)
    theirs = process(*words, cwd=tmp_path, given=given, columns=90)
    assert told(ours) == told(theirs)
    assert ours.stdout + ours.stderr


def test_both_give_bytes(tmp_path: Path) -> None:
    ours, theirs = (run("rules", "euchre", cwd=tmp_path) for run in (upcard_bytes, process_bytes))
    assert ours.stdout == theirs.stdout
    assert "Écarté".encode() in ours.stdout


def test_nothing_is_left_changed(tmp_path: Path) -> None:
    def everything() -> tuple[object, ...]:
        return (*sys.argv, sys.stdin, sys.stdout, sys.stderr, sys.excepthook, Path.cwd(), dict(os.environ))

    before = everything()
    assert upcard("games", cwd=tmp_path).returncode == 0
    assert upcard("no-such-command", cwd=tmp_path).returncode == 2
    assert everything() == before
