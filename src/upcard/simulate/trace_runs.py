"""Runs traces of random games with either engine.

As in `random_games`, deal i of a seed is always the same game and parts come in deal order.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field

from upcard.arguments import check_whole, check_workers
from upcard.engine.api import Limits
from upcard.engine.native.backends.select import NoMachineCode
from upcard.engine.native.playout_code import playouts
from upcard.engine.rng import PLAYER, Stream
from upcard.engine.shared.game import LoadedGame
from upcard.engine.shared.state import BaseState
from upcard.parallel.cores import cores
from upcard.parallel.pool import in_order
from upcard.simulate.native_traces import TraceBatch
from upcard.simulate.random_games import PIECE, WORTH_WORKERS, reference_game
from upcard.simulate.traces import Outline, Sides, Trace, TraceSums


@dataclass(frozen=True)
class TraceRun:
    """Random games of one program, from any deal on."""

    game: LoadedGame
    seed: int
    sides: Sides
    limits: Limits = field(default_factory=Limits)

    def batch(self) -> TraceBatch | None:
        """Where there is machine code for the game."""
        if self.game.engine != "native":
            return None
        try:
            code = playouts(self.game.program, self.game.facts)
            return TraceBatch(code, self.seed, self.limits, self.sides)
        except NoMachineCode:
            return None

    def sums(self, start: int, end: int, workers: int | None = None) -> Generator[TraceSums, None, None]:
        """What the deals come to, in parts, in order."""
        check_whole("the first deal", start, 0)
        check_whole("the last deal", end, 0)
        check_workers(workers)
        batch = self.batch()
        if batch is not None:
            return batch.sums(start, end, workers)
        workers = workers or (cores() if end - start >= WORTH_WORKERS else 1)
        task = _Task(reference_game(self.game), self.seed, self.sides, self.limits, start)
        return in_order(_summed, task, end - start, PIECE if workers > 1 else 1, workers)

    def courses(self, start: int, end: int) -> Iterator[Trace]:
        batch = self.batch()
        if batch is not None:
            return batch.courses(start, end)
        game = reference_game(self.game)
        return (play_course(game, self.seed, deal, self.limits) for deal in range(start, end))

    def outlines(self, start: int, end: int) -> Iterator[Outline]:
        batch = self.batch()
        if batch is not None:
            return batch.outlines(start, end)
        return (course.outline for course in self.courses(start, end))


def play_course(game: LoadedGame, seed: int, deal: int, limits: Limits) -> Trace:
    """A deal with a random player in every seat, a decision at a time."""
    return played_out(game.deal(seed, deal, limits=limits, recording=False))


def played_out(state: BaseState) -> Trace:
    """On to the end, from the deal."""
    streams = [Stream((state.seed, state.number, PLAYER, seat)) for seat in range(state.game.seats)]
    seats, choices = [], []
    while (seat := state.to_move) is not None:
        seats.append(seat)
        choices.append(state.choices)
        state.play(streams[seat].below(state.choices))
    assert state.outcome is not None
    return Trace(state.outcome.ending, tuple(seats), tuple(choices), state.outcome.scores)


@dataclass(frozen=True)
class _Task:
    game: LoadedGame
    seed: int
    sides: Sides
    limits: Limits
    first: int


def _summed(task: _Task, start: int, end: int) -> TraceSums:
    made = TraceSums(task.sides, task.game.program.scoring.highest)
    for deal in range(task.first + start, task.first + end):
        made.add(play_course(task.game, task.seed, deal, task.limits), deal)
    return made
