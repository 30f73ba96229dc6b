"""A loaded program, played by the book."""

from __future__ import annotations

import hashlib
from functools import cached_property

from upcard.engine.contract import Limits, Record, Stacked
from upcard.engine.reference.code import Step, flatten
from upcard.engine.reference.state import ReferenceState
from upcard.engine.summary import Summary
from upcard.engine.telling import Teller
from upcard.recycle.facts import Facts
from upcard.recycle.program import Program


class ReferenceGame:
    """`all_ordered` keeps the order of cards everywhere: a test of the order facts, not a way to play."""

    engine = "reference"

    def __init__(
        self,
        name: str,
        program: Program,
        facts: Facts,
        teller: Teller | None = None,
        all_ordered: bool = False,
    ) -> None:
        self.name = name
        self.program = program
        self.facts = facts
        self.teller = teller or Teller.plain(program)
        self.all_ordered = all_ordered

    @property
    def seats(self) -> int:
        return self.program.players

    @cached_property
    def code(self) -> list[Step]:
        return flatten(self.program.body)

    @cached_property
    def identity(self) -> Record:
        digest = hashlib.sha256(self.program.source.text.encode("utf-8", "surrogatepass")).hexdigest()
        return {
            "game": self.name,
            "digest": digest,
            "overrides": dict(self.program.overrides),
            "base": self.program.base,
        }

    def deal(
        self,
        seed: int = 0,
        number: int = 0,
        *,
        stacked: Stacked = (),
        limits: Limits | None = None,
        recording: bool = True,
    ) -> ReferenceState:
        """The game at its first decision. Without recording: faster, no record, no memory."""
        return ReferenceState(self, seed, number, stacked, limits or Limits(), recording)

    def simulate(
        self, games: int, seed: int = 0, *, workers: int | None = None, limits: Limits | None = None
    ) -> Summary:
        """What so many games of random players come to; deal i of a seed is the same game everywhere.

        They are played in machine code if there is any here, with the same results as by this engine.
        """
        from upcard.engine.simulating import simulate

        return simulate(self, games, seed, workers=workers, limits=limits)
