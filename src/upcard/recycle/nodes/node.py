"""Base classes of nodes: span, kind, variables, owners, and what every form declares.

A node class is the one declaration of a form: how it is written (`syntax`), the kind of its value, what it is
when its operands are constants (`fold`), how it can fail (`failures`) and where it is documented (`page`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias, TypeVar, cast, dataclass_transform

from upcard.recycle.kinds import Kind
from upcard.recycle.nodes.syntax import Syntax
from upcard.recycle.source import Span

End: TypeAlias = Literal["top", "bottom"]
Which: TypeAlias = Literal["current", "next", "previous"]
LocationClass: TypeAlias = Literal["vloc", "iloc", "hloc", "oloc", "mem"]

T = TypeVar("T")

NODES: list[type[Any]] = []
"""Every class of nodes."""


@dataclass_transform(eq_default=False, frozen_default=True)
def node(
    kind: Kind | None = None,
    *,
    page: str | None = None,
    failures: tuple[str, ...] | None = None,
    draws: bool | None = None,
) -> Callable[[type[T]], type[T]]:
    """Declares a class of nodes: immutable, equal only to itself. What is left out is inherited."""

    def declare(cls: type[T]) -> type[T]:
        made: Any = dataclass(frozen=True, slots=True, eq=False)(cls)
        declared = {"kind": kind, "page": page, "failures": failures, "draws": draws}
        for name, value in declared.items():
            if value is not None:
                setattr(made, name, value)
        NODES.append(made)
        return cast(type[T], made)

    return declare


@node()
class Node:
    span: Span

    syntax: ClassVar[Syntax | None] = None
    """How it is written; None where no word belongs to it alone."""
    inner_syntax: ClassVar[tuple[Syntax, ...]] = ()
    """Forms inside it that have no node of their own."""
    failures: ClassVar[tuple[str, ...] | None] = None
    """Sentences of the run-time errors that a form itself can end in, operands aside. Where nothing is
    declared it is taken to fail; () says that it cannot."""
    draws: ClassVar[bool] = False
    """It takes random numbers."""
    page: ClassVar[str] = ""
    """The section of docs/language that describes the form."""


def syntaxes_of(cls: type[Node]) -> tuple[Syntax, ...]:
    """Everything that a class says about writing."""
    return cls.inner_syntax if cls.syntax is None else (cls.syntax, *cls.inner_syntax)


def syntax_of(cls: type[Node], head: str) -> Syntax:
    """How a form of this class is written with this head."""
    return next(syntax for syntax in syntaxes_of(cls) if head in syntax.words)


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


@node()
class Expr(Node):
    """A form with a value."""

    fold: ClassVar[Callable[..., Any] | None] = None
    """The value from the node's other fields, operands replaced by their values, where all are constants.
    A result that does not exist is a `NumberError`."""

    @property
    def kind(self) -> Kind:
        raise NotImplementedError


@node(Kind.ANY)
class Bad(Expr):
    """Takes the place of something that was reported; a program that holds one is never handed out."""


@node(page="shape#let", failures=())
class Var(Expr):
    binding: Binding

    @property
    def kind(self) -> Kind:
        return self.binding.kind


@node(page="values#storages", failures=())
class Table(Node):
    """The word `game` as an owner."""

    syntax: ClassVar = Syntax(inside="game")


Owner: TypeAlias = Table | Expr
"""Who owns a storage or location: the table, a player or (storages only) a team."""
