"""Kills workers at random while a contest and a simulation run, and compares the results with one process.

    python -m tests.cluster.kill --count 50 --seed 1

Kills are spread over each run by the games that have come in, so that every run sees all of them.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.cluster.support import dask_cluster, kill_one, without_times

import upcard
from upcard.arena.contest import Contest
from upcard.arena.contest_run import Run
from upcard.engine.loader import load
from upcard.parallel.cluster import ClusterExecutor, open_cluster
from upcard.players.player_argument import as_players
from upcard.simulate.random_games import RandomGames
from upcard.simulate.summary import Summary
from upcard.simulate.sums_detail import Sums

GAMES_A_KILL = 40
DEALS_A_KILL = 300_000


class Killer:
    """Kills a worker whenever another share of a run is done."""

    def __init__(self, parent: int, count: int, total: int, seed: int) -> None:
        self.parent, self.chance, self.killed = parent, random.Random(seed), 0
        self.moments = sorted(self.chance.randrange(total * 9 // 10) for _ in range(count))

    def after(self, done: int) -> None:
        while self.killed < len(self.moments) and done >= self.moments[self.killed]:
            if not kill_one(self.parent, self.chance):
                time.sleep(0.05)  # both are just starting again
                continue
            self.killed += 1


def contest(executor: ClusterExecutor | None, killer: Killer | None, deals: int) -> Iterator[object]:
    game = load("euchre")
    run = Run(Contest.of(game, as_players(["simple", "random"], game), deals, 5))
    for done, played in enumerate(run.play(executor or 1)):
        if killer is not None:
            killer.after(done)
        yield without_times(played.to_json())


def simulation(executor: ClusterExecutor | None, killer: Killer | None, deals: int) -> Summary:
    game = load("euchre")
    summary = Summary(game.seats)
    for part in RandomGames(game, Sums(), 5).sums(0, deals, executor):
        summary.merge(part)
        if killer is not None:
            killer.after(summary.games)
    return summary


def check(count: int, seed: int, folder: Path) -> str:
    """Runs both with that many kills each; a line about it, or an AssertionError."""
    started = time.monotonic()
    deals, hands = GAMES_A_KILL * count // 2, DEALS_A_KILL * count
    with dask_cluster(folder) as (address, parent), open_cluster(address) as executor:
        killer = Killer(parent, count, 2 * deals, seed)
        killed = list(contest(executor, killer, deals))
        killer_of_sums = Killer(parent, count, hands, seed + 1)
        sums = simulation(executor, killer_of_sums, hands)
    assert killer.killed == killer_of_sums.killed == count
    assert killed == list(contest(None, None, deals)), "the contest is another one"
    assert sums == simulation(None, None, hands), "the simulation is another one"
    seconds = time.monotonic() - started
    return (
        f"{count} workers killed during a contest of {2 * deals:,} games and {count} during a simulation of "
        f"{hands:,} hands: both equal those of one process ({seconds:.0f} s)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(check(given.count, given.seed, Path(folder)), f"with Upcard {upcard.__version__}")


if __name__ == "__main__":
    main()
