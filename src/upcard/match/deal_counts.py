"""Counts events that a sheet names, from storages at the end of each deal.

The storages are a list of slots, and the end of a deal is the list of their values. It is read from a state's
table, or from the memory of machine code, where strings are numbers. What an end means is cached, because
many deals end alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from upcard.engine.api import TABLE, team_owner
from upcard.engine.native.playout_code import PlayoutFacts
from upcard.engine.shared.game import LoadedGame
from upcard.engine.shared.state import BaseState
from upcard.library.program_storages import OWNERS, storages_of, uncountable
from upcard.library.sheet import Count, MatchRules, Sheet, Who
from upcard.match.seats import Seating, Sides, side_of
from upcard.recycle import program as p
from upcard.recycle.walk import below

MAX_KEPT = 1 << 16
"""Ends of deals whose meaning is cached."""

End: TypeAlias = tuple[int | str, ...]


class Slot(NamedTuple):
    """A storage of one owner: a seat or a team by its number, or the table (0)."""

    who: Who
    owner: int
    name: str
    compares_words: bool


@dataclass(frozen=True)
class Meaning:
    """What the end of a deal means: the counts that hold, and the tallies."""

    hits: tuple[tuple[int, int], ...]
    """The number of a count, and the owner that it holds for."""
    tallied: dict[str, tuple[int, ...]]
    """Per tally of the match the numbers of the program's teams."""


class Counting:
    """The storages that are read at the end of a deal, and what they mean."""

    def __init__(self, game: LoadedGame, rules: MatchRules, teams: Sides) -> None:
        """Raises `SheetError` for a storage that the program does not have."""
        self.counts, self.tallies, self.teams = rules.counts, rules.tallies, teams
        self.fixed_teams = not any(
            isinstance(node, p.CreateTeams) for element in game.program.body for node in below(element)
        )
        known = storages_of(game.program)
        many: dict[Who, int] = {"game": 1, "player": game.seats, "team": len(teams)}
        slots: dict[Slot, None] = {}
        for number, count in enumerate(self.counts):
            for wish in count.when:
                wrong = uncountable(known, number, count, wish)
                if wrong is not None:
                    sheet = game.narrator.sheet or Sheet(game.name)
                    raise sheet.error_of(wrong)
                for owner in range(many[count.who]):
                    slots[Slot(count.who, owner, wish.storage, wish.compares_words)] = None
        for tally in self.tallies:
            whose: tuple[Who, ...] = ("player", "team")
            for who in whose:
                if known.has(OWNERS[who], tally.name, is_text=False):
                    slots |= {Slot(who, owner, tally.name, False): None for owner in range(many[who])}
        self.slots = list(slots)
        self._at = {slot: number for number, slot in enumerate(self.slots)}
        self._many = many
        self._kept: dict[tuple[int, ...], Meaning] = {}

    # --- reading ---------------------------------------------------------------------------------

    def read(self, state: BaseState) -> Meaning:
        """Read the end of a deal that was played step by step."""
        ints, strs = state.table.ints, state.table.strs
        end: list[int | str] = []
        for slot in self.slots:
            owner = {"game": TABLE, "player": slot.owner, "team": team_owner(slot.owner)}[slot.who]
            key = owner, slot.name
            end.append(strs.get(key, "") if slot.compares_words else ints.get(key, 0))
        return self.meaning(tuple(end))

    def words(self, facts: PlayoutFacts) -> list[int] | None:
        """The words of a state that hold the slots; None where that depends on the deal."""
        if not self.fixed_teams:
            return None
        words = []
        for slot in self.slots:
            first = (facts.strs if slot.compares_words else facts.ints).get(f"{OWNERS[slot.who]}.{slot.name}")
            if first is None:
                return None
            words.append(first + slot.owner)
        return words

    def read_words(self, noted: tuple[int, ...], facts: PlayoutFacts) -> Meaning:
        """Read the end of a deal that machine code played."""
        meaning = self._kept.get(noted)
        if meaning is None:
            pairs = zip(self.slots, noted, strict=True)
            meaning = self.meaning(tuple(facts.words[n] if slot.compares_words else n for slot, n in pairs))
            if len(self._kept) < MAX_KEPT:
                self._kept[noted] = meaning
        return meaning

    def meaning(self, end: End) -> Meaning:
        hits = []
        for number, count in enumerate(self.counts):
            for owner in range(self._many[count.who]):
                if all(
                    wish.holds(end[self._at[Slot(count.who, owner, wish.storage, wish.compares_words)]])
                    for wish in count.when
                ):
                    hits.append((number, owner))
        return Meaning(tuple(hits), {tally.name: self._by_team(tally.name, end) for tally in self.tallies})

    def _by_team(self, name: str, end: End) -> tuple[int, ...]:
        """Per team the sum of its own storage and those of its members."""
        sums = []
        for team, members in enumerate(self.teams):
            slots = [Slot("team", team, name, False), *(Slot("player", s, name, False) for s in members)]
            values = [end[self._at[slot]] for slot in slots if slot in self._at]
            sums.append(sum(value for value in values if isinstance(value, int)))
        return tuple(sums)


@dataclass
class Counted:
    """How often each count held: in all, per side, and per seat. Parts can be merged in any order."""

    all: list[int] = field(default_factory=list)
    sides: list[list[int]] = field(default_factory=list)
    seats: list[list[int]] = field(default_factory=list)

    @classmethod
    def of(cls, counts: int, sides: int, seats: int) -> Counted:
        return cls([0] * counts, [[0] * sides for _ in range(counts)], [[0] * seats for _ in range(counts)])

    def add(
        self, counting: Counting, meaning: Meaning, seating: Seating, sides: Sides, times: int = 1
    ) -> None:
        for number, owner in meaning.hits:
            self.all[number] += times
            who = counting.counts[number].who
            if who == "game":
                continue
            if who == "player":
                self.seats[number][owner] += times
            seat = owner if who == "player" else counting.teams[owner][0]
            self.sides[number][side_of(seating.person(seat), sides)] += times

    def merge(self, other: Counted) -> None:
        if not self.all:
            self.all = [0] * len(other.all)
            self.sides = [[0] * len(sides) for sides in other.sides]
            self.seats = [[0] * len(seats) for seats in other.seats]
        self.all = [a + b for a, b in zip(self.all, other.all, strict=True)]
        for mine, theirs in ((self.sides, other.sides), (self.seats, other.seats)):
            for number, more in enumerate(theirs):
                mine[number] = [a + b for a, b in zip(mine[number], more, strict=True)]

    def to_json(self, counts: Sequence[Count], deals: int) -> dict[str, Any]:
        entries = {}
        numbers = {count.name: number for number, count in enumerate(counts)}
        for number, count in enumerate(counts):
            many = self.all[number] if self.all else 0
            whole = self.all[numbers[count.of]] if self.all and count.of else deals
            entry: dict[str, Any] = {"all": many, "of": count.of or "deals", "share": share(many, whole)}
            if count.who != "game":
                entry["sides"] = self.sides[number] if self.sides else []
            if count.who == "player":
                entry["seats"] = self.seats[number] if self.seats else []
            entries[count.name] = entry
        return entries


def share(many: int, whole: int) -> float | None:
    return many / whole if whole else None
