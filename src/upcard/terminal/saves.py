"""Saved matches on disk."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from upcard.engine.api import Record
from upcard.engine.transcript_format import TranscriptError
from upcard.match.match_record import kept_lines, read
from upcard.match.match_record_format import header_of
from upcard.recycle.diagnostics import Refused
from upcard.storage.jsonl import Log


class NothingSaved(Refused):
    """There is no match to go on with."""

    is_answer = True


def folder() -> Path:
    """UPCARD_DATA, or the system's folder for user data."""
    environment_folder = os.environ.get("UPCARD_DATA")
    if environment_folder:
        return Path(environment_folder)
    if os.name == "nt":
        home = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        home = Path.home() / "Library" / "Application Support"
    else:
        home = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return home / "upcard"


def matches_folder() -> Path:
    """The folder of saved matches."""
    return folder() / "matches"


def new_file(game: str) -> Path:
    """A new file for a match, named after the current time."""
    place = matches_folder()
    place.mkdir(parents=True, exist_ok=True)
    stem = f"{game}-{time.strftime('%Y%m%d-%H%M%S')}"
    for number in range(1000):
        path = place / (f"{stem}.jsonl" if number == 0 else f"{stem}-{number}.jsonl")
        try:
            path.open("x", encoding="utf-8").close()
        except FileExistsError:
            continue
        return path
    raise Refused(f"{place} has too many matches that began this second; wait a moment")


@dataclass(frozen=True)
class Saved:
    path: Path
    lines: list[Record]
    """Without what was taken back."""
    written: int
    """Lines of the file, with what was taken back."""

    @property
    def undone(self) -> bool:
        """Whether a decision was taken back."""
        return self.written > len(self.lines)

    @property
    def header(self) -> Record:
        return self.lines[0]

    @property
    def over(self) -> bool:
        return bool(self.lines[-1]["do"] == "over")

    @property
    def table(self) -> dict[str, Any]:
        """The table's note in the first line: the person's seat, the players, the salt."""
        note = self.header.get("table")
        if not isinstance(note, dict):
            raise Refused(f"{self.path} is the record of a match that was not played at a table")
        return note


def open_saved(path: Path) -> Saved:
    """Raises `TranscriptError` for a record whose first line is not that of a match."""
    lines = read(path)
    saved = Saved(path, kept_lines(lines), len(lines))
    header_of(saved.lines)
    return saved


def latest(game: str | None = None) -> Saved:
    """The most recent unfinished match. Unreadable files are skipped."""
    place = matches_folder()
    files = sorted(place.glob("*.jsonl"), key=lambda path: (path.stat().st_mtime_ns, path.name), reverse=True)
    for path in files:
        try:
            saved = open_saved(path)
            wanted = not saved.over and (
                game is None or saved.table.get("asked", saved.header["game"]) == game
            )
        except (Refused, OSError):
            continue
        if wanted:
            return saved
    what = f"match of {game}" if game else "match"
    raise NothingSaved(f"there is no unfinished {what} in {place}; start one with upcard play GAME")


class MatchLog:
    """The file of a match in progress. Every line is on disk before the next decision."""

    def __init__(self, path: Path, lines: list[Record] | None = None, written: int | None = None) -> None:
        """`lines` are those to continue from, of all that are `written`; a torn last line is dropped."""
        self.path = path
        self.lines: list[Record] = list(lines or [])
        self._log = Log(path, len(self.lines) if written is None else written)

    def __call__(self, line: Record) -> None:
        self._log.write([line])
        self.lines.append(line)

    def undo(self, count: int) -> None:
        """Take back all lines but the first `count`. The file keeps them, and a line that says so."""
        self._log.write([{"do": "undo", "lines": count}])
        del self.lines[count:]

    def close(self) -> None:
        self._log.close()


def check_rules(saved: Saved, identity: Record) -> None:
    """Raise if the game's rules are not those that the match began with."""
    for key, value in identity.items():
        if saved.header.get(key) != value:
            raise TranscriptError(
                1,
                f"{saved.path.name} was begun with different rules ({key} differs), so it cannot continue; "
                "start a new match with upcard play",
            )
