"""Plackett-Luce ratings for contests of many players, computed by openskill."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from upcard.arena.contest_game import Game
from upcard.arena.results import Results
from upcard.extras import NotInstalled


@dataclass(frozen=True)
class Rating:
    player: int
    skill: float
    doubt: float
    """Standard deviation of the skill; both are on openskill's scale, where a beginner has 25 ± 8.3."""

    def to_json(self, names: list[str]) -> dict[str, Any]:
        return {"name": names[self.player], "skill": self.skill, "doubt": self.doubt}


def ratings(results: Results) -> list[Rating]:
    """Ratings, the best first. Games are rated in order, so that equal games give equal ratings."""
    try:
        from openskill.models import PlackettLuce
    except ImportError:
        raise NotInstalled("ratings", "openskill", "arena") from None
    model = PlackettLuce()
    rated = [model.rating() for _ in results.contest.players]
    for game in results.games:
        present = sorted(set(game.players))
        if len(present) > 1:
            ranks = [_rank(results, game, player, present) for player in present]
            after = model.rate([[rated[player]] for player in present], ranks=ranks)
            for player, (rating,) in zip(present, after, strict=True):
                rated[player] = rating
    final = [Rating(player, rating.mu, rating.sigma) for player, rating in enumerate(rated)]
    return sorted(final, key=lambda rating: (-rating.skill, rating.player))


def _rank(results: Results, game: Game, player: int, present: list[int]) -> float:
    better = _worth(results, game, player)
    return float(sum(_worth(results, game, other) > better for other in present))


def _worth(results: Results, game: Game, player: int) -> float:
    """The final score of a match or the points of a deal; the mean for a player in several places."""
    if game.forfeit is not None:
        return 0.0 if game.forfeit.player == player else 1.0
    assert game.points is not None
    scored = game.scores if results.contest.matches else game.points
    values = [more for who, more in zip(game.players, scored, strict=True) if who == player]
    sign = 1 if results.contest.highest else -1
    return sign * math.fsum(values) / len(values)
