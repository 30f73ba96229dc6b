"""The chance of winning the match after a deal, for every game with a match.

The rest of the match is played from measured results of deals (`deal_results`): the same ones after every
score, so that differences between scores are not chance. Where the deal passes on, every side gets what each
side got in turn, so that none is luckier than the others. Tallies through a match, such as bags, are not
foreseen in later deals.

In a race of two sides only the next deal is played; what follows is looked up in the table that search uses.
The table holds for other players than those of the results, which tells where one deal decides: at 9 to 9 in
Euchre the dealer wins 66 % by the table, and 57 % between quick players (`benchmarks/match_chances.py`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean, stdev
from typing import Any, TypeAlias

from upcard.advice.deal_results import Scores, deal_results
from upcard.engine.api import Observation
from upcard.engine.native.game import NativeGame
from upcard.engine.rng import Stream
from upcard.library.match_rules import add_points, is_over, leaders, shares_scores
from upcard.library.sheet import MatchRules
from upcard.match.seats import can_turn
from upcard.players.search.utility import race_of

MATCHES = 60
"""Played from each score, by as many turns as there are sides."""
LONGEST = 200
"""Deals of such a match; the leader then has won."""
TABLE_ERROR = 0.01
"""The standard error of the table at an even score: what it differs by from matches between quick players."""
NAME = 77
"""Of the stream that deals are drawn from."""

Chance: TypeAlias = tuple[float, float]
"""Of winning, and its standard error."""


class MatchChance:
    """Chances of the seat that observes."""

    def __init__(self, game: NativeGame, observation: Observation) -> None:
        self._game = game
        self._seat = observation.seat
        self._highest = game.program.scoring.highest
        self._sides = observation.teams or tuple((seat,) for seat in range(observation.seats))
        self._mine = next(n for n, side in enumerate(self._sides) if self._seat in side)
        self._turns = can_turn(observation.seats, tuple(map(tuple, self._sides)))
        self._shared = shares_scores(game.program)
        self._match: Any = observation.match
        self._known: dict[tuple[int, ...], Chance] = {}
        self._paths: list[list[tuple[int, ...]]] | None = None
        race = race_of(game, observation) if observation.match is not None else None
        self._race = race
        if observation.match is not None:
            sheet = game.narrator.sheet
            given = sheet.match if sheet else MatchRules()
            match = observation.match
            self._rules = MatchRules(
                match["to"], match["deals"] or 1, match["ties"], given.over, (), match.get("down")
            )
            self._totals = tuple(int(match["scores"][side[0]]) for side in self._sides)

    @property
    def is_match(self) -> bool:
        """Whether there is a match of more than one deal; otherwise the chance is that of the deal."""
        return self._match is not None and (self._rules.to is not None or self._rules.deals > 1)

    def of_scores(self, scores: Scores) -> float:
        """The chance after a deal with these scores of the seats."""
        return self._after(scores)[0]

    def error_of(self, scores: Scores) -> float:
        """The standard error of that chance: of the matches that were played from there."""
        return self._after(scores)[1]

    def _after(self, scores: Scores) -> Chance:
        if not self.is_match:
            return self._share(self._points(scores)), 0.0
        added = self._points(scores)
        totals = tuple(
            add_points(self._rules, total, more) for total, more in zip(self._totals, added, strict=True)
        )
        if totals not in self._known:
            self._known[totals] = self._solve(totals)
        return self._known[totals]

    def _points(self, scores: Scores) -> tuple[int, ...]:
        """What a deal adds to each side."""
        if self._shared:
            return tuple(scores[side[0]] for side in self._sides)
        return tuple(sum(scores[seat] for seat in side) for side in self._sides)

    def _share(self, totals: Sequence[int]) -> float:
        best = leaders(totals, self._highest)
        return 1 / len(best) if self._mine in best else 0.0

    def _solve(self, totals: tuple[int, ...]) -> Chance:
        deals = int(self._match["deal"]) + 1
        if is_over(self._rules, totals, deals, self._highest):
            return self._share(totals), 0.0
        if self._race is not None:
            shares = [
                self._raced(totals, deals, self._turned(scores, 1)) for scores in deal_results(self._game)
            ]
            of_table = TABLE_ERROR * fmean(4 * share * (1 - share) for share in shares)
        else:
            of_table = 0.0
            turns = range(len(self._sides) if self._turns else 1)
            shares = [
                fmean(self._played_on(totals, deals, path, turn) for turn in turns) for path in self._drawn()
            ]
        return fmean(shares), math.hypot(stdev(shares) / math.sqrt(len(shares)), of_table)

    def _raced(self, totals: tuple[int, ...], deals: int, added: tuple[int, ...]) -> float:
        """The chance in a race after one more deal."""
        rules, race = self._rules, self._race
        assert race is not None
        totals = tuple(add_points(rules, total, more) for total, more in zip(totals, added, strict=True))
        if is_over(rules, totals, deals + 1, self._highest):
            return self._share(totals)
        last = len(race) - 1
        mine, theirs = (min(max(total, 0), last) for total in (totals[self._mine], totals[1 - self._mine]))
        # the table is for the dealer of the deal before this one; now the sides have changed places
        return 1.0 - race[theirs][mine]

    def _played_on(
        self, totals: tuple[int, ...], deals: int, path: list[tuple[int, ...]], turn: int
    ) -> float:
        """The share of a match in which every side gets what the one as many turns before it got."""
        rules, highest = self._rules, self._highest
        for added in path:
            turned = added[-turn:] + added[:-turn] if turn else added
            totals = tuple(add_points(rules, total, more) for total, more in zip(totals, turned, strict=True))
            deals += 1
            if is_over(rules, totals, deals, highest):
                break
        return self._share(totals)

    def _drawn(self) -> list[list[tuple[int, ...]]]:
        """Per match what each coming deal adds to the sides; the deal passes on from seat to seat."""
        if self._paths is None:
            results = deal_results(self._game)
            stream = Stream((NAME, len(results)))
            left = LONGEST if self._rules.to is not None else self._rules.deals - int(self._match["deal"])
            self._paths = [
                [self._turned(results[stream.below(len(results))], n + 1) for n in range(max(1, left))]
                for _ in range(MATCHES)
            ]
        return self._paths

    def _turned(self, scores: Scores, turn: int) -> tuple[int, ...]:
        """What a deal adds that is dealt that many turns from now."""
        seats = len(scores)
        turn = turn if self._turns else 0
        return self._points(tuple(scores[(seat - turn) % seats] for seat in range(seats)))
