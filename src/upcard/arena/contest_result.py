"""A contest in one call: players by name, class or object, and what it showed."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from upcard.arena.contest import Contest
from upcard.arena.contest_rows import TABLES, contest_table
from upcard.arena.contest_run import Run
from upcard.arena.results import Pair, Results, Standing
from upcard.arguments import BadArgument, check_choice, check_path
from upcard.engine.game import Game
from upcard.engine.loader import as_game
from upcard.extras import need_arrow
from upcard.parallel.workers import Workers
from upcard.players.player_argument import PlayerLike, as_players, default_workers
from upcard.stats.interval_text import told
from upcard.stats.sprt import SequentialTest

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, repr=False)
class ContestResult:
    """What a contest showed: points and shares of wins with 95 % confidence intervals.

    >>> result = upcard.arena.run("kuhn-poker", ["random", "random"], deals=20, seed=1)
    >>> result.names, result.deals, result.games
    (('random #1', 'random #2'), 20, 40)
    """

    results: Results
    """Everything that was counted."""
    sprt: SequentialTest | None = None
    """The sequential test, if there was one."""

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names; equal ones are numbered."""
        return tuple(self.results.contest.names)

    @property
    def deals(self) -> int:
        """Number of deals (with `matches`, of matches) of which every game has been played."""
        return self.results.deals

    @property
    def games(self) -> int:
        """Number of games: each deal is played until every player has sat in every seat."""
        return len(self.results.games)

    @property
    def standings(self) -> Mapping[str, Standing]:
        """Each player's results: `points` per deal and `share` of games won, both with intervals."""
        return {name: self.results.standing(player) for player, name in enumerate(self.names)}

    @property
    def pairs(self) -> Mapping[tuple[str, str], Pair]:
        """Every two players that met: by how much the first is `ahead`, and its `share` of their wins."""
        names = self.names
        return {(names[pair.players[0]], names[pair.players[1]]): pair for pair in self.results.pairs()}

    @property
    def forfeits(self) -> tuple[str, ...]:
        """Why games were forfeited: each a player's name and a clause."""
        found = []
        for game in self.results.forfeits:
            assert game.forfeit is not None, "forfeits are games with one"
            found.append(f"{self.names[game.forfeit.player]} {game.forfeit.why}")
        return tuple(found)

    def to_json(self) -> dict[str, Any]:
        """The results as data.

        >>> result = upcard.arena.run("kuhn-poker", ["random", "random"], deals=20, seed=1)
        >>> [player["name"] for player in result.to_json()["players"]]
        ['random #1', 'random #2']
        """
        return self.results.to_json()

    def to_arrow(self, table: str = "games") -> pa.Table:
        """The results as columns: `games`, `standings` or `pairs`, with a row for each.

        polars, pandas and DuckDB take the table as it is. docs/reference/rows.md describes the columns. Needs
        pyarrow (`pip install upcard[parquet]`); otherwise it raises an exception that says so.

        >>> result = upcard.arena.run("kuhn-poker", ["random", "random"], deals=20, seed=1)
        >>> result.to_arrow().num_rows, result.to_arrow("standings")["player"].to_pylist()
        (40, ['random #1', 'random #2'])
        """
        check_choice("table", table, TABLES)
        need_arrow()
        return contest_table(self.results, table)

    def __repr__(self) -> str:
        contest = self.results.contest
        played = f"{self.deals} {'matches' if contest.matches else 'deals'}"
        points = ", ".join(f"{name} {told(one.points)}" for name, one in self.standings.items())
        return f"<ContestResult of {contest.table.game.name}, {played}: points per deal {points}>"


def run(
    game: Game | str | os.PathLike[str],
    players: Sequence[PlayerLike],
    *,
    deals: int = 100,
    seed: int = 0,
    matches: bool = False,
    to: int | None = None,
    ladder: bool = False,
    sprt: tuple[float, float] | None = None,
    record: str | os.PathLike[str] | None = None,
    workers: Workers = None,
) -> ContestResult:
    """Measures players against each other: the same deals for all of them, with seats exchanged.

    `game` is a loaded game, a name or a path. A player is a spec such as "expert" or "mine.py:Mine:200", a
    class with `choose(observation, budget)`, or an object of one. A class or an object runs in your own
    process and is trusted. A class may take any of the keyword arguments game, seed and seat, and also deal,
    which only trusted players get.

    With `matches`, `deals` counts matches, played to the target `to` or the game's own. `ladder` lets each
    player meet only the next one. `sprt` gives the bounds of a sequential test of two players that may end
    the contest early. `record` is a file that keeps every game; the same call resumes from it. Without
    `workers` all cores are used if that is quicker and all players are given by name; `workers` is their
    number, or any `concurrent.futures.Executor`, such as that of a cluster.

    The same arguments give the same results, except with a budget in seconds or with a player from a file or
    program: its deals come from a new secret, which `record` keeps. An exception or an illegal move of a
    player forfeits the game. Players that cannot be compared raise `BadContest`, wrong
    arguments `BadArgument`.

    >>> result = upcard.arena.run("euchre", ["simple", "random"], deals=20, seed=1)
    >>> result.pairs["simple", "random"].ahead.mean > 0
    True
    """
    loaded = as_game(game)
    specs = as_players(players, loaded)
    if to is not None and not matches:
        raise BadArgument("to is the target of a match; give matches=True as well")
    if record is not None:
        check_path("record", record)
    bounds = _bounds(sprt)
    contest = Contest.of(loaded, specs, deals, seed, matches=matches, to=to, ladder=ladder, sprt=bounds)
    made = Run(contest, None if record is None else Path(record))
    for _ in made.play(default_workers(players, workers)):
        pass
    return ContestResult(made.results, made.stopping)


def _bounds(sprt: object) -> tuple[float, float] | None:
    if sprt is None:
        return None
    match sprt:
        case (int() | float() as low, int() | float() as high) if low < high:
            return float(low), float(high)
    raise BadArgument(f"sprt is two numbers, the lower first, not {sprt!r:.60}")
