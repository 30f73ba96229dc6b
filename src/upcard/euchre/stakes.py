"""Value of a hand's result at the current score."""

from __future__ import annotations

from collections.abc import Iterable

from upcard.engine.api import Observation
from upcard.engine.native.game import NativeGame
from upcard.euchre.auction import IN_POINTS, Stakes
from upcard.euchre.contracts import POINTS
from upcard.players.search.flat_search import add_world
from upcard.players.search.utility import race_of

LEAST = 1e-9


class Prices:
    """Values of results to a seat: chances of winning the match if there is one, else points."""

    def __init__(self, game: NativeGame, observation: Observation) -> None:
        self._race = race_of(game, observation)
        self._side = observation.seat % 2
        match = observation.match
        self._totals = (0, 0)
        if match is not None:
            self._totals = match["scores"][observation.seat], match["scores"][1 - self._side]

    @property
    def stakes(self) -> tuple[Stakes, Stakes]:
        """Of the eldest's side and of the dealer's."""
        return self._stakes(0), self._stakes(1)

    def _stakes(self, side: int) -> Stakes:
        if self._race is None:
            return IN_POINTS
        won, lost = self._win(side, 1), self._win(side, -1)
        gains = tuple(self._win(side, round(points)) for points in POINTS)
        return Stakes(gains, (won + lost) / 2, max(LEAST, (won - lost) / 2))

    def _win(self, side: int, points: int) -> float:
        """A side's chance to win the match after scoring; negative points are the other side's."""
        assert self._race is not None
        mine = points if side == self._side else -points
        last = len(self._race) - 1
        own, other = self._totals[0] + max(0, mine), self._totals[1] + max(0, -mine)
        win = self._race[min(own, last)][min(other, last)]
        return win if side == self._side else 1 - win

    def add(self, row: list[float], weight: float, results: Iterable[tuple[int, int, float]]) -> None:
        """To the sums of a call (`rollout.SUMS`): a deal, with each side that may score (0 the
        eldest's), how much, and how likely."""
        points = win = 0.0
        for side, scored, chance in results:
            mine = scored if side == self._side else -scored
            points += chance * mine
            if self._race is not None:
                win += chance * self._win(self._side, mine)
            else:
                win += chance * (0.5 if mine > 0 else 0.0 if mine < 0 else 0.25)
        add_world(row, weight, points, win, points if self._race is None else win)
