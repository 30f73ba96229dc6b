"""Checks regular forms: those whose operands their node class declares."""

from __future__ import annotations

from functools import partial
from typing import Any

from upcard.recycle import program as p
from upcard.recycle.checker.context import Context
from upcard.recycle.checker.values import MAKERS, as_part, collection, value, want
from upcard.recycle.forms import Atom, Form, Node
from upcard.recycle.kinds import Kind


def regular(ctx: Context, form: Form, cls: type[p.Node], syntax: p.Syntax) -> p.Node | None:
    """The node of a form, or None when its shape was reported."""
    head = form.head
    if syntax.newer == 0:
        ctx.newer_form(form.span)
    rest = ctx.operands(form, syntax)
    if rest is None:
        return None
    if syntax.newer and len(rest) >= syntax.newer:
        ctx.newer_form(form.span)
    fields: dict[str, Any] = dict(syntax.fields.get(head, {}))
    behind: list[int] = []
    for at, word in enumerate(syntax.operands):
        if isinstance(word, str):
            after = syntax.operands[at + 1]
            assert isinstance(after, p.Operand)
            if not is_word(ctx, form, rest[at], word, after.kind, syntax):
                return None
            behind.append(at + 1)
    # what stands behind a word says what the form is about, so its mistakes are reported first
    for at in sorted(range(len(syntax.operands)), key=lambda at: at not in behind):
        operand = syntax.operands[at]
        if isinstance(operand, p.Operand):
            fields[operand.field] = _operand(ctx, operand, rest, at, head)
    return cls(form.span, **fields)


def is_word(ctx: Context, form: Form, node: Node, word: str, kind: p.Wanted, syntax: p.Syntax) -> bool:
    """Whether the word stands where it belongs; reports it if not."""
    if isinstance(node, Atom) and node.is_word(word):
        return True
    if not (isinstance(node, Atom) and node.kind == "bad"):
        wanted = kind.value if isinstance(kind, Kind) else kind
        message = f"{form.head} needs the word {word} and {wanted} here"
        ctx.report("E201", node.span, message, f"write {syntax.shown(form.head)}")
    return False


def _operand(
    ctx: Context, operand: p.Operand, rest: tuple[Node, ...], at: int, head: str
) -> p.Expr | tuple[p.Expr, ...]:
    what = operand.what.replace("{head}", head)
    if operand.many:
        return tuple(_brought(ctx, node, operand.kind, what) for node in rest[at:])
    return _brought(ctx, rest[at], operand.kind, what)


def _brought(ctx: Context, node: Node, kind: p.Wanted, what: str) -> p.Expr:
    if isinstance(kind, Kind):
        return want(ctx, node, kind, what)
    return collection(ctx, node, what) if kind == "collection" else as_part(ctx, value(ctx, node), node, what)


def _value(ctx: Context, form: Form, *, cls: type[p.Expr], syntax: p.Syntax) -> p.Expr:
    made = regular(ctx, form, cls, syntax)
    return made if isinstance(made, p.Expr) else p.Bad(form.span)


for _cls in p.NODES:
    for _syntax in p.syntaxes_of(_cls) if issubclass(_cls, p.Expr) else ():
        if _syntax.operands:
            MAKERS.update(dict.fromkeys(_syntax.words, partial(_value, cls=_cls, syntax=_syntax)))
