"""Runs a study on all cores or a cluster, in order, recorded and resumable.

Which process plays a game makes no difference to it, and games are kept or added up in deal order: so a study
is the same for any number of workers, and interrupted it is that of the first deals. Of random games only the
first are kept one by one, so memory and record do not grow with their number.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass
from pathlib import Path

from upcard.arena.contest_run import Run
from upcard.arguments import check_workers
from upcard.parallel.cores import cores
from upcard.parallel.pool import in_order
from upcard.parallel.workers import Workers, at_most
from upcard.simulate.trace_sums import TraceSums
from upcard.storage.lock import Changed
from upcard.study import study_record
from upcard.study.game_log import Watched
from upcard.study.plan import KEPT, Part, Plan
from upcard.study.statistics import summed

WORTH_WORKERS = {"random": KEPT + 1, "searching": 12, "order": 24}
"""Fewer games than this are played in this process unless the number of workers is given, because starting
others would take longer. The recorded random games are never worth it."""

WRITE_SECONDS = 0.5
"""Seconds between writes of the sums: a killed process loses this much work and the piece in progress."""


class Study:
    """`games` holds the recorded games of each part, `sums` the totals of the later random games, and `skill`
    the arena's run, if there is one."""

    def __init__(self, plan: Plan, folder: Path | None = None) -> None:
        self.plan = plan
        self.folder = folder
        self.games: dict[Part, list[Watched]] = {part: [] for part in plan.parts}
        self.sums = plan.no_games()
        if folder is not None:
            for part in plan.parts:
                self.games[part] = study_record.read(study_record.path_of(folder, part), plan, part)
            self.sums = study_record.read_sums(study_record.path_of(folder, study_record.SUMS), plan)
        contest = plan.contest
        self.skill: Run | None = None
        if contest is not None:
            path = None if folder is None else study_record.path_of(folder, "skill")
            self.skill = Run(contest, path)
        self.resumed = self.done

    @property
    def done(self) -> int:
        more = 0 if self.skill is None else len(self.skill.results.games)
        return sum(self.played(part) for part in self.plan.parts) + more

    def played(self, part: Part) -> int:
        """The number of games of a part so far."""
        return len(self.games[part]) + (self.sums.games if part == "random" else 0)

    def counted(self, part: Part) -> TraceSums:
        """The totals of all games of a part."""
        kept = summed(self.games[part], self.plan.sides, self.plan.highest)
        return kept + self.sums if part == "random" else kept

    @property
    def failed(self) -> int:
        """The number of failed games."""
        kept = sum(game.scores is None for games in self.games.values() for game in games)
        return kept + self.sums.ends["failed"]

    @property
    def total(self) -> int:
        """The total number of games."""
        more = 0 if self.skill is None else self.skill.contest.games
        return sum(self.plan.count(part) for part in self.plan.parts) + more

    @property
    def over(self) -> bool:
        return self.done >= self.total

    def play(self, workers: Workers = None, only: Sequence[Part] | None = None) -> Iterator[int]:
        """Plays the remaining games, or those of these parts; yields the number of games after every
        piece."""
        check_workers(workers)
        if self.over:
            return
        with nullcontext() if self.folder is None else study_record.lock(self.folder):
            for part in self.plan.parts if only is None else only:
                yield from self._part(part, workers)
                if part == "random":
                    yield from self._more(workers)
            if self.skill is not None and only is None:
                for _ in self.skill.play(workers):
                    yield 1

    def _part(self, part: Part, workers: Workers) -> Iterator[int]:
        games = self.games[part]
        left = self.plan.kept(part) - len(games)
        if left <= 0:
            return
        piece = self.plan.piece(part)
        if workers is None:
            workers = cores() if left >= WORTH_WORKERS[part] else 1
        workers = at_most(workers, -(-left // piece))
        if workers != 1:
            self.plan.game.deal(self.plan.seed)  # compiled once here, found in the cache by every worker
        pieces = in_order(_played, _Task(self.plan, part), left, piece, workers, len(games))
        with ExitStack() as stack:
            stack.callback(pieces.close)
            log = None
            if self.folder is not None:
                path = study_record.path_of(self.folder, part)
                log = stack.enter_context(study_record.begin(path, self.plan, part, len(games)))
            for found in pieces:
                if log is not None:
                    study_record.write(log, found)
                games.extend(found)
                yield len(found)

    def _more(self, workers: Workers) -> Iterator[int]:
        """Plays the random games of which only sums are recorded."""
        start, end = self.plan.kept("random") + self.sums.games, self.plan.games
        if start >= end:
            return
        path = None if self.folder is None else study_record.path_of(self.folder, study_record.SUMS)
        if path is not None and study_record.read_sums(path, self.plan).games != self.sums.games:
            raise Changed(path)
        parts = self.plan.traced_games.sums(start, end, workers)
        with ExitStack() as stack:
            if path is not None:
                stack.callback(lambda: study_record.write_sums(path, self.plan, self.sums))
            stack.callback(parts.close)
            written = time.monotonic()
            for found in parts:
                # Ctrl-C may interrupt here: the sums are then the old ones or the new ones
                self.sums = self.sums + found
                if path is not None and time.monotonic() - written > WRITE_SECONDS:
                    study_record.write_sums(path, self.plan, self.sums)
                    written = time.monotonic()
                yield found.games


@dataclass(frozen=True)
class _Task:
    plan: Plan
    part: Part

    def on_this_machine(self) -> _Task:
        return _Task(self.plan.on_this_machine(), self.part)


def _played(task: _Task, start: int, end: int) -> list[Watched]:
    return task.plan.play(task.part, start, end)
