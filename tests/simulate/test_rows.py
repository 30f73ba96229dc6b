"""Rows of simulations: what they say, that nothing else changes their files, and what is refused."""

from __future__ import annotations

import ctypes
import itertools
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tests.simulate.test_random_games import FAILS, HUGE, LONG, ROOMY, load

import upcard
from upcard.engine.api import Limits, rank
from upcard.engine.loader import Engine
from upcard.engine.native import machine_memory
from upcard.engine.native.backends.select import NoMachineCode
from upcard.engine.native.kernels.game_columns import GameColumns, write_columns
from upcard.engine.native.kernels.language import Memory
from upcard.engine.reference import ReferenceGame
from upcard.engine.shared.game import LoadedGame
from upcard.extras import NotInstalled
from upcard.files.bounded import Unreadable
from upcard.parallel.workers import Workers
from upcard.simulate import row_part
from upcard.simulate.native_batch import Recorder
from upcard.simulate.random_games import native_batch, play_out
from upcard.simulate.row_folder import MissingRows, lock, part_name, summarize
from upcard.simulate.row_part import BadPart, OtherRows, read_part
from upcard.simulate.row_run import RowRun
from upcard.simulate.row_table import schema_of, table_of_recorder, table_of_rows
from upcard.simulate.summary import Row, Summary
from upcard.simulate.sums_detail import Sums
from upcard.storage.lock import Locked

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed here")
pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed here")
SIZE = 100
GAMES = 730
"""Seven whole parts and one that is shorter."""


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_part, "PART", SIZE)


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.parquet"))}


def rows_of(folder: Path) -> list[dict[str, Any]]:
    found = [pq.read_table(path).to_pylist() for path in sorted(folder.glob("*.parquet"))]
    return list(itertools.chain.from_iterable(found))


def figures(summary: Summary) -> tuple[object, ...]:
    """All of a summary; of failures, where they happened (the wording is free)."""
    failures = [(deal, failure.line, failure.column) for deal, failure in summary.failures]
    return (summary.to_json(), summary.lengths, summary.tallies, summary.firsts, failures)


def by_the_book(game: LoadedGame) -> ReferenceGame:
    return ReferenceGame(game.name, game.program, game.facts, game.narrator)


def expected_row(game: LoadedGame, seed: int, deal: int, limits: Limits) -> dict[str, Any]:
    """A row as the documentation describes it, from a game that the reference engine played."""
    row = play_out(by_the_book(game), seed, deal, limits)
    seats = range(game.seats)
    scores = row.scores or (None,) * game.seats
    ranks = (None,) * game.seats if row.scores is None else rank(row.scores, game.program.scoring.highest)
    failure = row.failure
    return {
        "deal": deal,
        "ending": row.ending,
        "decisions": row.decisions,
        "choices": row.choices,
        "forced": row.forced,
        **{f"score_{seat}": scores[seat] for seat in seats},
        **{f"rank_{seat}": ranks[seat] for seat in seats},
        "failure_line": failure and failure.line,
        "failure_column": failure and failure.column,
        "failure_form": failure and failure.form,
    }


def without_wording(row: dict[str, Any]) -> dict[str, Any]:
    failed = row.pop("failure") is not None
    assert failed == (row["ending"] == "failed")
    return row


# --- what rows say -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", upcard.games())
def test_rows_are_what_the_reference_engine_plays(name: str, tmp_path: Path) -> None:
    game = upcard.load(name)
    assert isinstance(game, LoadedGame)
    game.simulate(5, seed=3, rows=tmp_path)
    found = [without_wording(row) for row in rows_of(tmp_path)]
    assert found == [expected_row(game, 3, deal, Limits()) for deal in range(5)]


@pytest.mark.parametrize(("text", "games"), [(FAILS, 250), (HUGE, 250), (LONG, 12)])
@pytest.mark.parametrize("engine", ["native", "reference"])
def test_failures_huge_scores_and_long_games(
    text: str, games: int, engine: str, tmp_path: Path, small_parts: None
) -> None:
    game = load(text) if engine == "native" else by_the_book(load(text))
    plain = game.simulate(games, 5, limits=ROOMY)
    written = game.simulate(games, 5, limits=ROOMY, rows=tmp_path, workers=1)
    read = Summary.from_rows(tmp_path)
    assert figures(plain) == figures(written) == figures(read)
    found = [without_wording(row) for row in rows_of(tmp_path)]
    assert found == [expected_row(game, 5, deal, ROOMY) for deal in range(games)]


