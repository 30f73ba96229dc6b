"""Games as Arrow tables, a row for each, and the summary of such a table.

Machine code writes the columns, so no row becomes a Python object; rows of the reference engine are Python
objects already. The summary of a table is computed from its distinct values, in exact integers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from upcard.engine.api import ENDINGS, MAX_LIMIT, Failure, rank
from upcard.engine.native import machine_memory
from upcard.engine.native.kernels.game_columns import GameColumns
from upcard.engine.native.kernels.language import Memory
from upcard.files.decode import Mismatch
from upcard.simulate.native_batch import Recorder
from upcard.simulate.summary import KEPT_FAILURES, Row, Summary

if TYPE_CHECKING:
    import pyarrow as pa

Table: TypeAlias = "pa.Table"
Array: TypeAlias = "pa.Array"
NO_FAILURE = (None, None, None, None)


def schema_of(seats: int) -> pa.Schema:
    """The columns of a game with this many seats, as files have them."""
    import pyarrow as pa

    always = (
        ("deal", pa.int64()),
        ("ending", pa.string()),
        ("decisions", pa.int32()),
        ("choices", pa.int64()),
        ("forced", pa.int32()),
    )
    of_seats = (
        *((f"score_{seat}", pa.int64()) for seat in range(seats)),
        *((f"rank_{seat}", pa.int8()) for seat in range(seats)),
    )
    failures = (
        ("failure", pa.string()),
        ("failure_line", pa.int32()),
        ("failure_column", pa.int32()),
        ("failure_form", pa.string()),
    )
    return pa.schema(
        [
            *(pa.field(name, kind, nullable=False) for name, kind in always),
            *(pa.field(name, kind) for name, kind in (*of_seats, *failures)),
        ]
    )


# --- making tables -------------------------------------------------------------------------------


def table_of_recorder(recorder: Recorder[Row, Summary], first: int, count: int) -> Table:
    """The games that a recorder has just played: the deals from `first` on."""
    import pyarrow as pa
    import pyarrow.compute as pc

    facts = recorder.facts
    seats = facts.seats
    wide, narrow, byte = 8 * count, 4 * count, count
    sizes = {
        "deals": wide,
        "endings": byte,
        "decisions": narrow,
        "choices": wide,
        "forced": narrow,
        "faults": narrow,
        "scores": seats * wide,
        "ranks": seats * byte,
    }
    blocks = {name: pa.py_buffer(machine_memory.words(-(-size // 8))) for name, size in sizes.items()}
    columns = GameColumns.pack(
        seats=seats, highest=int(facts.highest), **{name: block.address for name, block in blocks.items()}
    )
    failed: int = recorder.batch.kernels.write_columns(columns.address, Memory(recorder.rows), first, count)

    def column(kind: Any, block: str, number: int = 0) -> Array:
        width = kind.bit_width // 8 * count
        return pa.Array.from_buffers(kind, count, [None, blocks[block].slice(number * width, width)])

    scores = [column(pa.int64(), "scores", seat) for seat in range(seats)]
    ranks = [column(pa.int8(), "ranks", seat) for seat in range(seats)]
    failures: Sequence[Array] = [pa.nulls(count, kind) for kind in _failure_kinds()]
    if failed:
        faults = column(pa.int32(), "faults")  # they count from 1
        has_failed = pc.not_equal(faults, 0)
        scores, ranks = ([_null_where(has_failed, one) for one in several] for several in (scores, ranks))
        meanings = zip(*((one.message, one.line, one.column, one.form) for one in facts.faults), strict=True)
        indices = _null_where(pc.invert(has_failed), pc.subtract(faults, 1))
        failures = [
            pa.array(values, kind).take(indices)
            for values, kind in zip(meanings, _failure_kinds(), strict=True)
        ]
    return pa.table(
        [
            column(pa.int64(), "deals"),
            _endings(column(pa.int8(), "endings")),
            column(pa.int32(), "decisions"),
            column(pa.int64(), "choices"),
            column(pa.int32(), "forced"),
            *scores,
            *ranks,
            *failures,
        ],
        _written_schema(seats),
    )


def table_of_rows(rows: Sequence[Row], first: int, seats: int, highest: bool) -> Table:
    """The same for games that the reference engine played."""
    import pyarrow as pa

    unscored = (None,) * (2 * seats)
    tuples = [
        (
            deal,
            ENDINGS.index(row.ending),
            row.decisions,
            row.choices,
            row.forced,
            *(unscored if row.scores is None else (*row.scores, *rank(row.scores, highest))),
            *_failure_values(row.failure),
        )
        for deal, row in enumerate(rows, first)
    ]
    schema = _written_schema(seats)
    kinds = [kind.index_type if pa.types.is_dictionary(kind) else kind for kind in schema.types]
    columns = zip(*tuples, strict=True) if tuples else [()] * len(kinds)
    deals, endings, *others = (pa.array(one, kind) for one, kind in zip(columns, kinds, strict=True))
    return pa.table([deals, _endings(endings), *others], schema)


def _written_schema(seats: int) -> pa.Schema:
    """Endings are written by a dictionary of all of them, and read as text."""
    import pyarrow as pa

    schema = schema_of(seats)
    at = schema.get_field_index("ending")
    return schema.set(at, pa.field("ending", pa.dictionary(pa.int8(), pa.string()), nullable=False))


def _endings(indices: Array) -> Array:
    import pyarrow as pa

    return pa.DictionaryArray.from_arrays(indices, pa.array(ENDINGS))


def _failure_kinds() -> list[Any]:
    kinds: list[Any] = schema_of(0).types
    return kinds[-len(NO_FAILURE) :]


def _failure_values(failure: Failure | None) -> tuple[Any, ...]:
    return NO_FAILURE if failure is None else (failure.message, failure.line, failure.column, failure.form)


def _null_where(gone: Array, values: Array) -> Array:
    import pyarrow as pa
    import pyarrow.compute as pc

    return pc.if_else(gone, pa.scalar(None, values.type), values)


# --- summing them up -----------------------------------------------------------------------------


def summary_of(table: Table, seats: int) -> Summary:
    """The summary of the games in a table. Raises `Mismatch` for values that no game has."""
    summary = Summary(seats)
    for (ending,), games in _distinct(table, "ending"):
        if ending not in ENDINGS:
            raise Mismatch(f"must be {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}", "ending")
        summary.ends[ending] += games
    _check_nulls(table, summary, seats)
    lengths: dict[int, list[int]] = {}
    for column, at in (("choices", 1), ("forced", 3)):
        for (decisions, number), games in _distinct(table, "decisions", column):
            sums = lengths.setdefault(decisions, [0] * 5)
            sums[at] += games * number
            sums[at + 1] += games * number * number
            sums[0] += games if at == 1 else 0
    if lengths and not 0 <= min(lengths) <= max(lengths) <= MAX_LIMIT:
        raise Mismatch(f"must be between 0 and {MAX_LIMIT:,}", "decisions")
    summary.lengths = lengths
    for seat, tally in enumerate(summary.tallies):
        for (score,), games in _distinct(table, f"score_{seat}"):
            if score is not None:
                tally.add(score, games)
    _add_firsts(table, summary, seats)
    _keep_failures(table, summary)
    return summary


def _distinct(table: Table, *names: str) -> Iterator[tuple[tuple[Any, ...], int]]:
    """The distinct values of columns, and how many rows have them."""
    groups = table.select(list(names)).group_by(list(names), use_threads=False).aggregate([([], "count_all")])
    *columns, counts = (groups[name].to_pylist() for name in (*names, "count_all"))
    yield from zip(zip(*columns, strict=True), counts, strict=True)


def _check_nulls(table: Table, summary: Summary, seats: int) -> None:
    """Games that failed have a failure, all others have scores and ranks."""
    failed = summary.ends["failed"]
    for seat in range(seats):
        for name in (f"score_{seat}", f"rank_{seat}"):
            if table[name].null_count != failed:
                raise Mismatch(f"must be missing in the {failed:,} games that failed, and only there", name)
    for name in table.column_names[-len(NO_FAILURE) :]:
        if table[name].null_count != summary.scored:
            raise Mismatch(f"must be there in the {failed:,} games that failed, and only there", name)


def _add_firsts(table: Table, summary: Summary, seats: int) -> None:
    import pyarrow as pa
    import pyarrow.compute as pc

    first = [pc.equal(table[f"rank_{seat}"], 0) for seat in range(seats)]
    winners = first[0].cast(pa.int8())
    for one in first[1:]:
        winners = pc.add(winners, one.cast(pa.int8()))
    for seat, one in enumerate(first):
        for value in pc.value_counts(winners.filter(one)).to_pylist():
            summary.firsts[seat][value["values"] - 1] += value["counts"]


def _keep_failures(table: Table, summary: Summary) -> None:
    import pyarrow.compute as pc

    if not summary.ends["failed"]:
        return
    failed = table.filter(pc.equal(table["ending"], "failed")).slice(0, KEPT_FAILURES)
    for row in failed.to_pylist():
        line = row["failure_line"]
        column, form = row["failure_column"], row["failure_form"]
        failure = Failure(row["failure"], line, column, form, line, row["decisions"], {})
        summary.failures.append((row["deal"], failure))
