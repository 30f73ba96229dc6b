"""Base class of loaded games: name, program, facts, identity."""

from __future__ import annotations

import hashlib
import os
from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING

from upcard.engine.api import Given, Limits, Record, Stacked
from upcard.engine.game import Game
from upcard.engine.shared.action_set import list_actions
from upcard.engine.shared.flat_program import Step, flatten
from upcard.engine.shared.game_pickle import pickle_game, restore_game
from upcard.lazy import lazy_property
from upcard.library.sheet import MAX_DEALS
from upcard.narration.narrator import Narrator
from upcard.recycle.facts import Facts
from upcard.recycle.program import Program

if TYPE_CHECKING:
    from upcard.encoding import Encoding
    from upcard.engine.shared.state import BaseState
    from upcard.parallel.workers import Workers
    from upcard.simulate.summary import Summary


class LoadedGame(Game):
    """A program with the engine that plays it; deals states."""

    def __init__(self, name: str, program: Program, facts: Facts, narrator: Narrator | None = None) -> None:
        self.name = name
        self.program = program
        self.facts = facts
        self.narrator = narrator or Narrator.plain(program)

    def __reduce__(self) -> tuple[object, tuple[bytes]]:
        return restore_game, (self._pickled,)

    @lazy_property
    def _pickled(self) -> bytes:
        return pickle_game(self)

    @property
    def options(self) -> dict[str, object]:
        """Further arguments that an engine's game was made with."""
        return {}

    @property
    def title(self) -> str:
        return self.narrator.sheet.title if self.narrator.sheet else self.name

    @property
    def seats(self) -> int:
        return self.program.players

    @lazy_property
    def turns(self) -> Mapping[str, int]:
        """Storages of the table that hold the number of the deal (`[match.given]`), as `table.NAME`, and
        after how many deals it begins with 0 again: after as many as a match has, or can have."""
        if self.narrator.sheet is None:
            return {}
        rules = self.narrator.sheet.match
        cycle = rules.deals if rules.to is None else MAX_DEALS
        known = self.facts.stores["sto"]
        return {
            f"table.{name}": cycle
            for name, what in rules.given
            if what == "deal" and (f"table {name}" in known or "table *" in known)
        }

    def given_outside_a_match(self, number: int) -> Given:
        """What the program of a deal on its own learns: its number, so that many deals are like those of
        matches. The score and the target are 0."""
        return {name: turn for name, cycle in self.turns.items() if (turn := number % cycle)}

    @lazy_property
    def actions(self) -> tuple[str, ...] | None:
        return list_actions(self.program, self.facts)

    @lazy_property
    def _action_numbers(self) -> dict[str, int] | None:
        return None if self.actions is None else {action: i for i, action in enumerate(self.actions)}

    @lazy_property
    def encoding(self) -> Encoding:
        from upcard.encoding import Encoding

        return Encoding(self)

    @lazy_property
    def code(self) -> list[Step]:
        return flatten(self.program.body)

    @lazy_property
    def identity(self) -> Record:
        digest = hashlib.sha256(self.program.source.text.encode("utf-8", "surrogatepass")).hexdigest()
        return {
            "game": self.name,
            "digest": digest,
            "overrides": dict(self.program.overrides),
            "base": self.program.base,
        }

    @abstractmethod
    def deal(
        self,
        seed: int = 0,
        number: int = 0,
        *,
        stacked: Stacked = (),
        limits: Limits | None = None,
        recording: bool = True,
        given: Given | None = None,
    ) -> BaseState: ...

    def simulate(
        self,
        games: int,
        seed: int = 0,
        *,
        workers: Workers = None,
        limits: Limits | None = None,
        rows: str | os.PathLike[str] | None = None,
    ) -> Summary:
        from upcard.simulate.random_games import simulate

        return simulate(self, games, seed, workers=workers, limits=limits, rows=rows)
