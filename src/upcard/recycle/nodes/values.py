"""Nodes of single values: numbers, conditions, strings, point maps, players, teams, cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from upcard.recycle.kinds import Kind
from upcard.recycle.nodes.node import Binding, End, Expr, Owner, Which

# integers


@dataclass(frozen=True, slots=True, eq=False)
class Int(Expr):
    value: int
    kind: ClassVar[Kind] = Kind.INT


@dataclass(frozen=True, slots=True, eq=False)
class IntStore(Expr):
    """(W sto N)"""

    owner: Owner
    name: Expr
    kind: ClassVar[Kind] = Kind.INT


@dataclass(frozen=True, slots=True, eq=False)
class Size(Expr):
    of: Expr
    kind: ClassVar[Kind] = Kind.INT


@dataclass(frozen=True, slots=True, eq=False)
class Sum(Expr):
    cards: Expr
    using: Expr
    kind: ClassVar[Kind] = Kind.INT


@dataclass(frozen=True, slots=True, eq=False)
class Score(Expr):
    card: Expr
    using: Expr
    kind: ClassVar[Kind] = Kind.INT


@dataclass(frozen=True, slots=True, eq=False)
class BestScore(Expr):
    """(scoremax C using M), (scoremin C using M)"""

    cards: Expr
    using: Expr
    greatest: bool
    kind: ClassVar[Kind] = Kind.INT


@dataclass(frozen=True, slots=True, eq=False)
class Pid(Expr):
    player: Expr
    kind: ClassVar[Kind] = Kind.INT


@dataclass(frozen=True, slots=True, eq=False)
class Arithmetic(Expr):
    """Two or more operands, folded from the left."""

    operator: Literal["+", "-", "*", "//", "%", "^"]
    operands: tuple[Expr, ...]
    kind: ClassVar[Kind] = Kind.INT


@dataclass(frozen=True, slots=True, eq=False)
class Tri(Expr):
    of: Expr
    kind: ClassVar[Kind] = Kind.INT


@dataclass(frozen=True, slots=True, eq=False)
class Fib(Expr):
    of: Expr
    kind: ClassVar[Kind] = Kind.INT


@dataclass(frozen=True, slots=True, eq=False)
class Random(Expr):
    """Uniform on low to high, both included; no low means from 0."""

    low: Expr | None
    high: Expr
    kind: ClassVar[Kind] = Kind.INT


@dataclass(frozen=True, slots=True, eq=False)
class SumOver(Expr):
    """(all X 'V (W sto N)) as a number: the sum of those storages."""

    source: Expr
    binding: Binding
    store: IntStore
    kind: ClassVar[Kind] = Kind.INT


# booleans


@dataclass(frozen=True, slots=True, eq=False)
class Logic(Expr):
    """(and ...), (or ...): left to right, stopping as soon as decided."""

    operator: Literal["and", "or"]
    operands: tuple[Expr, ...]
    kind: ClassVar[Kind] = Kind.BOOL


@dataclass(frozen=True, slots=True, eq=False)
class Not(Expr):
    of: Expr
    kind: ClassVar[Kind] = Kind.BOOL


@dataclass(frozen=True, slots=True, eq=False)
class Compare(Expr):
    operator: Literal["<", ">", "<=", ">="]
    left: Expr
    right: Expr
    kind: ClassVar[Kind] = Kind.BOOL


@dataclass(frozen=True, slots=True, eq=False)
class Same(Expr):
    """(== X Y), (!= X Y) on two values of one kind: INT, STR, CARD, PLAYER or TEAM."""

    left: Expr
    right: Expr
    negated: bool
    of: Kind
    kind: ClassVar[Kind] = Kind.BOOL


@dataclass(frozen=True, slots=True, eq=False)
class Quantified(Expr):
    """(all X 'V B), (any X 'V B) as a condition; stops at the first element that decides."""

    every: bool
    source: Expr
    binding: Binding
    test: Expr
    kind: ClassVar[Kind] = Kind.BOOL


@dataclass(frozen=True, slots=True, eq=False)
class Truth(Expr):
    """Given from outside in place of a declared condition; the text itself has no such form."""

    value: bool
    kind: ClassVar[Kind] = Kind.BOOL


# strings and point maps


@dataclass(frozen=True, slots=True, eq=False)
class Str(Expr):
    text: str
    kind: ClassVar[Kind] = Kind.STR


@dataclass(frozen=True, slots=True, eq=False)
class StrStore(Expr):
    """(W str N)"""

    owner: Owner
    name: Expr
    kind: ClassVar[Kind] = Kind.STR


@dataclass(frozen=True, slots=True, eq=False)
class CardAtt(Expr):
    key: Expr
    card: Expr
    kind: ClassVar[Kind] = Kind.STR


@dataclass(frozen=True, slots=True, eq=False)
class MapStore(Expr):
    """(W points N)"""

    owner: Owner
    name: Expr
    kind: ClassVar[Kind] = Kind.MAP


# players and teams


@dataclass(frozen=True, slots=True, eq=False)
class SeatAt(Expr):
    """(current player), (next player), (previous player)"""

    which: Which
    kind: ClassVar[Kind] = Kind.PLAYER


@dataclass(frozen=True, slots=True, eq=False)
class SeatNumber(Expr):
    """(n player), counted from the program's base"""

    number: Expr
    kind: ClassVar[Kind] = Kind.PLAYER


@dataclass(frozen=True, slots=True, eq=False)
class OwnerOf(Expr):
    card: Expr
    kind: ClassVar[Kind] = Kind.PLAYER


@dataclass(frozen=True, slots=True, eq=False)
class TeamAt(Expr):
    which: Which
    kind: ClassVar[Kind] = Kind.TEAM


@dataclass(frozen=True, slots=True, eq=False)
class TeamNumber(Expr):
    number: Expr
    kind: ClassVar[Kind] = Kind.TEAM


@dataclass(frozen=True, slots=True, eq=False)
class TeamOf(Expr):
    player: Expr
    kind: ClassVar[Kind] = Kind.TEAM


# cards


@dataclass(frozen=True, slots=True, eq=False)
class EndCard(Expr):
    """(top C), (bottom C): the last or first card of C, or no card."""

    end: End
    cards: Expr
    kind: ClassVar[Kind] = Kind.CARD


@dataclass(frozen=True, slots=True, eq=False)
class CardAt(Expr):
    """(n C): the card with index n, 0 at the bottom."""

    index: Expr
    cards: Expr
    kind: ClassVar[Kind] = Kind.CARD


@dataclass(frozen=True, slots=True, eq=False)
class BestCard(Expr):
    """(max C using M), (min C using M): ties are drawn."""

    cards: Expr
    using: Expr
    greatest: bool
    kind: ClassVar[Kind] = Kind.CARD


@dataclass(frozen=True, slots=True, eq=False)
class TopOf(Expr):
    """A collection standing where a card is wanted: its top card."""

    cards: Expr
    kind: ClassVar[Kind] = Kind.CARD
