"""The sheet of a game (`game.toml`): names, phrases, house rules and the match.

title, summary, rules, variants, family, tags, related, sources
line           the game in some fifty letters, for the list; the summary's first sentence when left out
cycles         why random play may be cut off, for games whose rules can go round for ever
[match]        how deals add up: to = the target, or deals = how many; ties = "share" or "play on";
               over = "counts", "caps" (a score stops at the target) or "exact" (a deal that would pass
               the target does not count for that side); down = a score so low that the match ends there;
               targets = others that people play to
[match.given]  what the match tells the program: a storage = "score" (of every player), "target" or "deal"
               (both of the table); outside a match score and target are 0, and deal is
               the number of the deal
[[match.result]] what a deal brings between good players: dealer and others = points, chance
[[match.tally]] a count through the match: name = a storage, every = how many, points = what they cost
[[match.count]] something worth counting when a deal is over: name = what it is called, who = "game",
               "player" or "team", when = what their storages hold then (a word, several words, a number, or
               ">= 2"), of = the count that it is a share of, where that is not all deals; by = "seat" to
               show who it was
[players]      levels of play in this game: casual, steady, strong, expert = a player and its playouts
[study]        searching = how many games a page has searching players play, where the usual number takes long
[names]        seats = what the seats are called; deal = what one run of the program is called;
               places = what they are called by the way the deal goes round
[cards]        face = template over attribute keys; one table per key from value to print;
               [cards.ascii] the same for plain terminals
[words]        values of strings, as read aloud
[table]        what places, storages and strings of the program are called at the table; a place left out
               is simply cards, a storage or string left out is not shown, and "" hides a place as well
[[total]]      a number beside the cards of a place at the table: of = the place, points = the point map,
               by = an attribute (the greatest sum of cards that share its value), tell = how it is shown,
               extra = points that one card adds within a bound, such as an ace that counts eleven
[[say]]        words for an action: a pattern (do, from, to, name, value, owner, by =
               "player" for what a player decided, "game" for what follows by the rules, and who = one of
               the places, where words depend on who acts) with tell = a sentence for a story, pick = words
               for a menu; without both it is not mentioned
[[rule]]       a house rule: name, set = the declared value, title, choices = word to value, default
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from upcard.files.decode import Check, Key, Length, Mismatch, Range
from upcard.files.toml_file import mismatch_in
from upcard.recycle.diagnostics import Refused

Action: TypeAlias = Literal[
    "move", "remember", "forget", "swap", "shuffle", "set", "points", "cycle", "pass", "hidden"
]
Frame: TypeAlias = Literal["setup", "teams", "create", "stage", "score", "end"]
"""Records other than actions."""

LEVELS = ("casual", "steady", "strong", "expert")
"""Levels of play, weakest first."""
Target: TypeAlias = Annotated[int, Range(1)]
"""The points that a match is played to."""
GivenValue: TypeAlias = Literal["score", "target", "deal"]
"""What a match tells the program: the score of a player's side before the deal, the target (0 without one),
or how many deals of the match were before this one."""
MAX_DEALS = 4096
"""Of a match, with or without a target."""


class SheetError(Refused):
    """A sheet (`game.toml`) that cannot be used.

    >>> issubclass(upcard.SheetError, upcard.Refused)
    True
    """


@dataclass(frozen=True)
class Phrase:
    """How an action is narrated. A pattern left out matches anything."""

    do: Action | Frame
    source: Annotated[str | None, Key("from")] = None
    target: Annotated[str | None, Key("to")] = None
    name: str | None = None
    value: Annotated[str | int, Check(str)] | None = None
    owner: Literal["table", "seat", "team"] | None = None
    by: Literal["player", "game"] | None = None
    who: str | None = None
    """The place of the acting seat in the deal, by its name in `Sheet.place_names`."""
    tell: str = ""
    pick: str = ""


@dataclass(frozen=True)
class HouseRule:
    name: Annotated[str, Length(1)]
    sets: Annotated[str, Key("set"), Length(1)]
    title: str
    choices: Annotated[Mapping[str, str], Length(1)]
    default: str

    def validate(self) -> None:
        if self.default not in self.choices:
            raise Mismatch(f"must be one of the choices: {', '.join(self.choices)}", "default")


@dataclass(frozen=True)
class Tally:
    """A storage summed over the deals of a match: each multiple of `every` changes the score."""

    name: str
    every: Annotated[int, Range(1)]
    points: int


@dataclass(frozen=True)
class Extra:
    """Points that one card with a value adds to a total, as long as the total stays within a bound."""

    key: Annotated[str, Length(1)]
    value: Annotated[str, Length(1)]
    points: int
    most: int
    tell: str = "{total}"


@dataclass(frozen=True)
class Total:
    """What the cards of a place count, shown beside them at the table."""

    of: Annotated[str, Length(1)]
    points: Annotated[str, Length(1)]
    """The point map of the table that says what a card counts."""
    by: str = ""
    """Only cards with the same value of this attribute are added up; the greatest sum is shown."""
    tell: str = "{total}"
    extra: Extra | None = None


Who: TypeAlias = Literal["game", "player", "team"]


@dataclass(frozen=True)
class StorageCondition:
    """A condition on a storage: one of some words, or a comparison with a number."""

    storage: str
    words: tuple[str, ...] = ()
    compare: str = ""
    number: int = 0

    @property
    def compares_words(self) -> bool:
        return not self.compare

    def holds(self, value: int | str) -> bool:
        if isinstance(value, str):
            return value in self.words
        return COMPARISONS[self.compare](value, self.number)


COMPARISONS: Mapping[str, Callable[[int, int], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "!=": operator.ne,
    ">": operator.gt,
    "<": operator.lt,
    "=": operator.eq,
}
"""Longer signs first, because texts are matched by prefix."""


@dataclass(frozen=True)
class Count:
    """Something counted at the end of a deal: the owners whose storages satisfy all conditions."""

    name: str
    who: Who
    when: tuple[StorageCondition, ...]
    of: str = ""
    """The count that it is a share of; empty: all deals."""
    by_seat: bool = False


@dataclass(frozen=True)
class MatchRules:
    """How the scores of single deals make a match."""

    to: int | None = None
    deals: int = 1
    ties: Literal["share", "play on"] = "share"
    over: Literal["counts", "caps", "exact"] = "counts"
    tallies: tuple[Tally, ...] = ()
    down: int | None = None
    """A score this low ends the match, so that no match goes on for ever."""
    targets: tuple[int, ...] = ()
    """Other targets that people play to."""
    counts: tuple[Count, ...] = ()
    given: tuple[tuple[str, GivenValue], ...] = ()
    """Storages that a deal of a match begins with: the score for every player, the others for the table."""
    results: tuple[tuple[tuple[int, int], float], ...] = ()
    """Between good players: points of a deal for the dealing side and the other, with their probability."""


@dataclass(frozen=True)
class Sheet:
    title: str
    summary: str = ""
    rules: str = ""
    variants: str = ""
    family: str = ""
    tags: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    cycles: str = ""
    line: str = ""
    match: MatchRules = MatchRules()
    players: tuple[tuple[str, str], ...] = ()
    """Levels of play that differ from the usual ones."""
    searching: int | None = None
    """Games of searching players on a page, where the usual number takes long."""
    seat_names: tuple[str, ...] = ()
    deal_word: str = "game"
    place_names: tuple[str, ...] = ()
    face: str = ""
    prints: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    ascii_prints: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    table: Mapping[str, str] = field(default_factory=dict)
    totals: tuple[Total, ...] = ()
    phrases: tuple[Phrase, ...] = ()
    house_rules: tuple[HouseRule, ...] = ()
    file: Path | None = field(default=None, compare=False)
    """Where it was read from."""

    def error(self, problem: str, *path: str | int) -> SheetError:
        """An error, with its line, for a value that turned out wrong after the sheet was read."""
        return self.error_of(Mismatch(problem, *path))

    def error_of(self, mismatch: Mismatch) -> SheetError:
        return SheetError(mismatch_in(self.file, mismatch) if self.file else mismatch.sentence("the sheet"))
