"""Typed definitions of the lines of a transcript.

Other lines need no definition: they are compared with the replayed ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

from upcard.engine.api import Limits, Move, Record
from upcard.files.decode import Check, Range, Rest, bounded_name, decode
from upcard.files.json_text import json_errors_as
from upcard.recycle.diagnostics import Refused

T = TypeVar("T")

Seed: TypeAlias = Annotated[int, Range(None, None)]
GameName: TypeAlias = Annotated[str, Check(bounded_name)]
"""Seeds and numbers of deals may have any size; the generator takes their last 64 bits."""
StackedDecks: TypeAlias = tuple[tuple[str, ...] | None, ...]


class TranscriptError(Refused):
    """A wrong line of a transcript or of a match record."""

    is_answer = True

    def __init__(self, line: int, message: str) -> None:
        self.line = line
        super().__init__(f"line {line}: {message}")


def decode_line(kind: type[T], record: Record, line: int) -> T:
    """Decodes a record. Raises `TranscriptError` if it does not fit."""
    with json_errors_as(partial(TranscriptError, line)):
        return decode(kind, record)


@dataclass(frozen=True)
class TranscriptHeader:
    """The first line: which game, under which rules, and which deal of it."""

    do: Literal["game"]
    game: GameName
    digest: str
    overrides: Mapping[str, str]
    base: Literal[0, 1]
    seed: Seed
    deal: Seed
    limits: Limits
    stacked: StackedDecks = ()
    given: Mapping[str, int] = field(default_factory=dict)
    """Storages that the match set before the deal."""
    program: str | None = None
    """The text of a game that is not in the library."""


@dataclass(frozen=True)
class DecisionLine:
    """The move of a decision by its name. The rest follows from it."""

    item: Annotated[int, Range(0)]
    picks: tuple[Mapping[str, Any], ...]
    copy: Annotated[int, Range(0)]
    rest: Annotated[Mapping[str, Any], Rest()] = field(default_factory=dict)

    @property
    def move(self) -> Move:
        return Move(self.item, self.picks, self.copy)


def move_of(record: Record, line: int) -> Move:
    return decode_line(DecisionLine, record, line).move
