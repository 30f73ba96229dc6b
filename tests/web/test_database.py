"""The database: what is written is there after a crash, is written once, and trouble is a sentence."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from upcard.web.database import Database, DatabaseError


def using(path: Path, work: Callable[[Database], Awaitable[None]]) -> None:
    """Opens the database, works with it, and closes it."""
    database = Database(path)
    try:
        asyncio.run(_run(database, work))
    finally:
        database.close()


async def _run(database: Database, work: Callable[[Database], Awaitable[None]]) -> None:
    await work(database)


def test_a_table_is_found_again(tmp_path: Path) -> None:
    async def write(database: Database) -> None:
        await database.add_table("A", "settings", "Ann", b"0", now=1)
        await database.sit("A", 1, "Bob", b"1")
        await database.append("A", 0, 0, ["old"], now=1)
        await database.append("A", 1, 0, ["one", "two"], now=2)
        await database.append("A", 1, 2, ["three"], now=3)

    async def read(database: Database) -> None:
        found = await database.table("A")
        assert found is not None
        assert found.seats == {0: ("Ann", b"0"), 1: ("Bob", b"1")}
        assert (found.settings, found.match, found.lines) == ("settings", 1, ["one", "two", "three"])
        assert await database.record("A", 0) == ["old"]
        assert await database.table("B") is None

    using(tmp_path / "tables.db", write)
    using(tmp_path / "tables.db", read)


def test_a_line_is_written_once_and_a_job_that_fails_undoes_nothing_else(tmp_path: Path) -> None:
    async def work(database: Database) -> None:
        await database.add_table("A", "settings", "Ann", b"0", now=1)
        jobs = [database.append("A", 0, number, [f"line {number}", "next"], now=1) for number in (0, 1, 2)]
        done = await asyncio.gather(*jobs, return_exceptions=True)
        assert [type(one) for one in done] == [type(None), DatabaseError, type(None)]
        assert await database.record("A", 0) == ["line 0", "next", "line 2", "next"]

    using(tmp_path / "tables.db", work)


def test_unused_tables_are_forgotten(tmp_path: Path) -> None:
    async def work(database: Database) -> None:
        for code, now in (("old", 10), ("new", 20)):
            await database.add_table(code, "", "Ann", b"0", now)
            await database.append(code, 0, 0, ["line"], now)
        assert await database.forget_unused(before=15) == ["old"]
        assert await database.table("old") is None
        assert await database.record("old", 0) == []
        assert await database.record("new", 0) == ["line"]

    using(tmp_path / "tables.db", work)


def test_a_full_disk_is_a_sentence_and_loses_nothing(tmp_path: Path) -> None:
    async def work(database: Database) -> None:
        await database.add_table("A", "", "Ann", b"0", now=1)
        await database.append("A", 0, 0, ["kept"], now=1)
        await database._done(lambda run: run.execute("PRAGMA max_page_count = 1"))
        with pytest.raises(
            DatabaseError, match="cannot be written because the disk is full; free some space"
        ):
            await database.append("A", 0, 1, ["x" * 1_000_000], now=1)
        await database._done(lambda run: run.execute("PRAGMA max_page_count = 1000000"))
        assert await database.record("A", 0) == ["kept"]
        await database.append("A", 0, 1, ["more"], now=1)
        assert await database.record("A", 0) == ["kept", "more"]

    using(tmp_path / "tables.db", work)


def test_a_second_server_is_refused(tmp_path: Path) -> None:
    async def work(database: Database) -> None:
        with pytest.raises(DatabaseError, match="is used by another program; stop that server"):
            Database(database.path)

    using(tmp_path / "tables.db", work)


def test_another_file_and_a_newer_one_are_refused(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("x" * 5000)
    with pytest.raises(DatabaseError, match="is not a database of tables; give another file"):
        Database(tmp_path / "text.db")
    with sqlite3.connect(tmp_path / "newer.db") as newer:
        newer.execute("PRAGMA user_version = 99")
    newer.close()
    with pytest.raises(DatabaseError, match="was written by a newer Upcard"):
        Database(tmp_path / "newer.db")
