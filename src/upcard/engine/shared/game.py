"""Base class of loaded games: name, program, facts, identity."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from upcard.engine.api import Limits, Record, Stacked
from upcard.engine.shared.flat_program import Step, flatten
from upcard.lazy import lazy_property
from upcard.narration.narrator import Narrator
from upcard.recycle.facts import Facts
from upcard.recycle.program import Program

if TYPE_CHECKING:
    from upcard.engine.shared.state import BaseState
    from upcard.simulate.summary import Summary


class LoadedGame(ABC):
    """A program in the hands of an engine; makes states."""

    engine: str
    note = ""
    """What a user should be told about who plays, if anything."""

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
    ) -> BaseState:
        """The game at its first decision. Without recording: faster, no record, no memory."""

    def simulate(
        self, games: int, seed: int = 0, *, workers: int | None = None, limits: Limits | None = None
    ) -> Summary:
        """What so many games of random players come to; deal i of a seed is the same game everywhere.
        A number of games or workers that makes no sense raises `BadArgument`."""
        from upcard.simulate.random_games import simulate

        return simulate(self, games, seed, workers=workers, limits=limits)
