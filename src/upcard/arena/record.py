"""The record of a contest: a line that says what is played, and a line a game, in order."""

from __future__ import annotations

from pathlib import Path
from typing import TextIO

from upcard.arena import growing
from upcard.arena.contest import Contest
from upcard.arena.playing import Game
from upcard.recycle.diagnostics import Refused

WORDS = {"groups": "who plays whom", "rules": "how a match is won"}


class OtherContest(Refused):
    """A record that cannot be gone on with."""


def read(path: Path, contest: Contest) -> list[Game]:
    """The games that a record holds, none when there is none yet. Cuts off a line that was not finished."""
    header = contest.header()
    kept = growing.kept(path, header)
    first = growing.parsed(kept.lines[0]) if kept is not None and kept.lines else header
    if kept is None or first.get("do") != "arena":
        raise OtherContest(f"{path} is not the record of a contest; give another file")
    if kept.lines:
        different = growing.difference(first, header, WORDS, tuple(WORDS))
        if different is not None:
            raise OtherContest(f"{path} is of another contest: {different}; give the same, or another file")
    games = [_game(path, number, text, contest) for number, text in enumerate(kept.lines[1:], 2)]
    growing.cut(path, kept.size)
    return games


def begin(path: Path, contest: Contest) -> TextIO:
    return growing.begin(path, contest.header())


def write(file: TextIO, game: Game) -> None:
    growing.write(file, [game.to_json()])


def _game(path: Path, number: int, text: str, contest: Contest) -> Game:
    line = growing.parsed(text)
    if line.get("do") != "game":
        raise OtherContest(f"{path}, line {number}: this is not the line of a game; give another file")
    try:
        game = Game.from_json(line)
        deal, sitting = contest.schedule.game(number - 2)
        expected = (number - 2, deal, sitting.group, sitting.players)
        sound = (game.index, game.deal, game.group, game.players) == expected and all(
            len(values) == len(sitting.players)
            for values in (
                game.shares,
                game.points or game.shares,
                game.decisions,
                game.seconds,
                game.guessed,
            )
        )
    except (KeyError, TypeError, ValueError):
        sound = False
    if not sound or number - 2 >= contest.games:
        raise OtherContest(
            f"{path}, line {number}: this is not game {number - 2} of this contest; give another file"
        )
    return game
