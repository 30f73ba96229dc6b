"""What goes wrong around a command: nothing can be printed or written, and names that are not there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.runner import upcard

FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="there is no full device here")
needs_shell = pytest.mark.skipif(os.name != "posix", reason="streams are closed by a POSIX shell")
COMMAND = [sys.executable, "-m", "upcard"]
PRINTING = [
    ("rules", "euchre"),
    ("simulate", "kuhn-poker", "--games", "3"),
    ("watch", "kuhn-poker"),
    ("--help",),
]


def environment(**changed: str) -> dict[str, str]:
    return {**os.environ, "PYTHONIOENCODING": "utf-8", **changed}


@needs_full
@pytest.mark.parametrize("words", PRINTING)
def test_a_full_disk_is_a_sentence(words: tuple[str, ...]) -> None:
    with FULL.open("w") as full:
        done = subprocess.run(
            [*COMMAND, *words], stdout=full, stderr=subprocess.PIPE, text=True, env=environment(), timeout=100
        )
    assert done.returncode == 1
    assert done.stderr.startswith("upcard: ")
    assert ": no space left on device" in done.stderr
    assert done.stderr.count("\n") == 1


@needs_shell
@pytest.mark.parametrize("words", PRINTING)
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_do_no_harm(words: tuple[str, ...], closed: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}', "sh", *COMMAND, *words],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environment(),
        timeout=100,
    )
    assert (done.returncode, done.stderr) == (0, "")


@needs_shell
@pytest.mark.parametrize("words", [("show", "euchre"), ("compile", "euchre"), ("rules", "euchre")])
def test_a_reader_that_closes_the_pipe_early_sees_no_error(words: tuple[str, ...]) -> None:
    running = subprocess.Popen(
        [*COMMAND, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(PYTHONUNBUFFERED="1"),
    )
    assert running.stdout is not None
    assert running.stderr is not None
    running.stdout.read(1)
    running.stdout.close()
    with running.stderr as stderr:
        assert stderr.read() == b""
    assert running.wait(100) in (0, 1)


@needs_full
@pytest.mark.parametrize(
    "words",
    [
        ("watch", "kuhn-poker", "--transcript"),
        ("graph", "kuhn-poker", "-o"),
    ],
)
def test_a_file_that_cannot_be_written_is_named(words: tuple[str, ...]) -> None:
    done = upcard(*words, str(FULL))
    told = "upcard: /dev/full: no space left on device; free some space and try again\n"
    assert (done.returncode, done.stderr) == (1, told)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no such device here")
@pytest.mark.parametrize(
    "words",
    [
        ("replay",),
        ("hint",),
        ("play", "--resume", "--record"),
        ("match", "kuhn-poker", "--record"),
        ("arena", "kuhn-poker", "--players", "random,random", "--deals", "1", "--record"),
    ],
)
def test_a_device_is_not_read_to_its_end(words: tuple[str, ...]) -> None:
    done = upcard(*words, "/dev/zero")
    assert done.returncode == 2
    assert done.stderr == "upcard: /dev/zero is a device, not a file; give the path of a file\n"


@pytest.mark.parametrize("command", ["rules", "show", "check", "simulate", "watch", "test", "bench", "study"])
def test_an_unknown_game_gets_a_suggestion(command: str) -> None:
    for given, sentence in {
        "Euchre": "there is no game or file called Euchre; did you mean euchre?",
        "EUCRE": "there is no game or file called EUCRE; did you mean euchre?",
        "": "the game's name is empty; upcard games lists the library",
    }.items():
        done = upcard(command, given)
        assert (done.returncode, done.stderr) == (2, f"upcard: {sentence}\n")


def test_an_impossible_file_name() -> None:
    for words in (("judge",), ("replay",), ("hint",), ("fmt",), ("simulate",)):
        done = upcard(*words, "x" * 5000)
        assert done.returncode == 2
        assert done.stderr.startswith("upcard: ")
        assert done.stderr.count("\n") == 1


def test_patience_has_bounds() -> None:
    for given, told in {"0": "0", "-1": "-1", "1e23": "1e+23", "nan": "nan"}.items():
        done = upcard("arena", "kuhn-poker", "--players", "random,random", "--patience", given)
        assert done.returncode == 2
        sentence = f"--patience is a number of seconds above 0 and below a million, not {told}"
        assert done.stderr == f"upcard: {sentence}\n"


def test_nowhere_to_save_a_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home that is no folder: simulating needs none, and a match says where it wanted to write."""
    file = tmp_path / "file"
    file.touch()
    for name in ("UPCARD_DATA", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(file))
    assert upcard("simulate", "kuhn-poker", "--games", "2").returncode == 0
    done = upcard("play", "kuhn-poker", "--plain", "--level", "random")
    assert done.returncode == 2
    assert done.stderr.startswith(f"upcard: {file}")
    assert done.stderr.count("\n") == 1
