"""A simulation that writes its rows into a folder, and goes on from what is there.

Parts are fixed by deal numbers alone, so their bytes depend neither on the number of workers nor on
interruptions. Machine code plays slices, which become columns in the thread that played them; a part whose
slices are all there is encoded and written by another thread, while later ones are played.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from upcard.arguments import BadArgument, check_path, check_whole, check_workers
from upcard.engine.api import Limits
from upcard.engine.shared.game import LoadedGame
from upcard.extras import need_parquet
from upcard.parallel.cores import cores
from upcard.parallel.workers import Workers
from upcard.simulate.native_batch import NativeBatch, Recorder
from upcard.simulate.random_games import RandomGames
from upcard.simulate.row_folder import lock, part_name, read_parts
from upcard.simulate.row_part import Header, OtherRows, part_bytes
from upcard.simulate.row_table import table_of_recorder, table_of_rows
from upcard.simulate.summary import Row, Summary
from upcard.simulate.sums_detail import Sums
from upcard.storage.atomic_write import write_bytes

if TYPE_CHECKING:
    import pyarrow as pa


class Piece(NamedTuple):
    """Some games of one part."""

    summary: Summary
    table: pa.Table


class RowRun:
    """The first games of a seed, as rows in a folder."""

    def __init__(
        self,
        game: LoadedGame,
        games: int,
        folder: str | os.PathLike[str],
        seed: int = 0,
        limits: Limits | None = None,
    ) -> None:
        check_whole("games", games, 0)
        check_path("rows", folder)
        need_parquet()
        limits = Limits() if limits is None else limits
        self.random_games = RandomGames(game, Sums(), seed, limits)
        self.folder, self.count = Path(folder), games
        self.seats, self.highest = game.seats, game.program.scoring.highest
        self.header = Header.of(game, seed, limits)
        self.kept = 0
        """Games whose rows were there already."""

    def play(
        self, workers: Workers = None, advance: Callable[[int], object] = lambda _: None
    ) -> Generator[Summary, None, None]:
        """Summaries of the parts: first of those that are there, then of the missing ones, each when it is
        written. `advance` is called with numbers of games meanwhile."""
        check_workers(workers)
        if isinstance(workers, Executor):
            raise BadArgument("rows are written by threads of this machine; give workers a number")
        self.folder.mkdir(parents=True, exist_ok=True)
        with lock(self.folder):
            there = set[int]()
            for first, part in read_parts(self.folder, self.header):
                if first + part.games > self.count:
                    raise OtherRows(
                        f"{self.folder} contains the rows of more than {self.count:,} games; ask for more "
                        "games, or choose another folder"
                    )
                if part.games == self._end(first) - first:
                    there.add(first)
                    self.kept += part.games
                    advance(part.games)
                    yield part.summary
            for start, end in self._missing(there):
                yield from self._written(start, end, workers or cores(), advance)

    def _end(self, first: int) -> int:
        return min(first + self.header.part, self.count)

    def _missing(self, there: set[int]) -> Iterator[tuple[int, int]]:
        """Ranges of deals without rows, as long as possible."""
        start = 0
        for first in (*range(0, self.count, self.header.part), self.count):
            if first in there or first == self.count:
                if start < first:
                    yield start, first
                start = self._end(first)

    def _written(
        self, start: int, end: int, workers: int, advance: Callable[[int], object]
    ) -> Generator[Summary, None, None]:
        """Plays deals, writes their parts, and yields the summary of each part that is written, in order."""
        waiting: deque[Future[Summary]] = deque()
        played: list[Piece] = []
        first = start
        with ThreadPoolExecutor(workers) as pool, closing(self._pieces(start, end, workers)) as pieces:
            try:
                for piece in pieces:
                    played.append(piece)
                    advance(piece.summary.games)
                    if first + sum(len(one.table) for one in played) == self._end(first):
                        waiting.append(pool.submit(self._write, first, played))
                        first, played = self._end(first), []
                    while waiting and (len(waiting) > workers or waiting[0].done()):
                        yield waiting.popleft().result()
                while waiting:
                    yield waiting.popleft().result()
            finally:
                for future in waiting:
                    future.cancel()

    def _write(self, first: int, pieces: list[Piece]) -> Summary:
        import pyarrow as pa

        summary = Summary(self.seats)
        for piece in pieces:
            summary.merge(piece.summary)
        table = pa.concat_tables([piece.table for piece in pieces])
        path = self.folder / part_name(first, self.header.part)
        write_bytes(path, part_bytes(table, self.header.to_json()))
        return summary

    def _pieces(self, start: int, end: int, workers: int) -> Generator[Piece, None, None]:
        """Deals in pieces that lie in one part each, in order."""
        batch = self.random_games.batch
        if batch is None:
            return self._by_reference(start, end, workers)
        return self._native(batch, start, end, workers)

    def _native(
        self, batch: NativeBatch[Row, Summary], start: int, end: int, workers: int
    ) -> Generator[Piece, None, None]:
        slices = batch.slices(lambda recorder: partial(self._play, recorder), start, end, workers)
        with closing(slices):
            for pieces in slices:
                yield from pieces

    def _play(self, recorder: Recorder[Row, Summary], first: int, count: int) -> list[Piece]:
        """A slice, cut where a part ends."""
        end, pieces = first + count, []
        while first < end:
            size = min(end, first - first % self.header.part + self.header.part) - first
            summary = recorder.sums(first, size)
            pieces.append(Piece(summary, table_of_recorder(recorder, first, size)))
            first += size
        return pieces

    def _by_reference(self, start: int, end: int, workers: int) -> Generator[Piece, None, None]:
        while start < end:
            first, start = start, self._end(start)
            with closing(self.random_games.reference_games(first, start, workers)) as games:
                for rows in games:
                    summary = Summary(self.seats)
                    for deal, row in enumerate(rows, first):
                        summary.add(row, deal)
                    yield Piece(summary, table_of_rows(rows, first, self.seats, self.highest))
                    first += len(rows)
