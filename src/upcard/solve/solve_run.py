"""One run: lists a game's tree, solves it step by step, measures a player, writes the strategy."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from upcard.engine.shared.game import LoadedGame
from upcard.players.spec import PlayerSpec
from upcard.players.strategy_file import StrategyFile, check_fits, read_strategy, write_strategy
from upcard.solve.enumeration import MAX_NODES, Listing, enumerate_game, estimate_nodes
from upcard.solve.equilibrium import SAMPLING, Equilibrium, Measured, checkpoints
from upcard.solve.player_table import SAMPLES, PlayerMeasured, tabulate
from upcard.solve.solution import resume, strategy_file

ITERATIONS, SAMPLED_ITERATIONS = 100_000, 1_000_000
TARGET = 1e-6


def _ignore(done: int) -> None:
    pass


class SolveRun:
    """A caller lists the tree, perhaps resumes, solves, and measures, in this order."""

    listing: Listing
    solver: Equilibrium
    measured: Measured
    listing_seconds = 0.0
    seconds = 0.0
    """Of iterations."""

    def __init__(
        self,
        game: LoadedGame,
        algorithm: str = "pcfr+",
        seed: int = 0,
        max_nodes: int = MAX_NODES,
        workers: int | None = None,
    ) -> None:
        self.game = game
        self.algorithm = algorithm
        self._seed = seed
        self._max_nodes = max_nodes
        self._workers = workers

    def estimate(self) -> int:
        """About how many nodes listing will find."""
        return int(min(estimate_nodes(self.game), self._max_nodes))

    def list_tree(self, on_progress: Callable[[int], None] | None = None) -> None:
        started = time.perf_counter()
        self.listing = enumerate_game(
            self.game, self._max_nodes, on_progress=on_progress, workers=self._workers
        )
        self.listing_seconds = time.perf_counter() - started
        self.solver = Equilibrium(self.listing.tree, self.algorithm, self._seed)

    def read(self, path: Path) -> StrategyFile:
        """A strategy of this game. Raises `BadStrategy`."""
        strategy = read_strategy(path)
        check_fits(path, strategy, self.game.identity)
        return strategy

    def resume(self, strategy: StrategyFile) -> None:
        resume(self.solver, strategy)

    def goal(self, iterations: int | None, target: float | None) -> tuple[int, float | None]:
        """Where to stop: what is given, or what is usual for the algorithm."""
        sampling = self.algorithm == SAMPLING
        if iterations is None:
            iterations = SAMPLED_ITERATIONS if sampling else ITERATIONS
            target = TARGET if target is None and not sampling else target
        return iterations, target

    def solve(self, iterations: int, target: float | None) -> Iterator[int]:
        """Iterations up to a number in all, or until the strategy is good enough; yields how many were just
        done."""
        for checkpoint in checkpoints(self.solver.iterations):
            left = min(checkpoint, iterations) - self.solver.iterations
            started = time.perf_counter()
            for done in self.solver.run(left):
                self.seconds += time.perf_counter() - started
                yield done
                started = time.perf_counter()
            if self.solver.iterations >= iterations:
                return
            if target is not None and self.solver.measure().exploitability <= target:
                return

    def measure(self) -> None:
        self.measured = self.solver.measure()

    def measure_player(
        self, player: PlayerSpec, samples: int = SAMPLES, on_progress: Callable[[int], None] = _ignore
    ) -> PlayerMeasured:
        """How a player does, which is asked for each decision of the game."""
        listing, solver = self.listing, self.solver
        table = tabulate(player, listing, self._seed, samples, on_progress)
        solution = solver.strategy()
        sets = listing.tree.information_sets
        against = []
        for seat in range(listing.tree.seats):
            mixed = [
                table[number] if one.seat == seat else solution[number] for number, one in enumerate(sets)
            ]
            against.append(solver.measure_strategy(mixed).value[seat])
        itself = solver.measure_strategy(table)
        return PlayerMeasured(player.name, samples, tuple(against), itself.best, itself.exploitability)

    def expected(
        self,
        players: Sequence[PlayerSpec | None],
        samples: int = SAMPLES,
        on_progress: Callable[[int], None] = _ignore,
    ) -> tuple[float, ...]:
        """What each seat gets if these players sit in the seats; None follows the solution."""
        sets = self.listing.tree.information_sets
        mixed = self.solver.strategy()
        for player in {id(one): one for one in players if one is not None}.values():
            table = tabulate(player, self.listing, self._seed, samples, on_progress)
            for number, one in enumerate(sets):
                if players[one.seat] is player:
                    mixed[number] = table[number]
        return self.solver.measure_strategy(mixed).value

    def write(self, path: Path) -> None:
        write_strategy(path, strategy_file(self.game.identity, self.solver, self.measured))
