"""Record of a study: one file per part, with a header and one line per game.

Of random games the first are kept like this. Of all behind them there is one line of sums in a file of its
own, which is written anew from time to time; it is no longer for a million games than for a thousand.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path

from upcard.arena import contest_header as headers
from upcard.files.decode import Mismatch, decode
from upcard.files.json_text import json_errors_as, parse_json
from upcard.recycle.diagnostics import Refused
from upcard.simulate.trace_sums import TraceSums
from upcard.storage import jsonl
from upcard.storage.atomic_write import atomic_writer
from upcard.storage.lock import folder_lock
from upcard.study.game_log import Watched
from upcard.study.plan import PARTS, Part, Plan

WORDS = {"format": "the program that wrote it"}
SUMS = "sums"
"""The name of the sums, in place of a part."""


class OtherStudy(Refused):
    """A record that cannot be resumed."""


def path_of(folder: Path, part: str) -> Path:
    return folder / "record" / f"{part}.jsonl"


def secret_of(folder: Path | None) -> str | None:
    """The secret of the study in a folder, or None."""
    if folder is None:
        return None
    found = (headers.record_secret(path_of(folder, part), "study") for part in (*PARTS, SUMS))
    return next((secret for secret in found if secret is not None), None)


def read(path: Path, plan: Plan, part: Part) -> list[Watched]:
    """The games in a record; empty if the file does not exist. An incomplete last line is ignored."""
    lines = _lines(path, plan, part)
    return [_game(path, number, text, plan, part) for number, text in enumerate(lines[1:], 2)]


def _lines(path: Path, plan: Plan, part: str) -> list[str]:
    """The lines of a record, checked to belong to this study."""
    header = plan.header(part)
    kept = jsonl.read_if_exists(path)
    first = headers.parsed(kept.lines[0], "study") if kept.lines else header
    if not kept.fits("study") or first is None:
        raise OtherStudy(f"{path} is not the record of a study; choose another folder")
    if kept.lines:
        different = headers.difference(first, header, WORDS, tuple(WORDS))
        if different is not None:
            raise OtherStudy(
                f"{path.parent.parent} contains another study: {different}; use the same options, or "
                "choose another folder"
            )
    return kept.lines


def read_sums(path: Path, plan: Plan) -> TraceSums:
    """The sums of the random games after the recorded ones, as far as they were played."""
    lines = _lines(path, plan, SUMS)[1:]
    if not lines:
        return plan.no_games()

    def refused(sentence: str) -> OtherStudy:
        return OtherStudy(f"{path}, line 2: {sentence}; choose another folder, or remove the file")

    with json_errors_as(refused):
        sums = TraceSums.from_json(parse_json(lines[0]), plan.sides, plan.highest)
        most = plan.games - plan.kept("random")
        if sums.games > most:
            raise Mismatch(f"must have at most {most} games, but has {sums.games}", "ends")
        if len(lines) > 1:
            raise Mismatch("must be the last one")
    return sums


def write_sums(path: Path, plan: Plan, sums: TraceSums) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_writer(path) as file:
        for line in (plan.header(SUMS), sums.to_json()):
            file.write(jsonl.with_checksum(line) + b"\n")


def begin(path: Path, plan: Plan, part: Part, games: int) -> jsonl.Log:
    """The record, opened to append after this many games."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return headers.begin(path, plan.header(part), games)


def lock(folder: Path) -> AbstractContextManager[None]:
    """A lock: inside it no other process plays games of the study in this folder."""
    record = folder / "record"
    record.mkdir(parents=True, exist_ok=True)
    return folder_lock(record / "lock", folder)


def write(log: jsonl.Log, games: Iterable[Watched]) -> None:
    log.write(game.to_json() for game in games)


def _game(path: Path, number: int, text: str, plan: Plan, part: Part) -> Watched:
    def refused(sentence: str) -> OtherStudy:
        return OtherStudy(
            f"{path}, line {number}: {sentence}; choose another folder, or delete the file's lines "
            "from there on"
        )

    with json_errors_as(refused):
        game = decode(Watched, parse_json(text))
        if number - 2 >= plan.kept(part):
            raise Mismatch(f"is more than this study can have: it keeps {plan.kept(part)} games")
        game.check(number - 2, plan.game.seats)
    return game
