"""Plays many matches and sums them up, equally for any number of workers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from upcard.arguments import check_whole, check_workers
from upcard.engine.native.backends.select import NoMachineCode
from upcard.match.deal_counts import Counted
from upcard.match.match_play import DEALS_A_MATCH, Match, MatchOver, Table
from upcard.match.scoreboard import Board
from upcard.match.seats import Seating, names_of_sides
from upcard.parallel.cores import cores
from upcard.parallel.executor_map import over_executor
from upcard.parallel.pool import in_order
from upcard.parallel.workers import Workers
from upcard.simulate.random_games import native_batch
from upcard.simulate.sums_detail import SumRecorder, Sums
from upcard.stats.moments import Tally

SLICE = 32
"""Deals that machine code plays at a time in a match between random players."""

TOGETHER = 64
"""Matches between random players in one part of the result."""

WORTH_WORKERS = 8
"""With fewer matches of searching players no workers are started."""


@dataclass
class Matches:
    """Counts and sums over matches; parts can be merged in any order."""

    sides: int
    matches: int = 0
    wins: list[int] = field(default_factory=list)
    """Matches won alone."""
    shared: list[int] = field(default_factory=list)
    """Matches won together with another side."""
    points: list[Tally] = field(default_factory=list)
    """Per deal."""
    lengths: Tally = field(default_factory=Tally)
    """Deals per match."""
    unfinished: int = 0
    """Matches without a winner after DEALS_A_MATCH deals."""
    counted: Counted = field(default_factory=Counted)

    def __post_init__(self) -> None:
        if not self.wins:
            self.wins, self.shared = [0] * self.sides, [0] * self.sides
            self.points = [Tally() for _ in range(self.sides)]

    def add(self, winners: list[int], deals: int, over: bool) -> None:
        self.matches += 1
        self.lengths.add(deals)
        if not over:
            self.unfinished += 1
        elif len(winners) == 1:
            self.wins[winners[0]] += 1
        else:
            for side in winners:
                self.shared[side] += 1

    def take(self, match: Match) -> None:
        """Add a match that was played decision by decision."""
        for line in match.outcomes:
            for side, points in enumerate(line["points"]):
                self.points[side].add(points)
        self.counted.merge(match.counted)
        self.add(match.winners, match.board.deals, match.board.over)

    def merge(self, other: Matches) -> None:
        self.matches += other.matches
        self.unfinished += other.unfinished
        self.lengths.merge(other.lengths)
        self.counted.merge(other.counted)
        for side in range(self.sides):
            self.wins[side] += other.wins[side]
            self.shared[side] += other.shared[side]
            self.points[side].merge(other.points[side])

    def to_json(self, table: Table) -> dict[str, Any]:
        names = names_of_sides(table.names, table.sides)
        kinds = [[table.participants[person].kind for person in side] for side in table.sides]
        lengths = self.lengths
        return {
            "matches": self.matches,
            "sides": [
                {
                    "names": name,
                    "players": kinds[side],
                    "wins": self.wins[side],
                    "shared_wins": self.shared[side],
                    "win_share": self.wins[side] / self.matches if self.matches else None,
                    "points_per_deal": self.points[side].spread.to_json(),
                }
                for side, name in enumerate(names)
            ],
            "deals": {**lengths.spread.to_json(), "min": lengths.least, "max": lengths.most},
            "unfinished": self.unfinished,
            "counts": self.counted.to_json(table.rules.counts, lengths.total),
        }


@dataclass(frozen=True)
class _Task:
    table: Table
    seed: int

    def on_this_machine(self) -> _Task:
        return replace(self, table=self.table.on_this_machine())


def play_many(table: Table, matches: int, seed: int, workers: Workers = None) -> Iterator[Matches]:
    """Play matches; yields parts of the result, in order."""
    check_whole("matches", matches, 0)
    check_whole("a seed", seed)
    check_workers(workers)
    task = _Task(table, seed)
    random_players = _random_players(task)
    if random_players is not None and isinstance(workers, Executor):
        return over_executor(_played_at_random, task, 0, matches, workers, TOGETHER)
    if random_players is not None:
        return _random_matches(random_players, range(matches))
    workers = workers or (cores() if matches >= WORTH_WORKERS else 1)
    return in_order(_played, task, matches, 1, workers)


def _all_random(table: Table) -> bool:
    return table.game.engine == "native" and all(
        participant.kind == "random" for participant in table.participants
    )


def _played(task: _Task, start: int, end: int) -> Matches:
    found = Matches(len(task.table.sides))
    for number in range(start, end):
        with task.table.sitting() as table:
            match = Match(table, task.seed, number)
            match.play()
        found.take(match)
    return found


def _played_at_random(task: _Task, start: int, end: int) -> Matches:
    players = _random_players(task)
    if players is None:  # this machine has no compiler
        return _played(task, start, end)
    found = Matches(len(task.table.sides))
    for part in _random_matches(players, range(start, end)):
        found.merge(part)
    return found


class _RandomPlayers(NamedTuple):
    table: Table
    recorder: SumRecorder
    words: list[int]
    """The words of a final state that the match's counts are read from."""


