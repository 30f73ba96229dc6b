"""Mutants of the library's programs: both engines check, simulate, verify and observe them.

    python -m tests.engine.fuzz.library --count 20000 --seed 1

Every mutant has ten seconds of processor time in a child process. A crash, a difference and a hang are
failures and are printed with the program. A mutant that takes the reference engine too long is only simulated
in machine code; if that does not end within the time either, the mutant is counted as too long and listed.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections import Counter
from pathlib import Path

from tests.engine.fuzz.children import HANGS, Answer, Children, serve
from tests.engine.fuzz.compare import IllTyped, NotLowered, Say, TooLong, compare, simulated
from tests.engine.fuzz.mutation import Mutant, mutant
from tests.engine.fuzz.shape import Written
from tests.engine.play_through import shipped_programs

from upcard.recycle.diagnostic_text import render
from upcard.recycle.frontend import check
from upcard.recycle.source import Source

MAX_STEPS = 400_000
"""Evaluations that the reference engine may need for one deal."""
LONG = ("reference", "simulate")
"""Stages in which a program may run for as long as it says; everything else must end."""

REFUSED, NOT_LOWERED, PLAYED = "refused by the checker", "not lowered", "played by both engines"
SLOW, TOO_LONG = "simulated in machine code only", "too long"
DIFFER, CRASH, HANG = "differ", "crashed", "hung"
RESULTS = (REFUSED, NOT_LOWERED, PLAYED, SLOW, TOO_LONG, DIFFER, CRASH, HANG)
FAILURES = (DIFFER, CRASH, HANG)


def answer(written: Written, say: Say) -> Answer:
    """What the child finds out about one mutant."""
    try:
        return _driven(written, say)
    except Exception:
        return {"result": CRASH, "why": traceback.format_exc()}


def _driven(written: Written, say: Say) -> Answer:
    say("diagnostics")
    source = Source("mutant.rcy", written.text)
    for diagnostic in check(source).diagnostics:
        render(diagnostic, source)
    try:
        difference = compare(written, MAX_STEPS, say).difference
    except IllTyped:
        return {"result": REFUSED}
    except NotLowered as why:
        return {"result": NOT_LOWERED, "why": str(why)}
    except TooLong:
        say("simulate")
        simulated(written)
        return {"result": SLOW}
    return {"result": DIFFER, "why": str(difference)} if difference else {"result": PLAYED}


def result_of(found: Answer) -> tuple[str, str]:
    """The result, and why."""
    if "died" not in found:
        return found["result"], found.get("why", "")
    why = f"in stage {found['stage']}, exit code {found['code']}"
    if found["died"] != HANGS:
        return CRASH, why
    return (TOO_LONG if found["stage"] in LONG else HANG), why


def show(number: int, one: Mutant, result: str, why: str, folder: Path | None) -> None:
    """A line for what is only slow; failures with their text, in a file if there is a folder for it."""
    print(f"\n;; mutant {number} of {one.game} ({', '.join(one.edits)}) {result}: {why}")
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{number}.rcy").write_text(one.text, encoding="utf-8")
    elif result in FAILURES:
        print(one.text)
    sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.engine.fuzz.library", description=__doc__)
    parser.add_argument("--count", type=int, default=500, help="how many mutants")
    parser.add_argument("--first", type=int, default=0, help="the number of the first one")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1, help="child processes at a time")
    parser.add_argument("--save", type=Path, metavar="FOLDER", help="keep failing and long mutants as files")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.child:
        serve(answer)
        return 0
    if asked.workers < 1:
        parser.error("--workers must be at least 1")
    programs = shipped_programs()
    results: Counter[str] = Counter()
    started = time.monotonic()

    def written(number: int) -> Written:
        return Written(mutant(programs, asked.seed, number).text)

    with Children("tests.engine.fuzz.library", asked.workers) as children:
        try:
            cases = range(asked.first, asked.first + asked.count)
            for number, found in children.answers(cases, written):
                result, why = result_of(found)
                results[result] += 1
                if result in (*FAILURES, TOO_LONG):
                    show(number, mutant(programs, asked.seed, number), result, why, asked.save)
                done = results.total()
                if done % 100 == 0:
                    bad = sum(results[name] for name in FAILURES)
                    rate = done / (time.monotonic() - started)
                    line = f"{done} mutants, {bad} failures, {rate:.1f} a second"
                    print(line, file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            print("\nstopped", file=sys.stderr)
    print(f"\n{results.total()} mutants of {len(programs)} programs, seed {asked.seed}:")
    for name in RESULTS:
        print(f"{results[name]:7}  {name}")
    return 1 if any(results[name] for name in FAILURES) else 0


if __name__ == "__main__":
    sys.exit(main())
