"""Statistics of a contest: standings, pairings and confidence intervals from its games.

The unit is the deal with all its games: a player's result of a deal is the mean over them, and two players
are compared by the difference of their means, deal by deal, which cancels the luck of the cards. Intervals
are over deals, because deals are independent and the games of one deal are not.

A forfeited game is lost. The player at fault gets the worst points of any place in a completed game,
everybody else the best; if all points are equal, one point lies between them. So the points of a forfeit may
change as games are added, but not with the order in which workers finish them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from upcard.arena.contest import Contest
from upcard.arena.contest_game import Game
from upcard.stats.intervals import Interval, interval, share_interval


@dataclass(frozen=True)
class Standing:
    """The results of one player."""

    player: int
    games: int
    points: Interval
    """Points per deal."""
    share: Interval
    """Share of games won."""
    at_places: list[Interval]
    """Points at each place."""
    decisions: int
    seconds: float
    guessed: int
    """Decisions without a consistent history."""
    forfeits: int


@dataclass(frozen=True)
class Pair:
    """Two players on the same deals."""

    players: tuple[int, int]
    ahead: Interval
    """Points per deal by which the first is better (fewer points, where the lowest score wins)."""
    share: Interval
    """Games won by the first, of those that either of them won."""

    @property
    def turned(self) -> Pair:
        """The same, with the second player first."""
        a, b = self.players
        return Pair((b, a), _mirrored(self.ahead, 0.0), _mirrored(self.share, 1.0))


class Results:
    """The games of a contest so far, and what they show."""

    def __init__(self, contest: Contest) -> None:
        self.contest = contest
        self.games: list[Game] = []
        self._per_deal = len(contest.schedule.sittings)
        self._sign = 1 if contest.highest else -1
        self._least, self._most = math.inf, -math.inf
        self._sums = [0, 0.0, 0.0]
        self._spoilt: list[int] = []
        """Deals with a forfeit in them."""

    def add(self, game: Game) -> None:
        self.games.append(game)
        if game.points is not None:
            self._least = min(self._least, *game.points)
            self._most = max(self._most, *game.points)
        if self.between_deals:
            self._sum_up(self.deals - 1)

    # --- deals ---------------------------------------------------------------------------------

    @property
    def between_deals(self) -> bool:
        return len(self.games) % self._per_deal == 0

    @property
    def deals(self) -> int:
        """Deals with all their games; only these are measured."""
        return len(self.games) // self._per_deal

    @property
    def forfeits(self) -> list[Game]:
        return [game for game in self.games if game.forfeit is not None]

    @property
    def endings(self) -> dict[str, int]:
        """The number of games by ending."""
        return dict(sorted(Counter(game.ending for game in self.games).items()))

    def of_deal(self, deal: int) -> list[Game]:
        return self.games[deal * self._per_deal : (deal + 1) * self._per_deal]

    def points(self, game: Game) -> Sequence[float]:
        """Points per place, also of forfeits."""
        if game.points is not None:
            return game.points
        assert game.forfeit is not None
        least, most = self._least, self._most
        if least > most:
            least, most = 0.0, 1.0
        elif least == most:
            least, most = (least - 1, most) if self._sign > 0 else (least, most + 1)
        worst, best = (least, most) if self._sign > 0 else (most, least)
        at_fault = game.forfeit.player
        return [worst if player == at_fault else best for player in game.players]

    # --- the first two players, as they come ---------------------------------------------------

    def first_pair(self) -> tuple[int, float, float]:
        """Comparisons of the first two players: their number, mean and variance."""
        n, total, squares = self._sums
        for deal in self._spoilt:
            value = self._compared(deal)
            n, total, squares = n + 1, total + value, squares + value * value
        mean = total / n if n else 0.0
        variance = max(0.0, squares - n * mean * mean) / (n - 1) if n > 1 else 0.0
        return int(n), mean, variance

    def _sum_up(self, deal: int) -> None:
        if not self.contest.matches and any(game.forfeit is not None for game in self.of_deal(deal)):
            self._spoilt.append(deal)
            return
        value = self._compared(deal)
        self._sums = [self._sums[0] + 1, self._sums[1] + value, self._sums[2] + value * value]

    def _compared(self, deal: int) -> float:
        """The first player's lead in a deal, or its share of a match."""
        games = self._of_both(deal, 0, 1)
        return self._won(games, 0, 1) if self.contest.matches else self._ahead(games, 0, 1)

    # --- everything ----------------------------------------------------------------------------

    def standing(self, player: int) -> Standing:
        means, shares = [], []
        at_places: list[list[float]] = [[] for _ in self.contest.places]
        for deal in range(self.deals):
            games = [game for game in self.of_deal(deal) if player in game.players]
            means.append(self._mean(games, player))
            shares.append(math.fsum(_share(game, player) for game in games) / len(games))
            for place, values in enumerate(at_places):
                here = [self.points(game)[place] for game in games if game.players[place] == player]
                if here:
                    values.append(math.fsum(here) / len(here))
        played = [game for game in self.games if player in game.players]
        sat = [(game, place) for game in played for place, who in enumerate(game.players) if who == player]
        return Standing(
            player,
            len(played),
            interval(means),
            share_interval(shares),
            [interval(values) for values in at_places],
            sum(game.decisions[place] for game, place in sat),
            math.fsum(game.seconds[place] for game, place in sat),
            sum(game.guessed[place] for game, place in sat),
            sum(game.forfeit is not None and game.forfeit.player == player for game in played),
        )

    def pairs(self) -> list[Pair]:
        """Every two players that have met."""
        pairs = []
        for a in range(len(self.contest.players)):
            for b in range(a + 1, len(self.contest.players)):
                if any(a in group and b in group for group in self.contest.schedule.groups):
                    met = [self._of_both(deal, a, b) for deal in range(self.deals)]
                    ahead = interval([self._ahead(games, a, b) for games in met])
                    share = share_interval([self._won(games, a, b) for games in met])
                    pairs.append(Pair((a, b), ahead, share))
        return pairs

    def _of_both(self, deal: int, a: int, b: int) -> list[Game]:
        return [game for game in self.of_deal(deal) if a in game.players and b in game.players]

    def _ahead(self, games: Sequence[Game], a: int, b: int) -> float:
        return self._sign * (self._mean(games, a) - self._mean(games, b))

    def _won(self, games: Sequence[Game], a: int, b: int) -> float:
        """The share of `a` in the wins of both; half if there are none."""
        mine = math.fsum(_share(game, a) for game in games)
        both = math.fsum(_share(game, who) for game in games for who in (a, b))
        return mine / both if both else 0.5

    def _mean(self, games: Sequence[Game], player: int) -> float:
        """Mean points, exactly rounded, so that the order of games does not matter."""
        values = [
            more
            for game in games
            for who, more in zip(game.players, self.points(game), strict=True)
            if who == player
        ]
        return math.fsum(values) / len(values)

    # --- as data -------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        names = self.contest.names
        standings = [self.standing(player) for player in range(len(names))]
        return {
            "played": self.deals,
            "games": len(self.games),
            "endings": self.endings,
            "players": [
                {
                    "name": names[s.player],
                    "games": s.games,
                    "points": s.points.to_json(),
                    "share": s.share.to_json(),
                    "places": {
                        place: points.to_json()
                        for place, points in zip(self.contest.places, s.at_places, strict=True)
                    },
                    "decisions": s.decisions,
                    "guessed": s.guessed,
                    "forfeits": s.forfeits,
                }
                for s in standings
            ],
            "pairs": [
                {
                    "players": [names[player] for player in pair.players],
                    "ahead": pair.ahead.to_json(),
                    "share": pair.share.to_json(),
                }
                for pair in self.pairs()
            ],
            "forfeits": [forfeit_json(self.contest, game) for game in self.forfeits],
            "decisions_per_second": {
                names[s.player]: s.decisions / s.seconds if s.seconds else None for s in standings
            },
        }


def _mirrored(one: Interval, whole: float) -> Interval:
    low, mean, high = (None if x is None else whole - x for x in (one.high, one.mean, one.low))
    return Interval(one.count, mean, low, high)


def _share(game: Game, player: int) -> float:
    return math.fsum(share for who, share in zip(game.players, game.shares, strict=True) if who == player)


def forfeit_json(contest: Contest, game: Game) -> dict[str, Any]:
    """A forfeit with names."""
    forfeit = game.forfeit
    assert forfeit is not None
    return {
        "game": game.index,
        "match" if contest.matches else "deal": game.deal,
        **asdict(forfeit),
        "player": contest.names[forfeit.player],
        "place": contest.places[forfeit.place],
    }
