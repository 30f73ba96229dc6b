"""Runs a contest in order, on cores or a cluster, recorded, until it is complete or the SPRT decides it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import ExitStack
from pathlib import Path

from upcard.arena import contest_record as record
from upcard.arena.contest import Contest
from upcard.arena.contest_game import Game, play
from upcard.arena.results import Results
from upcard.arguments import check_workers
from upcard.parallel.cores import cores
from upcard.parallel.pool import in_order
from upcard.parallel.workers import Workers, at_most
from upcard.players.external.external_player import end_all
from upcard.stats.sprt import SequentialTest

ALONE = 2.0
"""Seconds of playing in this process before workers are started, if their number is not given: starting them
takes about as long."""


class Run:
    """A contest in progress. Games come in order for any number of workers; `results` has those so far."""

    def __init__(self, contest: Contest, path: Path | None = None) -> None:
        self.contest = contest
        self.results = Results(contest)
        self.stopping = SequentialTest(*contest.sprt) if contest.sprt is not None else None
        self._path = path
        self._before = record.read(path, contest) if path is not None else []
        for game in self._before:
            self._take(game)
        self.resumed = len(self._before)

    @property
    def over(self) -> bool:
        decided = self.stopping is not None and self.stopping.decided is not None
        return decided or len(self.results.games) >= self.contest.games

    def play(self, workers: Workers = None) -> Iterator[Game]:
        """Play the remaining games; each is recorded before it is yielded."""
        check_workers(workers)
        with ExitStack() as stack:
            if self.over:
                return
            log = None
            if self._path is not None:
                log = stack.enter_context(record.begin(self._path, self.contest, len(self.results.games)))
            for game in _games(self.contest, len(self.results.games), workers):
                if log is not None:
                    log.write([game.to_json()])
                self._take(game)
                yield game
                if self.over:
                    return

    def _take(self, game: Game) -> None:
        self.results.add(game)
        if self.stopping is not None and self.results.between_deals:
            self.stopping.judge(*self.results.first_pair())


def _play(contest: Contest, start: int, end: int) -> list[Game]:
    return [play(contest, index) for index in range(start, end)]


def _games(contest: Contest, first: int, workers: Workers) -> Iterator[Game]:
    """Games from `first` on; it does not matter which process plays a game."""
    if workers is None:
        started = time.perf_counter()
        while first < contest.games and time.perf_counter() - started < ALONE:
            yield play(contest, first)
            first += 1
        workers = cores()
    left = contest.games - first
    workers = at_most(workers, left)
    if workers != 1:
        end_all()  # the workers have outside players of their own
    if left:
        yield from _played(contest, first, left, workers)


def _played(contest: Contest, first: int, count: int, workers: int | Executor) -> Iterator[Game]:
    parts = in_order(_play, contest, count, 1, workers, first)
    try:
        for part in parts:
            yield from part
    finally:
        parts.close()
