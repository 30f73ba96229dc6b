"""Match reward: each seat's chance to win the match that a deal is part of, after the deal."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from upcard.engine.api import Outcome
from upcard.engine.shared.game import LoadedGame
from upcard.library.equity import Distribution, MatchEquity
from upcard.library.match_rules import add_points, is_over, leaders, shares_scores
from upcard.library.sheet import MatchRules

DEALS = 1000
"""Random deals that say what deals bring, where the sheet of a game does not."""

MAX_TRANSITIONS = 500_000
"""From score to score, in a table of chances; larger tables are not computed."""


class MatchReward:
    """Chances in matches of one game. What later deals bring is taken from the game's sheet, else from random
    deals."""

    def __init__(self, game: LoadedGame, sides: Sequence[Sequence[int]]) -> None:
        self._game, self._sides = game, sides
        self._shared = shares_scores(game.program)
        self._turns: list[Distribution] | None = None
        self._known: dict[Any, MatchEquity] = {}

    def chances(self, outcome: Outcome, match: Mapping[str, Any]) -> tuple[float, ...] | None:
        """By seat; None if the deal failed, or if a table of chances would be too large."""
        if outcome.scores is None:
            return None
        sheet = self._game.narrator.sheet
        over = sheet.match.over if sheet else MatchRules().over
        rules = MatchRules(match["to"], match["deals"] or 1, match["ties"], over, (), match.get("down"))
        totals = tuple(
            add_points(rules, match["scores"][side[0]], more)
            for side, more in zip(self._sides, self._points(outcome.scores), strict=True)
        )
        won = self._won(rules, totals, match["deal"] + 1)
        if won is None:
            return None
        by_seat = {seat: chance for side, chance in zip(self._sides, won, strict=True) for seat in side}
        return tuple(by_seat[seat] for seat in range(self._game.seats))

    def _points(self, scores: Sequence[int]) -> tuple[int, ...]:
        """What a deal adds to each side."""
        return tuple(
            scores[side[0]] if self._shared else sum(scores[s] for s in side) for side in self._sides
        )

    def _won(self, rules: MatchRules, totals: tuple[int, ...], deals: int) -> tuple[float, ...] | None:
        """The chance of each side to win from this score; None if that would take too long to compute."""
        highest = self._game.program.scoring.highest
        if is_over(rules, totals, deals, highest):
            best = leaders(totals, highest)
            return tuple((side in best) / len(best) for side in range(len(totals)))
        if self._turns is None:
            self._turns = self._results()
        if _transitions(rules, self._turns) > MAX_TRANSITIONS:
            return None
        if rules not in self._known:
            self._known[rules] = MatchEquity(rules, self._turns, highest)
        return self._known[rules].win(totals, deals)

    def _results(self) -> list[Distribution]:
        """What a deal brings, by whose turn it is to deal: the last seat deals first, then the next side."""
        sheet, sides = self._game.narrator.sheet, len(self._sides)
        last = next(number for number, side in enumerate(self._sides) if self._game.seats - 1 in side)
        if sheet is not None and sheet.match.results and sides == 2:
            found: Distribution = {
                points if last == 0 else points[::-1]: chance for points, chance in sheet.match.results
            }
        else:
            found = self._random_deals()
        if any(seat % sides != number for number, side in enumerate(self._sides) for seat in side):
            return [found]  # when everybody moves by one seat, partners are parted
        return [
            {points[sides - turn :] + points[: sides - turn]: chance for points, chance in found.items()}
            for turn in range(sides)
        ]

    def _random_deals(self) -> Distribution:
        counted: Counter[tuple[int, ...]] = Counter()
        draw = random.Random(0)
        for number in range(DEALS):
            state = self._game.deal(0, number, recording=False)
            while state.to_move is not None:
                state.play(draw.randrange(state.choices))
            if state.outcome is not None and state.outcome.scores is not None:
                counted[self._points(state.outcome.scores)] += 1
        return {points: count / counted.total() for points, count in counted.items()}


def _transitions(rules: MatchRules, turns: Sequence[Distribution]) -> int:
    """About how many transitions from score to score a table of chances has."""
    points = [more for turn in turns for added in turn for more in added]
    sides, results = len(next(iter(turns[0]))), sum(map(len, turns))
    if rules.to is not None:
        span, dimensions = rules.to + max(points) - min(0, *points) + 1, sides
    else:
        # only differences matter
        span, dimensions = rules.deals * (max(points) - min(points)) + 1, sides - 1
        results *= rules.deals
    return results * int(span**dimensions)
