"""Faults in turn, and kills at random:

python -m tests.faults                     every call of every kind fails in turn, for every command
python -m tests.faults sweep arena match --step 7
python -m tests.faults kill arena play --count 200 --seed 1
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

from tests.faults.child import preload
from tests.faults.kills import kill_at_random
from tests.faults.scenarios import KILLED, SCENARIOS
from tests.faults.sweep import sweep, undisturbed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", nargs="?", choices=("sweep", "kill"), default="sweep")
    parser.add_argument("commands", nargs="*", metavar="command", help=", ".join(SCENARIOS))
    parser.add_argument("--step", type=int, default=1, help="fail every so many calls (sweep)")
    parser.add_argument("--count", type=int, default=200, help="kills of each command")
    parser.add_argument("--seed", type=int, default=1, help="of the moments of kills")
    given = parser.parse_args()
    preload()
    made = tempfile.mkdtemp()  # nothing that a child would remove on its way out
    try:
        os.environ["UPCARD_CACHE"] = f"{made}/cache"
        folder = Path(made) / "work"
        if given.what == "sweep":
            wrong = _sweep(given.commands or list(SCENARIOS), folder, given.step)
        else:
            wrong = _kill(given.commands or list(KILLED), folder, given.count, given.seed)
    finally:
        shutil.rmtree(made)
    for line in wrong:
        print(line)
    print(f"{len(wrong)} wrong")
    return 1 if wrong else 0


def _sweep(names: list[str], folder: Path, step: int) -> list[str]:
    wrong = []
    for name in names:
        scenario = SCENARIOS[name]
        whole = undisturbed(scenario, folder)
        for kind in scenario.kinds:
            hits, complaints = sweep(scenario, kind, folder, whole, step)
            print(f"{name:<16} {kind:<8} {hits:>4} faults, {len(complaints)} wrong", flush=True)
            wrong += complaints
    return wrong


def _kill(names: list[str], folder: Path, count: int, seed: int) -> list[str]:
    wrong = []
    for name in names:
        found = kill_at_random(KILLED[name], folder, count, seed)
        print(
            f"{name:<16} {found.kills} kills, {found.inside} of them after more lines, "
            f"{found.ends} ends, {len(found.wrong)} wrong",
            flush=True,
        )
        wrong += found.wrong
    return wrong


if __name__ == "__main__":
    sys.exit(main())
