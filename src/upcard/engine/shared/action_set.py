"""The bounded set of actions of a game: every item of every choice with every pick it can have.

What an item picks depends on play, so the set may have actions that no position offers. It never lacks one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any, NamedTuple, TypeAlias

from upcard.recycle import program as p
from upcard.recycle.constants import constant, text_of
from upcard.recycle.deck_sizes import deck_size
from upcard.recycle.facts import Facts
from upcard.recycle.kinds import Kind
from upcard.recycle.walk import below

MAX_ACTIONS = 65_536
"""A game with more actions than this is taken to have no bounded set."""

Picks: TypeAlias = tuple[str, ...]
"""What each `any` form picked, as JSON."""


class Way(NamedTuple):
    """A way through an item. An alternative is one that does something."""

    picks: Picks
    acts: bool


Ways: TypeAlias = dict[Way, None]
"""In the order of the text."""

SKIPPED = Way((), False)


class _Unbounded(Exception):
    """An item without a bounded number of ways through it."""


class BoundedActions(NamedTuple):
    actions: tuple[str, ...]
    """Every `Move.action` of the items that have a bounded number of them, item by item."""
    is_complete: bool
    """No item lacks a bound."""


def list_actions(program: p.Program, facts: Facts) -> tuple[str, ...] | None:
    """Every `Move.action` that a game can have, item by item; None where their number is not bounded."""
    found = bounded_actions(program, facts)
    return found.actions if found.is_complete else None


def bounded_actions(program: p.Program, facts: Facts) -> BoundedActions:
    """The actions of all items that have a bounded number of them; none if they are too many together."""
    domains = _Domains(program, facts)
    found: dict[str, None] = {}
    is_complete = True
    for node in below(program):
        if not isinstance(node, p.Choice):
            continue
        for number, item in enumerate(node.items):
            try:
                ways = _ways(item, domains)
            except _Unbounded:
                is_complete = False
                continue
            for way in ways:
                if way.acts:
                    found[f"[{number},[{','.join(way.picks)}]]"] = None
        if len(found) > MAX_ACTIONS:
            return BoundedActions((), False)
    return BoundedActions(tuple(sorted(found, key=lambda action: json.loads(action)[0])), is_complete)


def _ways(item: p.Node, domains: _Domains) -> Ways:
    if isinstance(item, p.Action):
        return {Way((), True): None}
    if isinstance(item, p.Do):
        return _in_sequence([_ways(part, domains) for part in item.items])
    if isinstance(item, p.When):
        return {**_ways(item.item, domains), SKIPPED: None}
    if isinstance(item, p.Let):
        return _ways(item.item, domains)
    if isinstance(item, p.ForAny):
        inner = _ways(item.item, domains)
        elements = {Way((element,), False): None for element in domains.of(item)}
        return {**_in_sequence([elements, inner]), SKIPPED: None}
    if isinstance(item, p.Repeat):
        count = constant(item.count, domains.known)
        inner = _ways(item.item, domains)
        if count is not None and 0 < count <= MAX_ACTIONS and any(way.picks for way in inner):
            return _in_sequence([inner] * count)
        return _again(inner)
    if isinstance(item, p.ForAll | p.RepeatAll):
        return _again(_ways(item.item, domains))
    raise AssertionError(f"{type(item).__name__} is not an item of a checked program")


def _in_sequence(parts: Iterable[Ways]) -> Ways:
    found: Ways = {SKIPPED: None}
    for part in parts:
        if len(found) * len(part) > MAX_ACTIONS:
            raise _Unbounded
        pairs = product(found, part)
        found = {Way((*a.picks, *b.picks), a.acts or b.acts): None for a, b in pairs}
    return found


def _again(inner: Ways) -> Ways:
    """Any number of times."""
    if any(way.picks for way in inner):
        raise _Unbounded
    return {**inner, SKIPPED: None}


class _Domains:
    """What `any` forms can pick."""

    def __init__(self, program: p.Program, facts: Facts) -> None:
        self._program = program
        self._facts = facts
        self.known: dict[int, Any] = {}
        """Declared values (`constants`)."""

    def of(self, node: p.ForAny) -> list[str]:
        """The elements as JSON. Raises `_Unbounded`."""
        kind = node.binding.kind
        if kind is Kind.CARD:
            return [_json("card", card) for card in (*self._cards(), None)]
        if kind is Kind.STR:
            return [_json("string", text) for text in self._strings(node.source)]
        if kind is Kind.INT:
            return [_json("number", number) for number in self._numbers(node.source)]
        if kind in (Kind.PLAYER, Kind.TEAM):
            # there are no more teams than seats
            word = "seat" if kind is Kind.PLAYER else "team"
            return [_json(word, number) for number in range(self._program.players)]
        raise _Unbounded

    def _cards(self) -> Iterator[str]:
        """The ids of all cards, if only the setup makes cards and chance has no say in how many."""
        made: dict[str, int] = {}
        if self._facts.cards is None or self._makes_cards_in_play():
            raise _Unbounded
        for back, count in self._decks():
            first = made.get(back, 0)
            made[back] = first + count
            yield from (f"{back}:{number}" for number in range(first, first + count))

    def _makes_cards_in_play(self) -> bool:
        return any(isinstance(node, p.CreateDeck) for part in self._program.body for node in below(part))

    def _decks(self) -> Iterator[tuple[str, int]]:
        """The back and the size of every deck that the setup makes."""
        for deck in self._program.setup.decks:
            line: p.Item = deck
            times = 1
            while isinstance(line, p.Repeat):
                times *= max(constant(line.count, self.known) or 0, 0)
                line = line.item
            assert isinstance(line, p.CreateDeck), "a setup has decks, perhaps repeated"
            back = "DEFAULT" if line.back is None else text_of(line.back, self.known)
            if back is None:
                raise _Unbounded
            yield back, times * deck_size(line)

    def _strings(self, source: p.Expr) -> Iterable[str]:
        while isinstance(source, p.Filter):
            source = source.source
        return source.texts if isinstance(source, p.Names) else self._facts.strings

    def _numbers(self, source: p.Expr) -> Iterable[int]:
        while isinstance(source, p.Filter):
            source = source.source
        if isinstance(source, p.Numbers):
            return source.values
        if not isinstance(source, p.Range):
            raise _Unbounded
        low, high = constant(source.low, self.known), constant(source.high, self.known)
        if low is None or high is None or high - low >= MAX_ACTIONS:
            raise _Unbounded
        return range(low, high + 1)


def _json(word: str, value: object) -> str:
    return json.dumps({word: value}, separators=(",", ":"))
