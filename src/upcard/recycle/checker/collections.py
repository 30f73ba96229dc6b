"""Checks forms whose value is a card, a card collection or a list of collections."""

from __future__ import annotations

from upcard.recycle import program as p
from upcard.recycle.checker.context import Context
from upcard.recycle.checker.numbers import using
from upcard.recycle.checker.values import (
    card,
    cards,
    integer,
    makes,
    owner,
    picked,
    string,
    value,
    wrong_kind,
)
from upcard.recycle.forms import Atom, Form, Node
from upcard.recycle.kinds import Kind
from upcard.recycle.reserved_words import CLASSES


@makes("top", "bottom")
def _end(ctx: Context, form: Form) -> p.Expr:
    end: p.End = "top" if form.head == "top" else "bottom"
    rest = ctx.operands(form, 1, 2, f"({end} (game vloc PILE)), or ({end} 2 (game vloc PILE)) for several")
    if rest is None:
        return p.Bad(form.span)
    if len(rest) == 1:
        return picked(ctx, form, rest[0], end, end, None)
    count = integer(ctx, rest[0], end)
    return p.EndCards(form.span, end, count, cards(ctx, rest[1], end))


@makes("max", "min")
def _best(ctx: Context, form: Form) -> p.Expr:
    parts = using(ctx, form, 1, f"({form.head} (game vloc PILE) using (game points VALUE))")
    if parts is None:
        return p.Bad(form.span)
    return p.BestCard(form.span, cards(ctx, parts[0][0], form.head), parts[1], form.head == "max")


@makes("actual")
def _actual(ctx: Context, form: Form) -> p.Expr:
    rest = ctx.operands(form, 1, 1, "(actual (top (game vloc PILE)))")
    return p.Bad(form.span) if rest is None else card(ctx, rest[0], "actual")


@makes("union", "intersect", "disjunction")
def _combination(ctx: Context, form: Form) -> p.Expr:
    rest = ctx.operands(form, 1, 10_000, f"({form.head} (game vloc PILE) (game vloc POOL))")
    if rest is None:
        return p.Bad(form.span)
    parts = tuple(_part(ctx, node, form.head) for node in rest)
    return p.Combination(form.span, form.head, parts)  # type: ignore[arg-type]


def _part(ctx: Context, node: Node, what: str) -> p.Expr:
    return _as_part(ctx, value(ctx, node), node, what)


def _as_part(ctx: Context, expr: p.Expr, node: Node, what: str) -> p.Expr:
    if expr.kind in (Kind.CARDS, Kind.LISTS, Kind.ANY):
        return expr
    return wrong_kind(ctx, expr, node, Kind.CARDS.value, what)


@makes("sort")
def _sort(ctx: Context, form: Form) -> p.Expr:
    parts = using(ctx, form, 1, "(sort (game vloc PILE) using (game points VALUE))")
    if parts is None:
        return p.Bad(form.span)
    return p.Sort(form.span, cards(ctx, parts[0][0], "sort"), parts[1])


@makes("partition")
def _partition(ctx: Context, form: Form) -> p.Expr:
    shape = "(partition SUIT (game vloc PILE))"
    rest = ctx.operands(form, 2, 10_000, shape)
    if rest is None:
        return p.Bad(form.span)
    exprs = [value(ctx, node) for node in rest]
    # the key comes first; older programs have it last
    at = 0 if exprs[0].kind in (Kind.STR, Kind.ANY) else len(exprs) - 1
    key = exprs[at]
    if key.kind not in (Kind.STR, Kind.ANY):
        return wrong_kind(ctx, exprs[0], rest[0], Kind.STR.value, "the key of partition")
    parts = tuple(
        _as_part(ctx, expr, node, "partition")
        for i, (expr, node) in enumerate(zip(exprs, rest, strict=True))
        if i != at
    )
    return p.Partition(form.span, key, parts)


@makes("tuples")
def _tuples(ctx: Context, form: Form) -> p.Expr:
    parts = using(ctx, form, 2, "(tuples 2 (game vloc PILE) using (game points VALUE))")
    if parts is None:
        return p.Bad(form.span)
    count = integer(ctx, parts[0][0], "tuples")
    return p.Tuples(form.span, count, cards(ctx, parts[0][1], "tuples"), parts[1])


@makes("subsets")
def _subsets(ctx: Context, form: Form) -> p.Expr:
    rest = ctx.operands(form, 1, 1, "(subsets (game vloc PILE))")
    return p.Bad(form.span) if rest is None else p.Subsets(form.span, cards(ctx, rest[0], "subsets"))


@makes("run", "runs")
def _run(ctx: Context, form: Form) -> p.Expr:
    head = form.head
    words = ("top", "bottom") if head == "run" else ("largest", "all")
    shape = f"({head} {words[0]} 3 (game vloc PILE) using (game points VALUE))"
    parts = using(ctx, form, 3, shape)
    if parts is None:
        return p.Bad(form.span)
    which, least, of = parts[0]
    if not (isinstance(which, Atom) and which.is_word(*words)):
        return ctx.expected(which, f"{head} is followed by {words[0]} or {words[1]}", f"write {shape}")
    n = integer(ctx, least, head)
    source = cards(ctx, of, head)
    if head == "run":
        return p.EndRun(form.span, "top" if which.text == "top" else "bottom", n, source, parts[1])
    return p.Runs(form.span, which.text == "all", n, source, parts[1])


@makes("indexed")
def _indexed(ctx: Context, form: Form) -> p.Expr:
    ctx.newer_form(form.span)
    shape = "(indexed game vloc PILE)"
    rest = ctx.operands(form, 3, 3, shape)
    if rest is None:
        return p.Bad(form.span)
    who = owner(ctx, rest[0], teams=False)
    word = rest[1]
    if not (isinstance(word, Atom) and word.kind == "word" and word.text in CLASSES):
        return ctx.expected(word, "indexed needs a word such as vloc here", f"write {shape}")
    name = string(ctx, rest[2], "the name of a location")
    if isinstance(who, p.Bad) or isinstance(name, p.Bad):
        return p.Bad(form.span)
    return p.Indexed(form.span, who, word.text, name)  # type: ignore[arg-type]
