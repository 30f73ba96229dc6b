"""The storages of a program that a sheet can name."""

from __future__ import annotations

from dataclasses import dataclass

from upcard.files.decode import Mismatch, shown_path
from upcard.library.sheet import Count, GivenValue, StorageCondition, Tally, Who
from upcard.recycle import program as p
from upcard.recycle.constants import text_of
from upcard.recycle.diagnostics import suggest
from upcard.recycle.facts import owner_word
from upcard.recycle.walk import below

OWNERS: dict[Who, str] = {"game": "table", "player": "player", "team": "team"}


@dataclass(frozen=True)
class Storages:
    """Numbers and texts by owner (table, player or team) and name."""

    names: frozenset[tuple[str, str, bool]]
    """Owner, name, and whether it holds text."""
    has_computed_names: bool
    """Then a storage may have any name."""

    def has(self, owner: str, name: str, is_text: bool) -> bool:
        return self.has_computed_names or (owner, name, is_text) in self.names

    def nearest(self, name: str) -> str:
        """A hint with the storage that was meant, or empty."""
        meant = suggest(name, sorted({known for _, known, _ in self.names}))
        return f"did you mean {meant}?" if meant and meant != name else ""


def storages_of(program: p.Program) -> Storages:
    names: set[tuple[str, str, bool]] = set()
    computed = False
    for node in below(program):
        if isinstance(node, p.IntStore | p.StrStore):
            name = text_of(node.name)
            computed = computed or name is None
            if name is not None:
                names.add((owner_word(node.owner), name, isinstance(node, p.StrStore)))
    return Storages(frozenset(names), computed)


def uncountable(known: Storages, number: int, count: Count, wish: StorageCondition) -> Mismatch | None:
    """What is wrong with a condition of `match.count[number]`."""
    if known.has(OWNERS[count.who], wish.storage, wish.compares_words):
        return None
    what = "words" if wish.compares_words else "numbers"
    return Mismatch(
        f"cannot be counted: no {count.who} has {what} stored in {shown_path([wish.storage])}",
        *("match", "count", number, "when", wish.storage),
        hint=known.nearest(wish.storage),
    )


def untallied(known: Storages, number: int, tally: Tally) -> Mismatch | None:
    """What is wrong with `match.tally[number]`."""
    if known.has("player", tally.name, is_text=False) or known.has("team", tally.name, is_text=False):
        return None
    return Mismatch(
        f"cannot be added up: no player or team has numbers stored in {shown_path([tally.name])}",
        *("match", "tally", number, "name"),
        hint=known.nearest(tally.name),
    )


def not_given(known: Storages, name: str, what: GivenValue) -> Mismatch | None:
    """What is wrong with an entry of `match.given`."""
    owner = "player" if what == "score" else "table"
    if known.has(owner, name, is_text=False):
        return None
    return Mismatch(
        f"cannot be set: the program has no number {shown_path([name])} of "
        f"{'the table' if owner == 'table' else 'players'}",
        *("match", "given", name),
        hint=known.nearest(name),
    )
