"""The typed program: output of the checker and input of every engine.

Every node is immutable and knows its span. All that was ambiguous in the text is settled here: which
`all` is meant, whether `top` gives a card or a collection, which words count players from 1. Kinds are
settled too, so an engine never asks what a value is. The families of nodes lie in `nodes/`; this is the
whole, and the one place that everybody takes nodes from.
"""

# ruff: noqa: I001 -- "as" hands a name on to whoever imports it from here; one statement a family

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from upcard.recycle.nodes.actions import (
    Action as Action,
    AddInt as AddInt,
    Attribute as Attribute,
    Award as Award,
    BadItem as BadItem,
    Child as Child,
    CreateDeck as CreateDeck,
    CreateTeams as CreateTeams,
    Cycle as Cycle,
    Do as Do,
    ForAll as ForAll,
    ForAny as ForAny,
    Forget as Forget,
    Item as Item,
    Let as Let,
    Move as Move,
    Pass as Pass,
    Remember as Remember,
    Repeat as Repeat,
    RepeatAll as RepeatAll,
    SetInt as SetInt,
    SetPoints as SetPoints,
    SetStr as SetStr,
    Shuffle as Shuffle,
    Swap as Swap,
    When as When,
)
from upcard.recycle.nodes.collections import (
    Combination as Combination,
    Each as Each,
    EndCards as EndCards,
    EndRun as EndRun,
    Filter as Filter,
    Indexed as Indexed,
    ListAt as ListAt,
    ListEnd as ListEnd,
    Location as Location,
    Members as Members,
    Names as Names,
    Numbers as Numbers,
    Partition as Partition,
    Players as Players,
    Range as Range,
    Runs as Runs,
    Sort as Sort,
    Subsets as Subsets,
    Teams as Teams,
    Tuples as Tuples,
)
from upcard.recycle.nodes.node import (
    Bad as Bad,
    Binding as Binding,
    End as End,
    Expr as Expr,
    LocationClass as LocationClass,
    Node as Node,
    Owner as Owner,
    Table as Table,
    Var as Var,
    Which as Which,
)
from upcard.recycle.nodes.values import (
    Arithmetic as Arithmetic,
    BestCard as BestCard,
    BestScore as BestScore,
    CardAt as CardAt,
    CardAtt as CardAtt,
    Compare as Compare,
    EndCard as EndCard,
    Fib as Fib,
    Int as Int,
    IntStore as IntStore,
    Logic as Logic,
    MapStore as MapStore,
    Not as Not,
    OwnerOf as OwnerOf,
    Pid as Pid,
    Quantified as Quantified,
    Random as Random,
    Same as Same,
    Score as Score,
    SeatAt as SeatAt,
    SeatNumber as SeatNumber,
    Size as Size,
    Str as Str,
    StrStore as StrStore,
    Sum as Sum,
    SumOver as SumOver,
    TeamAt as TeamAt,
    TeamNumber as TeamNumber,
    TeamOf as TeamOf,
    TopOf as TopOf,
    Tri as Tri,
    Truth as Truth,
)
from upcard.recycle.source import Source


@dataclass(frozen=True, slots=True, eq=False)
class Choice(Node):
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True, eq=False)
class LetChoice(Node):
    """(let VALUE 'V CHOICE), possibly through another let."""

    value: Expr
    binding: Binding
    inner: Choice | LetChoice


@dataclass(frozen=True, slots=True, eq=False)
class Stage(Node):
    of: Literal["player", "team"]
    end: Expr
    body: tuple[Element, ...]


Element: TypeAlias = Stage | Choice | LetChoice | Item


@dataclass(frozen=True, slots=True, eq=False)
class Declare(Node):
    value: Expr
    binding: Binding
    overridden: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Setup(Node):
    players: Expr
    teams: CreateTeams | None
    decks: tuple[CreateDeck | Repeat, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Scoring(Node):
    highest: bool
    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Program(Node):
    """A whole game, checked: it can be played as it stands."""

    source: Source
    declares: tuple[Declare, ...]
    setup: Setup
    body: tuple[Element, ...]
    scoring: Scoring
    players: int
    base: Literal[0, 1]
    """What the program counts players and teams from; engines count from 0."""
    slots: int
    """How many variables there are."""
    overrides: tuple[tuple[str, str], ...] = field(default=())
    """Declared values given from outside, as name and text, in the order of declaration."""
