"""Random programs by both engines: every difference as a small program, then the coverage table.

Every program is played in whole games and stepped through with records and observations, in a process of its
own. The result is the same for any number of workers; Ctrl-C stops and sums up what was played so far.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tests.engine.fuzz.children import Answer, Children, serve
from tests.engine.fuzz.compare import IllTyped, NotLowered, Say, TooLong, compare
from tests.engine.fuzz.forms import EXPECTED, FORMS
from tests.engine.fuzz.shape import Written, program
from tests.engine.fuzz.shrink import shrink


def answer(written: Written, say: Say) -> Answer:
    """What the child finds out about one program."""
    try:
        found = compare(written, say=say)
    except TooLong:
        return {"left out": "takes the reference engine too long"}
    except NotLowered as refused:
        return {"left out": f"not lowered: {refused}"}
    except IllTyped as wrong:
        return {"left out": f"ILL-TYPED: {wrong}"}
    difference = str(found.difference) if found.difference else None
    return {"playing": found.playing, "stepping": found.stepping, "difference": difference}


def difference_in(found: Answer) -> str | None:
    """What is wrong with a program, in words; a child that died is as wrong as a difference."""
    if "died" in found:
        return f"{found['died']} ({found['stage']}, exit code {found['code']})"
    wrong: str | None = found.get("difference")
    return wrong


def shrunk(written: Written, children: Children) -> tuple[str, str]:
    """A small program that still differs, and how."""
    last = ""

    def differs(text: str) -> bool:
        nonlocal last
        wrong = difference_in(children.ask(Written(text, written.overrides)))
        last = wrong or last
        return wrong is not None

    return shrink(written.text, differs), last


@dataclass
class Totals:
    playing: Counter[str] = field(default_factory=Counter)
    stepping: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    played: int = 0
    differing: int = 0

    def add(self, found: Answer) -> None:
        if "left out" in found:
            self.left_out[found["left out"]] += 1
            return
        self.played += 1
        self.differing += difference_in(found) is not None
        self.playing.update(found.get("playing", {}))
        self.stepping.update(found.get("stepping", {}))

    def report(self, seed: int) -> Iterator[str]:
        yield " playing  stepping  form"
        for name in sorted(self.playing | self.stepping | dict.fromkeys(EXPECTED, 0)):
            yield f"{self.playing[name]:8}  {self.stepping[name] or '':8}  {name}"
        yield from executed("in whole games", self.playing, EXPECTED)
        yield from executed("step by step", self.stepping, FORMS)
        for reason, times in self.left_out.most_common():
            yield f"{times} programs left out: {reason}"
        yield f"seed {seed}: {self.played} programs played by both engines both ways, {self.differing} differ"


def executed(how: str, counted: Counter[str], wanted: Sequence[str]) -> Iterator[str]:
    """How many of the wanted names were executed, and which were not."""
    missing = [name for name in wanted if not counted[name]]
    yield f"{len(wanted) - len(missing)} of {len(wanted)} executed {how}"
    yield from (f"  never: {name}" for name in missing)


def numbers(first: int, count: int | None, minutes: float | None) -> Iterator[int]:
    """Of the programs to play: a number of them, or as many as begin within the minutes."""
    if minutes is None:
        yield from range(first, first + (500 if count is None else count))
        return
    end = time.monotonic() + 60 * minutes
    for number in itertools.count(first):
        if time.monotonic() >= end:
            return
        yield number


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.engine.fuzz", description=__doc__)
    many = parser.add_mutually_exclusive_group()
    many.add_argument("--programs", type=int, help="how many programs (500)")
    many.add_argument("--minutes", type=float, help="start programs for this long instead")
    parser.add_argument("--first", type=int, default=0, help="the number of the first one")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1, help="child processes at a time")
    parser.add_argument("--no-shrink", action="store_true", help="print differing programs as they are")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.workers < 1:
        parser.error("--workers must be at least 1")
    return asked


def main() -> int:
    asked = arguments()
    if asked.child:
        serve(answer)
        return 0
    totals = Totals()
    started = time.monotonic()
    with Children("tests.engine.fuzz", asked.workers) as children:
        cases = numbers(asked.first, asked.programs, asked.minutes)
        try:
            print(f"seed {asked.seed}, from program {asked.first}", file=sys.stderr, flush=True)
            for done, (number, found) in enumerate(
                children.answers(cases, lambda number: program(asked.seed, number)), 1
            ):
                totals.add(found)
                wrong = difference_in(found)
                if wrong:
                    written = program(asked.seed, number)
                    print(f"\n;; program {number} of seed {asked.seed}, overrides {written.overrides}")
                    small = (written.text, wrong) if asked.no_shrink else shrunk(written, children)
                    print(*small, sep="\n", flush=True)
                if done % 50 == 0:
                    rate = done / (time.monotonic() - started)
                    line = (
                        f"seed {asked.seed}: {done} programs, {totals.differing} differ, {rate:.1f} a second"
                    )
                    print(line, file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            print("\nstopped", file=sys.stderr)
    print(*totals.report(asked.seed), sep="\n")
    return 1 if totals.differing else 0


if __name__ == "__main__":
    sys.exit(main())
