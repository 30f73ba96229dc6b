"""Nodes of collections: cards, lists of collections, players, teams, numbers, names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from upcard.recycle.kinds import Kind
from upcard.recycle.nodes.node import Binding, End, Expr, LocationClass, Owner

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
