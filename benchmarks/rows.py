"""What rows cost: CPU time of simulations with rows over that of the same ones without, game by game.

    python benchmarks/rows.py [euchre hearts ...]

Both play the same deals with one worker, in turns, and the best of several turns counts, so that a busy
machine slows both. `benchmarks/results/rows.md` has a table made by it.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import upcard
from upcard.simulate.row_part import PART

GAMES = ("kuhn-poker", "euchre", "whist", "hearts", "cribbage", "golf-six")
TURNS = 7
SLOW = 100_000
"""Games a second below which half a part is enough."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("games", nargs="*", default=GAMES, metavar="GAME")
    given = parser.parse_args()
    print("| game | games/s | with rows | CPU time | rows read/s | bytes a row |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name in given.games:
        print(measured(name), flush=True)


def measured(name: str) -> str:
    game = upcard.load(name)
    count = PART if 10_000 / seconds(partial(game.simulate, 10_000, workers=1)) > SLOW else PART // 16
    plain = written = read = float("inf")
    size = 0
    for turn in range(TURNS):  # other deals in every turn
        with tempfile.TemporaryDirectory() as made:
            play = partial(game.simulate, count, turn, workers=1)
            plain = min(plain, seconds(play))
            written = min(written, seconds(partial(play, rows=made)))
            read = min(read, seconds(partial(upcard.Summary.from_rows, made)))
            size = sum(path.stat().st_size for path in Path(made).iterdir())
    return (
        f"| {name} | {count / plain:,.0f} | {count / written:,.0f} | {written / plain:.2f} | "
        f"{count / read:,.0f} | {size / count:.1f} |"
    )


def seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


if __name__ == "__main__":
    main()
