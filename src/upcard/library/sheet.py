"""`game.toml`: what people call things in a game, beside the program that a machine plays.

title, summary, rules, variants, family, tags, related, sources
line           the game in some fifty letters, for the list; the summary's first sentence when left out
cycles         why random play may be cut off, for games whose rules can go round for ever
[match]        how deals add up: to = the target, or deals = how many; ties = "share" or "play on";
               over = "counts", "caps" (a score stops at the target) or "exact" (a deal that would pass
               the target does not count for that side); down = a score so low that the match ends there;
               targets = others that people play to
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
[[say]]        how an action is told: a pattern (do, from, to, name, value, owner, and by =
               "player" for what a player decided, "game" for what follows by the rules) with
               tell = a sentence for a story, pick = words for a menu; neither means: not worth telling
[[rule]]       a house rule: name, set = the declared value, title, choices = word to value, default
"""

from __future__ import annotations

import operator
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

from upcard.recycle.diagnostics import Refused


class SheetError(Refused):
    """A sheet that cannot be used."""


@dataclass(frozen=True)
class Saying:
    """One way an action is told. A pattern left out matches anything."""

    do: str
    source: str | None = None
    target: str | None = None
    name: str | None = None
    value: str | None = None
    owner: str | None = None
    by: str | None = None
    tell: str = ""
    pick: str = ""


@dataclass(frozen=True)
class HouseRule:
    name: str
    sets: str
    title: str
    choices: Mapping[str, str]
    default: str


@dataclass(frozen=True)
class Tally:
    """What a storage of each deal adds up to: every so many of it change the score."""

    name: str
    every: int
    points: int


Who: TypeAlias = Literal["game", "player", "team"]


@dataclass(frozen=True)
class Wish:
    """What a storage must hold: one of some words, or a number compared with another."""

    storage: str
    words: tuple[str, ...] = ()
    compare: str = ""
    number: int = 0

    @property
    def of_words(self) -> bool:
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
"""The longer ones first: a text that begins with one of them is a comparison."""


@dataclass(frozen=True)
class Count:
    """Something worth counting at the end of a deal: whoever's storages hold what is wished."""

    name: str
    who: Who
    when: tuple[Wish, ...]
    of: str = ""
    """The count of which it is a share; all deals when empty."""
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
    """Whoever falls this low ends the match, so that no match goes down for ever."""
    targets: tuple[int, ...] = ()
    """Others that people play to."""
    counts: tuple[Count, ...] = ()
    results: tuple[tuple[tuple[int, int], float], ...] = ()
    """Between good players: how likely a deal brings what to the dealing side and to the other."""


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
    """Levels of play, where they are not the usual ones."""
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
    sayings: tuple[Saying, ...] = ()
    house_rules: tuple[HouseRule, ...] = ()


def read_sheet(path: Path) -> Sheet:
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SheetError(f"{path.name} cannot be read: {error}") from None
    try:
        return _sheet(data)
    except (KeyError, TypeError, AttributeError) as error:
        raise SheetError(
            f"{path.name} lacks or mistypes {error}; docs/architecture.md shows its parts"
        ) from None


def _sheet(data: Mapping[str, Any]) -> Sheet:
    cards = dict(data.get("cards", {}))
    given_names = data.get("names", {})
    return Sheet(
        title=data["title"],
        summary=_plain(data.get("summary", "")),
        rules=data.get("rules", "").strip(),
        variants=_plain(data.get("variants", "")),
        family=data.get("family", ""),
        tags=tuple(data.get("tags", ())),
        related=tuple(data.get("related", ())),
        sources=tuple(data.get("sources", ())),
        cycles=_plain(data.get("cycles", "")),
        line=_plain(data.get("line", "")),
        match=_match(data.get("match", {})),
        players=tuple(data.get("players", {}).items()),
        searching=_searching(data.get("study", {})),
        seat_names=tuple(given_names.get("seats", ())),
        deal_word=given_names.get("deal", "game"),
        place_names=tuple(given_names.get("places", ())),
        face=cards.pop("face", ""),
        ascii_prints=cards.pop("ascii", {}),
        prints=cards,
        words=data.get("words", {}),
        table=data.get("table", {}),
        sayings=tuple(_saying(entry) for entry in data.get("say", ())),
        house_rules=tuple(_house_rule(entry) for entry in data.get("rule", ())),
    )


def _match(data: Mapping[str, Any]) -> MatchRules:
    ties, over = data.get("ties", "share"), data.get("over", "counts")
    if ties not in ("share", "play on"):
        raise SheetError(f'[match] ties is "share" or "play on", not "{ties}"')
    if over not in ("counts", "caps", "exact"):
        raise SheetError(f'[match] over is "counts", "caps" or "exact", not "{over}"')
    tallies = tuple(Tally(t["name"], t["every"], t["points"]) for t in data.get("tally", ()))
    return MatchRules(
        data.get("to"),
        data.get("deals", 1),
        ties,
        over,
        tallies,
        data.get("down"),
        tuple(data.get("targets", ())),
        _counts(data.get("count", ())),
        tuple(((r["dealer"], r["others"]), float(r["chance"])) for r in data.get("result", ())),
    )


def _counts(entries: Sequence[Mapping[str, Any]]) -> tuple[Count, ...]:
    found: list[Count] = []
    for entry in entries:
        name, who, of = entry["name"], entry["who"], entry.get("of", "")
        if who not in ("game", "player", "team"):
            raise SheetError(f'[[match.count]] {name}: who is "game", "player" or "team", not "{who}"')
        if of and of not in (count.name for count in found):
            raise SheetError(f"[[match.count]] {name}: there is no count {of} above it")
        if entry.get("by", "seat") != "seat" or ("by" in entry and who != "player"):
            raise SheetError(f'[[match.count]] {name}: by is "seat", for what players do')
        wishes = tuple(_wish(name, storage, value) for storage, value in entry["when"].items())
        found.append(Count(name, who, wishes, of, "by" in entry))
    return tuple(found)


def _wish(name: str, storage: str, value: Any) -> Wish:
    if isinstance(value, int) and not isinstance(value, bool):
        return Wish(storage, compare="=", number=value)
    if isinstance(value, list) and all(isinstance(word, str) for word in value):
        return Wish(storage, tuple(value))
    if not isinstance(value, str):
        raise SheetError(f"[[match.count]] {name}: {storage} is a word, a list of words or a number")
    sign = next((sign for sign in COMPARISONS if value.startswith(sign)), "")
    if not sign:
        return Wish(storage, (value,))
    try:
        return Wish(storage, compare=sign, number=int(value.removeprefix(sign)))
    except ValueError:
        raise SheetError(f'[[match.count]] {name}: "{value}" compares {storage} with no number') from None


def _searching(data: Mapping[str, Any]) -> int | None:
    given = data.get("searching")
    if given is not None and (not isinstance(given, int) or isinstance(given, bool) or given < 1):
        raise SheetError(f"[study] searching is a number of games, at least 1, not {given}")
    return given


def _plain(text: str) -> str:
    return " ".join(text.split())


def _saying(entry: Mapping[str, Any]) -> Saying:
    return Saying(
        entry["do"],
        entry.get("from"),
        entry.get("to"),
        entry.get("name"),
        str(entry["value"]) if "value" in entry else None,
        entry.get("owner"),
        entry.get("by"),
        entry.get("tell", ""),
        entry.get("pick", ""),
    )


def _house_rule(entry: Mapping[str, Any]) -> HouseRule:
    return HouseRule(entry["name"], entry["set"], entry["title"], dict(entry["choices"]), entry["default"])
