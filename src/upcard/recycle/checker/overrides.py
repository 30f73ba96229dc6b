"""Applies overrides of declared values: house rules."""

from __future__ import annotations

import re

from upcard.recycle import program as p
from upcard.recycle.arithmetic import GREATEST, LEAST
from upcard.recycle.checker.context import Context
from upcard.recycle.diagnostics import suggest
from upcard.recycle.kinds import Kind
from upcard.recycle.source import NOWHERE, Span

_NAME = re.compile(r"[A-Z]+\Z")
_NUMBER = re.compile(r"-?[0-9]{1,19}\Z")


def overriding(ctx: Context, name: str, text: str, declared: p.Expr, span: Span) -> p.Expr:
    """The value that `text` gives in place of the declared one, which it must match in kind."""
    kind = declared.kind
    if kind is Kind.ANY:
        return declared
    if kind is Kind.INT:
        number = _number(text)
        if number is not None:
            return p.Int(span, number)
        wanted = f"a number, such as {name}=5"
    elif kind is Kind.STR:
        if _NAME.match(text):
            return p.Str(span, text)
        wanted = f"a name in capitals, such as {name}=TRUE"
    elif kind is Kind.BOOL:
        if text in ("TRUE", "FALSE"):
            return p.Truth(span, text == "TRUE")
        wanted = f"{name}=TRUE or {name}=FALSE"
    elif kind is Kind.STRS:
        names = [part.strip() for part in text.split(",")]
        if all(_NAME.match(part) for part in names):
            return p.Names(span, tuple(names))
        wanted = f"names with commas between them, such as {name}=RED,BLUE"
    elif kind is Kind.INTS:
        numbers = [_number(part.strip()) for part in text.split(",")]
        if None not in numbers:
            return p.Numbers(span, tuple(n for n in numbers if n is not None))
        wanted = f"numbers with commas between them, such as {name}=1,2"
    else:
        return ctx.bad(
            "E404",
            span,
            f"'{name} is {kind.value} and cannot be set from outside",
            "only numbers, strings, conditions and lists of numbers or strings can be set, as in NAME=5",
        )
    return ctx.bad(
        "E404", span, f"'{name} is {kind.value}, but it was set to {text[:24] or 'nothing'}", f"give {wanted}"
    )


def _number(text: str) -> int | None:
    if not _NUMBER.match(text):
        return None
    number = int(text)
    return number if LEAST <= number <= GREATEST else None


def unknown_override(ctx: Context, name: str, known: list[str]) -> None:
    meant = suggest(name, sorted(known))
    if meant:
        hint = f"did you mean {meant}?"
    elif known:
        hint = "declared here: " + ", ".join(known[:8])
    else:
        hint = "this program declares no values"
    ctx.report("E404", NOWHERE, f"this program does not declare {name[:24]}", hint)
