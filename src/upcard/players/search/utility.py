"""Utility: the value of a deal's end to a seat, prepared for the search kernels.

In a race of two sides to a target, a deal is worth the chance of winning the match from the score that it
leads to. Everywhere else it is worth points: those of one's own side, less the mean of the others'.
"""

from __future__ import annotations

import json
import weakref
from collections import Counter
from collections.abc import Sequence
from typing import Any, TypeAlias

from upcard.engine.api import Observation
from upcard.engine.native import cache
from upcard.engine.native.game import NativeGame
from upcard.library.equity import Distribution, MatchEquity, TooManyScores
from upcard.library.match_rules import shares_scores
from upcard.library.sheet import MatchRules
from upcard.players.search.race_table import SolvedRace, fits
from upcard.players.search.rollout import POINTS, RACE, Utility
from upcard.simulate.random_games import native_batch
from upcard.simulate.sums_detail import Sums

SLICE = 500
MAX_DECISIONS = 150_000
"""In all of these deals together; then those so far are enough."""
FOLDERS = ("engine/native", "simulate", "players/search")
"""Code that the results of deals depend on, which are kept on disk."""
SAMPLE = 4000
"""Random deals that tell what a deal brings, for games whose sheet does not."""
LONGEST_RACE = 150
SOLVED_IN_PYTHON = 20
"""Races to more are solved in machine code where they are of the common case."""


def utility_of(game: NativeGame, observation: Observation) -> Utility:
    """The utility of a deal's end to the seat that observes."""
    seat, seats, highest = observation.seat, observation.seats, game.program.scoring.highest
    sides = observation.teams
    table = race_of(game, observation)
    other = next((members[0] for members in sides if seat not in members), seat)
    weights = list(coefficients(seat, sides, seats, highest))
    race = {}
    if table is not None and observation.match is not None:
        scores = observation.match["scores"]
        race = {"own_total": scores[seat], "other_total": scores[other]}
        race |= {"rows": len(table), "columns": len(table)}
        weights += [value for row in table for value in row]
    return Utility.pack(
        kind=POINTS if table is None else RACE,
        mover=seat,
        seats=seats,
        highest=int(highest),
        other=other,
        **race,
        weights=weights,
    )


def relative_points(observation: Observation, scores: Sequence[int], highest: bool) -> float:
    """A deal in points: those of one's own side less the mean of the others'; more is better."""
    each = coefficients(observation.seat, observation.teams, observation.seats, highest)
    return sum(factor * score for factor, score in zip(each, scores, strict=True))


def coefficients(seat: int, sides: Sequence[Sequence[int]], seats: int, highest: bool) -> list[float]:
    """What a point of every seat is worth to one: those of its own side, less the mean of the others'."""
    mine = next((members for members in sides if seat in members), (seat,))
    others = seats - len(mine)
    sign = 1.0 if highest else -1.0
    return [sign / len(mine) if s in mine else -sign / others for s in range(seats)]


def race_of(game: NativeGame, observation: Observation) -> Race | None:
    """By both totals, mine first: the chance to win the match, before the next deal."""
    match, sides, seat = observation.match, observation.teams, observation.seat
    if match is None or match.get("to") is None or len(sides) != 2 or match["to"] > LONGEST_RACE:
        return None
    if any(len(side) > 1 for side in sides) and not shares_scores(game.program):
        return None
    sheet = game.narrator.sheet
    given = sheet.match if sheet else MatchRules()
    rules = (match["to"], match["ties"], given.over, match.get("down"))
    # the seat that leads now deals next
    mine_deals_next = seat in next(side for side in sides if 0 in side)
    return _race_table(game, rules, mine_deals_next)


Race: TypeAlias = tuple[tuple[float, ...], ...]

_races: weakref.WeakKeyDictionary[NativeGame, dict[Any, Race | None]] = weakref.WeakKeyDictionary()
_results: weakref.WeakKeyDictionary[NativeGame, Distribution] = weakref.WeakKeyDictionary()


def _race_table(game: NativeGame, given: Any, mine_deals_next: bool) -> Race | None:
    known = _races.setdefault(game, {})
    key = given, mine_deals_next
    if key not in known:
        known[key] = _made_race_table(game, given, mine_deals_next)
    return known[key]


def _made_race_table(game: NativeGame, given: Any, mine_deals_next: bool) -> Race | None:
    to, ties, over, down = given
    rules = MatchRules(to, 1, ties, over, (), down)
    dealing = results(game)
    if any(points < 0 for deal in dealing for points in deal):
        return None
    highest = game.program.scoring.highest
    most = to + max(max(deal) for deal in dealing)
    if to > SOLVED_IN_PYTHON and fits(rules, dealing):
        solved, turn = SolvedRace(rules, dealing, highest), 0 if mine_deals_next else 1
        return tuple(tuple(solved.win((a, b), turn) for b in range(most + 1)) for a in range(most + 1))
    turned = {points[::-1]: chance for points, chance in dealing.items()}
    turns = [dealing, turned] if mine_deals_next else [turned, dealing]
    chances = MatchEquity(rules, turns, highest)
    try:
        return tuple(tuple(chances.win((a, b))[0] for b in range(most + 1)) for a in range(most + 1))
    except TooManyScores:
        return None


def results(game: NativeGame) -> Distribution:
    """How likely a deal brings what: to the side that deals (the last seat's), and to the other."""
    if game not in _results:
        _results[game] = _found_results(game)
    return _results[game]


def _found_results(game: NativeGame) -> Distribution:
    sheet = game.narrator.sheet
    if sheet is not None and sheet.match.results:
        return dict(sheet.match.results)
    key = cache.key_of("results", json.dumps(game.identity, sort_keys=True), cache.code_digest(*FOLDERS))
    kept = json.loads(cache.get_or_compile(key, lambda: json.dumps(_counted_results(game)).encode()))
    total = sum(count for _, _, count in kept)
    return {(dealer, other): count / total for dealer, other, count in kept}


def _counted_results(game: NativeGame) -> list[tuple[int, int, int]]:
    """Random deals, counted by the points of the side that deals and of the other. Long deals are fewer."""
    counted: Counter[tuple[int, int]] = Counter()
    dealer = game.seats - 1
    other = next(s for s in range(game.seats) if not _partners(game, s, dealer))
    recorder = native_batch(game, Sums()).recorder
    decisions = 0
    for first in range(0, SAMPLE, SLICE):
        for row in recorder.games(first, SLICE):
            decisions += row.decisions
            if row.scores is not None:
                counted[row.scores[dealer], row.scores[other]] += 1
        if decisions > MAX_DECISIONS:
            break
    return [(mine, theirs, count) for (mine, theirs), count in counted.items()]


def _partners(game: NativeGame, a: int, b: int) -> bool:
    teams = game.deal(0, 0, recording=False).teams
    return any(a in team and b in team for team in teams)
