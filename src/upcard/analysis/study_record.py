"""The record of a study: a file a part, a line that says what is studied, then a line a game, in order.

Of random games the first are kept like this. Of all behind them there is one line of sums in a file of its
own, which is written anew from time to time; it is no longer for a million games than for a thousand.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

from upcard.analysis.study_plan import Part, Plan
from upcard.analysis.watching import Watched
from upcard.arena import growing
from upcard.engine.courses import Courses
from upcard.recycle.diagnostics import Refused

WORDS = {"format": "the program that wrote it"}
SUMS = "sums"
"""Instead of a part."""


class OtherStudy(Refused):
    """A record that cannot be gone on with."""


def path_of(folder: Path, part: str) -> Path:
    return folder / "record" / f"{part}.jsonl"


def read(path: Path, plan: Plan, part: Part) -> list[Watched]:
    """The games that a record holds, none when there is none yet. Cuts off a line that was not finished."""
    kept = _kept(path, plan, part)
    games = [_game(path, number, text, plan, part) for number, text in enumerate(kept.lines[1:], 2)]
    growing.cut(path, kept.size)
    return games


def _kept(path: Path, plan: Plan, part: str) -> growing.Kept:
    """The lines of a record that is of this study."""
    header = plan.header(part)
    kept = growing.kept(path, header)
    first = growing.parsed(kept.lines[0]) if kept is not None and kept.lines else header
    if kept is None or first.get("do") != "study":
        raise OtherStudy(f"{path} is not the record of a study; give another folder")
    if kept.lines:
        different = growing.difference(first, header, WORDS, tuple(WORDS))
        if different is not None:
            raise OtherStudy(
                f"{path.parent.parent} holds another study: {different}; give the same, or another folder"
            )
    return kept


def read_sums(path: Path, plan: Plan) -> Courses:
    """Of the random games behind those that are kept, as far as they were played."""
    lines = _kept(path, plan, SUMS).lines[1:]
    if not lines:
        return plan.no_games()
    try:
        (text,) = lines
        sums = Courses.from_json(growing.parsed(text), plan.sides, plan.highest)
        sound = sums.games <= plan.games - plan.kept("random")
    except (KeyError, TypeError, ValueError):
        sound = False
    if not sound:
        raise OtherStudy(f"{path}: these are not sums of this study; give another folder, or remove the file")
    return sums


def write_sums(path: Path, plan: Plan, sums: Courses) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_suffix(".part")
    with aside.open("w", encoding="utf-8") as file:
        growing.write(file, [plan.header(SUMS), sums.to_json()])
    os.replace(aside, path)


def begin(path: Path, plan: Plan, part: Part) -> TextIO:
    path.parent.mkdir(parents=True, exist_ok=True)
    return growing.begin(path, plan.header(part))


def write(file: TextIO, games: Iterable[Watched]) -> None:
    growing.write(file, (game.to_json() for game in games))


def _game(path: Path, number: int, text: str, plan: Plan, part: Part) -> Watched:
    deal, seats = number - 2, plan.game.seats
    try:
        game = Watched.from_json(growing.parsed(text))
        sound = game.deal == deal < plan.kept(part) and (game.scores is None or len(game.scores) == seats)
    except (KeyError, TypeError, ValueError):
        sound = False
    if not sound:
        raise OtherStudy(
            f"{path}, line {number}: this is not game {deal} of this study; give another folder, "
            "or cut the file off before that line"
        )
    return game
