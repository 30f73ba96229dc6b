"""Checks the awards of a point map."""

from __future__ import annotations

from upcard.recycle import program as p
from upcard.recycle.checker.context import Context
from upcard.recycle.checker.values import integer, string
from upcard.recycle.forms import Atom, Form, Node

_AWARD = "(((SUIT : H) 1) ((RANK : Q) (SUIT : S) 13))"


def awards(ctx: Context, node: Node) -> tuple[p.Award, ...]:
    if isinstance(node, Atom) or not node.items:
        if not (isinstance(node, Atom) and node.kind == "bad"):
            ctx.report("E212", node.span, "a point map must be a list of awards", f"write {_AWARD}")
        return ()
    first = node.items[0]
    if (
        isinstance(first, Form)
        and first.items
        and isinstance(first.items[0], Atom)
        and first.items[0].kind == "name"
    ):
        ctx.report("E212", node.span, "each award needs its own parentheses", f"write {_AWARD}")
        return ()
    return tuple(award for entry in node.items if (award := _award(ctx, entry)) is not None)


def _award(ctx: Context, node: Node) -> p.Award | None:
    if isinstance(node, Atom):
        if node.kind != "bad":
            ctx.report("E212", node.span, f"{ctx.text(node)} is not an award", f"write {_AWARD}")
        return None
    if node.items and isinstance(node.items[0], Atom) and node.items[0].kind in ("word", "name", "operator"):
        ctx.report("E212", node.span, "each award needs its own parentheses", f"write {_AWARD}")
        return None
    if len(node.items) < 2:
        ctx.report(
            "E212", node.span, "an award must be one or more pairs followed by an amount", f"write {_AWARD}"
        )
        return None
    pairs = [_pair(ctx, pair) for pair in node.items[:-1]]
    last = node.items[-1]
    if isinstance(last, Form) and any(isinstance(i, Atom) and i.is_mark(":") for i in last.items):
        ctx.report("E212", last.span, "the amount of this award is missing", f"write {_AWARD}")
        return None
    amount = integer(ctx, last, "the amount of an award")
    kept = tuple(pair for pair in pairs if pair is not None)
    return p.Award(node.span, kept, amount) if len(kept) == len(pairs) else None


def _pair(ctx: Context, node: Node) -> tuple[p.Expr, p.Expr] | None:
    """(KEY : VALUE), or the older (KEY (VALUE))"""
    if isinstance(node, Form):
        items = node.items
        if len(items) == 3 and isinstance(items[1], Atom) and items[1].is_mark(":"):
            return string(ctx, items[0], "the key of an award"), string(
                ctx, items[2], "the value of an award"
            )
        if (
            len(items) == 2
            and isinstance(items[1], Form)
            and not (isinstance(items[0], Atom) and items[0].kind == "mark")
        ):
            inner = items[1].items[0] if len(items[1].items) == 1 else items[1]
            return string(ctx, items[0], "the key of an award"), string(ctx, inner, "the value of an award")
        if any(isinstance(i, Atom) and i.kind == "bad" for i in items):
            return None
    elif node.kind == "bad":
        return None
    ctx.report("E212", node.span, "a pair in an award must be (KEY : VALUE)", f"write {_AWARD}")
    return None
