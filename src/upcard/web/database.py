"""The database of all tables: one SQLite file, written by one thread.

A write is done when it is on disk: the log is synced before the answer. Writes that wait together share a
transaction, so the number of syncs is limited by the disk and does not grow with the moves. The file
belongs to one server: a second one on the same file gets a sentence.
"""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from upcard.recycle.diagnostics import Refused

T = TypeVar("T")
VERSION = 1
BATCH = 256
"""Writes that share a transaction."""

TABLES = """
CREATE TABLE tables (code TEXT PRIMARY KEY, used REAL NOT NULL, settings TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE seats (
  code TEXT, person INTEGER, name TEXT NOT NULL, token BLOB NOT NULL, PRIMARY KEY (code, person)
) WITHOUT ROWID;
CREATE TABLE lines (
  code TEXT, match INTEGER, number INTEGER, line TEXT NOT NULL, PRIMARY KEY (code, match, number)
) WITHOUT ROWID;
"""


class DatabaseError(Refused):
    """The database cannot be opened, read or written."""


@dataclass(frozen=True)
class StoredTable:
    """A table as it is on disk."""

    settings: str
    seats: dict[int, tuple[str, bytes]]
    """Per person who has a seat the name and the digest of the token."""
    match: int
    """The number of the last match; -1 before the first."""
    lines: list[str]
    """The record of the last match."""


