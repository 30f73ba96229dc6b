"""How fast players think, and how much memory they take: one core, the sampling of worlds included.

    python benchmarks/searching.py [--deals 20] [--seed 1] [--rounds 5] [GAME:PLAYER ...]

The player sits in the first seat of so many deals, every other seat plays at random, and what it saw there is
shown to a new player several times over. Printed are CPU time of `choose` and decisions a second, both of
decisions among several alternatives (the others take no thought), each in its best round: whatever else the
machine does only adds to them. Memory is what the process had at most, without and with the player; every
row has a process of its own. `benchmarks/results/players.md` has a table made by it.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import sys
import time
from concurrent.futures import ProcessPoolExecutor

import upcard
from upcard.engine.api import Observation
from upcard.engine.shared.game import LoadedGame
from upcard.players.protocol import Indifferent
from upcard.players.registry import player_factory
from upcard.players.spec import PlayerSpec, resolve_player

USUAL = (
    "euchre:pimc:1000",
    "euchre:ismcts:1000",
    "euchre:expert",
    "whist:pimc:1000",
    "whist:ismcts:1000",
    "whist:expert",
)
BYTES = 1 if sys.platform == "darwin" else 1024
"""In a unit of `ru_maxrss`."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("players", nargs="*", metavar="GAME:PLAYER")
    parser.add_argument("--deals", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    print("| game | player | decisions | ms each | decisions/s | worlds each | MB before | MB at most |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn, max_tasks_per_child=1) as processes:
        for name in given.players or USUAL:
            game, _, player = name.partition(":")
            found = processes.submit(row, game, player, given.deals, given.seed, given.rounds)
            print(found.result(), flush=True)


def row(game_name: str, player: str, deals: int, seed: int, rounds: int) -> str:
    game = upcard.load(game_name)
    chosen = resolve_player(player, game)
    game.deal(seed, 0).observe(0)
    before = peak()
    seen = [watched(game, chosen, seed, deal) for deal in range(deals)]
    made = sum(len(observation.moves) > 1 for deal in seen for observation in deal)
    timed = [thought(chosen, seed, seen) for _ in range(rounds)]
    best, worlds = sum(map(min, zip(*(times for times, _ in timed), strict=True))), timed[0][1]
    cells = [
        game_name,
        player,
        str(made),
        f"{1000 * best / made:.2f}",
        f"{made / best:.0f}",
        "" if worlds is None else f"{worlds / made:.0f}",
        f"{before:.0f}",
        f"{peak():.0f}",
    ]
    return f"| {' | '.join(cells)} |"


def watched(game: LoadedGame, first: PlayerSpec, seed: int, deal: int) -> list[Observation]:
    """What the first seat saw in a deal that the player played there."""
    state = game.deal(seed, deal)
    mine = first.make(seed, deal, 0)
    others = [player_factory("random", game)(seed, deal, seat) for seat in range(game.seats)]
    seen = []
    while (seat := state.to_move) is not None:
        player = mine if seat == 0 else others[seat]
        if isinstance(player, Indifferent):
            state.play(player.pick(state.choices))
            continue
        seen.append(state.observe(seat))
        state.play(player.choose(seen[-1], first.budget).move)
    return seen


def thought(first: PlayerSpec, seed: int, seen: list[list[Observation]]) -> tuple[list[float], int | None]:
    """CPU seconds to choose at each of these, and worlds that were looked at, if the player counts them."""
    spent = []
    worlds = None
    for deal, observations in enumerate(seen):
        mine = first.make(seed, deal, 0)
        for observation in observations:
            start = time.process_time()
            mine.choose(observation, first.budget)  # type: ignore[union-attr]
            spent.append(time.process_time() - start)
        counts = getattr(mine, "counts", None)
        if counts is not None:
            worlds = (worlds or 0) + counts.worlds
    return spent, worlds


def peak() -> float:
    """Memory of this process at most so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * BYTES / 1e6


if __name__ == "__main__":
    main()
