"""Base classes of nodes: span, kind, variables, owners."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

from upcard.recycle.kinds import Kind
from upcard.recycle.source import Span

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


@dataclass(frozen=True, slots=True, eq=False)
class Table(Node):
    """The word `game` as an owner."""


Owner: TypeAlias = Table | Expr
"""Who owns a storage or location: the table, a player or (storages only) a team."""
