"""A long run by hand: mutated files of every format, and a line for each format with what came of them.

python -m tests.mutation --format sheet --count 100000 --seed 1
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.mutation.formats import formats
from tests.mutation.trial import Format, mutant, tried

SHOWN = 5
"""Failures of a format that are shown in full."""


def run(format: Format, seed: int, count: int, first: int = 0) -> tuple[Counter[str], list[tuple[int, str]]]:
    """How many files were accepted and refused, and every failure by its number."""
    counted: Counter[str] = Counter()
    failures = []
    for number in range(first, first + count):
        outcome = tried(format, mutant(format, seed, number))
        if outcome.failure is not None:
            failures.append((number, outcome.failure))
        counted["failed" if outcome.failure else "refused" if outcome.sentence else "accepted"] += 1
    return counted, failures


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("--format", action="append", help="only this format; may be given several times")
    parser.add_argument("--count", type=int, default=100_000, help="mutated files of each format")
    parser.add_argument("--first", type=int, default=0, help="the number of the first one")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print the sentences")
    given = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as place:
        known = formats(Path(place))
        for name in given.format or known:
            if name not in known:
                parser.error(f"there is no format {name}; there are {', '.join(known)}")
            started = time.perf_counter()
            counted, failures = run(known[name], given.seed, given.count, given.first)
            seconds = time.perf_counter() - started
            print(
                f"{name:14} {given.count:,} files: {counted['accepted']:,} accepted, "
                f"{counted['refused']:,} refused with a sentence, {len(failures)} failures, {seconds:.0f} s",
                flush=True,
            )
            for number, failure in failures[:SHOWN]:
                print(f"--- {name}, seed {given.seed}, number {number}\n{failure}", flush=True)
            if given.show:
                for number in range(given.first, given.first + min(given.count, 200)):
                    print(number, tried(known[name], mutant(known[name], given.seed, number)).sentence)
            failed += len(failures)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
