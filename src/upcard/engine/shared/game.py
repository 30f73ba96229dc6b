"""Base class of loaded games: name, program, facts, identity."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from upcard.engine.api import Given, Limits, Record, Stacked
from upcard.engine.shared.flat_program import Step, flatten
from upcard.lazy import lazy_property
from upcard.narration.narrator import Narrator
from upcard.recycle.facts import Facts
from upcard.recycle.program import Program

if TYPE_CHECKING:
    from upcard.engine.shared.state import BaseState
    from upcard.simulate.summary import Summary


class LoadedGame(ABC):
    """A program with the engine that plays it; deals states."""

    engine: str
    note = ""
    """A message for the user about the engine that plays, or empty."""

    def __init__(self, name: str, program: Program, facts: Facts, narrator: Narrator | None = None) -> None:
        self.name = name
        self.program = program
        self.facts = facts
        self.narrator = narrator or Narrator.plain(program)

    @property
    def seats(self) -> int:
        return self.program.players

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
    ) -> BaseState:
        """The game at its first decision. Without recording it is faster, but has no record and no
        knowledge."""

    def simulate(
        self, games: int, seed: int = 0, *, workers: int | None = None, limits: Limits | None = None
    ) -> Summary:
        """Statistics of games between random players; deal i of a seed is the same game everywhere.
        A wrong number of games or workers raises `BadArgument`."""
        from upcard.simulate.random_games import simulate

        return simulate(self, games, seed, workers=workers, limits=limits)
