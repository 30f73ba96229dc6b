"""Checks simple actions."""

from __future__ import annotations

from functools import partial

from upcard.recycle import program as p
from upcard.recycle.checker import decks
from upcard.recycle.checker.context import Context
from upcard.recycle.checker.items import ITEMS, does
from upcard.recycle.checker.point_maps import awards
from upcard.recycle.checker.regular import regular
from upcard.recycle.checker.values import integer, player, store, string, value, wrong_kind
from upcard.recycle.forms import Atom, Form, Node
from upcard.recycle.kinds import Kind
from upcard.recycle.reserved_words import STORAGES


def _regular(ctx: Context, form: Form, *, cls: type[p.Item], syntax: p.Syntax) -> p.Item:
    made = regular(ctx, form, cls, syntax)
    return made if isinstance(made, p.Item) else p.BadItem(form.span)


for _cls in p.NODES:
    for _syntax in p.syntaxes_of(_cls) if issubclass(_cls, p.Item) else ():
        if _syntax.operands:
            ITEMS.update(dict.fromkeys(_syntax.words, partial(_regular, cls=_cls, syntax=_syntax)))


@does("faro")
def _faro(ctx: Context, form: Form) -> p.Item:
    ctx.report("E211", form.span, "the word faro has no meaning yet", "write (shuffle (game iloc STOCK))")
    return p.BadItem(form.span)


@does("swap")
def _swap(ctx: Context, form: Form) -> p.Item:
    ctx.newer_form(form.span)
    rest = ctx.operands(form, p.Swap)
    if rest is None:
        return p.BadItem(form.span)
    left, right = value(ctx, rest[0]), value(ctx, rest[1])
    for expr, node in ((left, rest[0]), (right, rest[1])):
        if expr.kind not in (Kind.CARD, Kind.CARDS, Kind.ANY):
            wrong_kind(ctx, expr, node, "a location or a card", "swap")
            return p.BadItem(form.span)
    if Kind.ANY not in (left.kind, right.kind) and left.kind is not right.kind:
        ctx.report(
            "E303",
            rest[1].span,
            "swap exchanges two locations or two cards, not one of each",
            f"write {p.Swap.syntax.example}",
        )
    return p.Swap(form.span, left, right, left.kind is Kind.CARDS)


@does("turn")
def _turn(ctx: Context, form: Form) -> p.Item:
    rest = ctx.operands(form, p.Pass)
    if rest is None:
        return p.BadItem(form.span)
    if not (isinstance(rest[0], Atom) and rest[0].is_word("pass")):
        ctx.expected(rest[0], "turn must be followed by pass", "write (turn pass)")
    return p.Pass(form.span)


@does("cycle")
def _cycle(ctx: Context, form: Form) -> p.Item:
    rest = ctx.operands(form, p.Cycle)
    if rest is None:
        return p.BadItem(form.span)
    which, who = rest
    if not (isinstance(which, Atom) and which.is_word("next", "current")):
        shape = p.Cycle.syntax.example
        ctx.expected(which, "cycle must be followed by next or current", f"write {shape}")
        return p.BadItem(form.span)
    target: p.Expr
    if isinstance(who, Atom) and who.is_word("current", "next", "previous"):
        target = p.SeatAt(who.span, who.text)  # type: ignore[arg-type]
    else:
        target = player(ctx, who, "cycle")
        if isinstance(target, p.SeatAt | p.SeatNumber):
            ctx.newer_form(form.span)
    return p.Cycle(form.span, "next" if which.text == "next" else "current", target)


@does("set")
def _set(ctx: Context, form: Form) -> p.Item:
    rest = ctx.operands(form, p.Store)
    if rest is None:
        return p.BadItem(form.span)
    target = _target(ctx, rest[0], "set", p.Store.syntax.example)
    if isinstance(target, p.IntStore):
        return p.SetInt(form.span, target, integer(ctx, rest[1], "an integer storage"))
    if isinstance(target, p.StrStore):
        return p.SetStr(form.span, target, string(ctx, rest[1], "a string storage"))
    if isinstance(target, p.MapStore):
        return p.SetPoints(form.span, target, awards(ctx, rest[1]))
    return p.BadItem(form.span)


@does("inc", "dec")
def _add(ctx: Context, form: Form) -> p.Item:
    shape = p.syntax_of(p.AddInt, form.head).shown(form.head)
    rest = ctx.operands(form, p.AddInt)
    if rest is None:
        return p.BadItem(form.span)
    if len(rest) == 1:
        ctx.newer_form(form.span)
    target = _target(ctx, rest[0], form.head, shape)
    amount = integer(ctx, rest[1], form.head) if len(rest) == 2 else None
    if isinstance(target, p.IntStore):
        return p.AddInt(form.span, target, amount, 1 if form.head == "inc" else -1)
    if not isinstance(target, p.Bad):
        ctx.report(
            "E302",
            rest[0].span,
            f"{form.head} changes a number, but {ctx.text(rest[0])} is {target.kind.value}",
            f"write {shape}",
        )
    return p.BadItem(form.span)


def _target(ctx: Context, node: Node, what: str, shape: str) -> p.Expr:
    if isinstance(node, Form) and len(node.items) > 1:
        word = node.items[1]
        if isinstance(word, Atom) and word.is_word(*STORAGES):
            return store(ctx, node)
    target = value(ctx, node)
    if isinstance(target, p.Bad):
        return target
    return ctx.bad(
        "E302",
        node.span,
        f"{what} changes a storage, but {ctx.text(node)} is {target.kind.value}",
        f"write {shape}",
    )


# --- decks and teams made in play ----------------------------------------------------------------


@does("create")
def _create(ctx: Context, form: Form) -> p.Item:
    if ctx.in_choice:
        ctx.report(
            "E209",
            form.span,
            "decks and teams cannot be created inside a choice",
            "create decks and teams in the setup, or in a separate do",
        )
        return p.BadItem(form.span)
    what = form.items[1] if len(form.items) > 1 else form
    if isinstance(what, Atom) and what.is_word("deck"):
        return decks.deck(ctx, form) or p.BadItem(form.span)
    if isinstance(what, Atom) and what.is_word("teams"):
        return decks.teams(ctx, form)
    ctx.expected(
        what,
        "only decks and teams can be created here",
        "write (create deck (game iloc STOCK) (deck (RANK (A, K))))",
    )
    return p.BadItem(form.span)
