"""Contests as columns: a row for each game, for each player, or for each two players that met."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

from upcard.arena.contest import Contest
from upcard.arena.results import Results
from upcard.stats.intervals import Interval
from upcard.storage.arrow_table import About, Columns, table_of

if TYPE_CHECKING:
    import pyarrow as pa

Row: TypeAlias = list[Any]


def game_columns(contest: Contest) -> Columns:
    """Places count from 0: they are the seats, or the sides of partners."""
    places = range(len(contest.places))
    scores = len(places) if contest.matches else contest.table.game.seats
    return {
        "game": "int64",
        "deal": "int64",
        "group": "int32",
        "ending": "string",
        "dealt": "int32",
        **{f"score_{number}": "int64" for number in range(scores)},
        **{f"player_{place}": "string" for place in places},
        **{f"points_{place}": "double" for place in places},
        **{f"share_{place}": "double" for place in places},
        **{f"decisions_{place}": "int32" for place in places},
        **{f"guessed_{place}": "int32" for place in places},
        **{f"seconds_{place}": "double" for place in places},
        "forfeit_player": "string",
        "forfeit_reason": "string",
    }


def game_rows(results: Results) -> Iterator[Row]:
    contest, names = results.contest, results.contest.names
    scores = sum(name.startswith("score_") for name in game_columns(contest))
    for game in results.games:
        forfeit = game.forfeit
        yield [
            *(game.index, game.deal, game.group, game.ending, game.dealt),
            *(game.scores or [None] * scores),
            *(names[player] for player in game.players),
            *results.points(game),
            *(*game.shares, *game.decisions, *game.guessed, *game.seconds),
            *((None, None) if forfeit is None else (names[forfeit.player], forfeit.why)),
        ]


def standing_columns(contest: Contest) -> Columns:
    return {
        "player": "string",
        "games": "int64",
        **_interval_columns("points"),
        **_interval_columns("share"),
        "decisions": "int64",
        "guessed": "int64",
        "seconds": "double",
        "forfeits": "int64",
    }


def standing_rows(results: Results) -> Iterator[Row]:
    for player, name in enumerate(results.contest.names):
        one = results.standing(player)
        yield [
            *(name, one.games, *_interval(one.points), *_interval(one.share)),
            *(one.decisions, one.guessed, one.seconds, one.forfeits),
        ]


def pair_columns(contest: Contest) -> Columns:
    return {
        "player": "string",
        "other": "string",
        "deals": "int64",
        **_interval_columns("ahead"),
        **_interval_columns("share"),
    }


def pair_rows(results: Results) -> Iterator[Row]:
    names = results.contest.names
    for pair in results.pairs():
        first, second = pair.players
        yield [
            *(names[first], names[second], pair.ahead.count),
            *(*_interval(pair.ahead), *_interval(pair.share)),
        ]


TABLES: dict[str, tuple[Callable[[Contest], Columns], Callable[[Results], Iterator[Row]]]] = {
    "games": (game_columns, game_rows),
    "standings": (standing_columns, standing_rows),
    "pairs": (pair_columns, pair_rows),
}


def contest_table(results: Results, name: str) -> pa.Table:
    """The table of a name in `TABLES`."""
    contest = results.contest
    columns, rows = TABLES[name]
    return table_of(columns(contest), rows(results), _about(contest, name))


def _about(contest: Contest, name: str) -> About:
    return {
        "table": f"contest {name}",
        **contest.table.game.identity,
        "seed": contest.seed,
        "matches" if contest.matches else "deals": contest.deals,
        "players": contest.names,
        "places": contest.places,
        "highest": contest.highest,
    }


def _interval_columns(name: str) -> Columns:
    return {f"{name}_{part}": "double" for part in ("mean", "low", "high")}


def _interval(found: Interval) -> tuple[float | None, ...]:
    return found.mean, found.low, found.high
