"""The typed program: what the checker makes of forms, and all that an engine ever sees.

Every node is immutable and knows its span. All that was ambiguous in the text is settled here: which
`all` is meant, whether `top` gives a card or a collection, which words count players from 1. Kinds are
settled too, so an engine never asks what a value is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal, TypeAlias

from upcard.recycle.kinds import Kind
from upcard.recycle.source import Source, Span

End: TypeAlias = Literal["top", "bottom"]
Which: TypeAlias = Literal["current", "next", "previous"]
LocationClass: TypeAlias = Literal["vloc", "iloc", "hloc", "oloc", "mem"]


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Binding:
    """A variable's one binding site. Slots number the sites, so inner names never touch outer ones."""

    slot: int
    name: str
    kind: Kind
    span: Span
    how: Literal["declare", "let", "each"]
    source: Expr
    """What was bound (declare, let), or the collection whose elements are (each)."""


# --- values --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Expr(Node):
    """A form with a value."""

    @property
    def kind(self) -> Kind:
        raise NotImplementedError


@dataclass(frozen=True, slots=True, eq=False)
class Bad(Expr):
    """Stands where something was reported; a program that holds one is never handed out."""

    kind: ClassVar[Kind] = Kind.ANY


@dataclass(frozen=True, slots=True, eq=False)
class Var(Expr):
    binding: Binding

    @property
    def kind(self) -> Kind:
        return self.binding.kind


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


@dataclass(frozen=True, slots=True, eq=False)
class Table(Node):
    """The word `game` as an owner."""


Owner: TypeAlias = Table | Expr
"""Who owns a storage or location: the table, a player or (storages only) a team."""


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


# card collections


@dataclass(frozen=True, slots=True, eq=False)
class Location(Expr):
    """(OWNER class NAME [n]): live."""

    owner: Owner
    cls: LocationClass
    name: Expr
    number: Expr | None
    kind: ClassVar[Kind] = Kind.CARDS


@dataclass(frozen=True, slots=True, eq=False)
class Combination(Expr):
    """union, intersect, disjunction. A part is a collection or a list of them."""

    how: Literal["union", "intersect", "disjunction"]
    parts: tuple[Expr, ...]
    kind: ClassVar[Kind] = Kind.CARDS


@dataclass(frozen=True, slots=True, eq=False)
class Filter(Expr):
    """Elements of the source that pass; of the source's own kind."""

    source: Expr
    binding: Binding
    test: Expr

    @property
    def kind(self) -> Kind:
        return self.source.kind


@dataclass(frozen=True, slots=True, eq=False)
class Sort(Expr):
    cards: Expr
    using: Expr
    kind: ClassVar[Kind] = Kind.CARDS


@dataclass(frozen=True, slots=True, eq=False)
class EndCards(Expr):
    """(top n C), (bottom n C): the n cards nearest that end, in their own order."""

    end: End
    count: Expr
    cards: Expr
    kind: ClassVar[Kind] = Kind.CARDS


@dataclass(frozen=True, slots=True, eq=False)
class EndRun(Expr):
    """(run top n C using M), (run bottom n C using M)"""

    end: End
    least: Expr
    cards: Expr
    using: Expr
    kind: ClassVar[Kind] = Kind.CARDS


@dataclass(frozen=True, slots=True, eq=False)
class ListEnd(Expr):
    """(top L), (bottom L) of a list of collections: its first or last. Mind that top is first here."""

    end: End
    lists: Expr
    kind: ClassVar[Kind] = Kind.CARDS


@dataclass(frozen=True, slots=True, eq=False)
class ListAt(Expr):
    """(n L) of a list of collections."""

    index: Expr
    lists: Expr
    kind: ClassVar[Kind] = Kind.CARDS


# lists of collections


@dataclass(frozen=True, slots=True, eq=False)
class Partition(Expr):
    key: Expr
    parts: tuple[Expr, ...]
    kind: ClassVar[Kind] = Kind.LISTS


@dataclass(frozen=True, slots=True, eq=False)
class Tuples(Expr):
    count: Expr
    cards: Expr
    using: Expr
    kind: ClassVar[Kind] = Kind.LISTS


@dataclass(frozen=True, slots=True, eq=False)
class Subsets(Expr):
    cards: Expr
    kind: ClassVar[Kind] = Kind.LISTS


@dataclass(frozen=True, slots=True, eq=False)
class Runs(Expr):
    """(runs largest n C using M), (runs all n C using M)"""

    every: bool
    least: Expr
    cards: Expr
    using: Expr
    kind: ClassVar[Kind] = Kind.LISTS


@dataclass(frozen=True, slots=True, eq=False)
class Each(Expr):
    """(all X 'V C) as a list of collections."""

    source: Expr
    binding: Binding
    body: Expr
    kind: ClassVar[Kind] = Kind.LISTS


@dataclass(frozen=True, slots=True, eq=False)
class Indexed(Expr):
    """(indexed OWNER class NAME): the numbered locations that hold a card now."""

    owner: Owner
    cls: LocationClass
    name: Expr
    kind: ClassVar[Kind] = Kind.LISTS


# other collections


@dataclass(frozen=True, slots=True, eq=False)
class Players(Expr):
    """`player`, or (other player) without the current one"""

    others: bool
    kind: ClassVar[Kind] = Kind.PLAYERS


@dataclass(frozen=True, slots=True, eq=False)
class Teams(Expr):
    others: bool
    kind: ClassVar[Kind] = Kind.TEAMS


@dataclass(frozen=True, slots=True, eq=False)
class Members(Expr):
    """A team where a collection is wanted."""

    team: Expr
    kind: ClassVar[Kind] = Kind.PLAYERS


@dataclass(frozen=True, slots=True, eq=False)
class Range(Expr):
    low: Expr
    high: Expr
    kind: ClassVar[Kind] = Kind.INTS


@dataclass(frozen=True, slots=True, eq=False)
class Names(Expr):
    texts: tuple[str, ...]
    kind: ClassVar[Kind] = Kind.STRS


@dataclass(frozen=True, slots=True, eq=False)
class Numbers(Expr):
    """Numbers given from outside in place of a declared range; the text itself has no such form."""

    values: tuple[int, ...]
    kind: ClassVar[Kind] = Kind.INTS


# --- items: things done --------------------------------------------------------------------------


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


# --- the shape of a game -------------------------------------------------------------------------


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
