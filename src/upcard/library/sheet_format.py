"""Typed definition and reader of `game.toml`; `sheet` explains the parts."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from upcard.files.decode import Check, Key, Length, Mismatch, Range, Rest, raise_all, shown
from upcard.files.toml_file import parse_toml, read_toml
from upcard.library.sheet import (
    COMPARISONS,
    LEVELS,
    MAX_DEALS,
    Count,
    GivenValue,
    HouseRule,
    MatchRules,
    Phrase,
    Sheet,
    SheetError,
    StorageCondition,
    Tally,
    Target,
    Total,
    Who,
)
from upcard.recycle.diagnostics import suggest
from upcard.spec_grammar import BadPlayer, is_code, name_of, parse
from upcard.terminal_text import visible

MAX_POINTS = 1000
"""Of one deal in `[[match.result]]`, because a table of all scores is built from them."""


def read_sheet(path: Path) -> Sheet:
    """Reads a sheet. Raises `SheetError` with the line of the error."""
    return read_toml(path, SheetFile, SheetError, prepare=_visible).sheet(path)


def parse_sheet(text: str, path: Path) -> Sheet:
    """Reads the text of a sheet. Raises `WrongToml` with everything that is wrong."""
    return parse_toml(text, SheetFile, prepare=_visible).sheet(path)


_SEVERAL_LINES = frozenset(("summary", "rules", "variants", "cycles", "line", "tell", "pick"))


def _visible(value: Any, key: str = "") -> Any:
    """Escapes control characters: everything in a sheet may be printed on a terminal."""
    if isinstance(value, str):
        return visible(value, lines=key in _SEVERAL_LINES)
    if isinstance(value, dict):
        return {visible(name): _visible(part, name) for name, part in value.items()}
    return [_visible(part, key) for part in value] if isinstance(value, list) else value


# --- kinds of text -------------------------------------------------------------------------------


def _plain(text: str) -> str:
    return " ".join(text.split())


MAX_PLAYOUTS = 9_999_999


def _level_player(text: str) -> str:
    """Checks the form of a search player's spec; which players exist is known only to higher packages."""
    name = name_of(text)
    if name in LEVELS:
        raise Mismatch(f'must name a player, not the level {name}; write it as "pimc:1000"')
    if is_code(text) or name == "random" or not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}", name):
        raise Mismatch(f'must name a player that searches, as in "pimc:1000", not {shown(text)}')
    try:
        budget = parse(text).budget
    except BadPlayer:
        budget = None
    if budget is None or budget.seconds is not None or (budget.playouts or 1) > MAX_PLAYOUTS:
        raise Mismatch(
            f'must end with a number of playouts from 1 to {MAX_PLAYOUTS}, as in "pimc:1000", not '
            f"{shown(text)}"
        )
    return text


Prose: TypeAlias = Annotated[str, Check(_plain)]
Named: TypeAlias = Annotated[str, Length(1)]
LevelPlayer: TypeAlias = Annotated[str, Check(_level_player)]
Prints: TypeAlias = Mapping[str, Mapping[str, str]]


# --- tables of the file --------------------------------------------------------------------------


@dataclass(frozen=True)
class NamesPart:
    seats: tuple[Named, ...] = ()
    deal: Named = "game"
    places: tuple[Named, ...] = ()


@dataclass(frozen=True)
class CardsPart:
    face: str = ""
    ascii: Prints = field(default_factory=dict)
    prints: Annotated[Prints, Rest()] = field(default_factory=dict)


@dataclass(frozen=True)
class LevelsPart:
    casual: LevelPlayer | None = None
    steady: LevelPlayer | None = None
    strong: LevelPlayer | None = None
    expert: LevelPlayer | None = None


@dataclass(frozen=True)
class StudyPart:
    searching: Annotated[int, Range(1)] | None = None


@dataclass(frozen=True)
class ResultPart:
    dealer: Annotated[int, Range(-MAX_POINTS, MAX_POINTS)]
    others: Annotated[int, Range(-MAX_POINTS, MAX_POINTS)]
    chance: Annotated[float, Range(0, 1)]


@dataclass(frozen=True)
class CountPart:
    name: Named
    who: Who
    when: Mapping[str, int | str | tuple[str, ...]]
    of: str = ""
    by: Literal["seat"] | None = None

    def validate(self) -> None:
        if self.by and self.who != "player":
            raise Mismatch(f'works only with who = "player", not {shown(self.who)}; leave it out', "by")
        self.count()

    def count(self) -> Count:
        conditions = tuple(_condition(storage, value) for storage, value in self.when.items())
        return Count(self.name, self.who, conditions, self.of, self.by is not None)


