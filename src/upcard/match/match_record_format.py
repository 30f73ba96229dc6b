"""Typed definitions of the lines of a match record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal

from upcard.engine.api import Record
from upcard.engine.transcript_format import GameName, Seed, StackedDecks, TranscriptError, decode_line
from upcard.files.decode import Check, Mismatch, Range, Rest
from upcard.library.sheet import MAX_DEALS, MatchRules, Target
from upcard.players.seeds import is_secret


def _secret(text: str) -> str:
    if not is_secret(text):
        raise Mismatch("must be 32 to 128 hexadecimal digits")
    return text


def _ascii(text: str) -> str:
    if not text.isascii():
        raise Mismatch("must be plain letters and digits")
    return text


@dataclass(frozen=True)
class RulesPart:
    """The rules of a match that a person can change; the others are in the sheet."""

    to: Target | None = None
    deals: Annotated[int, Range(1, MAX_DEALS)] = 1
    ties: Literal["share", "play on"] = "share"
    over: Literal["counts", "caps", "exact"] = "counts"
    down: int | None = None


@dataclass(frozen=True)
class TablePart:
    """The note of a table in the terminal: the person's seat, and the promise that no deal is rigged."""

    person: Annotated[int, Range(0)]
    asked: str | None = None
    salt: Annotated[str, Check(_ascii)] | None = None
    fingerprint: str | None = None
    rest: Annotated[Mapping[str, Any], Rest()] = field(default_factory=dict)

    def validate(self) -> None:
        if self.fingerprint is not None and self.salt is None:
            raise Mismatch("is missing, but there is a fingerprint", "salt")


@dataclass(frozen=True)
class MatchHeader:
    """The first line."""

    do: Literal["match"]
    game: GameName
    digest: str
    overrides: Mapping[str, str]
    base: Literal[0, 1]
    seed: Seed
    match: Seed
    names: tuple[str, ...]
    players: tuple[str, ...]
    rules: RulesPart
    table: TablePart | None = None
    dealer: Annotated[int, Range(0)] | Literal["drawn"] | None = None
    secret: Annotated[str, Check(_secret)] | None = None
    trusted: bool = False

    def validate(self) -> None:
        if len(self.names) != len(self.players):
            raise Mismatch(f"must have {len(self.names)} entries, one for each name", "players")
        salt = None if self.table is None else self.table.salt
        if salt is not None and self.secret not in (None, salt):
            raise Mismatch("must be the salt of the table, which the fingerprint promised", "secret")

    def seats(self, seats: int) -> None:
        """Raise `TranscriptError` unless the header fits a game with this number of seats."""
        if len(self.names) != seats:
            raise TranscriptError(1, f"names must be {seats} names, one for each seat, not {len(self.names)}")
        if isinstance(self.dealer, int) and self.dealer >= seats:
            raise TranscriptError(1, f"dealer must be below {seats}, the number of seats, not {self.dealer}")
        if self.table is not None and self.table.person >= seats:
            raise TranscriptError(
                1, f"table.person must be below {seats}, the number of seats, not {self.table.person}"
            )

    def match_rules(self, usual: MatchRules) -> MatchRules:
        """The rules of the record; what it does not hold is as usual."""
        return replace(usual, **vars(self.rules))


@dataclass(frozen=True)
class DealLine:
    number: Annotated[int, Range(0)]
    stacked: StackedDecks = ()
    rest: Annotated[Mapping[str, Any], Rest()] = field(default_factory=dict)


def header_of(lines: Sequence[Record]) -> MatchHeader:
    return decode_line(MatchHeader, lines[0], 1)


def stacked_decks(lines: Sequence[Record]) -> dict[int, StackedDecks]:
    """The stacked decks of a record by the deal's number."""
    decks: dict[int, StackedDecks] = {}
    for line, record in enumerate(lines, 1):
        if record["do"] == "deal":
            deal = decode_line(DealLine, record, line)
            decks.setdefault(deal.number, deal.stacked)
    return decks
