"""Record of a match: JSON lines from which it resumes or is replayed.

match     the game and its rules, the seed, names and players, how deals add up
deal      its number, who sits where, a stacked deck if there was one
decision  the seat, the person, and the move by its name and its index
result    the scores of a deal, and what they add up to
over      who has won
undo      the player at the table took a decision back: only the first `lines` lines before it count
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from upcard.engine.api import IllegalMove, Record, Stacked
from upcard.engine.transcript import describe_difference, parse_records
from upcard.engine.transcript_format import TranscriptError, move_of
from upcard.files.decode import short
from upcard.files.json_text import same_json
from upcard.match.match_play import Match, MatchOver, Table
from upcard.match.match_record_format import header_of, stacked_decks
from upcard.storage import jsonl
from upcard.storage.jsonl import Log, to_line


def writer(log: Log) -> Callable[[Record], None]:
    """A function that writes each line to the file at once."""
    return lambda line: log.write([line])


def read(path: Path) -> list[Record]:
    """The lines of a record; a last line that was cut off in the middle is left out."""
    there = jsonl.read(path)
    if not there.fits("match"):
        raise TranscriptError(1, "this is not JSON; each line of a record must be a JSON object")
    records = parse_records(there.lines, "a record", "each line")
    if records[0]["do"] != "match":
        raise TranscriptError(1, "the first line of a match record must name the match")
    return records


def kept_lines(lines: Sequence[Record]) -> list[Record]:
    """The lines that count: an `undo` line takes back all lines behind the first `lines` that count."""
    kept: list[Record] = []
    for number, line in enumerate(lines, 1):
        if line["do"] != "undo":
            kept.append(line)
            continue
        count = line.get("lines")
        if isinstance(count, bool) or not isinstance(count, int) or not 0 < count < len(kept):
            raise TranscriptError(number, f"lines must be a number from 1 to {len(kept) - 1}")
        del kept[count:]
    return kept


def is_begun(path: Path) -> bool:
    """Whether a file holds more than an unfinished first line."""
    there = jsonl.read_if_exists(path)
    return bool(there.lines) or not there.fits("match")


def resume(
    table: Table,
    lines: Sequence[Record],
    on_record: Callable[[Record], None] | None = None,
    before: Callable[[Match, Record], None] | None = None,
) -> Match:
    """Replay a record to its end. Raises `TranscriptError` at the first line that differs.

    `before` is called before each decision with the match and the decision's line.
    """
    header, decks = header_of(lines), stacked_decks(lines)
    replayed: list[Record] = []

    def stacked(number: int) -> Stacked:
        return decks.get(number, ())

    def listen(line: Record) -> None:
        replayed.append(line)
        if on_record is not None and len(replayed) > len(lines):
            on_record(line)

    match = Match(table, header.seed, header.match, stacked=stacked, on_record=listen)
    for number, line in enumerate(lines, 1):
        if number > len(replayed):
            if line["do"] != "decision" or match.over:
                raise TranscriptError(number, f"a {short(line['do'])} line does not belong here")
            move = move_of(line, number)
            if before is not None:
                before(match, line)
            try:
                match.replay(move)
            except IllegalMove:
                raise TranscriptError(number, "this move was not legal here") from None
            except MatchOver as error:
                raise TranscriptError(number, f"the match cannot continue from here: {error}") from None
        expected = json.loads(to_line(replayed[number - 1]))
        if not same_json(expected, line):
            raise TranscriptError(number, describe_difference(expected, line))
    return match
