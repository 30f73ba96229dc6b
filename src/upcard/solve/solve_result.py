"""A game solved in one call, and what came of it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from upcard.arguments import BadArgument, check_choice, check_path, check_whole, check_workers, list_of
from upcard.engine.game import Game
from upcard.engine.loader import as_game
from upcard.extras import need_arrow
from upcard.lazy import lazy_property
from upcard.players.player_argument import PlayerLike, as_player
from upcard.players.spec import PlayerSpec
from upcard.players.strategy_file import ALGORITHMS
from upcard.solve.enumeration import MAX_NODES
from upcard.solve.player_table import SAMPLES, PlayerMeasured
from upcard.solve.solve_run import SolveRun
from upcard.solve.strategy_rows import strategy_table
from upcard.solve.strategy_text import situations

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, repr=False, eq=False)
class Solution:
    """The average strategy of all seats, and how near it is to an equilibrium.

    >>> solution = upcard.solve.run("kuhn-poker")
    >>> solution
    <Solution of kuhn-poker: value -0.055556 0.055556, exploitability 7e-07>
    """

    _run: SolveRun

    @property
    def value(self) -> tuple[float, ...]:
        """What each seat gets if all follow the strategy: points above the average of all seats."""
        return self._run.measured.value

    @property
    def bounds(self) -> tuple[float, float] | None:
        """What the first of two seats gets in every equilibrium lies between these; None for another number
        of seats."""
        return self._run.measured.bounds

    @property
    def gains(self) -> tuple[float, ...]:
        """What each seat could gain by leaving its strategy."""
        return self._run.measured.gains

    @property
    def exploitability(self) -> float:
        """The mean of the gains; 0 is an equilibrium."""
        return self._run.measured.exploitability

    @property
    def iterations(self) -> int:
        """Number of iterations."""
        return self._run.solver.iterations

    @property
    def nodes(self) -> int:
        """Number of nodes of the tree: decisions with a choice, chance and ends."""
        return self._run.listing.tree.nodes

    @property
    def information_sets(self) -> int:
        """Number of information sets with a choice."""
        return len(self._run.listing.tree.information_sets)

    @lazy_property
    def strategy(self) -> Mapping[str, Mapping[str, float]]:
        """By the key of each information set, the probability of each move by its key.

        >>> solution = upcard.solve.run("kuhn-poker")
        >>> state = upcard.load("kuhn-poker").deal(seed=1)
        >>> shares = solution.strategy[state.infoset_key(state.to_move)]
        >>> sorted(shares)
        ['[0,[],0]', '[1,[],0]']
        """
        sets = self._run.listing.tree.information_sets
        return MappingProxyType(
            {
                one.key: {
                    key: share / len(action.keys)
                    for action, share in zip(one.actions, shares, strict=True)
                    for key in action.keys
                }
                for one, shares in zip(sets, self._run.solver.strategy(), strict=True)
            }
        )

    @property
    def text(self) -> str:
        """The strategy in words of the table.

        >>> lines = upcard.solve.run("kuhn-poker").text.splitlines()
        >>> [line.strip() for line in lines[-4:]]
        ['Ann checks:', 'K  always bet', 'Q  always check', 'J  check 2 times in 3, bet 1 time in 3']
        """
        run = self._run
        lines: list[str] = []
        found = situations(
            run.listing.tree.information_sets,
            run.solver.strategy(),
            run.solver.reach(),
            run.game.narrator,
        )
        seat = None
        for situation in found:
            if situation.seat != seat:
                seat = situation.seat
                lines.append(run.game.narrator.seat(seat))
            lines.append(f"  {situation.heading}:")
            lines += [f"    {line}" for line in situation.lines]
        return "\n".join(lines)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the strategy to a file, which the player `solved:FILE` follows.

        >>> import pathlib, tempfile
        >>> file = pathlib.Path(tempfile.mkdtemp()) / "kuhn.json"
        >>> upcard.solve.run("kuhn-poker").save(file)
        >>> upcard.arena.run("kuhn-poker", [f"solved:{file}", "random"], deals=20).games
        40
        """
        check_path("path", path)
        self._run.write(Path(path))

    def to_arrow(self) -> pa.Table:
        """The strategy as columns: a row for each action of each information set.

        polars, pandas and DuckDB take the table as it is. docs/reference/rows.md describes the columns. Needs
        pyarrow (`pip install upcard[parquet]`); otherwise it raises an exception that says so.

        >>> table = upcard.solve.run("kuhn-poker").to_arrow()
        >>> table.num_rows, table["action"][:2].to_pylist()
        (24, ['check', 'bet'])
        """
        need_arrow()
        return strategy_table(self._run)

    def measure_player(self, player: PlayerLike, *, samples: int = SAMPLES) -> PlayerMeasured:
        """What a player gets against the solution, and how much a best response gains on it.

        The player is asked `samples` times for each decision of the game.

        >>> random = upcard.solve.run("kuhn-poker").measure_player("random")
        >>> [round(points, 3) for points in random.best_response]
        [0.5, 0.417]
        """
        check_whole("samples", samples, 1)
        return self._run.measure_player(as_player(player, self._run.game), samples)

    def expected(self, players: Sequence[PlayerLike | None], *, samples: int = SAMPLES) -> tuple[float, ...]:
        """What each seat gets per deal if these players sit in the seats; None follows the solution.

        It is computed from the whole tree, not from games. The players are asked as by `measure_player`.

        >>> solution = upcard.solve.run("kuhn-poker")
        >>> [round(points, 3) for points in solution.expected(["random", "random"])]
        [0.125, -0.125]
        >>> solution.expected([None, None]) == solution.value
        True
        """
        game, seats = self._run.game, self._run.game.seats
        check_whole("samples", samples, 1)
        if len(list_of("players", players, "a list with a player or None for each seat")) != seats:
            raise BadArgument(
                f"{game.name} has {seats} seats, not {len(players)}; give a player or None for each"
            )
        known: dict[str, PlayerSpec] = {}  # a player named for several seats is asked once

        def spec(player: PlayerLike | None) -> PlayerSpec | None:
            if player is None:
                return None
            if not isinstance(player, str):
                return as_player(player, game)
            return known.setdefault(player, known.get(player) or as_player(player, game))

        return self._run.expected([spec(player) for player in players], samples)

    def __repr__(self) -> str:
        values = " ".join(f"{value:.6f}" for value in self.value)
        return (
            f"<Solution of {self._run.game.name}: value {values}, exploitability {self.exploitability:.0e}>"
        )


