"""Checks forms whose value is a card, a card collection or a list of collections."""

from __future__ import annotations

from upcard.recycle import program as p
from upcard.recycle.checker.context import Context
from upcard.recycle.checker.regular import is_word
from upcard.recycle.checker.values import (
    as_part,
    card,
    cards,
    integer,
    makes,
    owner,
    picked,
    point_map,
    string,
    value,
    wrong_kind,
)
from upcard.recycle.forms import Atom, Form
from upcard.recycle.kinds import Kind
from upcard.recycle.reserved_words import CLASSES


@makes("top", "bottom")
def _end(ctx: Context, form: Form) -> p.Expr:
    end: p.End = "top" if form.head == "top" else "bottom"
    rest = ctx.operands(form, p.EndCard)
    if rest is None:
        return p.Bad(form.span)
    if len(rest) == 1:
        return picked(ctx, form, rest[0], end, end, None)
    count = integer(ctx, rest[0], end)
    return p.EndCards(form.span, end, count, cards(ctx, rest[1], end))


@makes("actual")
def _actual(ctx: Context, form: Form) -> p.Expr:
    rest = ctx.operands(form, p.ACTUAL)
    return p.Bad(form.span) if rest is None else card(ctx, rest[0], "actual")


@makes("partition")
def _partition(ctx: Context, form: Form) -> p.Expr:
    rest = ctx.operands(form, p.Partition)
    if rest is None:
        return p.Bad(form.span)
    exprs = [value(ctx, node) for node in rest]
    # the key comes first; older programs have it last
    at = 0 if exprs[0].kind in (Kind.STR, Kind.ANY) else len(exprs) - 1
    key = exprs[at]
    if key.kind not in (Kind.STR, Kind.ANY):
        return wrong_kind(ctx, exprs[0], rest[0], Kind.STR.value, "the key of partition")
    parts = tuple(
        as_part(ctx, expr, node, "partition")
        for i, (expr, node) in enumerate(zip(exprs, rest, strict=True))
        if i != at
    )
    return p.Partition(form.span, key, parts)


@makes("run", "runs")
def _run(ctx: Context, form: Form) -> p.Expr:
    head = form.head
    words = ("top", "bottom") if head == "run" else ("largest", "all")
    syntax = p.syntax_of(p.EndRun if head == "run" else p.Runs, head)
    rest = ctx.operands(form, syntax)
    if rest is None or not is_word(ctx, form, rest[3], "using", Kind.MAP, syntax):
        return p.Bad(form.span)
    which, least, of, _, by = rest
    using = point_map(ctx, by, f"{head} using")
    if not (isinstance(which, Atom) and which.is_word(*words)):
        message = f"{head} must be followed by {words[0]} or {words[1]}"
        return ctx.expected(which, message, f"write {syntax.shown(head)}")
    n = integer(ctx, least, head)
    source = cards(ctx, of, head)
    if head == "run":
        return p.EndRun(form.span, "top" if which.text == "top" else "bottom", n, source, using)
    return p.Runs(form.span, which.text == "all", n, source, using)


@makes("indexed")
def _indexed(ctx: Context, form: Form) -> p.Expr:
    ctx.newer_form(form.span)
    rest = ctx.operands(form, p.Indexed)
    if rest is None:
        return p.Bad(form.span)
    who = owner(ctx, rest[0], teams=False)
    word = rest[1]
    if not (isinstance(word, Atom) and word.kind == "word" and word.text in CLASSES):
        return ctx.expected(
            word, "indexed needs a location word here, such as vloc", "write (indexed game vloc PILE)"
        )
    name = string(ctx, rest[2], "the name of a location")
    if isinstance(who, p.Bad) or isinstance(name, p.Bad):
        return p.Bad(form.span)
    return p.Indexed(form.span, who, word.text, name)  # type: ignore[arg-type]
