"""Plan of a program's actions in machine code: for each item of a choice, the numbers of what it offers."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from upcard.encoding.action_numbers import ActionNumbers
from upcard.encoding.recorded_moves import ActionTables
from upcard.engine.native.backends.select import NoMachineCode
from upcard.engine.native.lower import Lowered
from upcard.engine.shared.flat_program import Ask
from upcard.recycle import program as p
from upcard.recycle.kinds import Kind
from upcard.recycle.order import Origins
from upcard.recycle.walk import below


@dataclass(frozen=True)
class CountedItem:
    """Its alternatives are the bits of a set: cards, combinations of written words, or the item itself."""

    item: int
    numbers: list[int]
    """Of each bit; -1 where there is none."""
    hidden_number: int
    """Of a card that the chooser does not see; -1 if it sees all that it can pick."""


@dataclass(frozen=True)
class RecordedItem:
    """Its alternatives are recorded with their picks."""

    item: int
    root: int
    """Where in the tables the tree of its actions begins."""
    may_hide: bool
    """It can pick a card that the chooser does not see."""


@dataclass
class ActionPlan:
    """One program's."""

    choices: dict[int, list[CountedItem | RecordedItem]]
    """By step."""
    tables: list[int] = field(default_factory=list)
    """The words of `ActionTables`."""


def plan_actions(
    lowered: Lowered, asks: Mapping[int, Ask], actions: ActionNumbers, cards: Sequence[str]
) -> ActionPlan:
    """Raises `NoMachineCode` if hidden cards are among what has no number of its own."""
    named, numbers, slots = actions.named, actions.numbers, actions.slots
    keys = _Keys(lowered, named, cards)
    trees = _Trees(named, keys)
    open_sites = {site for ask in asks.values() for site in ask.open_sites}
    sites_at = ActionTables.size // 8
    site_rows = keys.rows(open_sites)
    trees.begin_at(sites_at + len(site_rows))
    choices: dict[int, list[CountedItem | RecordedItem]] = {}
    for step, ask in asks.items():
        made: list[CountedItem | RecordedItem] = []
        for n, item in enumerate(ask.choice.items):
            may_hide = _may_hide(item)
            if lowered.simple_items[step][n]:
                made.append(_counted(lowered, step, n, item, numbers, cards, may_hide))
                continue
            if may_hide and slots:
                raise NoMachineCode("an alternative without a number of its own may have hidden cards")
            made.append(RecordedItem(n, trees.root(n), may_hide))
        choices[step] = made
    head = ActionTables.pack(sites_at=sites_at, room=len(cards), named=len(named), slots=slots)
    words = struct.unpack(f"<{sites_at}q", head.to_bytes())
    return ActionPlan(choices, [*words, *site_rows, *trees.words])


def _counted(
    lowered: Lowered,
    step: int,
    number: int,
    item: p.Item,
    numbers: Mapping[str, int],
    cards: Sequence[str],
    may_hide: bool,
) -> CountedItem:
    def numbered(picks: list[dict[str, Any]]) -> int:
        return numbers.get(json.dumps([number, picks], separators=(",", ":")), -1)

    rows = lowered.leaves.get((step, number))
    if rows:
        strings = list(lowered.layout.strings)
        kinds = _leaf_kinds(item)
        picked = (
            [
                {"string": strings[value]} if kind is Kind.STR else {"number": value}
                for kind, value in zip(kinds, row, strict=True)
            ]
            for row in rows
        )
        return CountedItem(number, [numbered(picks) for picks in picked], -1)
    inner = item
    while isinstance(inner, p.When):
        inner = inner.item
    if not isinstance(inner, p.ForAny):
        return CountedItem(number, [numbered([])], -1)
    hidden = numbered([{"card": None}]) if may_hide else -1
    return CountedItem(number, [numbered([{"card": card}]) for card in cards], hidden)


def _leaf_kinds(item: p.Item) -> list[Kind]:
    kinds = []
    while isinstance(item, p.When | p.ForAny):
        if isinstance(item, p.ForAny):
            kinds.append(item.binding.kind)
        item = item.item
    return kinds


# --- what may be hidden --------------------------------------------------------------------------


def _may_hide(item: p.Item) -> bool:
    """Whether the item can pick a card that its chooser does not see."""
    return any(isinstance(node, p.ForAny) and _hides(node.source) for node in below(item))


