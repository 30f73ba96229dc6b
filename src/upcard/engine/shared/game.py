"""A loaded program: what it is called, and what makes two of them the same."""

from __future__ import annotations

import hashlib
from functools import cached_property

from upcard.engine.contract import Record
from upcard.engine.shared.code import Step, flatten
from upcard.engine.telling import Teller
from upcard.recycle.facts import Facts
from upcard.recycle.program import Program


class LoadedGame:
    engine: str

    def __init__(self, name: str, program: Program, facts: Facts, teller: Teller | None = None) -> None:
        self.name = name
        self.program = program
        self.facts = facts
        self.teller = teller or Teller.plain(program)

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
