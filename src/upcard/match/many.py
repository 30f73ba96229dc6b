"""Many matches, and what they come to: the same for any number of workers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from upcard.engine.native.backends.choosing import NoMachineCode
from upcard.engine.native.batch import Batch, cores
from upcard.engine.native.playouts import playouts
from upcard.engine.summary import Tally
from upcard.engine.working import in_order
from upcard.match.playing import DEALS_A_MATCH, Match, MatchOver, Table
from upcard.match.seating import names_of_sides, seating_of

SLICE = 32
"""Deals that machine code plays ahead of a match between random players."""

WORTH_WORKERS = 8
"""Fewer matches than this are played in this process when players think."""


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
    """Deals a match."""
    unfinished: int = 0
    """Matches that nobody had won after so many deals that somebody should have."""

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

    def add_match(self, match: Match) -> None:
        """One that has been played, with the points of its deals."""
        for line in match.outcomes:
            for side, points in enumerate(line["points"]):
                self.points[side].add(points)
        self.add(match.winners, match.board.deals, match.board.over)

    def merge(self, other: Matches) -> None:
        self.matches += other.matches
        self.unfinished += other.unfinished
        self.lengths.merge(other.lengths)
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
        }


@dataclass(frozen=True)
class _Task:
    table: Table
    seed: int


def play_many(table: Table, matches: int, seed: int, workers: int | None = None) -> Iterator[Matches]:
    """Parts of the whole, in order."""
    if _all_random(table):
        try:
            batch = Batch(playouts(table.game.program, table.game.facts), seed, table.limits)
        except NoMachineCode:
            pass
        else:
            return _random_matches(table, batch, matches)
    workers = workers or (cores() if matches >= WORTH_WORKERS else 1)
    return in_order(_played, _Task(table, seed), matches, 1, workers)


def _all_random(table: Table) -> bool:
    return (
        table.game.engine == "native"
        and not table.rules.tallies
        and all(participant.kind == "random" for participant in table.participants)
    )


def _played(task: _Task, start: int, end: int) -> Matches:
    found = Matches(len(task.table.sides))
    for number in range(start, end):
        match = Match(task.table, task.seed, number)
        match.play()
        found.add_match(match)
    return found


def _random_matches(table: Table, batch: Batch, matches: int) -> Iterator[Matches]:
    """Random players look at nothing, so their deals can be played before anybody asks for the score."""
    for number in range(matches):
        found = Matches(len(table.sides))
        board = table.board()
        while not board.over and board.deals < DEALS_A_MATCH:
            first = board.deals
            for row in batch.played(number * DEALS_A_MATCH + first, min(SLICE, DEALS_A_MATCH - first)):
                if row.scores is None:
                    assert row.failure is not None
                    where = f"deal {board.deals} failed at line {row.failure.line}"
                    raise MatchOver(f"{where}: {row.failure.message}")
                seating = seating_of(board.deals, table.game.seats, table.sides)
                points = board.add([row.scores[seating.seat(i)] for i in range(len(row.scores))])
                for side, more in enumerate(points):
                    found.points[side].add(more)
                if board.over:
                    break
        found.add(board.leaders, board.deals, board.over)
        yield found
