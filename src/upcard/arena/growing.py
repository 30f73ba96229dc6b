"""A record that grows: a line that says what is recorded, then a line for each thing that is done, in order.

Each line is on disk as soon as what it tells is over, so a kill costs the work in hand and nothing else.
Whoever starts the same work again goes on behind the last complete line. Nothing is cut off a file before all
of it was found to be such a record.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from upcard.engine import transcript
from upcard.engine.contract import Record

WORDS = {
    "game": "the game",
    "digest": "the game's text",
    "overrides": "--set or --rule",
    "base": "--base",
    "players": "--players",
    "files": "a player's file",
    "format": "the version of such records",
}
"""What a person calls the parts of a first line; any other is the option of its name."""
UNTOLD = ("digest", "files")
"""Parts whose old value says nothing to a person."""


class Kept(NamedTuple):
    lines: list[str]
    size: int
    """Of the complete lines, in bytes."""


def kept(path: Path, header: Record) -> Kept | None:
    """The complete lines of a file, none where there is no file yet; None where it is no such record."""
    if not path.exists():
        return Kept([], 0)
    data = transcript.ends(path).read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if not whole and not transcript.line_of(header).encode("utf-8", "replace").startswith(data):
        return None
    return Kept(whole.decode("utf-8", "replace").splitlines(), len(whole))


def cut(path: Path, size: int) -> None:
    """Takes away a line that was not finished."""
    if path.exists() and path.stat().st_size > size:
        with path.open("r+b") as file:
            file.truncate(size)


def begin(path: Path, header: Record) -> TextIO:
    """The file to write on at its end; with the first line in it."""
    file = path.open("a", encoding="utf-8")
    if file.tell() == 0:
        write(file, [header])
    return file


def write(file: TextIO, lines: Iterable[Record]) -> None:
    file.write("".join(transcript.line_of(line) + "\n" for line in lines))
    file.flush()


def parsed(text: str) -> dict[str, Any]:
    """A line as an object; an empty one for whatever is none."""
    try:
        line = transcript.parsed(text)
    except ValueError:
        return {}
    return line if isinstance(line, dict) else {}


def difference(
    found: Record,
    header: Record,
    words: Mapping[str, str],
    untold: Collection[str],
) -> str | None:
    """What is different in the first line of a record: `--seed was different (3)`."""
    wanted = json.loads(transcript.line_of(header))
    for key in (*wanted, *found):
        if found.get(key) != wanted.get(key):
            what = {**WORDS, **words}.get(key, f"--{key}")
            was = "" if key in (*UNTOLD, *untold) else f" ({_told(found.get(key))})"
            return f"{what} was different{was}"
    return None


def _told(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key}={one}" for key, one in value.items()) or "none"
    if isinstance(value, list):
        return ",".join(map(str, value))
    return "none" if value is None else str(value)
