"""Hearts with four players of one kind: how often the moon is shot, and how tense it is.

    python benchmarks/hearts.py [--players published,expert] [--rounds 1000] [--seed 1] [--workers 2]
        [-o FOLDER]

Hearts as it was published: no passing, the eldest leads what they like, tricks lie open. With a folder,
rounds are kept there and gone on with. `benchmarks/results/players.md` has a table made by it.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import upcard
from upcard.players.spec import resolve_player
from upcard.stats.intervals import Interval, share_interval
from upcard.study.plan import Plan
from upcard.study.statistics import Seen
from upcard.study.study_run import Study
from upcard.study.study_summary import Summed

STUDIED = {"pass": "no", "opening": "eldest", "clean": "no", "open": "yes"}
MOON = [0, 26, 26, 26]
PUBLISHED = {"moon": (0.09, 0.06), "spread": (0.134, 0.015), "drama": (0.45, 0.04)}
"""With their tolerances."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--players", default="published,expert")
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int)
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    print("| four players | rounds |", " | ".join(PUBLISHED), "|")
    print("| --- " * (2 + len(PUBLISHED)) + "|")
    told = (f"{value} ± {tolerance}" for value, tolerance in PUBLISHED.values())
    print("| as published | 100 |", " | ".join(told), "|")
    for player in given.players.split(","):
        folder = None if given.output is None else given.output / player.replace(":", "-")
        seen = played(player, given.rounds, given.seed, given.workers, folder)
        found = {"moon": moons(seen), "spread": seen.spread, "drama": seen.drama}
        print(f"| {player} | {given.rounds} |", " | ".join(map(words, found.values())), "|", flush=True)


def played(player: str, rounds: int, seed: int, workers: int | None, folder: Path | None) -> Seen:
    game = upcard.load("hearts", rules=STUDIED)
    study = Study(Plan.of(game, 1, seed, [resolve_player(player, game)], rounds), folder)
    for _ in study.play(workers):
        if study.played("searching") == rounds:
            break
    seen = Summed(study).searching
    assert seen is not None
    return seen


def moons(seen: Seen) -> Interval:
    return share_interval([float(sorted(game.scores or ()) == MOON) for game in seen.games])


def words(found: Interval) -> str:
    return f"{found.mean:.3f} ({found.low:.3f} to {found.high:.3f})"


if __name__ == "__main__":
    main()
