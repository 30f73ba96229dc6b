"""Transcripts: one JSON object a line, enough to play the game again and to find where it was changed."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from upcard.engine.contract import IllegalMove, Limits, Move, Record
from upcard.engine.loading import game_of, load
from upcard.engine.shared.game import LoadedGame
from upcard.engine.shared.state import SeatedState
from upcard.engine.telling import Teller
from upcard.library import names
from upcard.recycle.diagnostics import RecycleError, Refused
from upcard.recycle.front import check
from upcard.recycle.source import Source


class TranscriptError(Refused):
    """A line that does not hold."""

    is_answer = True

    def __init__(self, line: int, message: str) -> None:
        self.line = line
        super().__init__(f"line {line}: {message}")


@dataclass(frozen=True)
class Replayed:
    state: SeatedState
    lines: int


def line_of(record: Record) -> str:
    return json.dumps(record, separators=(",", ":"), ensure_ascii=False)


def write(state: SeatedState, path: Path) -> None:
    """A game of the library is named; any other program goes along in the first line."""
    path.write_text("".join(f"{line_of(record)}\n" for record in complete(state)), encoding="utf-8")


def complete(state: SeatedState) -> list[Record]:
    header, *rest = state.records
    if state.game.name not in names() or load(state.game.name).identity["digest"] != header["digest"]:
        header = {**header, "program": state.game.program.source.text}
    return [header, *rest]


EMPTY = "the file is empty; upcard watch --transcript and upcard match --record write such files"


def parsed(text: str | bytes) -> Any:
    """What a line holds; ValueError for whatever is not JSON, however deep it nests."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deep") from None


def mistyped(error: Exception) -> str:
    """What is wrong with the first line of a file, when using it raised this."""
    return f"lacks {error}" if isinstance(error, KeyError) else "has something in it of the wrong kind"


def ends(path: Path) -> Path:
    """The path, unless it is a device: what is read from one may never end."""
    if (path.is_char_device() or path.is_block_device()) and path != Path(os.devnull):
        raise Refused(f"{path} is a device, not a file; give the path of a file")
    return path


def _lines_of(path: Path) -> list[str]:
    """Only a line feed ends a line: a program's comments may hold other characters that Python breaks at."""
    ends(path)
    text = path.read_text(encoding="utf-8", errors="replace").removesuffix("\n")
    return text.split("\n") if text else []


def first_line(path: Path) -> Record:
    """What a file of records begins with: it tells a transcript from the record of a match."""
    with ends(path).open(encoding="utf-8", errors="replace") as file:
        text = file.readline()
    if not text.strip():
        raise TranscriptError(1, EMPTY)
    try:
        record = parsed(text)
    except ValueError:
        raise TranscriptError(1, "this is not JSON; each line of a transcript is one object") from None
    if not isinstance(record, dict):
        raise TranscriptError(1, 'this is not a record; each has a "do"')
    return record


def read(path: Path) -> list[Record]:
    records: list[Record] = []
    for number, text in enumerate(_lines_of(path), 1):
        try:
            record = parsed(text)
        except ValueError:
            raise TranscriptError(
                number, "this is not JSON; each line of a transcript is one object"
            ) from None
        if not isinstance(record, dict) or not isinstance(record.get("do"), str):
            raise TranscriptError(number, 'this is not a record; each has a "do"')
        records.append(record)
    if not records:
        raise TranscriptError(1, EMPTY)
    return records


def replay(
    records: Sequence[Record], before: Callable[[SeatedState, Record], None] | None = None
) -> Replayed:
    """Play a transcript again; raises at the first line that does not hold.

    `before` is given the state before each decision, and the decision's line.
    """
    state = _redeal(records)
    for number, record in enumerate(records[1:], 2):
        if number > len(state.records):
            if record["do"] != "decision":
                raise TranscriptError(number, f"the game is over, but {record['do']} follows")
            _decide(state, record, number, before)
        expected = json.loads(line_of(state.records[number - 1]))
        if expected != record:
            raise TranscriptError(number, _difference(expected, record))
    if state.to_move is not None:
        raise TranscriptError(len(records) + 1, "the transcript ends before the game does")
    if len(state.records) > len(records):
        missing = state.records[len(records)]
        raise TranscriptError(len(records) + 1, f"a {missing['do']} record is missing at the end")
    return Replayed(state, len(records))


def _redeal(records: Sequence[Record]) -> SeatedState:
    header = records[0]
    try:
        game = _game(header)
        limits = Limits(**header["limits"])
        state = game.deal(
            int(header["seed"]), int(header["deal"]), stacked=header.get("stacked", ()), limits=limits
        )
    except RecycleError as error:
        raise TranscriptError(1, f"the program in it is wrong: {error}") from None
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise TranscriptError(1, f"the first line {mistyped(error)}") from None
    for key, value in game.identity.items():
        if header.get(key) != value:
            raise TranscriptError(
                1, f"{key} is {_short(header.get(key))}, but this game's is {_short(value)}"
            )
    return state


def _game(header: Record) -> LoadedGame:
    if header["do"] != "game":
        raise TranscriptError(1, "the first line of a transcript names the game")
    overrides = {str(name): str(value) for name, value in header["overrides"].items()}
    if "program" in header:
        checked = check(Source(str(header["game"]), str(header["program"])), overrides, header["base"])
        program, facts = checked.sound()
        return game_of(str(header["game"]), program, facts, Teller(None, program.base))
    if header["game"] not in names():
        raise TranscriptError(
            1, f"there is no game {_short(header['game'])} in the library, and no program here"
        )
    return load(header["game"], set=overrides)


def _decide(
    state: SeatedState, record: Record, number: int, before: Callable[[SeatedState, Record], None] | None
) -> None:
    try:
        move = Move(record["item"], tuple(record["picks"]), record["copy"])
        if before is not None:
            before(state, record)
        state.play(move)
    except (KeyError, TypeError):
        raise TranscriptError(number, "this decision has no item, picks and copy") from None
    except IllegalMove:
        raise TranscriptError(number, "this move was not among the alternatives") from None


def _difference(expected: Record, found: Record) -> str:
    for key in [*expected, *found]:
        if expected.get(key) != found.get(key):
            have, want = _short(found.get(key)), _short(expected.get(key))
            return f"{found['do']}: {key} is {have}, but replaying gives {want}"
    return "this line differs from the replayed one"


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "..."


def lines(records: Iterable[Record]) -> Iterator[str]:
    return map(line_of, records)