def _hides(source: p.Expr) -> bool:
    """Whether a collection can have cards that the current player does not see."""
    if source.kind not in (Kind.CARDS, Kind.LISTS) or (
        isinstance(source, p.Location) and source.cls == "mem"  # everybody knows what is remembered
    ):
        return False
    families = Origins().of(source)
    if any(family.cls != "vloc" and (family.cls, family.owner) != ("iloc", "player") for family in families):
        return True
    return any(
        isinstance(node, p.PlaceForm)
        and node.cls == "iloc"
        and not (isinstance(node.owner, p.SeatAt) and node.owner.which == "current")
        for node in _behind(source)
    )


def _behind(source: p.Expr) -> Iterator[p.Node]:
    """Everything in a value, and in what its variables stand for."""
    waiting, known = [source], set[int]()
    while waiting:
        for node in below(waiting.pop()):
            yield node
            if isinstance(node, p.Var) and node.binding.slot not in known:
                known.add(node.binding.slot)
                waiting.append(node.binding.source)


# --- keys and trees ------------------------------------------------------------------------------


class _Keys:
    """Numbers for all that can be picked: cards and a hidden card, strings, seats, teams, numbers."""

    def __init__(self, lowered: Lowered, named: Sequence[str], cards: Sequence[str]) -> None:
        layout = lowered.layout
        self.sites = lowered.sites
        self.cards = {card: number for number, card in enumerate(cards)}
        self.strings = layout.strings
        picked = [pick["number"] for action in named for pick in json.loads(action)[1] if "number" in pick]
        self.least, self.greatest = min(picked, default=0), max(picked, default=-1)
        seats = layout.seats
        sizes = {"card": len(cards) + 1, "string": len(self.strings), "seat": seats, "team": seats}
        self.first: dict[str, int] = {}
        at = 0
        for word, size in sizes.items():
            self.first[word] = at
            at += size
        self.first["number"] = at

    def of(self, pick: Mapping[str, Any]) -> int:
        ((word, value),) = pick.items()
        if word == "card":
            value = len(self.cards) if value is None else self.cards[value]
        elif word == "string":
            value = self.strings[value]
        elif word == "number":
            value -= self.least
        return self.first[word] + int(value)

    def rows(self, open_sites: set[int]) -> list[int]:
        """The words of all `any` forms; a form whose picks have no keys allows no value."""
        words: list[int] = []
        for site in range(max(self.sites, default=-1) + 1):
            kind, _ = self.sites.get(site, (Kind.LISTS, False))
            spans = {
                Kind.CARD: ("card", 0, len(self.cards) - 1),
                Kind.STR: ("string", 0, len(self.strings) - 1),
                Kind.PLAYER: ("seat", 0, 255),
                Kind.TEAM: ("team", 0, 255),
                Kind.INT: ("number", self.least, self.greatest),
            }
            word, low, high = spans.get(kind, ("card", 0, -1))
            if word in ("seat", "team"):
                high = self.first["team"] - self.first["seat"] - 1
            words += [self.first[word], low, high, int(kind is Kind.CARD and site not in open_sites)]
        return words


class _Trees:
    """The actions of each item as a tree of their picks."""

    def __init__(self, named: Sequence[str], keys: _Keys) -> None:
        self.words: list[int] = []
        self._first = 0
        self._roots: dict[int, int] = {}
        self._trees: dict[int, dict[Any, Any]] = {}
        for number, action in enumerate(named):
            item, picks = json.loads(action)
            node = self._trees.setdefault(item, {})
            for pick in picks:
                node = node.setdefault(keys.of(pick), {})
            node["number"] = number

    def begin_at(self, word: int) -> None:
        self._first = word

    def root(self, item: int) -> int:
        if item not in self._roots:
            self._roots[item] = self._write(self._trees.get(item, {}))
        return self._roots[item]

    def _write(self, tree: dict[Any, Any]) -> int:
        following = {key: self._write(inner) for key, inner in tree.items() if key != "number"}
        at = self._first + len(self.words)
        low, high = min(following, default=0), max(following, default=-1)
        self.words += [tree.get("number", -1), low, high - low + 1]
        self.words += [following.get(key, 0) for key in range(low, high + 1)]
        return at
