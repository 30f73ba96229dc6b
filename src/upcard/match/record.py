"""Records of matches: one JSON object a line, written as it happens; enough to play on, or to play it again.

match     the game and its rules, the seed, names and players, how deals add up
deal      its number, who sits where, a stacked deck if there was one
decision  the seat, the person, and the move by its name and its index
result    the scores of a deal, and what they add up to
over      who has won
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TextIO

from upcard.engine.contract import IllegalMove, Move, Record, Stacked
from upcard.engine.transcript import EMPTY, TranscriptError, ends, line_of, mistyped, parsed
from upcard.match.playing import Match, Table


def writer(file: TextIO) -> Callable[[Record], None]:
    """Every line is on disk as soon as it is made."""

    def write(line: Record) -> None:
        file.write(line_of(line) + "\n")
        file.flush()

    return write


def read(path: Path) -> list[Record]:
    """The lines of a record; a last line that was cut off in the middle is left out."""
    lines = ends(path).read_text(encoding="utf-8", errors="replace").split("\n")
    found: list[Record] = []
    for number, text in enumerate(lines, 1):
        if not text:
            continue
        try:
            line = parsed(text)
        except ValueError:
            if found and number == len(lines):
                break
            raise TranscriptError(number, "this is not JSON; each line of a record is one object") from None
        if not isinstance(line, dict) or not isinstance(line.get("do"), str):
            raise TranscriptError(number, 'this is not a record; each line has a "do"')
        found.append(line)
    if not found:
        raise TranscriptError(1, EMPTY)
    if found[0]["do"] != "match":
        raise TranscriptError(1, "the first line of a match's record names the match")
    return found


def mend(path: Path) -> None:
    """Leave whole lines only, so that the next one can be written behind them."""
    with path.open("rb+") as file:
        written = file.read()
        last = written[written.rfind(b"\n") + 1 :]
        if not last:
            return
        try:
            parsed(last)
        except ValueError:
            file.truncate(len(written) - len(last))
        else:
            file.write(b"\n")


def resume(
    table: Table,
    lines: Sequence[Record],
    on_record: Callable[[Record], None] | None = None,
    before: Callable[[Match, Record], None] | None = None,
) -> Match:
    """The match as its record leaves it. Raises at the first line that does not hold.

    `before` is given the match before each decision, and the decision's line.
    """
    header = lines[0]
    replayed: list[Record] = []

    def stacked(number: int) -> Stacked:
        return next((d.get("stacked", ()) for d in lines if d["do"] == "deal" and d["number"] == number), ())

    def listen(line: Record) -> None:
        replayed.append(line)
        if on_record is not None and len(replayed) > len(lines):
            on_record(line)

    try:
        match = Match(table, int(header["seed"]), int(header["match"]), stacked=stacked, on_record=listen)
    except (KeyError, TypeError, ValueError) as error:
        raise TranscriptError(1, f"the first line {mistyped(error)}") from None
    for number, line in enumerate(lines, 1):
        if number > len(replayed):
            if line["do"] != "decision" or match.over:
                raise TranscriptError(number, f"a {line['do']} line does not follow here")
            try:
                if before is not None:
                    before(match, line)
                match.replay(Move(line["item"], tuple(line["picks"]), line["copy"]))
            except (KeyError, TypeError):
                raise TranscriptError(number, "this decision has no item, picks and copy") from None
            except IllegalMove:
                raise TranscriptError(number, "this move was not among the alternatives") from None
        expected = json.loads(line_of(replayed[number - 1]))
        if expected != line:
            wrong = next(key for key in {**expected, **line} if expected.get(key) != line.get(key))
            raise TranscriptError(
                number,
                f"{line['do']}: {wrong} is {line.get(wrong)}, but replaying gives {expected.get(wrong)}",
            )
    return match