def _random_players(task: _Task) -> _RandomPlayers | None:
    """What plays matches between random players in machine code, if that is possible."""
    if not _all_random(task.table) or task.table.rules.given:
        return None
    try:
        batch = native_batch(task.table.game, Sums(), task.seed, task.table.limits)
    except NoMachineCode:
        return None
    words = task.table.counting.words(batch.facts)
    return None if words is None else _RandomPlayers(task.table, SumRecorder(batch), words)


def _random_matches(players: _RandomPlayers, matches: range) -> Iterator[Matches]:
    """Random players look at nothing, so their deals can be played before anybody asks for the score."""
    table, recorder, words = players
    for start in matches[::TOGETHER]:
        found = Matches(len(table.sides), counted=table.counted())
        seen = _Seen([Counter() for _ in table.sides], Counter())
        for number in range(start, min(start + TOGETHER, matches.stop)):
            board = table.board()
            while not board.over and board.deals < DEALS_A_MATCH:
                _random_deals(table, recorder, words, number, board, seen)
            found.add(board.leaders, board.deals, board.over)
        for tally, points in zip(found.points, seen.points, strict=True):
            for value, times in points.items():
                tally.add(value, times)
        for (seating, notes), times in seen.ends.items():
            meaning = table.counting.read_words(notes, recorder.facts)
            found.counted.add(table.counting, meaning, seating, table.sides, times)
        yield found


@dataclass
class _Seen:
    """What deals brought, and how often: most of them end like many others."""

    points: list[Counter[int]]
    """Per side."""
    ends: Counter[tuple[Seating, tuple[int, ...]]]


def _random_deals(
    table: Table, recorder: SumRecorder, words: list[int], match: int, board: Board, seen: _Seen
) -> None:
    """A slice of a match's deals, as far as they are needed."""
    first = board.deals
    turns = [table.seating(recorder.seed, match, n) for n in range(table.game.seats)]
    count = min(SLICE, DEALS_A_MATCH - first)
    for scores, failure, notes in recorder.final_states(match * DEALS_A_MATCH + first, count, words):
        if failure is not None:
            raise MatchOver(f"deal {board.deals} failed at line {failure.line}: {failure.message}")
        seating = turns[board.deals % len(turns)]
        by_person = [scores[seating.seat(person)] for person in range(len(scores))]
        tallied = None
        if table.rules.tallies:
            tallied = table.tallied(table.counting.read_words(notes, recorder.facts), seating)
        for side, more in enumerate(board.add(by_person, tallied)):
            seen.points[side][more] += 1
        seen.ends[seating, notes] += 1
        if board.over:
            break