def run(
    game: Game | str | os.PathLike[str],
    *,
    algorithm: str = "pcfr+",
    iterations: int | None = None,
    target: float | None = None,
    seed: int = 0,
    max_nodes: int = MAX_NODES,
    workers: int | None = None,
) -> Solution:
    """Solves a small game: improves the strategies of all seats until nobody can gain much by another one.

    It ends after a number of iterations, or as soon as the exploitability is at most `target`. Without
    either it ends at 0.000001, or after 100,000 iterations; `mccfr`, which samples the tree and uses `seed`,
    after a million. The algorithms are pcfr+, cfr+, dcfr and mccfr. Large trees are listed by `workers`
    processes, without it by one for each core; the result is the same.

    A game with more than `max_nodes` nodes, one that can fail and one whose seats forget raise an exception
    that derives from `Refused`, wrong arguments `BadArgument`.

    >>> solution = upcard.solve.run("kuhn-poker", target=1e-5)
    >>> low, high = solution.bounds
    >>> low <= -1 / 18 <= high
    True
    """
    check_choice("algorithm", algorithm, ALGORITHMS)
    if iterations is not None:
        check_whole("iterations", iterations, 1)
    if target is not None and not (isinstance(target, int | float) and target > 0):
        raise BadArgument(f"target is a number of points above 0, not {target!r:.60}")
    check_whole("a seed", seed)
    check_whole("max_nodes", max_nodes, 1)
    check_workers(workers)
    made = SolveRun(as_game(game), algorithm, seed, max_nodes, workers)
    made.list_tree()
    for _ in made.solve(*made.goal(iterations, target)):
        pass
    made.measure()
    return Solution(made)
