"""Many games of random players, and what they come to.

Deal i of a seed is always the same game, so a summary depends neither on the number of workers nor on how
the deals are cut into pieces: results are taken in deal order.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import signal
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from upcard.engine.contract import ENDINGS, Ending, Failure, Limits, rank
from upcard.engine.reference import ReferenceGame
from upcard.players import UniformPlayer

PIECE = 50
"""Deals that a worker plays at a time: small enough that progress shows and Ctrl-C is quick."""

WORTH_WORKERS = 400
"""Fewer games than this are played in this process: starting others would take longer."""


class Row(NamedTuple):
    """One game."""

    ending: Ending
    decisions: int
    choices: int
    forced: int
    scores: tuple[int, ...] | None
    winners: tuple[int, ...]
    failure: Failure | None


def play_out(game: ReferenceGame, seed: int, deal: int, limits: Limits) -> Row:
    """A deal with a random player in every seat."""
    state = game.deal(seed, deal, limits=limits, recording=False)
    players = [UniformPlayer(seed, deal, seat) for seat in range(game.seats)]
    choices = forced = 0
    while (seat := state.to_move) is not None:
        choices += state.choices
        forced += state.choices == 1
        state.play(players[seat].pick(state.choices))
    outcome = state.outcome
    assert outcome is not None
    return Row(
        outcome.ending, state.decisions, choices, forced, outcome.scores, outcome.winners, outcome.failure
    )


@dataclass
class Running:
    """Mean and standard error of numbers as they come (Welford's way)."""

    count: int = 0
    mean: float = 0.0
    _squares: float = 0.0
    least: float = math.inf
    most: float = -math.inf

    def add(self, value: float) -> None:
        self.count += 1
        step = value - self.mean
        self.mean += step / self.count
        self._squares += step * (value - self.mean)
        self.least, self.most = min(self.least, value), max(self.most, value)

    @property
    def error(self) -> float:
        return math.sqrt(self._squares / (self.count - 1) / self.count) if self.count > 1 else 0.0

    def to_json(self) -> dict[str, float | None]:
        if not self.count:
            return {"mean": None, "se": None}
        return {"mean": self.mean, "se": self.error}


@dataclass
class Summary:
    """What a run of games comes to. A failed game counts among the endings, but has no score."""

    seats: int
    games: int = 0
    ends: dict[str, int] = field(default_factory=lambda: dict.fromkeys(ENDINGS, 0))
    decisions: Running = field(default_factory=Running)
    branching: Running = field(default_factory=Running)
    forced_share: Running = field(default_factory=Running)
    scores: list[Running] = field(init=False)
    first_place: list[float] = field(init=False)
    failures: list[tuple[int, Failure]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.scores = [Running() for _ in range(self.seats)]
        self.first_place = [0.0] * self.seats

    def add(self, row: Row) -> None:
        if row.failure is not None and len(self.failures) < 3:
            self.failures.append((self.games, row.failure))
        self.games += 1
        self.ends[row.ending] += 1
        self.decisions.add(row.decisions)
        if row.decisions:
            self.branching.add(row.choices / row.decisions)
            self.forced_share.add(row.forced / row.decisions)
        for seat, score in enumerate(row.scores or ()):
            self.scores[seat].add(score)
        for seat in row.winners:
            self.first_place[seat] += 1 / len(row.winners)

    def to_json(self) -> dict[str, Any]:
        scored = self.games - self.ends["failed"]
        return {
            "ends": self.ends,
            "decisions": {
                **self.decisions.to_json(),
                "min": int(self.decisions.least) if self.games else None,
                "max": int(self.decisions.most) if self.games else None,
            },
            "branching": self.branching.to_json(),
            "forced_share": self.forced_share.to_json(),
            "seats": self.seats,
            "scores": [score.to_json() for score in self.scores],
            "first_place": [share / scored if scored else None for share in self.first_place],
        }


def native_rows(
    game: ReferenceGame, games: int, seed: int, limits: Limits | None = None, workers: int | None = None
) -> Iterator[Row]:
    """The same rows from machine code. Raises `NotLowered` for a program that it does not take yet."""
    from upcard.engine.native.batch import Batch
    from upcard.engine.native.compiled import Compiled

    batch = Batch(Compiled(game.program, game.facts, logging=False), seed, limits or Limits())
    highest = game.program.scoring.highest

    def converted() -> Iterator[Row]:
        for row in batch.rows(games, workers):
            failure = batch.failure(row)
            scores = None if failure else row.scores
            winners = tuple(i for i, r in enumerate(rank(scores, highest)) if r == 0) if scores else ()
            yield Row(
                ENDINGS[row.ending - 1], row.decisions, row.choices, row.forced, scores, winners, failure
            )

    return converted()


def rows(
    game: ReferenceGame, games: int, seed: int, limits: Limits | None = None, workers: int | None = None
) -> Iterator[Row]:
    """The games in deal order, played by one or several processes."""
    limits = limits or Limits()
    workers = workers or (os.cpu_count() or 1 if games >= WORTH_WORKERS else 1)
    if workers == 1:
        for deal in range(games):
            yield play_out(game, seed, deal, limits)
        return
    # spawn works alike on every system and never copies a half-locked process
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, context, initializer=_start_worker, initargs=(game, seed, limits))
    try:
        yield from _in_order(pool, games, workers)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _in_order(pool: ProcessPoolExecutor, games: int, workers: int) -> Iterator[Row]:
    """A few pieces ahead of what is being read, so that a million games need no memory."""
    pieces = ((start, min(start + PIECE, games)) for start in range(0, games, PIECE))
    waiting: list[Future[list[Row]]] = []
    for piece in pieces:
        waiting.append(pool.submit(_play_piece, *piece))
        if len(waiting) > 2 * workers:
            yield from waiting.pop(0).result()
    while waiting:
        yield from waiting.pop(0).result()


_work: tuple[ReferenceGame, int, Limits] | None = None


def _start_worker(game: ReferenceGame, seed: int, limits: Limits) -> None:
    global _work
    _work = (game, seed, limits)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle


def _play_piece(start: int, end: int) -> list[Row]:
    assert _work is not None, "set when the worker starts"
    game, seed, limits = _work
    return [play_out(game, seed, deal, limits) for deal in range(start, end)]
