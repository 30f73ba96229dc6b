"""Candidate items for another seat's decision: those that fit the actions seen.

The record of another seat's decision holds its actions, but neither item nor picks. An item is matched with
the actions as a pattern with a text: an action of the item matches one of the record, a condition may hold or
not, a loop repeats as often as it fits. This reveals picks: the card that was moved, the string that was
stored. Other picks stay unknown, as do all picks of items where chance may lead elsewhere. A candidate that
was not the decision does no harm: a world in which it leads to anything else than what was seen is rejected.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

from upcard.engine.api import Record
from upcard.engine.shared.flat_program import Ask
from upcard.players.belief import action_match as k
from upcard.players.search.search_code import SearchCode
from upcard.recycle import program as p
from upcard.recycle.kinds import Kind
from upcard.recycle.walk import below

MAX_READINGS = 200
MAX_MATCHES = 20_000
MAX_ACTIONS = 150
"""Limits: ways to match an item, forms matched on the way, and actions of a decision. Beyond them an item is
a candidate with unknown picks."""

Value: TypeAlias = int | tuple[int, ...] | None
"""A card, cards or a plain number as machine code has it; None where it is unknown."""


@dataclass(frozen=True)
class Candidate:
    """An item and what is known of its picks, in the order made; `picks` is None where not even their number
    is known."""

    item: int
    picks: tuple[tuple[int, Value], ...] | None
    """Kind (`action_match`: PLAIN, ONE_CARD, CARDS) and value of each. HIDDEN is added to the kind of picks
    whose cards moved unseen."""


@dataclass(frozen=True)
class _Reading:
    """How far the actions have been matched, and the picks so far."""

    at: int
    picks: tuple[tuple[int, Value], ...] = ()
    numbers: Mapping[int, int] | None = None
    """Per slot of a variable the number of the pick that it holds."""


class Candidates:
    """Finds candidates among the choices of one game."""

    def __init__(self, machine: SearchCode) -> None:
        self.machine = machine
        self._facts: dict[int, _ItemFacts] = {}

    def of(self, pc: int, actions: Sequence[Record]) -> list[Candidate]:
        """The candidates of the choice at a program step, in the order of its items."""
        step = self.machine.game.code[pc]
        if not isinstance(step, Ask):
            return []
        items = enumerate(step.choice.items)
        return [candidate for number, item in items for candidate in self._readings(number, item, actions)]

    def _readings(self, number: int, item: p.Item, actions: Sequence[Record]) -> list[Candidate]:
        facts = self._facts.get(id(item))
        if facts is None:
            facts = self._facts[id(item)] = _ItemFacts(_is_unreadable(item), _moved_wholly(item))
        if len(actions) > MAX_ACTIONS or facts.unreadable:
            return [Candidate(number, None)]
        candidates: dict[Candidate, None] = {}
        reader = _Reader(self.machine, actions, facts.moved_wholly)
        for tried, reading in enumerate(reader.match(item, _Reading(0))):
            if tried == MAX_READINGS:
                return [Candidate(number, None)]
            if reading.at == len(actions):
                candidates[Candidate(number, reading.picks)] = None
        return list(candidates) if reader.left > 0 else [Candidate(number, None)]


class _ItemFacts(NamedTuple):
    """Facts about an item that its text settles."""

    unreadable: bool
    moved_wholly: set[int]


def _is_unreadable(item: p.Item) -> bool:
    """Whether chance may lead to other picks than it did when the alternatives were listed."""
    nodes = list(below(item))
    chance = [n for n, node in enumerate(nodes) if isinstance(node, p.Random | p.Shuffle | p.BestCard)]
    picks = [n for n, node in enumerate(nodes) if isinstance(node, p.ForAny)]
    loops = any(isinstance(node, p.ForAll | p.Repeat) for node in nodes)
    return bool(chance and picks) and (loops or chance[0] < picks[-1])


def _moved_wholly(item: p.Item) -> set[int]:
    """Slots of variables whose cards are all moved by one form, and used by no other."""
    uses: dict[int, int] = {}
    wholly = set()
    for node in below(item):
        used = _slot_through(node.card) if isinstance(node, p.Move | p.Remember | p.Forget) else None
        slot = _slot_of_all(node) if isinstance(node, p.RepeatAll | p.ForAll) else None
        if slot is not None:
            wholly.add(slot)
        for use in (used, slot if isinstance(node, p.ForAll) else None):
            if use is not None:
                uses[use] = uses.get(use, 0) + 1
    return {slot for slot in wholly if uses[slot] == 1}


def _slot_of_all(node: p.RepeatAll | p.ForAll) -> int | None:
    """The slot of the variable all of whose cards a form moves."""
    if isinstance(node, p.RepeatAll):
        return _slot_through(node.item.card)
    done, source = node.item, node.source
    one_each = isinstance(done, p.Move) and isinstance(done.card, p.Var) and done.card.binding is node.binding
    return source.binding.slot if one_each and isinstance(source, p.Var) else None


def _slot_through(card: p.Expr) -> int | None:
    """The slot of the variable in whose cards an expression finds a card."""
    if isinstance(card, p.Position) and isinstance(card.cards, p.Var):
        return card.cards.binding.slot
    return None


class _Reader:
    """Matches items against the actions of one decision."""

    def __init__(self, machine: SearchCode, actions: Sequence[Record], wholly: set[int]) -> None:
        self.machine, self.actions, self.wholly = machine, actions, wholly
        self.left = MAX_MATCHES

    # --- items ---------------------------------------------------------------------------------

    def match(self, item: p.Item, read: _Reading) -> Iterator[_Reading]:
        """Every way to match an item; none once too much was tried."""
        self.left -= 1
        if self.left <= 0:
            return
        if isinstance(item, p.Do):
            yield from self._all_of(item.items, read)
        elif isinstance(item, p.When):
            yield from self.match(item.item, read)
            yield read
        elif isinstance(item, p.Let):
            yield from self.match(item.item, read)
        elif isinstance(item, p.ForAny):
            yield from self.match(item.item, self._picked(item, read))
            yield read  # nothing to pick from
        elif isinstance(item, p.RepeatAll | p.ForAll) and (slot := _slot_of_all(item)) in self.wholly:
            yield from self._move_all(item.item, slot, read)
        elif isinstance(item, p.ForAll | p.Repeat | p.RepeatAll):
            yield from self._loop(item.item, read)
        elif isinstance(item, p.Action) and read.at < len(self.actions):
            done = self._action(item, self.actions[read.at], replace(read, at=read.at + 1))
            if done is not None:
                yield done

    def _all_of(self, items: Sequence[p.Item], read: _Reading) -> Iterator[_Reading]:
        if not items:
            yield read
            return
        for reading in self.match(items[0], read):
            yield from self._all_of(items[1:], reading)

    def _loop(self, item: p.Item, read: _Reading) -> Iterator[_Reading]:
        for reading in self.match(item, read):
            if reading.at > read.at:
                yield from self._loop(item, reading)
        yield read

    def _move_all(self, item: p.Item, slot: int | None, read: _Reading) -> Iterator[_Reading]:
        """All cards of a collection move, so where they are seen the collection is known."""
        number = None if slot is None else (read.numbers or {}).get(slot)
        if number is None or read.picks[number][0] & 3 != k.CARDS:
            yield from self._loop(item, read)  # a place may receive cards meanwhile
            return
        for reading in self._loop(item, read):
            moved = [action["card"] for action in self.actions[read.at : reading.at]]
            cards = tuple(sorted(self.machine.numbers[card] for card in moved if card is not None))
            known = self._bind(slot, cards if len(cards) == len(moved) else None, reading)
            if known is not None:
                yield known

    def _picked(self, item: p.ForAny, read: _Reading) -> _Reading:
        """Add a pick of which nothing is known yet."""
        kind, as_place = self.machine.lowered.sites.get(item.site, (item.binding.kind, False))
        sort = k.ONE_CARD if kind is Kind.CARD else k.PLAIN
        if kind is Kind.CARDS and not as_place:
            sort = k.CARDS
        numbers = {**(read.numbers or {}), item.binding.slot: len(read.picks)}
        return replace(read, picks=(*read.picks, (sort, None)), numbers=numbers)

    # --- actions -------------------------------------------------------------------------------

    def _action(self, node: p.Action, done: Record, read: _Reading) -> _Reading | None:
        """The reading after an action that this node did; None if it did not."""
        do, reading = done["do"], None
        if isinstance(node, p.Move | p.Remember) and do == type(node).__name__.lower():
            reading = self._card(node.card, done, "card", "from", read)
            return reading and self._place(_holder(node.place), done["to"], reading)
        if isinstance(node, p.Forget) and do == "forget":
            return self._place(_holder(node.card), done["from"], read)
        if isinstance(node, p.Shuffle) and do == "shuffle":
            return read if done["place"] is None else self._place(node.cards, done["place"], read)
        if isinstance(node, p.Swap) and do == "swap" and node.whole != ("card" in done):
            if node.whole:
                reading = self._place(node.left, done["from"], read)
                return reading and self._place(node.right, done["to"], reading)
            reading = self._card(node.left, done, "card", "from", read)
            return reading and self._card(node.right, done, "other", "to", reading)
        if isinstance(node, p.SetInt | p.SetStr) and do == "set":
            reading = self._storage(node.store, done, read)
            return reading and self._plain(node.value, done["value"], reading)
        if isinstance(node, p.AddInt) and do == "set":
            return self._storage(node.store, done, read)
        if isinstance(node, p.SetPoints) and do == "points":
            return self._storage(node.store, done, read)
        if isinstance(node, p.Cycle) and do == "cycle" and done["which"] == node.which:
            return self._plain(node.player, done["seat"], read)
        other = "pass" if isinstance(node, p.Pass) else "teams" if isinstance(node, p.CreateTeams) else None
        return read if do == other else None

    def _card(self, node: p.Expr, done: Record, card: str, place: str, read: _Reading) -> _Reading | None:
        """Match a card that an action takes out of a place; `card` and `place` are their keys in the
        record."""
        if isinstance(node, p.Var):
            known = None if done[card] is None else self.machine.numbers[done[card]]
            return None if "by_position" in done else self._bind(node.binding.slot, known, read)
        holder = _holder(node)
        if isinstance(holder, p.Location) and holder.cls == "mem":
            return read  # the card lies elsewhere
        return self._place(holder, done[place], read)

    def _place(self, node: p.Expr | None, text: str, read: _Reading) -> _Reading | None:
        """Match a place that an action names; one reached through a collection or another card always
        fits."""
        if isinstance(node, p.Var) and node.kind is Kind.CARDS and self._holds_place(node, read):
            return self._bind(node.binding.slot, self.machine.places[text], read)
        if not isinstance(node, p.Location):
            return read
        owner, cls, name, number = (*text.split("."), "0")[:4]
        if node.cls != cls:
            return None
        reading = self._owner(node.owner, owner, read)
        reading = reading and self._plain(node.name, name, reading)
        if node.number is None:
            return reading
        return reading and self._plain(node.number, int(number), reading)

    def _storage(
        self, node: p.IntStore | p.StrStore | p.MapStore, done: Record, read: _Reading
    ) -> _Reading | None:
        is_word = isinstance(done.get("value"), str)
        if isinstance(node, p.IntStore | p.StrStore) and is_word != isinstance(node, p.StrStore):
            return None
        reading = self._owner(node.owner, done["owner"], read)
        return reading and self._plain(node.name, done["name"], reading)

    def _owner(self, node: p.Owner, text: str, read: _Reading) -> _Reading | None:
        kind = text.rstrip("0123456789")
        if isinstance(node, p.Table):
            return read if kind == "table" else None
        if kind != ("team" if node.kind is Kind.TEAM else "seat"):
            return None
        return self._plain(node, int(text[len(kind) :]), read)

    def _plain(self, node: p.Expr, value: int | str, read: _Reading) -> _Reading | None:
        """Match a number, string, seat or team that an action shows."""
        if isinstance(node, p.Str | p.Int):
            return read if (node.text if isinstance(node, p.Str) else node.value) == value else None
        if isinstance(node, p.Var):
            number = self.machine.layout.strings.get(value, -1) if isinstance(value, str) else value
            return self._bind(node.binding.slot, number, read)
        return read

    # --- picks ---------------------------------------------------------------------------------

    def _holds_place(self, node: p.Var, read: _Reading) -> bool:
        number = (read.numbers or {}).get(node.binding.slot)
        return number is not None and read.picks[number][0] == k.PLAIN

    def _bind(self, slot: int | None, value: Value, read: _Reading) -> _Reading | None:
        """Match the value of a pick that an action reveals, or hides (None); returns None if it contradicts
        an earlier one. Variables that are no picks always fit."""
        number = None if slot is None else (read.numbers or {}).get(slot)
        if number is None:
            return read
        sort, known = read.picks[number]
        if known is not None:
            return read if value in (None, known) else None
        sort = sort & ~k.HIDDEN if value is not None else sort | k.HIDDEN
        return replace(read, picks=(*read.picks[:number], (sort, value), *read.picks[number + 1 :]))


def _holder(node: p.Expr) -> p.Expr | None:
    """The collection in which an expression finds a card or a position."""
    return node.cards if isinstance(node, p.EndCard | p.TopOf | p.CardAt) else None


def candidates_of(machine: SearchCode) -> Candidates:
    """The candidates of a game; they are made once."""
    if machine.candidates is None:
        machine.candidates = Candidates(machine)
    known: Candidates = machine.candidates
    return known
