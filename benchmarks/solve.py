"""How fast small games are solved, beside OpenSpiel's solvers in the same run: `python benchmarks/solve.py`

CPU seconds of one core. An iteration updates the strategies of both players once, over the whole tree; one of
OpenSpiel's solvers does the same. The rounds of all solvers take turns, so that a busy machine slows all of
them; the best round counts. OpenSpiel is left out where it is not installed (`pip install 'upcard[bench]'`).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import upcard
from upcard.solve.enumeration import enumerate_game
from upcard.solve.equilibrium import Equilibrium, checkpoints
from upcard.solve.game_tree import GameTree

GAMES = (("kuhn-poker", "kuhn_poker"), ("leduc-holdem", "leduc_poker"))
"""Our names, and OpenSpiel's."""
ALGORITHMS = ("pcfr+", "cfr+", "dcfr")
ROUNDS = 10
SECONDS = 0.3
"""About as long as a round."""
TARGETS = (1e-3, 1e-4, 1e-5, 1e-6)
LONGEST = 200_000
"""Iterations, if a target is not reached."""

Work = Callable[[int], None]
"""Does this number of iterations."""


def main() -> None:
    open_spiel = _open_spiel()
    for name, theirs in GAMES:
        started = time.process_time()
        tree = enumerate_game(upcard.load(name)).tree
        listing = time.process_time() - started
        sets = len(tree.information_sets)
        print(f"{name}: {tree.nodes:,} nodes, {sets:,} information sets, listed in {listing:.2f} s")
        works = {f"upcard {algorithm}": _iterations(Equilibrium(tree, algorithm)) for algorithm in ALGORITHMS}
        if open_spiel is not None:
            game = open_spiel.load_game(theirs)
            for solver in ("CFRSolver", "CFRPlusSolver"):
                works[f"OpenSpiel {solver}"] = _calls(getattr(open_spiel, solver)(game))
        rates = measure(works)
        for solver, rate in rates.items():
            print(f"  {solver:<24} {rate:>12,.0f} iterations/s")
        sampled = measure({"mccfr": _iterations(Equilibrium(tree, "mccfr"))})["mccfr"]
        print(f"  {'upcard mccfr':<24} {sampled:>12,.0f} sampled walks for both players/s")
        print("  CPU seconds (iterations) to an exploitability of")
        print(f"    {'':<20}" + "".join(f"{target:>18.0e}" for target in TARGETS))
        for algorithm in ALGORITHMS:
            cells = "".join(f"{cell:>18}" for cell in reach(tree, algorithm))
            print(f"    upcard {algorithm:<13}{cells}")
        if open_spiel is not None:
            cells = "".join(f"{cell:>18}" for cell in _reach_open_spiel(open_spiel, theirs))
            print(f"    {'OpenSpiel CFR+':<20}{cells}")
    if open_spiel is None:
        print("OpenSpiel is not installed here")


def measure(works: dict[str, Work]) -> dict[str, float]:
    """Iterations per CPU second, the best of several rounds in turn."""
    counts = {}
    for name, work in works.items():
        count = 1
        while _seconds(work, count) < SECONDS / 4:
            count *= 4
        counts[name] = count
    best = dict.fromkeys(works, 0.0)
    for _ in range(ROUNDS):
        for name, work in works.items():
            best[name] = max(best[name], counts[name] / _seconds(work, counts[name]))
    return best


def reach(tree: GameTree, algorithm: str) -> list[str]:
    """CPU seconds and iterations to each target, with the measuring of how near it is."""
    solver = Equilibrium(tree, algorithm)
    found: list[str] = []
    started = time.process_time()
    for checkpoint in checkpoints(0):
        for _ in solver.run(checkpoint - solver.iterations):
            pass
        exploitability = solver.measure().exploitability
        while len(found) < len(TARGETS) and exploitability <= TARGETS[len(found)]:
            found.append(f"{time.process_time() - started:.3f} ({checkpoint:,})")
        if len(found) == len(TARGETS) or checkpoint > LONGEST:
            return found + ["-"] * (len(TARGETS) - len(found))
    return found


def _reach_open_spiel(open_spiel: Any, name: str) -> list[str]:
    """The same for OpenSpiel's CFR+, without the measuring; targets that take longer than a minute are left
    out."""
    game = open_spiel.load_game(name)
    solver = open_spiel.CFRPlusSolver(game)
    found: list[str] = []
    done, spent = 0, 0.0
    while len(found) < len(TARGETS) and spent < 60:
        step = max(1, done // 8)
        spent += _seconds(_calls(solver), step)
        done += step
        exploitability = open_spiel.exploitability(game, solver.average_policy())
        while len(found) < len(TARGETS) and exploitability <= TARGETS[len(found)]:
            found.append(f"{spent:.3f} ({done:,})")
    return found + ["-"] * (len(TARGETS) - len(found))


def _seconds(work: Work, count: int) -> float:
    started = time.process_time()
    work(count)
    return max(time.process_time() - started, 1e-9)


def _iterations(solver: Equilibrium) -> Work:
    def work(count: int) -> None:
        for _ in solver.run(count):
            pass

    return work


def _calls(solver: Any) -> Work:
    def work(count: int) -> None:
        for _ in range(count):
            solver.evaluate_and_update_policy()

    return work


def _open_spiel() -> Any:
    try:
        import pyspiel
    except ImportError:
        return None
    return pyspiel


if __name__ == "__main__":
    main()
