"""Exports the games, the decisions and the profile of a study as tables.

As files: CSV always, parquet as well where pyarrow is installed. The columns are the same in both. Rows are
written as they are made, some thousands at a time, so tables of any length take the same memory. Random games
of which only sums were kept are played again for it: they are the same games.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from functools import lru_cache
from io import TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias

from upcard.engine.api import Ending, rank
from upcard.simulate.traces import slope_scale
from upcard.storage.arrow_table import About, Columns, schema_of, table_of
from upcard.storage.atomic_write import atomic_writer
from upcard.study.convergence import narrowing
from upcard.study.game_log import Watched
from upcard.study.heuristics import drama_of, mean, security_of
from upcard.study.plan import Plan
from upcard.study.statistics import decisiveness_of, history_of
from upcard.study.study_run import Study
from upcard.study.study_summary import Summed

if TYPE_CHECKING:
    import pyarrow as pa

PLACES = 6
"""Digits after the decimal point."""

AT_ONCE = 20_000
"""Rows in each group of a parquet file."""

Row: TypeAlias = list[Any]


def game_columns(plan: Plan) -> Columns:
    seats = range(plan.game.seats)
    return {
        "part": "string",
        "deal": "int64",
        "ending": "string",
        "decisions": "int32",
        "mean_choices": "double",
        "forced": "int32",
        "convergence": "double",
        **dict.fromkeys(("spread", "drama", "security", "decisiveness"), "double"),
        **{f"score_{seat}": "int64" for seat in seats},
        **{f"rank_{seat}": "int8" for seat in seats},
    }


def game_rows(study: Study) -> Iterator[Row]:
    """A rank is the number of seats that did better; missing values are empty."""
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
    return [*scores, *rank(scores, highest)]


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


def decision_columns(plan: Plan) -> Columns:
    return {
        "part": "string",
        "deal": "int64",
        "decision": "int32",
        "seat": "int8",
        "choices": "int32",
        "round": "int32",
        "leads": "bool",
        "spread": "double",
        **{f"lead_{seat}": "double" for seat in range(plan.game.seats)},
    }


def decision_rows(study: Study) -> Iterator[Row]:
    """`leads` is true for the first seat to decide in a round, false for followers, and empty outside rounds
    or if rounds were not determined."""
    nothing = [None] * study.plan.game.seats
    for part, games in study.games.items():
        for game in games:
            begun = set[int]()
            for n, (seat, choices) in enumerate(zip(game.seats, game.choices, strict=True)):
                number = game.rounds[n] if game.rounds else 0
                lead = game.leads[n] if game.leads else None
                yield [
                    *(part, game.deal, n, seat, choices),
                    *((number - 1, number not in begun) if number else (None, None)),
                    _number(game.spreads[n]) if game.spreads else None,
                    *(nothing if lead is None else lead),
                ]
                begun.add(number)
        if part == "random" and study.sums.games:
            first, end = more(study)
            for deal, trace in enumerate(study.plan.traced_games.games(first, end), first):
                for n, (seat, choices) in enumerate(zip(trace.seats, trace.choices, strict=True)):
                    yield [part, deal, n, seat, choices, None, None, None, *nothing]


def profile_columns(plan: Plan) -> Columns:
    return {"figure": "string", "mean": "double", "low": "double", "high": "double"}


def profile_rows(study: Study) -> Iterator[Row]:
    for name, found in Summed(study).profile.items():
        yield [name, found.mean, found.low, found.high]


TABLES: dict[str, tuple[Callable[[Plan], Columns], Callable[[Study], Iterator[Row]]]] = {
    "games": (game_columns, game_rows),
    "decisions": (decision_columns, decision_rows),
    "profile": (profile_columns, profile_rows),
}


def study_table(study: Study, name: str) -> pa.Table:
    """The table of a name in `TABLES`, in memory."""
    columns, rows = TABLES[name]
    return table_of(columns(study.plan), rows(study), _about(study.plan, name))


def _about(plan: Plan, name: str) -> About:
    return {
        "table": f"study {name}",
        **plan.game.identity,
        "seed": plan.seed,
        "players": [player.name for player in plan.players],
        "seats": [plan.game.narrator.seat(seat) for seat in range(plan.game.seats)],
        "highest": plan.highest,
    }


def write(
    study: Study, folder: Path, tables: Iterable[str], advance: Callable[[int], None] = lambda _: None
) -> list[Path]:
    """Writes the tables by name and returns their paths. `advance` is called with the number of new rows."""
    written = []
    for name in tables:
        columns, rows = TABLES[name]
        about = _about(study.plan, name)
        written += _write_table(folder / name, columns(study.plan), about, rows(study), advance)
    return written


def expected(study: Study, tables: Iterable[str]) -> int:
    """The approximate number of rows; the decisions of failed games are unknown."""
    sums = [study.counted(part) for part in study.plan.parts]
    rows = {"games": sum(one.games for one in sums), "decisions": sum(one.decisions.total for one in sums)}
    return sum(rows[name] for name in tables)


def _write_table(
    path: Path, columns: Columns, about: About, rows: Iterator[Row], advance: Callable[[int], None]
) -> list[Path]:
    """Writes a whole table or nothing."""
    made = [Table(path.with_suffix(".csv"), columns, about)]
    try:
        import pyarrow  # noqa: F401

        made.append(Parquet(path.with_suffix(".parquet"), columns, about))
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

    def __init__(self, path: Path, columns: Columns, about: About) -> None:
        self.path, self.columns, self.about = path, columns, about

    def begin(self, file: BinaryIO) -> None:
        self._file = TextIOWrapper(file, encoding="utf-8", newline="")
        self._writer = csv.writer(self._file, lineterminator="\n")
        self._writer.writerow(self.columns)

    def add(self, rows: Iterable[Row]) -> None:
        self._writer.writerows([_as_text(value) for value in row] for row in rows)

    def end(self) -> None:
        self._file.detach()


class Parquet(Table):
    def begin(self, file: BinaryIO) -> None:
        import pyarrow.parquet as pq

        self._schema = schema_of(self.columns, self.about)
        self._parquet = pq.ParquetWriter(file, self._schema)

    def add(self, rows: Iterable[Row]) -> None:
        self._parquet.write_table(table_of(self.columns, rows, self.about))

    def end(self) -> None:
        self._parquet.close()


def _as_text(value: Any) -> Any:
    """As CSV has it: 0 and 1 are false and true."""
    return int(value) if isinstance(value, bool) else value


def _number(value: float | None) -> float | None:
    return None if value is None else round(value, PLACES)
