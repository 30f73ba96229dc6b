"""A long run by hand: programs by number, the coverage table, and every difference as a small program.

The programs are played in a process of their own, so that a crash of machine code is one more difference.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.engine.fuzz.compare import Difference, IllTyped, NotLowered, TooLong, compare
from tests.engine.fuzz.forms import EXPECTED
from tests.engine.fuzz.shape import Written, program
from tests.engine.fuzz.shrink import shrink

ROOT = Path(__file__).resolve().parents[3]
PATIENCE = 120.0
"""Seconds that one program may take before it counts as one that never ends."""


def outcome(written: Written, logging: bool) -> dict[str, Any]:
    try:
        difference, covered = compare(written, logging)
    except TooLong:
        return {"left out": "takes the reference engine too long"}
    except NotLowered as refused:
        return {"left out": f"not lowered: {refused}"}
    except IllTyped as wrong:
        return {"left out": f"ILL-TYPED: {wrong}"}
    return {"covered": covered, "difference": str(difference) if difference else None}


def is_logged(number: int) -> bool:
    """Every fourth program is played by the code that notes every effect."""
    return number % 4 == 3


def work(seed: int, first: int, end: int) -> None:
    """The child: a line when a program begins, a line when it is done."""
    sys.setrecursionlimit(20_000)
    for number in range(first, end):
        print(json.dumps({"begin": number}), flush=True)
        print(json.dumps({"number": number, **outcome(program(seed, number), is_logged(number))}), flush=True)


def watched(seed: int, first: int, end: int) -> Iterator[dict[str, Any]]:
    """What a child finds; where it dies or hangs, that is the finding, and another goes on behind it."""
    while first < end:
        command = [
            sys.executable,
            "-m",
            "tests.engine.fuzz",
            "--child",
            str(first),
            str(end),
            "--seed",
            str(seed),
        ]
        child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        assert child.stdout is not None
        clock = threading.Timer(PATIENCE, child.kill)
        clock.start()
        try:
            for line in child.stdout:
                clock.cancel()
                entry = json.loads(line)
                if "begin" in entry:
                    first = entry["begin"]
                else:
                    first = entry["number"] + 1
                    yield entry
                clock = threading.Timer(PATIENCE, child.kill)
                clock.start()
            if child.wait() == 0:
                return
            how = f"machine code ended the process (code {child.returncode})"
            yield {"number": first, "covered": {}, "difference": how, "crash": True}
            first += 1
        finally:
            clock.cancel()
            child.kill()
            child.wait()


def shrunk(written: Written, logging: bool) -> tuple[str, Difference]:
    last: list[Difference] = []

    def differs(text: str) -> bool:
        try:
            difference, _ = compare(Written(text, written.overrides), logging)
        except Exception:
            return False
        if difference is not None:
            last.append(difference)
        return difference is not None

    return shrink(written.text, differs), last[-1]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.engine.fuzz", description=__doc__)
    parser.add_argument("--programs", type=int, default=500, help="how many programs")
    parser.add_argument("--first", type=int, default=0, help="the number of the first one")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--table", action="store_true", help="print the whole coverage table")
    parser.add_argument("--no-shrink", action="store_true", help="print differing programs as they are")
    parser.add_argument("--child", nargs=2, type=int, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.child:
        work(asked.seed, *asked.child)
        return 0
    covered: Counter[str] = Counter()
    left_out: Counter[str] = Counter()
    differing = played = 0
    started = time.monotonic()
    try:
        for entry in watched(asked.seed, asked.first, asked.first + asked.programs):
            number = entry["number"]
            if "left out" in entry:
                left_out[entry["left out"]] += 1
                continue
            played += 1
            covered.update(entry["covered"])
            if entry["difference"]:
                differing += 1
                written = program(asked.seed, number)
                print(f"\n;; program {number} of seed {asked.seed}, overrides {written.overrides}")
                if entry.get("crash") or asked.no_shrink:
                    print(written.text, entry["difference"], flush=True)
                else:
                    text, difference = shrunk(written, is_logged(number))
                    print(text, difference, flush=True)
            if played % 50 == 0:
                rate = played / (time.monotonic() - started)
                print(
                    f"{number + 1 - asked.first} programs, {differing} differ, {rate:.1f} a second",
                    file=sys.stderr,
                    flush=True,
                )
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
    report(covered, left_out, asked.table)
    print(f"{played} programs played by both engines, {differing} differ")
    return 1 if differing else 0


def report(covered: Counter[str], left_out: Counter[str], whole: bool) -> None:
    if whole:
        print("executed  form")
        for name in sorted(covered | dict.fromkeys(EXPECTED, 0)):
            print(f"{covered[name]:8}  {name}")
    missing = [name for name in EXPECTED if not covered[name]]
    print(
        f"{len(EXPECTED) - len(missing)} of {len(EXPECTED)} forms executed"
        + "".join(f"\n  never: {m}" for m in missing)
    )
    for reason, times in left_out.most_common():
        print(f"{times} programs left out: {reason}")


if __name__ == "__main__":
    sys.exit(main())
