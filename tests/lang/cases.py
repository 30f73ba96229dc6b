"""Small programs with their outcome written inside, as comments.

    ;; expect: finished 3 0          how it ends, then the score of each seat
    ;; picks: 2 0 1                  which alternative is taken at each decision; then always the first
    ;; alternatives: 3 1 2           how many there are at each decision
    ;; choosers: 0 1 1               whose decision each is, seats counted from 0
    ;; lies: table.vloc.E = AX BY    cards of a location at the end, bottom to top, by their values
    ;; ids: table.vloc.E = RED:0     the same by identity
    ;; stores: seat0.GOLD = 3        a storage at the end (nothing behind = is the empty string)
    ;; options: seed=7 deal=3 decisions=9 steps=99 NUMP=5     names in capitals are house rules
    ;; warns: W501                   a warning it is loaded with
    ... ;; fails here                the form that ends the game as failed stands on this line
    ... ;; error here: E302          it is not loaded, because of this line

Everything that is written is checked; every program writes how it ends.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from upcard.engine.api import Limits
from upcard.engine.reference import ReferenceGame, ReferenceState
from upcard.recycle.frontend import Checked, check
from upcard.recycle.source import Source

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Case:
    name: str
    text: str
    said: dict[str, list[str]]
    fails: int | None
    """The line at fault while it is played."""
    error: tuple[str, int] | None
    """The error it is refused with, and its line."""
    options: dict[str, str] = field(default_factory=dict)

    @property
    def overrides(self) -> dict[str, str]:
        return {name: text for name, text in self.options.items() if name.isupper()}

    def numbers(self, what: str) -> list[int] | None:
        return [int(word) for word in self.said[what][0].split()] if what in self.said else None

    def pairs(self, what: str) -> list[tuple[str, str]]:
        split = (line.partition("=") for line in self.said.get(what, []))
        return [(name.strip(), value.strip()) for name, _, value in split]

    def checked(self) -> Checked:
        return check(Source(f"{self.name}.rcy", self.text), self.overrides)

    def game(self, all_ordered: bool = False) -> ReferenceGame:
        program, facts = self.checked().sound()
        return ReferenceGame(self.name, program, facts, all_ordered=all_ordered)

    def deal(self, game: ReferenceGame | None = None) -> ReferenceState:
        number = {key: int(value) for key, value in self.options.items() if key.islower()}
        limits = Limits(number.get("decisions", 100), number.get("steps", 10_000))
        return (game or self.game()).deal(number.get("seed", 0), number.get("deal", 0), limits=limits)


_SAID = re.compile(r";; (expect|picks|alternatives|choosers|lies|ids|stores|options|warns): (.*)")


def read_case(path: Path) -> Case:
    text = path.read_text(encoding="utf-8")
    said: dict[str, list[str]] = {}
    fails: int | None = None
    error: tuple[str, int] | None = None
    for number, line in enumerate(text.splitlines(), 1):
        if found := _SAID.match(line):
            said.setdefault(found[1], []).append(found[2].strip())
        if line.endswith(";; fails here"):
            fails = number
        if found := re.search(r";; error here: (E\d+)$", line):
            error = found[1], number
    options = dict(part.split("=") for part in " ".join(said.get("options", [])).split())
    return Case(path.relative_to(HERE).with_suffix("").as_posix(), text, said, fails, error, options)


def all_cases() -> list[Case]:
    return [read_case(path) for path in sorted(HERE.glob("*/*.rcy"))]


def playable_cases() -> list[Case]:
    """Those that load and end without a failure."""
    return [case for case in all_cases() if case.error is None and case.fails is None]
