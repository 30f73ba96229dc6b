"""How forms are written: the declarations from which words, arities, colours and layouts derive."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from upcard.recycle.kinds import Kind

Role: TypeAlias = Literal["operation", "action", "block", "logic", "owner", "class", "storage"]
Layout: TypeAlias = Literal["", "aligned", "store", "binder", "items"]
Wanted: TypeAlias = Kind | Literal["collection", "part"]
"""A kind, any collection (a team stands for its members), or cards or a list of collections."""

MAX_OPERANDS = 10_000
"""Of forms that take any number."""
UNBOUNDED = 1 << 40
"""More items than any text has."""


@dataclass(frozen=True, slots=True)
class Operand:
    """An operand of a regular form: the field of the node that it fills, and what is wanted there."""

    field: str
    kind: Wanted
    many: int = 0
    """The last operand may stand several times, at least as often as this; 0: exactly once."""
    what: str = "{head}"
    """Who wants it, as messages say it."""


@dataclass(frozen=True, slots=True)
class Syntax:
    """One way to write a form. Words are given in one string, with spaces between them.

    A form whose operands are declared is regular: the checker needs no function for it. Operands and words
    such as `using` stand in the order of the text.
    """

    heads: str = ""
    """Words or operators that open the form."""
    example: str = ""
    """What a message shows; {head} is the word at hand."""
    operands: tuple[Operand | str, ...] = ()
    count: tuple[int, int] | None = None
    """How many items an irregular form has behind its head."""
    fields: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """By head: fields of the node that the head decides."""
    inside: str = ""
    """Words inside the form that it gives a meaning to."""
    alone: str = ""
    """Words that are the whole form, without parentheses."""
    role: Role = "operation"
    """What highlighters show the heads as."""
    inside_role: Role = "operation"
    """The same of words that never open a form."""
    layout: Layout = ""
    """How the formatter breaks it: operands below each other, a storage and its value, a variable and its
    body, or a list of items."""
    newer: int | None = None
    """Only the newer dialect, which counts from 1, has it with this number of operands or more."""

    @property
    def words(self) -> list[str]:
        return self.heads.split()

    @property
    def bounds(self) -> tuple[int, int] | None:
        """The least and the greatest number of items behind the head; None where anything goes."""
        if not self.operands:
            return self.count
        last = self.operands[-1]
        if isinstance(last, Operand) and last.many:
            return len(self.operands) - 1 + last.many, MAX_OPERANDS
        return len(self.operands), len(self.operands)

    def shown(self, head: str) -> str:
        return self.example.replace("{head}", head)
