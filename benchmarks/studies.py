"""What studies of random players cost: time and memory, by the number of games.

    python benchmarks/studies.py [--game euchre] [100000 1000000 10000000]

Each is `upcard study GAME --games N` in a process of its own, with machine code from the cache. CPU time says
what the work costs, whoever else is at the machine; the wall says what somebody waited.
`benchmarks/results/studies.md` has a table made by it.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time

SIZES = (1_000, 100_000, 1_000_000, 10_000_000)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("sizes", nargs="*", type=int, default=SIZES, metavar="GAMES")
    parser.add_argument("--game", default="euchre")
    given = parser.parse_args()
    studied(given.game, 1)  # so that the code is in the cache
    print("| games | CPU s | wall s | MB at most |")
    print("| --- | --- | --- | --- |")
    for games in given.sizes:
        cpu, wall, memory = studied(given.game, games)
        print(f"| {games:,} | {cpu:.1f} | {wall:.1f} | {memory:.0f} |", flush=True)


def studied(game: str, games: int) -> tuple[float, float, float]:
    """CPU seconds, seconds and megabytes of one study."""
    command = [sys.executable, "-m", "upcard", "study", game, "--games", str(games)]
    started = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    if status:
        sys.exit(f"{' '.join(command)} went wrong")
    wall = time.perf_counter() - started
    kilobytes = used.ru_maxrss / (1024 if sys.platform == "darwin" else 1)
    return used.ru_utime + used.ru_stime, wall, kilobytes / 1024


if __name__ == "__main__":
    main()