@pytest.mark.parametrize("name", ["euchre", "hearts", "golf-six", "kuhn-poker"])
def test_the_summary_of_rows_is_that_of_the_games(name: str, tmp_path: Path, small_parts: None) -> None:
    game = upcard.load(name)
    plain = game.simulate(GAMES, seed=7)
    assert game.simulate(GAMES, seed=7, rows=tmp_path) == plain
    assert Summary.from_rows(tmp_path) == plain


def recorder_of(game: LoadedGame, games: int) -> Recorder[Row, Summary]:
    try:
        recorder = native_batch(game, Sums(), 5, ROOMY).recorder
    except NoMachineCode as error:
        pytest.skip(f"there is no machine code here: {error}")
    recorder.sums(40, games)
    return recorder


@pytest.mark.parametrize("text", [FAILS, HUGE])
def test_machine_code_and_python_write_the_same_columns(text: str) -> None:
    recorder = recorder_of(load(text), 200)
    rows = [recorder.row(n) for n in range(200)]
    facts = recorder.facts
    table = table_of_recorder(recorder, 40, 200)
    assert table.equals(table_of_rows(rows, 40, facts.seats, facts.highest))
    table.validate(full=True)


def test_the_kernel_writes_the_same_under_cpython() -> None:
    count = 30
    recorder = recorder_of(load(HUGE), count)
    seats, highest = recorder.facts.seats, recorder.facts.highest
    rows = bytearray(ctypes.string_at(ctypes.addressof(recorder.rows), 8 * recorder.width * count))

    def written(write: Callable[[GameColumns, Memory, int, int], int]) -> dict[str, bytes]:
        blocks = {name: machine_memory.buffer(8 * count * seats) for name in GameColumns.fields}
        del blocks["seats"], blocks["highest"]
        pointers = {name: Memory(block) for name, block in blocks.items()}
        columns = GameColumns.pack(seats=seats, highest=int(highest), **pointers)
        failed = write(columns, Memory(rows), 40, count)
        assert failed == sum(recorder.row(n).failure is not None for n in range(count)) > 0
        return {name: bytes(block) for name, block in blocks.items()}

    in_machine_code = recorder.batch.kernels.write_columns
    assert written(write_columns) == written(
        lambda columns, *rest: int(in_machine_code(columns.address, *rest))
    )


# --- how they were made makes no difference ------------------------------------------------------


@pytest.fixture
def whole(tmp_path: Path, small_parts: None) -> dict[str, bytes]:
    upcard.load("euchre").simulate(GAMES, seed=2, workers=1, rows=tmp_path / "whole")
    return files(tmp_path / "whole")


def test_parts_are_fixed_by_deals(whole: dict[str, bytes]) -> None:
    assert list(whole) == [part_name(first, SIZE) for first in range(0, GAMES, SIZE)]
    assert next(iter(whole)) == "deals-000000000000-000000000100.parquet"
    counts = [pq.ParquetFile(pa.BufferReader(data)).metadata.num_rows for data in whole.values()]
    assert counts == [SIZE] * 7 + [30]


@pytest.mark.parametrize(
    ("engine", "workers"), [("native", 1), ("native", 2), ("native", 3), ("reference", 2)]
)
def test_workers_and_engines_write_the_same_bytes(
    engine: Engine, workers: int, whole: dict[str, bytes], tmp_path: Path
) -> None:
    upcard.load("euchre", engine=engine).simulate(GAMES, seed=2, workers=workers, rows=tmp_path)
    assert files(tmp_path) == whole


