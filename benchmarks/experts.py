"""Which player is the best of a game: challengers against a holder, head to head on duplicate deals.

    python benchmarks/experts.py [--holder pimc:1000] [--challengers ismcts:1000,blend:1000] [--seconds 60]
                                 [--deals N] [--seed 11] [--workers 1] [GAME ...]

A row a game and challenger: how many deals were played (all sittings of each), by how many points a deal the
challenger is ahead, and its share of the games won, both with 95 % intervals. Without --deals it stops after
so many seconds; `upcard arena GAME --players CHALLENGER,HOLDER --deals N --seed S` plays the same deals.
`benchmarks/results/players.md` has what came of it, and each game's sheet (`[players]`) names its expert.
"""

from __future__ import annotations

import argparse
import time

import upcard
from upcard.arena.contest import Contest
from upcard.arena.contest_run import Run
from upcard.engine.shared.game import LoadedGame
from upcard.library.catalogue import catalogue
from upcard.players.spec import resolve_player, split
from upcard.stats.intervals import Interval

MANY = 100_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--holder", default="pimc:1000")
    parser.add_argument("--challengers", default="ismcts:1000,blend:1000")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--deals", type=int)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    print(f"| game | challenger | deals | ahead of {given.holder} | won |")
    print("| --- " * 5 + "|")
    for name in given.games or [entry.name for entry in catalogue()]:
        game = upcard.load(name)
        for challenger in split(given.challengers):
            run = duel(game, challenger, given.holder, given)
            (pair,) = run.results.pairs()
            deals, ahead, won = run.results.deals, shown(pair.ahead, "+"), shown(pair.share)
            print(f"| {name} | {challenger} | {deals} | {ahead} | {won} |", flush=True)


def duel(game: LoadedGame, challenger: str, holder: str, given: argparse.Namespace) -> Run:
    """As many deals as were asked for, or as there is time for."""
    players = [resolve_player(name, game) for name in (challenger, holder)]
    run = Run(Contest.of(game, players, given.deals or MANY, given.seed))
    until = time.monotonic() + given.seconds
    for _ in run.play(given.workers):
        if given.deals is None and time.monotonic() > until:
            break
    return run


def shown(found: Interval, sign: str = "") -> str:
    if found.mean is None:
        return "none played"
    return f"{found.mean:{sign}.3f}" + ("" if found.half is None else f" ± {found.half:.3f}")


if __name__ == "__main__":
    main()
