"""What every part of the generator writes with: chance, variables in scope, and how much is left to write.

Chance comes from the engine's own stream, which is specified to the bit, so that a number names the same
program on every machine and under every version of Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from upcard.engine.rng import Stream

T = TypeVar("T")

VARIABLES = ("A", "B", "C", "D", "E", "F", "G", "H", "I", "K", "L", "M", "O", "Q", "R", "U", "Z")


class Variable(NamedTuple):
    name: str
    kind: str
    """int, bool, str, card, maybe (a card or none), player, team, place (live), cards (a snapshot), lists
    (of snapshots), places (a list of live ones), ints, strs, players, teams."""

    @property
    def text(self) -> str:
        return f"'{self.name}"


@dataclass
class Setting:
    """What was settled about a program before its body is written."""

    players: int
    base: int
    teams: int
    """How many teams there are."""
    newer: bool
    """Whether forms of the newer dialect may be written."""
    keys: tuple[str, ...]
    values: dict[str, tuple[str, ...]]
    families: tuple[tuple[str, str, str], ...]
    """Owner kind, class and name of the places in use."""
    numbered: frozenset[str]
    """Names of places that carry numbers."""
    computed: bool
    """Whether names of places are computed somewhere."""
    plain_maps: bool
    """Whether all amounts of point maps are written out."""
    declared: list[Variable] = field(default_factory=list)


class Pen:
    """The parts of the generator stand on each other; what they call of one another is named here."""

    def __init__(self, words: Sequence[int], setting: Setting, risk: int) -> None:
        self.chance = Stream(words)
        self.setting = setting
        self.risk = risk
        """In how many of a thousand places something that may fail is left unguarded."""
        self.scope: list[Variable] = list(setting.declared)
        self.full: list[str] = []
        """Collections known to hold a card where the pen is."""
        self.left = 60
        """Forms that may still be written before only the shortest ones are."""
        self.in_choice = False
        self.in_declare = False
        self.quiet = 0
        """Above 0 where nothing may be drawn: in the test of a filter, mostly."""

    # --- chance --------------------------------------------------------------------------------

    def odds(self, of_thousand: int) -> bool:
        return self.chance.below(1000) < of_thousand

    def one(self, options: Sequence[T]) -> T:
        return options[self.chance.below(len(options))]

    def up_to(self, most: int) -> int:
        return self.chance.below(most + 1)

    def risky(self) -> bool:
        return self.odds(self.risk)

    def weighed(self, *options: tuple[int, Callable[[], str]]) -> str:
        """One of several ways to write something; a weight of 0 leaves a way out."""
        self.left -= 1
        at = self.chance.below(sum(weight for weight, _ in options))
        for weight, write in options:
            at -= weight
            if at < 0:
                return write()
        raise AssertionError("weights were added up wrongly")

    # --- variables -----------------------------------------------------------------------------

    def known(self, *kinds: str) -> list[str]:
        """Variables of these kinds that can be seen from here: an inner one hides an outer one."""
        seen: dict[str, str] = {}
        for variable in self.scope:
            seen[variable.name] = variable.kind
        return [f"'{name}" for name, kind in seen.items() if kind in kinds]

    @contextmanager
    def binding(self, kind: str) -> Iterator[str]:
        """A new variable for what is written inside; now and then one that hides another."""
        used = {variable.name for variable in self.scope}
        free = [name for name in VARIABLES if name not in used]
        name = self.one(VARIABLES) if not free or self.odds(60) else free[0]
        full = self.full
        self.full = [text for text in full if f"'{name}" not in text]
        self.scope.append(Variable(name, kind))
        try:
            yield f"'{name}"
        finally:
            self.scope.pop()
            self.full = full

    @contextmanager
    def knowing(self, *full: str) -> Iterator[None]:
        before = self.full
        self.full = [*before, *full]
        try:
            yield
        finally:
            self.full = before

    @contextmanager
    def quietly(self) -> Iterator[None]:
        """Most tests of filters draw nothing; those that do are written too, now and then."""
        calm = not self.odds(30)
        self.quiet += calm
        try:
            yield
        finally:
            self.quiet -= calm

    # --- what the parts call of each other -----------------------------------------------------

    def number(self, depth: int) -> str:
        raise NotImplementedError

    def small(self, depth: int) -> str:
        raise NotImplementedError

    def test(self, depth: int) -> str:
        raise NotImplementedError

    def test_of(self, variable: str, kind: str, depth: int) -> str:
        raise NotImplementedError

    def text(self, depth: int) -> str:
        raise NotImplementedError

    def key(self) -> str:
        raise NotImplementedError

    def player(self, depth: int) -> str:
        raise NotImplementedError

    def team(self, depth: int) -> str:
        raise NotImplementedError

    def owner(self, depth: int, teams: bool = True) -> str:
        raise NotImplementedError

    def point_map(self, depth: int) -> str:
        raise NotImplementedError

    def card(self, depth: int) -> str:
        raise NotImplementedError

    def maybe_card(self, depth: int) -> str:
        raise NotImplementedError

    def place(self, depth: int) -> str:
        raise NotImplementedError

    def cards(self, depth: int) -> str:
        raise NotImplementedError

    def few_cards(self, depth: int) -> str:
        raise NotImplementedError

    def groups(self, depth: int) -> str:
        raise NotImplementedError

    def collection(self, depth: int, cards: bool = True) -> tuple[str, str]:
        """Anything with elements: its text, and the kind of its elements."""
        raise NotImplementedError
