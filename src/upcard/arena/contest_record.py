"""Record of a contest: a header, then one line per game, in order."""

from __future__ import annotations

from pathlib import Path

from upcard.arena import contest_header as headers
from upcard.arena.contest import Contest
from upcard.arena.contest_game import Game
from upcard.files.decode import Mismatch, decode
from upcard.files.json_text import json_errors_as, parse_json
from upcard.recycle.diagnostics import Refused
from upcard.storage import jsonl

WORDS = {"groups": "who plays whom", "rules": "how a match is won"}


class OtherContest(Refused):
    """A record from which this contest cannot resume."""


def read(path: Path, contest: Contest) -> list[Game]:
    """The games in a record, if it exists. An unfinished last line is left out."""
    header = contest.header()
    kept = jsonl.read_if_exists(path)
    first = headers.parsed(kept.lines[0], "arena") if kept.lines else header
    if not kept.fits("arena") or first is None:
        raise OtherContest(f"{path} is not the record of a contest; choose another file")
    if kept.lines:
        different = headers.difference(first, header, WORDS, tuple(WORDS))
        if different is not None:
            raise OtherContest(
                f"{path} belongs to another contest: {different}; use the same options, or choose "
                "another file"
            )
    return [_game(path, number, text, contest) for number, text in enumerate(kept.lines[1:], 2)]


def begin(path: Path, contest: Contest, games: int) -> jsonl.Log:
    """Open the record for appending after a number of games; it is locked meanwhile."""
    return headers.begin(path, contest.header(), games)


def _game(path: Path, number: int, text: str, contest: Contest) -> Game:
    def refused(sentence: str) -> OtherContest:
        return OtherContest(f"{path}, line {number}: {sentence}; choose another file")

    with json_errors_as(refused):
        line = parse_json(text)
        if not isinstance(line, dict) or line.get("do") != "game":
            raise Mismatch("does not describe a game")
        game = decode(Game, line, ignore=("do",))
        if number - 2 >= contest.games:
            raise Mismatch(f"is more than this contest can have: it has {contest.games} games")
        game.check(contest, number - 2)
    return game
