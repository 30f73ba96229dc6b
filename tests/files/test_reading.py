"""Bounded reading, strict JSON, and the lines of TOML values."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from upcard.files.bounded import MAX_TEXT, Unreadable, read_file, read_text
from upcard.files.json_text import NotJson, parse_json
from upcard.files.toml_file import read_toml
from upcard.files.toml_lines import line_of
from upcard.library import find, names
from upcard.recycle.diagnostics import Refused

TOML = '''\
a."b c".d = 1
[[x.y]]
n = [ # a comment with ] in it
  1,
  { q = """
two lines"""", r = 2 },
]
s = "x]" # }
[x.y.z]
k = 1979-05-27 07:32:00
[[x.y]]
'l' = \'\'\'a'' \'\'\'
[[x.y.w]]
e = 5
'''
LINES = {
    ("a", "b c", "d"): 1,
    ("x", "y", 0): 2,
    ("x", "y", 0, "n", 0): 4,
    ("x", "y", 0, "n", 1): 5,
    ("x", "y", 0, "n", 1, "r"): 6,
    ("x", "y", 0, "s"): 8,
    ("x", "y", 0, "z", "k"): 10,
    ("x", "y", 1, "l"): 12,
    ("x", "y", 1, "w", 0): 13,
    ("x", "y", 1, "w", 0, "e"): 14,
    ("x", "y", 1, "w", 0, "missing"): 13,
    ("missing",): 1,
}


@pytest.mark.parametrize("path", LINES, ids=str)
def test_the_line_of_a_value(path: tuple[str | int, ...]) -> None:
    assert line_of(TOML, path) == LINES[path]


def below(data: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    yield path
    inside = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in inside:
        yield from below(value, (*path, key))


@pytest.mark.parametrize("name", names())
def test_every_key_of_a_sheet_is_in_its_line(name: str) -> None:
    sheet = find(name).sheet
    assert sheet is not None
    text = sheet.read_text(encoding="utf-8")
    for path in below(tomllib.loads(text)):
        if path and isinstance(path[-1], str):
            assert path[-1] in text.split("\n")[line_of(text, path) - 1]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "this is not JSON (expecting value in column 1)"),
        ('{"a":1,"a":2}', 'the key "a" appears twice'),
        ("[NaN]", "NaN is not a valid JSON number"),
        ("[-Infinity]", "-Infinity is not a valid JSON number"),
        ("9" * 5000, "a number has too many digits"),
        ("[" * 100_000, "values are nested more than 64 deep"),
        ("[" * 65 + "]" * 65, "values are nested more than 64 deep"),
        ('{"a":' * 65 + "1" + "}" * 65, "values are nested more than 64 deep"),
        ('["\\ud800"]', "a string contains half a character (a lone surrogate)"),
        ('{"\\udfff":1}', "a string contains half a character (a lone surrogate)"),
        (b'"\xff"', "this is not UTF-8 text"),
        ("\ufeff{}", "this is not JSON (unexpected UTF-8 BOM (decode using utf-8-sig) in column 1)"),
        ("{}\x00", "this is not JSON (extra data in column 3)"),
    ],
)
def test_what_is_not_json(text: str | bytes, reason: str) -> None:
    with pytest.raises(NotJson) as error:
        parse_json(text)
    assert str(error.value) == reason


def test_what_is_json() -> None:
    assert parse_json("[" * 63 + "]" * 63) is not None
    assert parse_json('["\\ud83c\\udca1", {"a": [{}, {"a": 1}]}]') == ["\U0001f0a1", {"a": [{}, {"a": 1}]}]


@pytest.mark.skipif(os.name != "posix", reason="needs a named pipe and a device")
def test_only_regular_files_are_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(Unreadable, match="is a pipe, not a file"):
        read_file(pipe)
    with pytest.raises(Unreadable, match="is a device, not a file"):
        read_file(Path("/dev/zero"))
    with pytest.raises(IsADirectoryError):
        read_file(tmp_path)
    with pytest.raises(FileNotFoundError):
        read_file(tmp_path / "nothing")
    assert read_file(Path(os.devnull)) == b""


def test_large_files_are_not_read(tmp_path: Path) -> None:
    path = tmp_path / "zeros"
    with path.open("wb") as file:
        file.truncate(1 << 30)
    with pytest.raises(Unreadable, match="is larger than 4 MB, the most that can be read"):
        read_file(path)
    path.write_bytes(b"x" * MAX_TEXT)
    assert len(read_file(path)) == MAX_TEXT


def test_text(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(b"\xef\xbb\xbfa\n")
    assert read_text(path) == "a\n"
    path.write_bytes(b"a\nb\n\xff")
    with pytest.raises(Unreadable, match="line 3: this is not UTF-8 text"):
        read_text(path)


@dataclass(frozen=True)
class Sizes:
    sizes: tuple[int, ...] = ()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("sizes = [\n 1,\n 'x'\n]", 'line 3: sizes[1] must be a whole number, not "x"'),
        ("\nsizes = [1", "line 2: this is not TOML: unclosed array"),
        ("sizes = [\n", "line 2: this is not TOML: invalid value"),
        ("sizes = 1\nsizes = 2", "line 2: this is not TOML: cannot overwrite a value"),
        ("\nsizes = [" + "9" * 5000 + "]", "line 2: a number has too many digits"),
        ("sizes = " + "[" * 200_000 + "]" * 200_000, "line 1: values are nested too deep"),
        (
            "sizes = [0x" + "f" * 5000 + "]",
            "line 1: sizes[0] must be a whole number, not a number of",
        ),
        ("sizes = [nan]", "line 1: sizes[0] must be a whole number, not nan"),
        ("sizes = [1979-05-27]", "line 1: sizes[0] must be a whole number, not a date"),
        ("a\x00 = 1", "line 1: this is not TOML: expected '=' after a key in a key/value pair"),
    ],
)
def test_toml_that_cannot_be_used(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "sizes.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Refused) as error:
        read_toml(path, Sizes, Refused)
    assert str(error.value).startswith(f"{path}, {sentence}")
