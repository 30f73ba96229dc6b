"""Checks forms whose value is a number, string, condition, player or team."""

from __future__ import annotations

from upcard.recycle import program as p
from upcard.recycle.checker.context import Context
from upcard.recycle.checker.values import (
    collection,
    condition,
    integer,
    makes,
    value,
    wrong_kind,
)
from upcard.recycle.forms import Atom, Form, Node
from upcard.recycle.kinds import Kind

# --- numbers -------------------------------------------------------------------------------------


def _bounds(ctx: Context, form: Form, of: type[p.Node]) -> tuple[p.Expr, p.Expr] | None:
    """a .. b"""
    shape = p.syntax_of(of, form.head).shown(form.head)
    rest = form.items[1:]
    if len(rest) == 3 and isinstance(rest[1], Atom) and rest[1].is_mark(".."):
        return integer(ctx, rest[0], form.head), integer(ctx, rest[2], form.head)
    if not any(isinstance(item, Atom) and item.kind == "bad" for item in rest):
        ctx.report("E201", form.span, f"{form.head} needs .. between its two bounds", f"write {shape}")
    return None


@makes("random")
def _random(ctx: Context, form: Form) -> p.Expr:
    if len(form.items) == 2:
        return p.Random(form.span, None, integer(ctx, form.items[1], "random"))
    both = _bounds(ctx, form, p.Random)
    return p.Random(form.span, *both) if both else p.Bad(form.span)


@makes("range")
def _range(ctx: Context, form: Form) -> p.Expr:
    both = _bounds(ctx, form, p.Range)
    return p.Range(form.span, *both) if both else p.Bad(form.span)


# --- conditions ----------------------------------------------------------------------------------


def _odder(left: p.Expr, right: p.Expr, nodes: tuple[Node, ...]) -> Node:
    """Which of two values that do not go together to point at: the one that goes with nothing, or was
    written without much thought (a literal), else the second."""
    strange = [expr.kind not in _COMPARABLE for expr in (left, right)]
    if strange[0] == strange[1]:
        strange = [isinstance(node, Atom) for node in nodes]
    return nodes[0] if strange == [True, False] else nodes[1]


_COMPARABLE = (Kind.INT, Kind.STR, Kind.CARD, Kind.PLAYER, Kind.TEAM)


@makes("==", "!=")
def _same(ctx: Context, form: Form) -> p.Expr:
    head = form.head
    rest = ctx.operands(form, p.Same)
    if rest is None:
        return p.Bad(form.span)
    left, right = value(ctx, rest[0]), value(ctx, rest[1])
    # a collection beside a card means its top card
    if left.kind is Kind.CARD and right.kind is Kind.CARDS:
        right = p.TopOf(right.span, right)
    elif left.kind is Kind.CARDS and right.kind is Kind.CARD:
        left = p.TopOf(left.span, left)
    if Kind.ANY in (left.kind, right.kind):
        return p.Bad(form.span)
    if left.kind is not right.kind or left.kind not in _COMPARABLE:
        if left.kind is right.kind:
            message = f"{left.kind.value} cannot be compared with another"
        else:
            message = f"{left.kind.value} cannot be compared with {right.kind.value}"
        return ctx.bad(
            "E303",
            _odder(left, right, rest).span,
            message,
            f"{head} compares two numbers, strings, cards, players or teams, such as ({head} (size 'S) 3)",
        )
    return p.Same(form.span, left, right, head == "!=", left.kind)


# --- all and any as values -----------------------------------------------------------------------


def loop_head(ctx: Context, form: Form, of: type[p.Node]) -> tuple[p.Expr, Atom, Node] | None:
    """(HEAD COLLECTION 'V BODY): the collection, the variable and the body."""
    rest = ctx.operands(form, of)
    if rest is None:
        return None
    source = collection(ctx, rest[0], form.head)
    variable = ctx.named(rest[1], form.head, p.syntax_of(of, form.head).shown(form.head))
    return None if variable is None else (source, variable, rest[2])


@makes("all", "any")
def _all_any(ctx: Context, form: Form) -> p.Expr:
    head = form.head
    parts = loop_head(ctx, form, p.Quantified)
    if parts is None:
        return p.Bad(form.span)
    source, variable, body = parts
    binding = ctx.bind(variable, source.kind.element or Kind.ANY, "each", source)
    with ctx.scope(binding):
        inner = value(ctx, body)
    if inner.kind is Kind.BOOL:
        return p.Quantified(form.span, head == "all", source, binding, inner)
    if inner.kind is Kind.ANY:
        return p.Bad(form.span)
    if head == "all" and inner.kind is Kind.CARDS:
        return p.Each(form.span, source, binding, inner)
    if head == "all" and isinstance(inner, p.IntStore):
        return p.SumOver(form.span, source, binding, inner)
    wanted = "a condition" if head == "any" else "a condition, a card collection or an integer storage"
    return wrong_kind(ctx, inner, body, wanted, f"{head} as a value")


@makes("filter")
def _filter(ctx: Context, form: Form) -> p.Expr:
    parts = loop_head(ctx, form, p.Filter)
    if parts is None:
        return p.Bad(form.span)
    source, variable, body = parts
    binding = ctx.bind(variable, source.kind.element or Kind.ANY, "each", source)
    with ctx.scope(binding):
        test = condition(ctx, body, "filter")
    return p.Bad(form.span) if source.kind is Kind.ANY else p.Filter(form.span, source, binding, test)


# --- players and teams ---------------------------------------------------------------------------


@makes("other")
def _other(ctx: Context, form: Form) -> p.Expr:
    word = form.items[1] if len(form.items) == 2 else form
    if isinstance(word, Atom) and word.is_word("player", "team"):
        if ctx.in_declare:
            return ctx.bad(
                "E305",
                form.span,
                "there are no players before the setup",
                "bind players with let, such as (let (current player) 'P ...)",
            )
        return p.Players(form.span, True) if word.text == "player" else p.Teams(form.span, True)
    return ctx.expected(word, "other must be followed by player or team", "write (other player)")
