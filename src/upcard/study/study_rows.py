"""Exports the games and decisions of a study as tables.

CSV always; parquet as well where pyarrow is installed. The columns are the same in both. Rows are written as
they are made, some thousands at a time, so tables of any length take the same memory. Random games of which
only sums were kept are played again for it: they are the same games.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import lru_cache
from io import TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

from upcard.engine.api import Ending, rank
from upcard.simulate.traces import slope_scale
from upcard.storage.atomic_write import atomic_writer
from upcard.study.convergence import narrowing
from upcard.study.game_log import Watched
from upcard.study.heuristics import drama_of, mean, security_of
from upcard.study.plan import Plan
from upcard.study.statistics import decisiveness_of, history_of
from upcard.study.study_run import Study

PLACES = 6
"""Digits after the decimal point."""

AT_ONCE = 20_000
"""Rows in each group of a parquet file."""

Row: TypeAlias = list[Any]


def game_columns(plan: Plan) -> list[str]:
    seats = range(1, plan.game.seats + 1)
    return [
        *("part", "deal", "ending", "decisions", "choices", "forced", "convergence"),
        *("spread", "drama", "security", "decisiveness"),
        *(f"score {seat}" for seat in seats),
        *(f"rank {seat}" for seat in seats),
    ]


def game_rows(study: Study) -> Iterator[Row]:
    """Ranks count from 1, and tied seats share the better rank; missing values are empty."""
    seats, highest = study.plan.game.seats, study.plan.highest
    for part, games in study.games.items():
        for game in games:
            row, thoughts = game.trace.row(highest), _thoughts(part, game, study.plan)
            yield [
                part,
                game.deal,
                *_choices(*row[:4], row.slope),
                *thoughts,
                *_result(row.scores, seats, highest),
            ]
        if part == "random" and study.sums.games:
            first, end = more(study)
            for deal, row in enumerate(study.plan.traced_games.rows(first, end), first):
                result = _result(row.scores, seats, highest)
                yield [part, deal, *_choices(*row[:4], row.slope), *NO_THOUGHTS, *result]


def more(study: Study) -> tuple[int, int]:
    """The random deals of which only sums were recorded: the first, and the one after the last."""
    first = study.plan.kept("random")
    return first, first + study.sums.games


# among very many games many are alike


@lru_cache(1 << 16)
def _choices(ending: Ending, decisions: int, choices: int, forced: int, slope: int) -> Row:
    narrows = narrowing(slope / slope_scale(decisions))
    return [ending, decisions, _number(choices / max(1, decisions)), forced, _number(narrows)]


@lru_cache(1 << 16)
def _result(scores: tuple[int, ...] | None, seats: int, highest: bool) -> Row:
    if scores is None:
        return [None] * (2 * seats)
    return [*scores, *(place + 1 for place in rank(scores, highest))]


NO_THOUGHTS: Row = [None, None, None, None]


def _thoughts(part: str, game: Watched, plan: Plan) -> Row:
    """The spread, drama, security and decisiveness of a game."""
    told = [one for one in game.spreads if one is not None]
    spread = _number(mean(told)) if told else None
    told_leads = any(lead is not None for lead in game.leads)
    if not told_leads or game.scores is None or len(plan.sides) < 2 or part != "searching":
        return [spread, None, None, None]
    played = history_of(game, plan.sides, plan.highest)
    found = drama_of(played), security_of(played), decisiveness_of(game, plan.sides, plan.highest)
    return [spread, *map(_number, found)]


def decision_columns(plan: Plan) -> list[str]:
    seats = range(1, plan.game.seats + 1)
    columns = ["part", "deal", "decision", "seat", "choices", "round", "leads", "spread"]
    return [*columns, *(f"lead {seat}" for seat in seats)]


def decision_rows(study: Study) -> Iterator[Row]:
    """Decisions, seats and rounds count from 1. `leads` is 1 for the first seat to decide in a round, 0 for
    followers, and empty outside rounds or if rounds were not determined."""
    nothing = [None] * study.plan.game.seats
    for part, games in study.games.items():
        for game in games:
            begun = set[int]()
            for n, (seat, choices) in enumerate(zip(game.seats, game.choices, strict=True)):
                number = game.rounds[n] if game.rounds else 0
                lead = game.leads[n] if game.leads else None
                yield [
                    *(part, game.deal, n + 1, seat + 1, choices),
                    *((number, int(number not in begun)) if number else (None, None)),
                    _number(game.spreads[n]) if game.spreads else None,
                    *(nothing if lead is None else lead),
                ]
                begun.add(number)
        if part == "random" and study.sums.games:
            first, end = more(study)
            for deal, trace in enumerate(study.plan.traced_games.games(first, end), first):
                for n, (seat, choices) in enumerate(zip(trace.seats, trace.choices, strict=True)):
                    yield [part, deal, n + 1, seat + 1, choices, None, None, None, *nothing]


TABLES = {"games": (game_columns, game_rows), "decisions": (decision_columns, decision_rows)}


def write(
    study: Study, folder: Path, tables: Iterable[str], advance: Callable[[int], None] = lambda _: None
) -> list[Path]:
    """Writes the tables by name and returns their paths. `advance` is called with the number of new rows."""
    written = []
    for name in tables:
        columns, rows = TABLES[name]
        written += _write_table(folder / name, columns(study.plan), rows(study), advance)
    return written


def expected(study: Study, tables: Iterable[str]) -> int:
    """The approximate number of rows; the decisions of failed games are unknown."""
    sums = [study.counted(part) for part in study.plan.parts]
    rows = {"games": sum(one.games for one in sums), "decisions": sum(one.decisions.total for one in sums)}
    return sum(rows[name] for name in tables)


def _write_table(
    path: Path, columns: Sequence[str], rows: Iterator[Row], advance: Callable[[int], None]
) -> list[Path]:
    """Writes a whole table or nothing."""
    made = [Table(path.with_suffix(".csv"), columns)]
    try:
        import pyarrow  # noqa: F401

        made.append(Parquet(path.with_suffix(".parquet"), columns))
    except ImportError:
        pass
    with ExitStack() as stack:
        for table in made:
            table.begin(stack.enter_context(atomic_writer(table.path)))
            stack.callback(table.end)
        while some := list(islice(rows, AT_ONCE)):
            for table in made:
                table.add(some)
            advance(len(some))
    return [table.path for table in made]


class Table:
    """Writes rows as CSV."""

    def __init__(self, path: Path, columns: Sequence[str]) -> None:
        self.path, self.columns = path, columns

    def begin(self, file: BinaryIO) -> None:
        self._file = TextIOWrapper(file, encoding="utf-8", newline="")
        self._writer = csv.writer(self._file, lineterminator="\n")
        self._writer.writerow(self.columns)

    def add(self, rows: Iterable[Row]) -> None:
        self._writer.writerows(rows)

    def end(self) -> None:
        self._file.detach()


class Parquet(Table):
    def begin(self, file: BinaryIO) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        self._kinds = [(name, self._kind(name)) for name in self.columns]
        self._parquet = pq.ParquetWriter(file, pa.schema(self._kinds))

    def _kind(self, name: str) -> Any:
        import pyarrow as pa

        words = ("part", "ending")
        wholes = ("deal", "decisions", "decision", "seat", "round", "leads", "forced")
        whole = name in wholes or name.startswith(("score ", "rank "))
        whole = whole or (name == "choices" and "decision" in self.columns)
        return pa.string() if name in words else pa.int64() if whole else pa.float64()

    def add(self, rows: Iterable[Row]) -> None:
        import pyarrow as pa

        columns = zip(*rows, strict=True)
        arrays = [pa.array(column, kind) for column, (_, kind) in zip(columns, self._kinds, strict=True)]
        self._parquet.write_table(pa.table(arrays, pa.schema(self._kinds)))

    def end(self) -> None:
        self._parquet.close()


def _number(value: float | None) -> float | None:
    return None if value is None else round(value, PLACES)
