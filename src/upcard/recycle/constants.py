"""Constant folding: values that depend neither on play nor on chance."""

from __future__ import annotations

from typing import Any, TypeAlias

from upcard.recycle import program as p
from upcard.recycle.arithmetic import NumberError
from upcard.recycle.walk import parts

Known: TypeAlias = dict[int, Any]
"""Declared values by slot, None where one is no constant. A caller that asks often passes the same one each
time: then a chain of declares is folded once, however it branches."""


def constant(expr: p.Expr, known: Known | None = None) -> int | None:
    """The value of a constant number."""
    value = _folded(expr, {} if known is None else known)
    return value if isinstance(value, int) else None


def text_of(expr: p.Expr, known: Known | None = None) -> str | None:
    """The value of a constant string."""
    value = _folded(expr, {} if known is None else known)
    return value if isinstance(value, str) else None


def _folded(expr: p.Expr, known: Known) -> Any:
    if isinstance(expr, p.Var):
        binding = expr.binding
        if binding.how != "declare":
            return None
        if binding.slot not in known:
            known[binding.slot] = _folded(binding.source, known)
        return known[binding.slot]
    fold = type(expr).fold
    if fold is None:
        return None
    values = [_value(getattr(expr, name), known) for name in parts(type(expr))]
    if None in values:
        return None
    try:
        return fold(*values)
    except NumberError:
        return None


def _value(field: object, known: Known) -> Any:
    """A field with its operands folded; None where one is no constant."""
    if isinstance(field, p.Expr):
        return _folded(field, known)
    if isinstance(field, tuple):
        values = tuple(_value(part, known) for part in field)
        return None if None in values else values
    return field
