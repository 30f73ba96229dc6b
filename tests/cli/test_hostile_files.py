"""Files that are not what they should be: every command that reads one ends with a sentence that names it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.runner import upcard

FILES = {
    "empty": b"",
    "blank": b"\n",
    "binary": bytes(range(256)) * 4,
    "not UTF-8": b"(game \xe9\xff)\n",
    "UTF-16": '{"do":"game"}\n'.encode("utf-16"),
    "one huge line": b"x" * 1_000_000,
    "a huge name": b'{"do":"' + b"x" * 1_000_000 + b'"}\n',
    "deep": b"[" * 200_000,
    "deep objects": b'{"do":' * 100_000,
    "no object": b"[]\n",
    "a huge number": b'{"do":"game","seed":' + b"9" * 5000 + b"}\n",
    "wrong kinds": b'{"do":"game","game":5,"overrides":[],"base":"x","seed":[],"players":1}\n',
    "a match of wrong kinds": b'{"do":"match","game":5,"overrides":[],"base":"x","table":{},"seed":"x"}\n',
    "half a character": b'{"do":"match","game":"\\ud800","overrides":{},"base":0,"seed":1,"table":{}}\n',
}
RECORDS = {
    "replay": ("replay", "FILE"),
    "replay a seat": ("replay", "FILE", "--seat", "0"),
    "hint": ("hint", "FILE"),
    "graph": ("graph", "FILE"),
    "resume": ("play", "--resume", "--plain", "--record", "FILE"),
    "match": ("match", "kuhn-poker", "--record", "FILE"),
    "arena": ("arena", "kuhn-poker", "--players", "random,random", "--deals", "1", "--record", "FILE"),
    "solve": ("solve", "kuhn-poker", "--from", "FILE"),
}
PROGRAMS = {
    name: (name, "FILE")
    for name in ("check", "simulate", "watch", "match", "verify", "compile", "graph", "study", "bench")
} | {
    "fmt": ("fmt", "--check", "FILE"),
    "play": ("play", "FILE", "--plain"),
    "arena": ("arena", "FILE", "--players", "random,random"),
    "compare": ("compare", "FILE", "euchre"),
}
STARTS_ANEW = {("match", "empty"), ("arena", "empty")}
"""An empty record is one that is still to be written."""


def said(words: tuple[str, ...], path: Path) -> tuple[int, str]:
    done = upcard(*(str(path) if word == "FILE" else word for word in words))
    return done.returncode, done.stderr


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("command", RECORDS)
def test_other_files_are_refused_in_one_sentence(command: str, kind: str, tmp_path: Path) -> None:
    path = tmp_path / "given.jsonl"
    path.write_bytes(FILES[kind])
    code, error = said(RECORDS[command], path)
    if (command, kind) in STARTS_ANEW:
        assert (code, error) == (0, "")
        return
    assert code in (1, 2)
    assert error.startswith("upcard: ")
    assert error.count("\n") == 1
    assert len(error) < 600
    elsewhere = ("there is no game or file called", "--seat shows a transcript of one game")
    assert str(path) in error or any(words in error for words in elsewhere)
    assert path.read_bytes() == FILES[kind], "what was not understood is not touched"


@pytest.mark.parametrize("command", RECORDS)
def test_no_record_and_a_folder(command: str, tmp_path: Path) -> None:
    path = tmp_path / "given.jsonl"
    if command not in ("match", "arena"):  # which begin it
        missing = "no such file or directory; check its folder and its name"
        assert said(RECORDS[command], path) == (2, f"upcard: {path}: {missing}\n")
    path.mkdir()
    assert said(RECORDS[command], path) == (2, f"upcard: {path}: is a directory; give a file instead\n")


def test_an_empty_transcript_says_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "given.jsonl"
    path.write_bytes(b"")
    for command in ("replay", "hint", "graph", "resume"):
        code, error = said(RECORDS[command], path)
        assert code == 1
        told = "the file is empty; upcard watch --transcript and upcard match --record write transcripts"
        assert error == f"upcard: {path}, line 1: {told}\n"


@pytest.mark.parametrize("kind", ["empty", "binary", "not UTF-8", "one huge line"])
@pytest.mark.parametrize("command", PROGRAMS)
def test_a_file_that_is_no_program_is_refused_with_its_line(command: str, kind: str, tmp_path: Path) -> None:
    path = tmp_path / "given.rcy"
    path.write_bytes(FILES[kind])
    done = upcard(*(str(path) if word == "FILE" else word for word in PROGRAMS[command]))
    assert done.returncode == 1
    text = done.stdout + done.stderr
    assert "error[E1" in text
    assert f"{path}:" in text
    assert len(text) < 5000


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("sheet", ["game.toml", "positions.toml"])
def test_a_sheet_that_cannot_be_read_is_named(kind: str, sheet: str, tmp_path: Path) -> None:
    upcard("new", "mine", "-o", str(tmp_path))
    path = tmp_path / "mine" / sheet
    path.write_bytes(FILES[kind])
    command = ("rules", "FILE") if sheet == "game.toml" else ("test", "FILE")
    code, error = said(command, path.parent)
    assert code == 2
    assert error.startswith("upcard: ")
    assert error.count("\n") == 1
    assert sheet in error
    assert len(error) < 600
