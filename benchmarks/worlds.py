"""Whether all worlds that players ask for are found, at every decision of many games.

    python benchmarks/worlds.py [--player expert] [--games 1000] [--seed 1] [--workers 2] [GAME ...]

The player sits in every seat. Printed are its decisions among several alternatives, the worlds it thought
in, deals tried to find them, worlds that were not found, worlds that came from a walk since dealing found
none, and decisions without a consistent history. `benchmarks/results/players.md` has a table made by it.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

import upcard
from upcard.engine.shared.game import LoadedGame
from upcard.parallel.pool import in_order
from upcard.players.spec import resolve_player


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("games", nargs="*", default=["euchre", "whist"], metavar="GAME")
    parser.add_argument("--player", default="expert")
    parser.add_argument("--games", type=int, default=1000, dest="count")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    print("| game | games | decisions | worlds | deals tried | not found | by a walk | no history |")
    print("| --- " * 8 + "|")
    for name in given.games:
        task = Task(upcard.load(name), given.player, given.seed)
        total: Counter[str] = Counter()
        for found in in_order(played, task, given.count, 5, given.workers):
            for counts in found:
                total.update(counts)
        thought = total["decisions"] - total["forced"]
        cells = [thought, *(total[what] for what in ("worlds", "tried", "missing", "walked", "lost"))]
        print(f"| {name} | {given.count:,} |", " | ".join(f"{n:,}" for n in cells), "|", flush=True)


@dataclass(frozen=True)
class Task:
    game: LoadedGame
    player: str
    seed: int


def played(task: Task, start: int, end: int) -> list[dict[str, int]]:
    return [counted(task, deal) for deal in range(start, end)]


def counted(task: Task, deal: int) -> dict[str, int]:
    """One game, and what its players met with."""
    chosen = resolve_player(task.player, task.game)
    players: list[Any] = [chosen.make(task.seed, deal, seat) for seat in range(task.game.seats)]
    state = task.game.deal(task.seed, deal)
    while (seat := state.to_move) is not None:
        state.play(players[seat].choose(state.observe(seat), chosen.budget).move)
    total: Counter[str] = Counter()
    for player in players:
        total.update(asdict(player.counts))
    return dict(total)


if __name__ == "__main__":
    main()
