"""How fast the command line starts, and how fast the reference engine plays: ratios from one run.

    .venv/bin/python benchmarks/reference.py

CPU seconds, the least of several tries: these say what the work costs, not how busy the machine is. Starting
is compared with starting Python itself; playing with a yardstick of plain Python work.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time

import upcard
from upcard.engine.api import Limits
from upcard.simulate.random_games import play_out

TRIES = 5


def cpu_of(command: list[str]) -> float:
    """CPU seconds of a child process."""
    best = float("inf")
    for _ in range(TRIES):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best


def yardstick() -> float:
    """CPU seconds of a fixed piece of dictionary and list work, much like what the engine does."""
    best = float("inf")
    for _ in range(TRIES):
        started = time.process_time()
        table: dict[tuple[int, str], int] = {}
        cards = list(range(24))
        for i in range(100_000):
            table[i % 7, "N"] = table.get((i % 7, "N"), 0) + 1
            cards.append(cards.pop(0))
        best = min(best, time.process_time() - started)
    return best


def games_per_second(name: str, games: int) -> float:
    game = upcard.load(name)
    best = 0.0
    for attempt in range(TRIES):
        started = time.process_time()
        for deal in range(games):
            play_out(game, attempt, deal, Limits())
        best = max(best, games / (time.process_time() - started))
    return best


def main() -> None:
    bare = cpu_of([sys.executable, "-c", "pass"])
    print(f"{'start':<28} CPU s   times bare Python ({bare:.3f} s)")
    for words in (["--version"], ["check", "euchre"], ["simulate", "euchre", "--games", "1"]):
        seconds = cpu_of([sys.executable, "-m", "upcard.cli.main", *words])
        print(f"upcard {' '.join(words):<21} {seconds:.3f}   {seconds / bare:.1f}")
    unit = yardstick()
    print(f"\n{'reference engine':<28} games/s   games per yardstick ({unit:.3f} s)")
    for name, games in (("euchre", 100), ("whist", 50)):
        speed = games_per_second(name, games)
        print(f"{name:<28} {speed:7.0f}   {speed * unit:.2f}")


if __name__ == "__main__":
    main()