def _condition(storage: str, value: int | str | tuple[str, ...]) -> StorageCondition:
    if isinstance(value, int):
        return StorageCondition(storage, compare="=", number=value)
    if isinstance(value, tuple):
        return StorageCondition(storage, value)
    sign = next((sign for sign in COMPARISONS if value.startswith(sign)), "")
    if not sign:
        return StorageCondition(storage, (value,))
    if not re.fullmatch(r"\s*-?[0-9]{1,18}\s*", value.removeprefix(sign)):
        raise Mismatch(f'must compare with a number, as in ">= 2", not {shown(value)}', "when", storage)
    return StorageCondition(storage, compare=sign, number=int(value.removeprefix(sign)))


@dataclass(frozen=True)
class MatchPart:
    to: Target | None = None
    deals: Annotated[int, Range(1, MAX_DEALS)] = 1
    ties: Literal["share", "play on"] = "share"
    over: Literal["counts", "caps", "exact"] = "counts"
    down: int | None = None
    targets: tuple[Target, ...] = ()
    tally: tuple[Tally, ...] = ()
    count: tuple[CountPart, ...] = ()
    given: Mapping[str, GivenValue] = field(default_factory=dict)
    result: tuple[ResultPart, ...] = ()

    def validate(self) -> None:
        raise_all(self._contradictions())

    def _contradictions(self) -> Iterator[Mismatch]:
        known: set[str] = set()
        for number, count in enumerate(self.count):
            if count.of and count.of not in known:
                yield Mismatch(
                    f"must be the name of a count above it, not {shown(count.of)}", "count", number, "of"
                )
            known.add(count.name)
        points: set[tuple[int, int]] = set()
        for number, result in enumerate(self.result):
            if (result.dealer, result.others) in points:
                yield Mismatch(
                    "has the same dealer and others as one above it",
                    "result",
                    number,
                    hint="merge the two and add their chances",
                )
            points.add((result.dealer, result.others))
        total = sum(result.chance for result in self.result)
        if self.result and not math.isclose(total, 1, abs_tol=1e-6):
            yield Mismatch(f"must have chances that add up to 1, but they add up to {total:g}", "result")

    def rules(self) -> MatchRules:
        return MatchRules(
            self.to,
            self.deals,
            self.ties,
            self.over,
            self.tally,
            self.down,
            self.targets,
            tuple(count.count() for count in self.count),
            tuple(self.given.items()),
            tuple(((result.dealer, result.others), result.chance) for result in self.result),
        )


@dataclass(frozen=True)
class SheetFile:
    """The whole file."""

    title: Named
    summary: Prose = ""
    rules: str = ""
    variants: Prose = ""
    family: str = ""
    tags: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    cycles: Prose = ""
    line: Prose = ""
    match: MatchPart = MatchPart()
    players: LevelsPart = LevelsPart()
    study: StudyPart = StudyPart()
    names: NamesPart = NamesPart()
    cards: CardsPart = CardsPart()
    words: Mapping[str, str] = field(default_factory=dict)
    table: Mapping[str, str] = field(default_factory=dict)
    total: tuple[Total, ...] = ()
    say: tuple[Phrase, ...] = ()
    house_rules: Annotated[tuple[HouseRule, ...], Key("rule")] = ()

    def validate(self) -> None:
        raise_all(self._contradictions())

    def _contradictions(self) -> Iterator[Mismatch]:
        known: set[str] = set()
        for number, rule in enumerate(self.house_rules):
            if rule.name in known:
                yield Mismatch(
                    f"is {shown(rule.name)} a second time",
                    "rule",
                    number,
                    "name",
                    hint="give each rule its own name",
                )
            known.add(rule.name)
        places = self.names.places
        for number, phrase in enumerate(self.say):
            if phrase.who is not None and phrase.who not in places:
                meant = suggest(phrase.who, places)
                among = f"one of names.places: {', '.join(places)}" if places else "in names.places (empty)"
                yield Mismatch(
                    f"must be {among}, not {shown(phrase.who)}",
                    "say",
                    number,
                    "who",
                    hint=f"did you mean {meant}?" if meant else "",
                )

    def sheet(self, path: Path) -> Sheet:
        levels = ((level, getattr(self.players, level)) for level in LEVELS)
        return Sheet(
            title=self.title,
            summary=self.summary,
            rules=self.rules.strip(),
            variants=self.variants,
            family=self.family,
            tags=self.tags,
            related=self.related,
            sources=self.sources,
            cycles=self.cycles,
            line=self.line,
            match=self.match.rules(),
            players=tuple((level, player) for level, player in levels if player is not None),
            searching=self.study.searching,
            seat_names=self.names.seats,
            deal_word=self.names.deal,
            place_names=self.names.places,
            face=self.cards.face,
            prints=self.cards.prints,
            ascii_prints=self.cards.ascii,
            words=self.words,
            table=self.table,
            totals=self.total,
            phrases=self.say,
            house_rules=self.house_rules,
            file=path,
        )
