"""The record of a study: a file a part, a line that says what is studied, then a line a game, in deal order.

Each line is on disk as soon as its game is over, so a kill costs the games in hand and nothing else. Whoever
starts the same study again goes on behind the last complete line.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TextIO

from upcard.analysis.study_plan import Part, Plan
from upcard.analysis.watching import Watched
from upcard.engine.transcript import line_of
from upcard.recycle.diagnostics import Refused

WORDS = {
    "game": "the game",
    "digest": "the game's text",
    "overrides": "--set or --rule",
    "base": "--base",
    "players": "--players",
    "files": "a player's file",
    "format": "the program that wrote it",
}
UNTOLD = ("digest", "files", "format")


class OtherStudy(Refused):
    """A record that cannot be gone on with."""


def path_of(folder: Path, part: str) -> Path:
    return folder / "record" / f"{part}.jsonl"


def read(path: Path, plan: Plan, part: Part) -> list[Watched]:
    """The games that a record holds, none when there is none yet. Cuts off a line that was not finished."""
    if not path.exists():
        return []
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    lines = whole.decode("utf-8", "replace").splitlines()
    header = plan.header(part)
    if not lines:
        if data and not line_of(header).startswith(data.decode("utf-8", "replace")):
            raise OtherStudy(f"{path} is not the record of a study; give another folder")
        _cut(path, 0)
        return []
    _same(path, lines[0], json.loads(line_of(header)))
    games = [_game(path, number, text, plan, part) for number, text in enumerate(lines[1:], 2)]
    if len(whole) < len(data):
        _cut(path, len(whole))
    return games


def begin(path: Path, plan: Plan, part: Part) -> TextIO:
    path.parent.mkdir(parents=True, exist_ok=True)
    file = path.open("a", encoding="utf-8")
    if file.tell() == 0:
        file.write(line_of(plan.header(part)) + "\n")
        file.flush()
    return file


def write(file: TextIO, games: Iterable[Watched]) -> None:
    file.write("".join(line_of(game.to_json()) + "\n" for game in games))
    file.flush()


def _cut(path: Path, size: int) -> None:
    with path.open("r+b") as file:
        file.truncate(size)


def _parsed(text: str) -> dict[str, Any]:
    try:
        line = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return line if isinstance(line, dict) else {}


def _same(path: Path, text: str, wanted: dict[str, Any]) -> None:
    found = _parsed(text)
    if found.get("do") != "study":
        raise OtherStudy(f"{path} is not the record of a study; give another folder")
    for key in (*wanted, *found):
        if found.get(key) != wanted.get(key):
            what = WORDS.get(key, f"--{key}")
            was = "" if key in UNTOLD else f" ({_told(found.get(key))})"
            raise OtherStudy(
                f"{path.parent.parent} holds another study: {what} was different{was}; "
                "give the same, or another folder"
            )


def _told(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key}={one}" for key, one in value.items()) or "none"
    if isinstance(value, list):
        return ",".join(map(str, value))
    return "none" if value is None else str(value)


def _game(path: Path, number: int, text: str, plan: Plan, part: Part) -> Watched:
    deal, seats = number - 2, plan.game.seats
    try:
        game = Watched.from_json(_parsed(text))
        sound = game.deal == deal < plan.count(part) and (game.scores is None or len(game.scores) == seats)
    except (KeyError, TypeError, ValueError):
        sound = False
    if not sound:
        raise OtherStudy(
            f"{path}, line {number}: this is not game {deal} of this study; give another folder, "
            "or cut the file off before that line"
        )
    return game
