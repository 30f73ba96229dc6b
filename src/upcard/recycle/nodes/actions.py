"""Nodes of items: blocks, simple actions, decks and teams."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from upcard.recycle.nodes.collections import Location
from upcard.recycle.nodes.node import Binding, Expr, Node
from upcard.recycle.nodes.values import IntStore, MapStore, StrStore


@dataclass(frozen=True, slots=True, eq=False)
class Item(Node):
    """Something done: a simple action, or a block of them."""


@dataclass(frozen=True, slots=True, eq=False)
class BadItem(Item):
    """Stands where something was reported."""


@dataclass(frozen=True, slots=True, eq=False)
class Do(Item):
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True, eq=False)
class When(Item):
    """(BOOL ITEM)"""

    test: Expr
    item: Item


@dataclass(frozen=True, slots=True, eq=False)
class ForAll(Item):
    """(all X 'V ITEM); also an `any` outside a choice, which means the same (`was_any`)."""

    source: Expr
    binding: Binding
    item: Item
    was_any: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class ForAny(Item):
    """(any X 'V ITEM) inside a choice. `site` numbers the any forms of a program."""

    source: Expr
    binding: Binding
    item: Item
    site: int


@dataclass(frozen=True, slots=True, eq=False)
class Let(Item):
    value: Expr
    binding: Binding
    item: Item


@dataclass(frozen=True, slots=True, eq=False)
class Repeat(Item):
    """(repeat n ITEM)"""

    count: Expr
    item: Item


@dataclass(frozen=True, slots=True, eq=False)
class RepeatAll(Item):
    """(repeat all (move CARD PLACE)), (repeat all (forget CARD)): as often as CARD's collection has cards."""

    item: Move | Forget


@dataclass(frozen=True, slots=True, eq=False)
class Action(Item):
    """A simple action: what alternatives are counted by."""


@dataclass(frozen=True, slots=True, eq=False)
class Move(Action):
    card: Expr
    place: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Remember(Action):
    card: Expr
    place: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Forget(Action):
    card: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Shuffle(Action):
    cards: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Swap(Action):
    """Of two card collections (`whole`) or of two cards."""

    left: Expr
    right: Expr
    whole: bool


@dataclass(frozen=True, slots=True, eq=False)
class SetInt(Action):
    store: IntStore
    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class AddInt(Action):
    """inc (sign 1) and dec (sign -1); no amount means 1."""

    store: IntStore
    amount: Expr | None
    sign: Literal[1, -1]


@dataclass(frozen=True, slots=True, eq=False)
class SetStr(Action):
    store: StrStore
    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Award(Node):
    """((KEY : VALUE)+ INT)"""

    pairs: tuple[tuple[Expr, Expr], ...]
    amount: Expr


@dataclass(frozen=True, slots=True, eq=False)
class SetPoints(Action):
    store: MapStore
    awards: tuple[Award, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Cycle(Action):
    """(cycle next X) queues a player, (cycle current X) makes it the current one."""

    which: Literal["next", "current"]
    player: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Pass(Action):
    """(turn pass)"""


@dataclass(frozen=True, slots=True, eq=False)
class Attribute(Node):
    """(KEY CHILD+) of a deck. A child is one value and the attributes below it (mostly none)."""

    key: Expr
    children: tuple[Child, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Child(Node):
    value: Expr
    below: tuple[Attribute, ...]


@dataclass(frozen=True, slots=True, eq=False)
class CreateDeck(Action):
    back: Expr | None
    location: Location
    attributes: tuple[Attribute, ...]


@dataclass(frozen=True, slots=True, eq=False)
class CreateTeams(Action):
    """Members as written, not yet counted from 0."""

    teams: tuple[tuple[Expr, ...], ...]
