"""Transcripts: JSON lines from which a game is replayed and every change is found."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from upcard.arguments import BadArgument
from upcard.engine.api import IllegalMove, Record
from upcard.engine.loader import load, make_game
from upcard.engine.shared.game import LoadedGame
from upcard.engine.shared.state import BaseState
from upcard.engine.transcript_format import TranscriptError as TranscriptError
from upcard.engine.transcript_format import TranscriptHeader, decode_line, move_of
from upcard.files.bounded import check_file
from upcard.files.decode import short, shown, shown_path
from upcard.files.json_text import NotJson, canonical, parse_json, same_json
from upcard.library import names
from upcard.narration.narrator import Narrator
from upcard.recycle.diagnostics import RecycleError
from upcard.recycle.frontend import check
from upcard.recycle.source import Source
from upcard.storage import jsonl
from upcard.storage.atomic_write import write_text
from upcard.storage.jsonl import to_line
from upcard.terminal_text import visible


@dataclass(frozen=True)
class Replayed:
    state: BaseState
    lines: int


def write(state: BaseState, path: Path) -> None:
    """Writes a transcript. A library game is stored by name, any other program with its text."""
    write_text(path, "".join(f"{to_line(record)}\n" for record in with_program(state)))


def with_program(state: BaseState) -> list[Record]:
    """The records of a game, with the program's text in the header unless the library has it."""
    header, *rest = state.records
    if state.game.name not in names() or load(state.game.name).identity["digest"] != header["digest"]:
        header = {**header, "program": state.game.program.source.text}
    return [header, *rest]


EMPTY = "the file is empty; upcard watch --transcript and upcard match --record write transcripts"


def first_line(path: Path) -> Record:
    """The first record of a file, which tells a transcript from the record of a match."""
    with check_file(path).open(encoding="utf-8", errors="replace") as file:
        text = file.readline()
    if not text.strip():
        raise TranscriptError(1, EMPTY)
    try:
        record = parse_json(text)
    except NotJson as error:
        raise TranscriptError(1, f"{error}; each line of a transcript must be a JSON object") from None
    if not isinstance(record, dict):
        raise TranscriptError(1, 'this is not a record: each must have a "do"')
    return record


def read(path: Path) -> list[Record]:
    """The records of a transcript. It is written in one piece, so a torn last line is an error as well."""
    contents = jsonl.read(path)
    torn = [contents.torn.decode("utf-8", "replace")] if contents.torn else []
    return parse_records([*contents.lines, *torn], "a transcript", "each")


def parse_records(lines: Iterable[str], file: str, each: str) -> list[Record]:
    """The records on the lines of a file; `file` and `each` complete the messages of errors."""
    records: list[Record] = []
    for number, text in enumerate(lines, 1):
        try:
            record = parse_json(text)
        except NotJson as error:
            raise TranscriptError(number, f"{error}; each line of {file} must be a JSON object") from None
        if not isinstance(record, dict) or not isinstance(record.get("do"), str):
            raise TranscriptError(number, f'this is not a record: {each} must have a "do"')
        records.append(record)
    if not records:
        raise TranscriptError(1, EMPTY)
    return records


def replay(records: Sequence[Record], before: Callable[[BaseState, Record], None] | None = None) -> Replayed:
    """Replays a transcript; raises `TranscriptError` at the first line that differs.

    `before` is called before each decision with the state and the decision's record.
    """
    state = _redeal(records)
    for number, record in enumerate(records[1:], 2):
        if number > len(state.records):
            if record["do"] != "decision":
                raise TranscriptError(number, f"the game is over, but {shown(record['do'])} follows")
            _play_record(state, record, number, before)
        expected = json.loads(to_line(state.records[number - 1]))
        if not same_json(expected, record):
            raise TranscriptError(number, describe_difference(expected, record))
    if state.to_move is not None:
        raise TranscriptError(len(records) + 1, "the transcript ends before the game does")
    if len(state.records) > len(records):
        missing = state.records[len(records)]
        raise TranscriptError(len(records) + 1, f"a {missing['do']} record is missing at the end")
    return Replayed(state, len(records))


def _redeal(records: Sequence[Record]) -> BaseState:
    if records[0]["do"] != "game":
        raise TranscriptError(1, "the first line of a transcript must name the game")
    header = decode_line(TranscriptHeader, records[0], 1)
    try:
        game = _game(header)
    except RecycleError as error:
        raise TranscriptError(1, f"its program has an error: {error}") from None
    for key, value in game.identity.items():
        if getattr(header, key) != value:
            raise TranscriptError(
                1, f"{key} is {_short(getattr(header, key))}, but this game's is {_short(value)}"
            )
    try:
        return game.deal(
            header.seed, header.deal, stacked=header.stacked, limits=header.limits, given=header.given
        )
    except BadArgument as error:
        raise TranscriptError(1, f"given: {error}") from None


def _game(header: TranscriptHeader) -> LoadedGame:
    if header.program is not None:
        checked = check(Source(visible(header.game), header.program), header.overrides, header.base)
        program, facts = checked.sound()
        return make_game(header.game, program, facts, Narrator(None, program.base))
    if header.game not in names():
        raise TranscriptError(
            1,
            f"there is no game {_short(header.game)} in the library, and the transcript does not "
            "contain its program",
        )
    return load(header.game, set=header.overrides)


def _play_record(
    state: BaseState, record: Record, number: int, before: Callable[[BaseState, Record], None] | None
) -> None:
    move = move_of(record, number)
    if before is not None:
        before(state, record)
    try:
        state.play(move)
    except IllegalMove:
        raise TranscriptError(number, "this move was not legal here") from None


def describe_difference(expected: Record, found: Record) -> str:
    """Describes the first member in which a record differs from the replayed one."""
    for key in [*expected, *found]:
        if key not in expected or key not in found or canonical(expected[key]) != canonical(found[key]):
            have, want = _short(found.get(key)), _short(expected.get(key))
            return f"{short(found['do'])}: {shown_path([key])} is {have}, but the replay gives {want}"
    return "this line differs from the replay"


def _short(value: Any) -> str:
    text = visible(json.dumps(value, ensure_ascii=False))
    return text if len(text) <= 60 else text[:57] + "..."
