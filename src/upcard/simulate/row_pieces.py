"""Plays deals as rows: pieces of a part, and whole parts for another process or machine.

Machine code plays slices, which become columns in the thread that played them.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from upcard.engine.api import Limits
from upcard.engine.shared.game import LoadedGame
from upcard.extras import need_parquet
from upcard.simulate.native_batch import NativeBatch, Recorder
from upcard.simulate.random_games import RandomGames
from upcard.simulate.row_part import Header, part_bytes
from upcard.simulate.row_table import table_of_recorder, table_of_rows
from upcard.simulate.summary import Row, Summary
from upcard.simulate.sums_detail import Sums

if TYPE_CHECKING:
    import pyarrow as pa


class Piece(NamedTuple):
    """Some games of one part."""

    summary: Summary
    table: pa.Table


class MadePart(NamedTuple):
    """A whole part, still to be written."""

    first: int
    """Its first deal."""
    summary: Summary
    data: bytes


class RowPlayer:
    """Plays the deals of a seed as rows."""

    def __init__(self, game: LoadedGame, seed: int, limits: Limits) -> None:
        need_parquet()
        self.random_games = RandomGames(game, Sums(), seed, limits)
        self.header = Header.of(game, seed, limits)
        self.elsewhere = RowsElsewhere(game, seed, limits)
        self._seats, self._highest = game.seats, game.program.scoring.highest

    def part_end(self, deal: int) -> int:
        """The first deal behind the part in which a deal lies."""
        return deal - deal % self.header.part + self.header.part

    def pieces(self, start: int, end: int, workers: int) -> Generator[Piece, None, None]:
        """Deals in pieces that lie in one part each, in order."""
        batch = self.random_games.batch
        if batch is None:
            return self._by_reference(start, end, workers)
        return self._native(batch, start, end, workers)

    def part(self, first: int, pieces: Sequence[Piece]) -> MadePart:
        """The part that pieces make up."""
        import pyarrow as pa

        summary = Summary(self._seats)
        for piece in pieces:
            summary.merge(piece.summary)
        table = pa.concat_tables([piece.table for piece in pieces])
        return MadePart(first, summary, part_bytes(table, self.header.to_json()))

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
            size = min(end, self.part_end(first)) - first
            summary = recorder.sums(first, size)
            pieces.append(Piece(summary, table_of_recorder(recorder, first, size)))
            first += size
        return pieces

    def _by_reference(self, start: int, end: int, workers: int) -> Generator[Piece, None, None]:
        while start < end:
            first, start = start, min(self.part_end(start), end)
            with closing(self.random_games.reference_games(first, start, workers)) as games:
                for rows in games:
                    summary = Summary(self._seats)
                    for deal, row in enumerate(rows, first):
                        summary.add(row, deal)
                    yield Piece(summary, table_of_rows(rows, first, self._seats, self._highest))
                    first += len(rows)


@dataclass(frozen=True)
class RowsElsewhere:
    """Rows for another process or machine, which selects the engine for itself."""

    game: LoadedGame
    seed: int
    limits: Limits

    def on_this_machine(self) -> RowPlayer:
        return RowPlayer(self.game, self.seed, self.limits)


def make_parts(player: RowPlayer, start: int, end: int) -> list[MadePart]:
    """The parts of a range that begins with one, made in one thread."""
    made = []
    while start < end:
        first, start = start, min(player.part_end(start), end)
        made.append(player.part(first, list(player.pieces(first, start, 1))))
    return made