class Database:
    def __init__(self, path: Path) -> None:
        """Opens the file, and makes it if it is not there. Raises `DatabaseError`."""
        self.path = path
        self._jobs: queue.SimpleQueue[tuple[Callable[[sqlite3.Connection], Any], Future[Any]] | None]
        self._jobs = queue.SimpleQueue()
        self._closed = False
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=1)
        except sqlite3.Error as error:
            raise DatabaseError(_sentence(path, error)) from None
        try:
            self._prepare()
        except BaseException as error:
            self._connection.close()
            if isinstance(error, sqlite3.Error):
                raise DatabaseError(_sentence(path, error)) from None
            raise
        self._thread = threading.Thread(target=self._work, name="database", daemon=True)
        self._thread.start()

    def _prepare(self) -> None:
        run = self._connection.execute
        run("PRAGMA locking_mode = EXCLUSIVE")
        run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = FULL")
        run("BEGIN IMMEDIATE")
        version = run("PRAGMA user_version").fetchone()[0]
        if version == 0:
            for statement in TABLES.split(";")[:-1]:
                run(statement)
            run(f"PRAGMA user_version = {VERSION}")
        run("COMMIT")
        if version > VERSION:
            raise DatabaseError(
                f"{self.path} was written by a newer Upcard; update this one, or give another file"
            )

    def close(self) -> None:
        """Waits until everything is written."""
        if not self._closed:
            self._closed = True
            self._jobs.put(None)
            self._thread.join()
            self._connection.close()

    # --- what is kept --------------------------------------------------------------------------

    async def add_table(self, code: str, settings: str, name: str, token: bytes, now: float) -> None:
        def work(run: sqlite3.Connection) -> None:
            run.execute("INSERT INTO tables VALUES (?, ?, ?)", (code, now, settings))
            run.execute("INSERT INTO seats VALUES (?, 0, ?, ?)", (code, name, token))

        await self._done(work)

    async def sit(self, code: str, person: int, name: str, token: bytes) -> None:
        row = (code, person, name, token)
        await self._done(lambda run: run.execute("INSERT OR REPLACE INTO seats VALUES (?, ?, ?, ?)", row))

    async def leave(self, code: str, person: int) -> None:
        where = (code, person)
        await self._done(lambda run: run.execute("DELETE FROM seats WHERE code = ? AND person = ?", where))

    async def append(self, code: str, match: int, first: int, lines: Sequence[str], now: float) -> None:
        """Add lines to the record of a match. A number that is taken is refused: no move counts twice."""
        rows = [(code, match, number, line) for number, line in enumerate(lines, first)]

        def work(run: sqlite3.Connection) -> None:
            run.executemany("INSERT INTO lines VALUES (?, ?, ?, ?)", rows)
            run.execute("UPDATE tables SET used = ? WHERE code = ?", (now, code))

        await self._done(work)

    async def table(self, code: str) -> StoredTable | None:
        def work(run: sqlite3.Connection) -> StoredTable | None:
            row = run.execute("SELECT settings FROM tables WHERE code = ?", (code,)).fetchone()
            if row is None:
                return None
            seats = run.execute("SELECT person, name, token FROM seats WHERE code = ?", (code,))
            last = run.execute("SELECT max(match) FROM lines WHERE code = ?", (code,)).fetchone()[0]
            found = {person: (name, bytes(token)) for person, name, token in seats}
            match = -1 if last is None else last
            return StoredTable(row[0], found, match, _lines(run, code, match))

        return await self._done(work)

    async def record(self, code: str, match: int) -> list[str]:
        return await self._done(lambda run: _lines(run, code, match))

    async def forget_unused(self, before: float) -> list[str]:
        """Delete the tables that were not used since then; their codes."""

        def work(run: sqlite3.Connection) -> list[str]:
            codes = [row[0] for row in run.execute("SELECT code FROM tables WHERE used < ?", (before,))]
            for code in codes:
                for name in ("tables", "seats", "lines"):
                    run.execute(f"DELETE FROM {name} WHERE code = ?", (code,))
            return codes

        return await self._done(work)

    # --- the thread ----------------------------------------------------------------------------

    async def _done(self, work: Callable[[sqlite3.Connection], T]) -> T:
        future: Future[T] = Future()
        if self._closed:
            raise DatabaseError("the server is stopping")
        self._jobs.put((work, future))
        try:
            return await asyncio.wrap_future(future)
        except sqlite3.Error as error:
            raise DatabaseError(_sentence(self.path, error)) from None

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            batch = [job]
            while len(batch) < BATCH and not self._jobs.empty():
                following = self._jobs.get()
                if following is None:
                    self._jobs.put(None)
                    break
                batch.append(following)
            self._carry_out(batch)

    def _carry_out(self, batch: list[tuple[Callable[[sqlite3.Connection], Any], Future[Any]]]) -> None:
        """One transaction for all; a job that fails is undone alone."""
        done: list[tuple[Future[Any], Any]] = []
        run = self._connection.execute
        try:
            run("BEGIN IMMEDIATE")
            for work, future in batch:
                run("SAVEPOINT job")
                try:
                    done.append((future, work(self._connection)))
                except sqlite3.Error as error:
                    if not self._connection.in_transaction:
                        raise
                    run("ROLLBACK TO job")
                    _answer(future, error=error)
                run("RELEASE job")
            run("COMMIT")
        except sqlite3.Error as error:
            if self._connection.in_transaction:
                run("ROLLBACK")
            for _, future in batch:
                _answer(future, error=error)
            return
        for future, value in done:
            _answer(future, value)


def _answer(future: Future[Any], value: Any = None, error: Exception | None = None) -> None:
    """The client that asked may have gone away."""
    if future.done() or not future.set_running_or_notify_cancel():
        return
    if error is None:
        future.set_result(value)
    else:
        future.set_exception(error)


def _lines(run: sqlite3.Connection, code: str, match: int) -> list[str]:
    rows = run.execute("SELECT line FROM lines WHERE code = ? AND match = ? ORDER BY number", (code, match))
    return [row[0] for row in rows]


def _sentence(path: Path, error: sqlite3.Error) -> str:
    text = str(error)
    if "locked" in text:
        return f"{path} is used by another program; stop that server, or give another file with --database"
    if "full" in text:
        return f"{path} cannot be written because the disk is full; free some space and try again"
    if "not a database" in text or "malformed" in text:
        return f"{path} is not a database of tables; give another file with --database"
    return f"{path} cannot be used: {text}; give another file with --database"
