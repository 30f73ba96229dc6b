"""The record of a contest: a line that says what is played, and a line a game, in order.

Each line is on disk as soon as its game is over. Whoever starts the same contest again goes on behind the
last complete line, so that a kill costs the games in hand and nothing else.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TextIO

from upcard.arena.contest import Contest
from upcard.arena.playing import Game
from upcard.engine.transcript import line_of
from upcard.recycle.diagnostics import Refused

WORDS = {
    "game": "the game",
    "digest": "the game's text",
    "overrides": "--set or --rule",
    "base": "--base",
    "players": "--players",
    "files": "a player's file",
    "groups": "who plays whom",
    "rules": "how a match is won",
}


class OtherContest(Refused):
    """A record that cannot be gone on with."""


def read(path: Path, contest: Contest) -> list[Game]:
    """The games that a record holds, none when there is none yet. Cuts off a line that was not finished."""
    if not path.exists():
        return []
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    lines = whole.decode("utf-8", "replace").splitlines()
    if not lines:
        if data and not line_of(contest.header()).startswith(data.decode("utf-8", "replace")):
            raise OtherContest(f"{path} is not the record of a contest; give another file")
        _cut(path, 0)
        return []
    _same(path, _parsed(path, 1, lines[0]), json.loads(line_of(contest.header())))
    games = [_game(path, number, text, contest) for number, text in enumerate(lines[1:], 2)]
    if len(whole) < len(data):
        _cut(path, len(whole))
    return games


def begin(path: Path, contest: Contest, games: list[Game]) -> TextIO:
    file = path.open("a", encoding="utf-8")
    if not games and file.tell() == 0:
        file.write(line_of(contest.header()) + "\n")
        file.flush()
    return file


def write(file: TextIO, game: Game) -> None:
    file.write(line_of(game.to_json()) + "\n")
    file.flush()


def _cut(path: Path, size: int) -> None:
    with path.open("r+b") as file:
        file.truncate(size)


def _parsed(path: Path, number: int, text: str) -> dict[str, Any]:
    try:
        line = json.loads(text)
    except (ValueError, RecursionError):
        line = None
    if not isinstance(line, dict) or line.get("do") != ("arena" if number == 1 else "game"):
        if number == 1:
            raise OtherContest(f"{path} is not the record of a contest; give another file")
        raise OtherContest(f"{path}, line {number}: this is not the line of a game; give another file")
    return line


def _same(path: Path, found: dict[str, Any], wanted: dict[str, Any]) -> None:
    for key in (*wanted, *found):
        if found.get(key) != wanted.get(key):
            what = WORDS.get(key, f"--{key}")
            was = "" if key in ("digest", "files", "groups", "rules") else f" ({_told(found.get(key))})"
            raise OtherContest(
                f"{path} is of another contest: {what} was different{was}; give the same, or another file"
            )


def _told(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _game(path: Path, number: int, text: str, contest: Contest) -> Game:
    line = _parsed(path, number, text)
    try:
        game = Game.from_json(line)
        deal, sitting = contest.schedule.game(number - 2)
        expected = (number - 2, deal, sitting.group, sitting.players)
        sound = (game.index, game.deal, game.group, game.players) == expected and all(
            len(values) == len(sitting.players)
            for values in (game.shares, game.points or game.shares, game.decisions, game.seconds)
        )
    except (KeyError, TypeError, ValueError):
        sound = False
    if not sound or number - 2 >= contest.games:
        raise OtherContest(
            f"{path}, line {number}: this is not game {number - 2} of this contest; give another file"
        )
    return game
