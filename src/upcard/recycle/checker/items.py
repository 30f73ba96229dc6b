"""Checks items: blocks, conditionals, loops and lets; the sibling files check actions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from upcard.recycle import program as p
from upcard.recycle.checker.context import Context
from upcard.recycle.checker.numbers import loop_head
from upcard.recycle.checker.values import condition, integer, value
from upcard.recycle.forms import Atom, Form, Node
from upcard.recycle.kinds import Kind
from upcard.recycle.reserved_words import OPERATORS

Maker: TypeAlias = Callable[[Context, Form], p.Item]

ITEMS: dict[str, Maker] = {}
"""Which function understands an item, by its head."""


def does(*heads: str) -> Callable[[Maker], Maker]:
    def register(maker: Maker) -> Maker:
        for head in heads:
            ITEMS[head] = maker
        return maker

    return register


def item(ctx: Context, node: Node) -> p.Item:
    """Anything that can be done inside a block or a choice."""
    if ctx.trial is not None and isinstance(node, Form):
        return ctx.trial.made("item", _item, ctx, node)
    return _item(ctx, node)


def _item(ctx: Context, node: Node) -> p.Item:
    ctx.steps += 1
    if isinstance(node, Atom):
        if node.kind != "bad":
            ctx.report("E203", node.span, f"{ctx.text(node)} is not an action or a block", _ITEM_HINT)
        return p.BadItem(node.span)
    if not node.items:
        ctx.report("E203", node.span, "these parentheses are empty", _ITEM_HINT)
        return p.BadItem(node.span)
    first = node.items[0]
    if isinstance(first, Form) or first.kind == "variable":
        return _when(ctx, node)
    if first.kind == "bad":
        return p.BadItem(node.span)
    maker = ITEMS.get(first.text)
    if maker is not None and first.kind == "word":
        return maker(ctx, node)
    return _not_an_item(ctx, node, first)


_ITEM_HINT = "write an action, such as (turn pass), or a do, all, any or let"


def _not_an_item(ctx: Context, form: Form, first: Atom) -> p.Item:
    if first.is_word("choice"):
        ctx.report(
            "E205",
            first.span,
            "a choice cannot be inside a do, all, any or another choice",
            "put it directly in the stage or the game: (stage player (end ...) (choice (...)))",
        )
    elif first.is_word("stage"):
        ctx.report(
            "E206",
            first.span,
            "a stage cannot be inside a block",
            "put it directly in the game or in another stage",
        )
    elif first.text in OPERATORS or first.is_word("and", "or", "not"):
        ctx.report(
            "E203",
            first.span,
            "a condition on its own does nothing",
            "put it in parentheses with an item, as in ((== 1 1) (turn pass))",
        )
    else:
        ctx.report("E203", first.span, f"{ctx.text(first)} is not an action or a block", _ITEM_HINT)
    return p.BadItem(form.span)


def items_of(ctx: Context, form: Form, of: type[p.Do | p.Choice]) -> tuple[p.Item, ...]:
    """(do ( ITEM+ )), (choice ( ITEM+ )): the items in their own parentheses."""
    what = form.head
    shape = p.syntax_of(of, what).shown(what)
    rest = ctx.operands(form, of)
    if rest is None:
        # a second list is most often a missing pair of parentheses; look into all of them all the same
        return tuple(item(ctx, inner) for node in form.items[1:] for inner in _inner(node)) or ()
    inner = rest[0]
    if isinstance(inner, Atom):
        if inner.kind != "bad":
            ctx.report(
                "E207",
                inner.span,
                f"{what} needs its items in a separate pair of parentheses",
                f"write {shape}",
            )
        return ()
    if not inner.items:
        ctx.report("E201", ctx.gap(inner), f"{what} needs at least one item", f"write {shape}")
        return ()
    first = inner.items[0]
    if isinstance(first, Atom) and (first.kind == "bad" or first.text in ITEMS):
        if first.kind != "bad":
            ctx.report(
                "E207",
                inner.span,
                f"{what} needs its items in a separate pair of parentheses",
                f"write {shape}",
            )
        return (item(ctx, inner),)
    return tuple(item(ctx, node) for node in inner.items)


def _inner(node: Node) -> tuple[Node, ...]:
    """The items of a list of items, or the node itself when it is an item."""
    if isinstance(node, Form) and node.items and isinstance(node.items[0], Form):
        tests = node.items[0].head
        if tests not in OPERATORS and tests not in ("and", "or", "not", "any", "all"):
            return node.items
    return (node,) if isinstance(node, Form) else ()


# --- blocks --------------------------------------------------------------------------------------


def _when(ctx: Context, form: Form) -> p.Item:
    if len(form.items) != 2:
        only = form.items[0]
        if len(form.items) > 2:
            after, message = form.items[2].span, "only one item can follow a condition"
        elif isinstance(only, Form) and only.head in ITEMS and only.head not in ("all", "any"):
            after, message = ctx.gap(form), "a condition is missing before this item"
            if after.start > only.span.start:
                after = only.span
        else:
            after, message = ctx.gap(form), "an item is missing after this condition"
        ctx.report(
            "E201",
            after,
            message,
            "write ((== 1 1) (turn pass)), or ((== 1 1) (do (...))) for several items",
        )
        if len(form.items) > 2:
            value(ctx, form.items[0])
            for node in form.items[1:]:
                item(ctx, node)
        return p.BadItem(form.span)
    test = condition(ctx, form.items[0], "a conditional")
    return p.When(form.span, test, item(ctx, form.items[1]))


@does("do")
def _do(ctx: Context, form: Form) -> p.Item:
    return p.Do(form.span, items_of(ctx, form, p.Do))


@does("all", "any")
def _loop(ctx: Context, form: Form) -> p.Item:
    parts = loop_head(ctx, form, p.ForAll)
    if parts is None:
        return p.BadItem(form.span)
    source, variable, body = parts
    binding = ctx.bind(variable, source.kind.element or Kind.ANY, "each", source)
    site = ctx.sites
    is_any = form.head == "any"
    if is_any and ctx.in_choice:
        ctx.sites += 1
    with ctx.scope(binding):
        inner = item(ctx, body)
    if is_any and ctx.in_choice:
        return p.ForAny(form.span, source, binding, inner, site)
    return p.ForAll(form.span, source, binding, inner, was_any=is_any)


def let_head(ctx: Context, form: Form) -> tuple[p.Expr, p.Binding, Node] | None:
    """(let VALUE 'V ...): the value, the new binding and the body."""
    rest = ctx.operands(form, p.Let)
    if rest is None:
        return None
    variable = ctx.named(rest[1], "let", p.Let.syntax.example)
    if variable is None:
        return None
    bound = bindable(ctx, rest[0], "let")
    return bound, ctx.bind(variable, bound.kind, "let", bound), rest[2]


def bindable(ctx: Context, node: Node, what: str) -> p.Expr:
    bound = value(ctx, node)
    if bound.kind is Kind.MAP:
        return ctx.bad(
            "E302",
            node.span,
            f"{what} cannot bind a point map",
            "write the map where it is used, such as (game points VALUE)",
        )
    return bound


@does("let")
def _let(ctx: Context, form: Form) -> p.Item:
    parts = let_head(ctx, form)
    if parts is None:
        return p.BadItem(form.span)
    bound, binding, body = parts
    with ctx.scope(binding):
        return p.Let(form.span, bound, binding, item(ctx, body))


@does("repeat")
def _repeat(ctx: Context, form: Form) -> p.Item:
    rest = ctx.operands(form, p.Repeat)
    if rest is None:
        return p.BadItem(form.span)
    if isinstance(rest[0], Atom) and rest[0].is_word("all"):
        inner = item(ctx, rest[1])
        if isinstance(inner, p.Move | p.Forget):
            return p.RepeatAll(form.span, inner)
        if not isinstance(inner, p.BadItem):
            ctx.report(
                "E208",
                rest[1].span,
                "repeat all can repeat only a move or a forget",
                "write (repeat all (move (top (game vloc PILE)) (top (game iloc STOCK)))), or (repeat 3 ...)",
            )
        return p.BadItem(form.span)
    count = integer(ctx, rest[0], "repeat")
    return p.Repeat(form.span, count, item(ctx, rest[1]))
