"""Random games of one program, by either engine, at either level of detail.

Deal i of a seed is always the same game, and parts come in deal order. So results depend neither on the
number of workers nor on how deals are divided; interrupted, they are those of the first deals.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from upcard.arguments import check_instance, check_whole, check_workers
from upcard.engine.api import Limits
from upcard.engine.native.backends.select import NoMachineCode
from upcard.engine.native.playout_code import playouts
from upcard.engine.shared.game import LoadedGame
from upcard.parallel.cores import cores
from upcard.parallel.executor_map import over_executor
from upcard.parallel.pool import in_order
from upcard.parallel.workers import Workers
from upcard.simulate.native_batch import Detail, G, NativeBatch, S
from upcard.simulate.summary import Row, Summary
from upcard.simulate.sums_detail import Sums
from upcard.simulate.traces import Trace, trace_game

if TYPE_CHECKING:
    from upcard.engine.reference.game import ReferenceGame

T = TypeVar("T")

PIECE = 50
"""Deals that a process plays at a time: few enough to show progress and to stop quickly on Ctrl-C."""

STEP = 100
"""Ranges of deals for an executor begin at multiples of this."""

WORTH_WORKERS = 400
"""The reference engine plays fewer games than this in this process: starting others would take longer."""


def native_batch(
    game: LoadedGame, detail: Detail[G, S], seed: int = 0, limits: Limits | None = None
) -> NativeBatch[G, S]:
    """Random games in machine code. Raises `NoMachineCode` if the native engine does not take the program."""
    return NativeBatch(playouts(game.program, game.facts), seed, limits or Limits(), detail, game.turns)


class RandomGames(Generic[G, S]):
    """Selects the engine at once; games are played when their results are read."""

    def __init__(
        self, game: LoadedGame, detail: Detail[G, S], seed: int = 0, limits: Limits | None = None
    ) -> None:
        check_whole("a seed", seed)
        limits = Limits() if limits is None else limits
        check_instance("limits", limits, Limits)
        self.batch: NativeBatch[G, S] | None = None
        """None if the reference engine plays."""
        self.note = ""
        """A note about the engine for the user, or nothing."""
        if game.engine == "native":
            try:
                self.batch = native_batch(game, detail, seed, limits)
                self.note = self.batch.code.backend.note
            except NoMachineCode as error:
                self.note = f"using the reference engine: {error}"
        self._game = game
        self._detail, self._seed, self._limits = detail, seed, limits

    @property
    def engine(self) -> str:
        """The engine that plays: native or reference."""
        return "reference" if self.batch is None else "native"

    def sums(self, start: int, end: int, workers: Workers = None) -> Generator[S, None, None]:
        """Sums of the deals from `start` to before `end`, in parts, in order."""
        check_whole("the first deal", start, 0)
        check_whole("the last deal", end, 0)
        check_workers(workers)
        if isinstance(workers, Executor):
            task = _Elsewhere(self._game, self._detail, self._seed, self._limits)
            return over_executor(_sum_up, task, start, end, workers, STEP)
        if self.batch is not None:
            return self.batch.sums(start, end, workers)
        return self._in_pieces(_Task.sums, start, end, workers)

    def reference_games(
        self, start: int, end: int, workers: int | None = None
    ) -> Generator[list[G], None, None]:
        """The same deals by the reference engine, some at a time, in order."""
        return self._in_pieces(_Task.games, start, end, workers)

    def _in_pieces(
        self, method: Callable[[_Task[G, S], int, int], T], start: int, end: int, workers: int | None
    ) -> Generator[T, None, None]:
        workers = workers or (cores() if end - start >= WORTH_WORKERS else 1)
        piece = PIECE if workers > 1 else 1
        return in_order(method, self._reference_task, max(0, end - start), piece, workers, start)

    def games(self, start: int, end: int) -> Iterator[G]:
        """The same deals one by one."""
        if self.batch is not None:
            return self.batch.games(start, end, 1)
        return map(self._reference_task.game_of, range(start, end))

    def rows(self, start: int, end: int) -> Iterator[Row]:
        """The same deals one by one, without their single decisions."""
        if self.batch is not None:
            return self.batch.rows(start, end, 1)
        task = self._reference_task
        return (task.trace(deal).row(task.highest) for deal in range(start, end))

    @property
    def _reference_task(self) -> _Task[G, S]:
        return _Task(reference_game(self._game), self._detail, self._seed, self._limits)


@dataclass(frozen=True)
class _Elsewhere(Generic[G, S]):
    """Games for another process or machine, which selects the engine for itself."""

    game: LoadedGame
    detail: Detail[G, S]
    seed: int
    limits: Limits

    def on_this_machine(self) -> RandomGames[G, S]:
        return RandomGames(self.game, self.detail, self.seed, self.limits)


def _sum_up(games: RandomGames[G, S], start: int, end: int) -> S:
    """The sums of a whole range, in one thread."""
    parts = games.sums(start, end, 1)
    sums = next(parts)
    for part in parts:
        sums.merge(part)
    return sums


@dataclass(frozen=True)
class _Task(Generic[G, S]):
    """Games for the reference engine, in this process or another."""

    game: ReferenceGame
    detail: Detail[G, S]
    seed: int
    limits: Limits

    @property
    def highest(self) -> bool:
        return self.game.program.scoring.highest

    def trace(self, deal: int) -> Trace:
        return trace_game(self.game.deal(self.seed, deal, limits=self.limits, recording=False))

    def game_of(self, deal: int) -> G:
        return self.detail.game(self.trace(deal), self.highest)

    def sums(self, start: int, end: int) -> S:
        sums = self.detail.no_games(self.game.seats, self.highest)
        for deal in range(start, end):
            sums.add(self.game_of(deal), deal)
        return sums

    def games(self, start: int, end: int) -> list[G]:
        return [self.game_of(deal) for deal in range(start, end)]


def reference_game(game: LoadedGame) -> ReferenceGame:
    """The same game for the reference engine."""
    from upcard.engine.reference.game import ReferenceGame  # machine code does not need it

    if isinstance(game, ReferenceGame):
        return game
    return ReferenceGame(game.name, game.program, game.facts, game.narrator)


def play_out(game: LoadedGame, seed: int, deal: int, limits: Limits) -> Row:
    """Plays one deal decision by decision, by the engine that the game was loaded for."""
    trace = trace_game(game.deal(seed, deal, limits=limits, recording=False))
    return Sums().game(trace, game.program.scoring.highest)


def simulate(
    game: LoadedGame,
    games: int,
    seed: int = 0,
    *,
    workers: Workers = None,
    limits: Limits | None = None,
    rows: str | os.PathLike[str] | None = None,
) -> Summary:
    """Plays random games and sums them up. Raises `BadArgument` for impossible arguments."""
    check_whole("games", games, 0)
    summary = Summary(game.seats)
    if rows is None:
        parts = RandomGames(game, Sums(), seed, limits).sums(0, games, workers)
    else:
        from upcard.simulate.row_run import RowRun

        parts = RowRun(game, games, rows, seed, limits).play(workers)
    for part in parts:
        summary.merge(part)
    return summary