def test_slices_across_parts_make_no_difference(
    whole: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from upcard.parallel import slices

    for first_slice in (1, 99, 101, 350, 100_000):
        monkeypatch.setattr(slices, "FIRST_SLICE", first_slice)
        folder = tmp_path / str(first_slice)
        upcard.load("euchre").simulate(GAMES, seed=2, workers=2, rows=folder)
        assert files(folder) == whole


@pytest.mark.parametrize("gone", [(0,), (3,), (7,), (1, 2, 5), tuple(range(8))])
def test_missing_parts_are_made_and_the_others_kept(
    gone: tuple[int, ...], whole: dict[str, bytes], tmp_path: Path
) -> None:
    folder = tmp_path / "whole"
    paths = sorted(folder.glob("*.parquet"))
    inodes = [path.stat().st_ino for path in paths]
    for number in gone:
        paths[number].rename(tmp_path / f"{number}")  # so that its inode is not used again
    run = run_of("euchre", folder)
    summary = merged(run, 2)
    assert files(folder) == whole
    assert {n for n, path in enumerate(paths) if path.stat().st_ino != inodes[n]} == set(gone)
    assert run.kept == GAMES - sum(30 if n == 7 else SIZE for n in gone)
    assert summary == Summary.from_rows(folder) == upcard.load("euchre").simulate(GAMES, seed=2)


def run_of(name: str, folder: Path, games: int = GAMES, seed: int = 2) -> RowRun:
    game = upcard.load(name)
    assert isinstance(game, LoadedGame)
    return RowRun(game, games, folder, seed)


def merged(run: RowRun, workers: Workers) -> Summary:
    summary = Summary(len(run.header.seats))
    for part in run.play(workers):
        summary.merge(part)
    return summary


def test_an_executor_makes_the_same_parts(whole: dict[str, bytes], tmp_path: Path) -> None:
    folder = tmp_path / "executor"
    seen: list[int] = []
    with ThreadPoolExecutor(2) as executor:
        run = run_of("euchre", folder, 250)
        for part in run.play(executor, seen.append):
            assert part.games == seen[-1]
        summary = merged(run_of("euchre", folder), executor)
    assert files(folder) == whole
    assert summary == upcard.load("euchre").simulate(GAMES, seed=2)


def test_a_longer_run_replaces_the_short_part(whole: dict[str, bytes], tmp_path: Path) -> None:
    folder = tmp_path / "growing"
    for games in (0, 1, 250, 300, 301, GAMES):
        summary = upcard.load("euchre").simulate(games, seed=2, rows=folder)
        assert summary.games == games
    assert files(folder) == whole


@pytest.mark.parametrize("workers", [1, 3])
def test_what_was_yielded_is_written_and_an_interrupted_run_goes_on(
    workers: int, whole: dict[str, bytes], tmp_path: Path
) -> None:
    folder = tmp_path / "interrupted"
    playing = run_of("euchre", folder).play(workers)
    games = sum(next(playing).games for _ in range(3))
    playing.close()
    assert games == 3 * SIZE
    found = files(folder)
    assert list(found)[:3] == list(whole)[:3]
    assert found.items() <= whole.items()
    assert [path.name for path in folder.iterdir() if path.name not in found] == [".lock"]
    merged(run_of("euchre", folder), workers)
    assert files(folder) == whole


def test_only_one_process_writes(tmp_path: Path) -> None:
    with lock(tmp_path), pytest.raises(Locked, match="is being written by another process"):
        upcard.load("euchre").simulate(5, rows=tmp_path)


# --- what other programs see ---------------------------------------------------------------------


@pytest.fixture
def read_by_others(whole: dict[str, bytes], tmp_path: Path) -> Path:
    """A folder as it is while a run goes on: with a lock and with files that are not complete."""
    folder = tmp_path / "whole"
    assert (folder / ".lock").exists()
    (folder / ".deals-000000000800-000000000900.parquet.part").write_bytes(b"PAR1 half of a file")
    return folder


def totals(frame: dict[str, Any]) -> tuple[int, int]:
    return int(frame["games"]), int(frame["points"])


def expected_totals() -> tuple[int, int]:
    summary = upcard.load("euchre").simulate(GAMES, seed=2)
    return GAMES, summary.scores[0].total


def test_pyarrow_reads_the_folder(read_by_others: Path) -> None:
    import pyarrow.dataset

    table = pyarrow.dataset.dataset(read_by_others).to_table()
    assert table.schema.equals(schema_of(4))
    assert (len(table), sum(table["score_0"].to_pylist())) == expected_totals()
    assert table["deal"].to_pylist() == list(range(GAMES))


def test_polars_reads_the_folder(read_by_others: Path) -> None:
    pl = pytest.importorskip("polars", reason="polars is not installed here")
    frame = pl.scan_parquet(read_by_others / "*.parquet")
    found = frame.select(games=pl.len(), points=pl.col("score_0").sum()).collect()
    assert totals(found.row(0, named=True)) == expected_totals()
    assert frame.filter(pl.col("deal") >= 700).select(pl.len()).collect().item() == 30


def test_duckdb_reads_the_folder(read_by_others: Path) -> None:
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed here")
    query = f"select count(*) games, sum(score_0) points from '{read_by_others}/*.parquet'"
    assert duckdb.sql(query).fetchall() == [expected_totals()]
    query = f"select count(*) from '{read_by_others}/*.parquet' where ending = 'finished' and failure is null"
    assert duckdb.sql(query).fetchall() == [(GAMES,)]


def test_pandas_reads_the_folder(read_by_others: Path) -> None:
    pd = pytest.importorskip("pandas", reason="pandas is not installed here")
    frame = pd.read_parquet(read_by_others)
    assert (len(frame), int(frame["score_0"].sum())) == expected_totals()
    assert str(frame["score_0"].dtype) == "int64"


def test_the_metadata_say_whose_rows_they_are(whole: dict[str, bytes]) -> None:
    import json

    metadata = pq.ParquetFile(pa.BufferReader(whole[part_name(0, SIZE)])).metadata.metadata
    assert set(metadata) == {b"upcard"}
    header = json.loads(metadata[b"upcard"])
    assert len(header.pop("crc")) == 8
    game = upcard.load("euchre")
    assert isinstance(game, LoadedGame)
    assert header == {
        "format": 1,
        "upcard": upcard.__version__,
        "game": "euchre",
        "title": "Euchre",
        "digest": game.identity["digest"],
        "overrides": {},
        "base": game.program.base,
        "seed": 2,
        "max_decisions": 500,
        "max_steps": 10000,
        "seats": ["South", "West", "North", "East"],
        "highest": True,
        "part": SIZE,
    }


# --- what is refused -----------------------------------------------------------------------------


def refused(folder: Path, game: str = "euchre", games: int = GAMES, **options: Any) -> str:
    rules = options.pop("rules", {})
    with pytest.raises(OtherRows) as error:
        upcard.load(game, rules=rules).simulate(games, **{"seed": 2, **options}, rows=folder)
    return str(error.value).replace(str(folder), "FOLDER")


def test_rows_of_something_else_are_kept(
    whole: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "whole"
    other = "FOLDER contains rows of another simulation: "
    rest = "; use the same options, or choose another folder"
    assert refused(folder, seed=3) == f"{other}--seed was different (2){rest}"
    assert refused(folder, "hearts") == f"{other}the game was different (euchre){rest}"
    assert refused(folder, rules={"stick": "no"}) == f"{other}--set or --rule was different{rest}"
    limits = Limits(decisions=9)
    assert refused(folder, limits=limits) == f"{other}--max-decisions was different (500){rest}"
    assert "contains the rows of more than 729 games" in refused(folder, games=729)
    version = f"the version of Upcard was different ({upcard.__version__})"
    with monkeypatch.context() as later:
        later.setattr(upcard, "__version__", "9.9.9")
        assert refused(folder) == f"{other}{version}{rest}"
    (folder / "other.parquet").write_bytes(b"x")
    assert "FOLDER/other.parquet is not a part of a simulation's rows" in refused(folder)
    (folder / "other.parquet").unlink()
    assert files(folder) == whole


def test_steps_that_differ_are_named_as_such(whole: dict[str, bytes], tmp_path: Path) -> None:
    assert "the limit on steps was different (10000)" in refused(tmp_path / "whole", limits=Limits(steps=99))


def test_arguments_that_cannot_be(tmp_path: Path) -> None:
    game = upcard.load("kuhn-poker")
    with pytest.raises(upcard.BadArgument, match="rows is a name or a path, not 5"):
        game.simulate(5, rows=5)  # type: ignore[arg-type]
    with pytest.raises(upcard.BadArgument, match="the limit on decisions must be at most 1,000,000"):
        game.simulate(5, rows=tmp_path, limits=Limits(decisions=1_000_001))
    with pytest.raises(upcard.BadArgument, match="workers must be at least 1"):
        game.simulate(5, rows=tmp_path, workers=0)
    with pytest.raises(upcard.BadArgument, match="a folder with rows is a name or a path"):
        Summary.from_rows(5)  # type: ignore[arg-type]
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(OSError, match="exists"):
        game.simulate(5, rows=tmp_path / "file")


def test_without_pyarrow_nothing_is_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    sentence = r"parquet files need pyarrow: pip install 'upcard\[parquet\]'"
    with pytest.raises(NotInstalled, match=sentence):
        upcard.load("kuhn-poker").simulate(5, rows=tmp_path / "rows")
    with pytest.raises(NotInstalled, match=sentence):
        Summary.from_rows(tmp_path)
    assert not (tmp_path / "rows").exists()


def test_a_folder_without_rows_or_with_a_gap(whole: dict[str, bytes], tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="no such folder"):
        Summary.from_rows(tmp_path / "none")
    with pytest.raises(MissingRows, match="contains no rows; write some with upcard simulate"):
        Summary.from_rows(tmp_path)
    folder = tmp_path / "whole"
    (folder / part_name(200, SIZE)).unlink()
    with pytest.raises(MissingRows, match="has no rows of deals 200 to 299; run"):
        Summary.from_rows(folder)
    (folder / part_name(0, SIZE)).unlink()
    with pytest.raises(MissingRows, match="has no rows of deals 0 to 99;"):
        Summary.from_rows(folder)


def test_a_part_under_another_name_is_noticed(whole: dict[str, bytes], tmp_path: Path) -> None:
    folder = tmp_path / "whole"
    os.replace(folder / part_name(0, SIZE), folder / part_name(100, SIZE))
    with pytest.raises(BadPart, match="its rows are not those of the deals from 100 on"):
        Summary.from_rows(folder)
    os.replace(folder / part_name(100, SIZE), folder / "deals-000000000000-000000000101.parquet")
    with pytest.raises(OtherRows, match="does not have the rows that its name says"):
        Summary.from_rows(folder)


@pytest.fixture
def one_part(tmp_path: Path, small_parts: None) -> Path:
    upcard.load("kuhn-poker").simulate(40, seed=2, rows=tmp_path)
    return tmp_path / part_name(0, SIZE)


def test_any_damaged_byte_is_noticed(one_part: Path) -> None:
    data = one_part.read_bytes()
    damaged = [data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1 :] for at in range(len(data))]
    cut = [b"", data[:4], data[: len(data) // 2], data[:-1], data + b"x", b"PAR1" * 9]
    for wrong in (*damaged, *cut):
        one_part.write_bytes(wrong)
        with pytest.raises(BadPart, match="so the file is damaged; delete it and run") as e:
            read_part(one_part, 0)
        assert str(one_part) in str(e.value)
    one_part.write_bytes(data)
    assert read_part(one_part, 0).games == 40


def test_a_run_goes_on_when_the_damaged_part_is_deleted(one_part: Path) -> None:
    data = one_part.read_bytes()
    one_part.write_bytes(data[:-9] + b"x" + data[-8:])
    for _ in range(2):
        with pytest.raises(BadPart):
            upcard.load("kuhn-poker").simulate(40, seed=2, rows=one_part.parent)
    one_part.unlink()
    upcard.load("kuhn-poker").simulate(40, seed=2, rows=one_part.parent)
    assert one_part.read_bytes() == data


@pytest.mark.parametrize(
    ("column", "value", "sentence"),
    [
        ("deal", 7, "its rows are not those of the deals from 0 on"),
        ("ending", "won", "ending must be finished, stuck, cut_off or failed"),
        ("ending", "failed", "score_0 must be missing in the 1 games that failed, and only there"),
        ("decisions", -1, "decisions must be between 0 and 1,000,000"),
        ("score_1", None, "score_1 must be missing in the 0 games that failed"),
        ("rank_0", None, "rank_0 must be missing in the 0 games that failed"),
        ("failure", "why", "failure must be there in the 0 games that failed, and only there"),
    ],
)
def test_values_that_no_game_has(column: str, value: object, sentence: str, one_part: Path) -> None:
    """Files with a right checksum that something else wrote."""
    table, header = pq.read_table(one_part), read_part(one_part, 0).header
    at = table.schema.get_field_index(column)
    values = table[column].to_pylist()
    values[3] = value
    wrong = table.set_column(at, table.schema.field(at), pa.array(values, table.schema.field(at).type))
    one_part.write_bytes(row_part.part_bytes(wrong, header.to_json()))
    with pytest.raises(BadPart) as error:
        summarize(one_part.parent)
    assert sentence in str(error.value)


def test_another_format_is_no_damage(one_part: Path) -> None:
    table, header = pq.read_table(one_part), read_part(one_part, 0).header
    one_part.write_bytes(row_part.part_bytes(table, {**header.to_json(), "format": 2, "new": 1}))
    with pytest.raises(
        OtherRows, match="has rows of format 2, but this version of Upcard reads format 1; use"
    ):
        read_part(one_part, 0)


def test_other_columns_are_refused(one_part: Path) -> None:
    table, header = pq.read_table(one_part), read_part(one_part, 0).header
    one_part.write_bytes(row_part.part_bytes(table.drop_columns(["forced"]), header.to_json()))
    with pytest.raises(BadPart, match="its columns are not those of a simulation"):
        read_part(one_part, 0)


def test_a_game_whose_path_is_not_text_has_rows_too(tmp_path: Path, small_parts: None) -> None:
    """The system gives such a name with a lone surrogate, which UTF-8 cannot encode."""
    game = by_the_book(load(HUGE))
    game.name = "w\udcff"
    game.simulate(5, rows=tmp_path)
    assert summarize(tmp_path)[0].game == "w\udcff"
    assert game.simulate(5, rows=tmp_path) == Summary.from_rows(tmp_path)
