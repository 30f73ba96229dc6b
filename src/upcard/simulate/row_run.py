"""A simulation that writes its rows into a folder, and goes on from what is there.

Parts are fixed by deal numbers alone, so their bytes depend neither on the number of workers nor on
interruptions. On this machine a part whose pieces are all there is encoded and written by one thread, while
others play later deals. Executors make whole parts, which this process writes.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

from upcard.arguments import check_path, check_whole, check_workers
from upcard.engine.api import Limits
from upcard.engine.shared.game import LoadedGame
from upcard.parallel.cores import cores
from upcard.parallel.executor_map import over_executor
from upcard.parallel.workers import Workers
from upcard.simulate.row_folder import lock, part_name, read_parts
from upcard.simulate.row_part import OtherRows
from upcard.simulate.row_pieces import MadePart, Piece, RowPlayer, make_parts
from upcard.simulate.summary import Summary
from upcard.storage.atomic_write import write_bytes


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
        self.player = RowPlayer(game, seed, Limits() if limits is None else limits)
        self.random_games, self.header = self.player.random_games, self.player.header
        self.folder, self.count = Path(folder), games
        self.kept = 0
        """Games whose rows were there already."""

    def play(
        self, workers: Workers = None, advance: Callable[[int], object] = lambda _: None
    ) -> Generator[Summary, None, None]:
        """Summaries of the parts: first of those that are there, then of the missing ones, each when it is
        written. `advance` is called with numbers of games meanwhile."""
        check_workers(workers)
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
                if isinstance(workers, Executor):
                    yield from self._by_executor(start, end, workers, advance)
                else:
                    yield from self._by_threads(start, end, workers or cores(), advance)

    def _end(self, first: int) -> int:
        return min(self.player.part_end(first), self.count)

    def _missing(self, there: set[int]) -> Iterator[tuple[int, int]]:
        """Ranges of deals without rows, as long as possible."""
        start = 0
        for first in (*range(0, self.count, self.header.part), self.count):
            if first in there or first == self.count:
                if start < first:
                    yield start, first
                start = self._end(first)

    def _by_executor(
        self, start: int, end: int, executor: Executor, advance: Callable[[int], object]
    ) -> Generator[Summary, None, None]:
        ranges = over_executor(make_parts, self.player.elsewhere, start, end, executor, self.header.part)
        with closing(ranges) as made:
            for parts in made:
                for part in parts:
                    advance(part.summary.games)
                    yield self._write(part)

    def _by_threads(
        self, start: int, end: int, workers: int, advance: Callable[[int], object]
    ) -> Generator[Summary, None, None]:
        waiting: deque[Future[Summary]] = deque()
        played: list[Piece] = []
        first = start
        with ThreadPoolExecutor(workers) as pool, closing(self.player.pieces(start, end, workers)) as pieces:
            try:
                for piece in pieces:
                    played.append(piece)
                    advance(piece.summary.games)
                    if first + sum(len(one.table) for one in played) == self._end(first):
                        waiting.append(pool.submit(self._make, first, played))
                        first, played = self._end(first), []
                    while waiting and (len(waiting) > workers or waiting[0].done()):
                        yield waiting.popleft().result()
                while waiting:
                    yield waiting.popleft().result()
            finally:
                for future in waiting:
                    future.cancel()

    def _make(self, first: int, pieces: list[Piece]) -> Summary:
        return self._write(self.player.part(first, pieces))

    def _write(self, part: MadePart) -> Summary:
        write_bytes(self.folder / part_name(part.first, self.header.part), part.data)
        return part.summary
