"""Checks items and actions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from upcard.recycle import program as p
from upcard.recycle.checker import decks
from upcard.recycle.checker.context import Context
from upcard.recycle.checker.numbers import loop_head
from upcard.recycle.checker.values import (
    card,
    condition,
    integer,
    player,
    store,
    string,
    value,
    want,
    wrong_kind,
)
from upcard.recycle.forms import Atom, Form, Node
from upcard.recycle.kinds import Kind
from upcard.recycle.reserved_words import OPERATORS

Maker: TypeAlias = Callable[[Context, Form], p.Item]

ITEMS: dict[str, Maker] = {}


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
            ctx.report("E203", node.span, f"{ctx.text(node)} is not something to do", _ITEM_HINT)
        return p.BadItem(node.span)
    if not node.items:
        ctx.report("E203", node.span, "there is nothing to do in these parentheses", _ITEM_HINT)
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


_ITEM_HINT = "write an action such as (turn pass), or a do, all, any or let"


def _not_an_item(ctx: Context, form: Form, first: Atom) -> p.Item:
    if first.is_word("choice"):
        ctx.report(
            "E205",
            first.span,
            "a choice cannot stand inside do, all, any or another choice",
            "let it stand by itself in the stage or game: (stage player (end ...) (choice (...)))",
        )
    elif first.is_word("stage"):
        ctx.report(
            "E206",
            first.span,
            "a stage cannot stand inside a block",
            "let it stand by itself in the game or in another stage",
        )
    elif first.text in OPERATORS or first.is_word("and", "or", "not"):
        ctx.report(
            "E203",
            first.span,
            "a condition alone does nothing",
            "put it and an item in parentheses: ((== 1 1) (turn pass))",
        )
    else:
        ctx.report("E203", first.span, f"{ctx.text(first)} is not something to do", _ITEM_HINT)
    return p.BadItem(form.span)


def items_of(ctx: Context, form: Form, what: str) -> tuple[p.Item, ...]:
    """(do ( ITEM+ )), (choice ( ITEM+ )): the items in their own parentheses."""
    shape = f"({what} ((turn pass) (turn pass)))"
    rest = ctx.operands(form, 1, 1, shape)
    if rest is None:
        # a second list is most often a missing pair of parentheses; look into all of them all the same
        return tuple(item(ctx, inner) for node in form.items[1:] for inner in _inner(node)) or ()
    inner = rest[0]
    if isinstance(inner, Atom):
        if inner.kind != "bad":
            ctx.report(
                "E207", inner.span, f"{what} needs its items in parentheses of their own", f"write {shape}"
            )
        return ()
    if not inner.items:
        ctx.report("E201", ctx.gap(inner), f"{what} needs at least one item", f"write {shape}")
        return ()
    first = inner.items[0]
    if isinstance(first, Atom) and (first.kind == "bad" or first.text in ITEMS):
        if first.kind != "bad":
            ctx.report(
                "E207", inner.span, f"{what} needs its items in parentheses of their own", f"write {shape}"
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
            "write ((== 1 1) (turn pass)), with several items as ((== 1 1) (do (...)))",
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
    return p.Do(form.span, items_of(ctx, form, "do"))


@does("all", "any")
def _loop(ctx: Context, form: Form) -> p.Item:
    parts = loop_head(ctx, form, f"({form.head} player 'P (inc ('P sto COUNT)))")
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
    shape = "(let (top (game vloc PILE)) 'C (move 'C (top (game vloc POOL))))"
    rest = ctx.operands(form, 3, 3, shape)
    if rest is None:
        return None
    variable = ctx.named(rest[1], "let", shape)
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
    shape = "(repeat 3 (move (top (game iloc STOCK)) (top ('P iloc HAND))))"
    rest = ctx.operands(form, 2, 2, shape)
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
                "repeat all repeats only a move or a forget",
                "write (repeat all (move (top (game vloc PILE)) (top (game iloc STOCK)))), or (repeat 3 ...)",
            )
        return p.BadItem(form.span)
    count = integer(ctx, rest[0], "repeat")
    return p.Repeat(form.span, count, item(ctx, rest[1]))


# --- simple actions ------------------------------------------------------------------------------


@does("move", "remember")
def _move(ctx: Context, form: Form) -> p.Item:
    head = form.head
    place = "(top (game mem SEEN))" if head == "remember" else "(top ('P iloc HAND))"
    rest = ctx.operands(form, 2, 2, f"({head} (top (game vloc PILE)) {place})")
    if rest is None:
        return p.BadItem(form.span)
    what, where = card(ctx, rest[0], head), card(ctx, rest[1], f"the place of a {head}")
    return p.Move(form.span, what, where) if head == "move" else p.Remember(form.span, what, where)


@does("forget")
def _forget(ctx: Context, form: Form) -> p.Item:
    rest = ctx.operands(form, 1, 1, "(forget (top (game mem SEEN)))")
    return p.BadItem(form.span) if rest is None else p.Forget(form.span, card(ctx, rest[0], "forget"))


@does("shuffle")
def _shuffle(ctx: Context, form: Form) -> p.Item:
    rest = ctx.operands(form, 1, 1, "(shuffle (game iloc STOCK))")
    if rest is None:
        return p.BadItem(form.span)
    return p.Shuffle(form.span, want(ctx, rest[0], Kind.CARDS, "shuffle"))


@does("faro")
def _faro(ctx: Context, form: Form) -> p.Item:
    ctx.report("E211", form.span, "the word faro has no meaning yet", "write (shuffle (game iloc STOCK))")
    return p.BadItem(form.span)


@does("swap")
def _swap(ctx: Context, form: Form) -> p.Item:
    ctx.newer_form(form.span)
    shape = "(swap ((current player) iloc HAND) (game vloc ROW)), or (swap 'A 'B) for cards"
    rest = ctx.operands(form, 2, 2, shape)
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
            f"write {shape}",
        )
    return p.Swap(form.span, left, right, left.kind is Kind.CARDS)


@does("turn")
def _turn(ctx: Context, form: Form) -> p.Item:
    rest = ctx.operands(form, 1, 1, "(turn pass)")
    if rest is None:
        return p.BadItem(form.span)
    if not (isinstance(rest[0], Atom) and rest[0].is_word("pass")):
        ctx.expected(rest[0], "turn is followed by pass", "write (turn pass)")
    return p.Pass(form.span)


@does("cycle")
def _cycle(ctx: Context, form: Form) -> p.Item:
    shape = "(cycle next (owner 'C)) or (cycle current 'P)"
    rest = ctx.operands(form, 2, 2, shape)
    if rest is None:
        return p.BadItem(form.span)
    which, who = rest
    if not (isinstance(which, Atom) and which.is_word("next", "current")):
        ctx.expected(which, "cycle is followed by next or current", f"write {shape}")
        return p.BadItem(form.span)
    target: p.Expr
    if isinstance(who, Atom) and who.is_word("current", "next", "previous"):
        target = p.SeatAt(who.span, who.text)  # type: ignore[arg-type]
    else:
        target = player(ctx, who, "cycle")
        if isinstance(target, p.SeatAt | p.SeatNumber):
            ctx.newer_form(form.span)
    return p.Cycle(form.span, "next" if which.text == "next" else "current", target)


_SET = "(set (game sto COUNT) 3), (set (game str TRUMP) HEARTS) or (set (game points VALUE) ...)"


@does("set")
def _set(ctx: Context, form: Form) -> p.Item:
    rest = ctx.operands(form, 2, 2, _SET)
    if rest is None:
        return p.BadItem(form.span)
    target = _target(ctx, rest[0], "set", _SET)
    if isinstance(target, p.IntStore):
        return p.SetInt(form.span, target, integer(ctx, rest[1], "an integer storage"))
    if isinstance(target, p.StrStore):
        return p.SetStr(form.span, target, string(ctx, rest[1], "a string storage"))
    if isinstance(target, p.MapStore):
        return p.SetPoints(form.span, target, _awards(ctx, rest[1]))
    return p.BadItem(form.span)


@does("inc", "dec")
def _add(ctx: Context, form: Form) -> p.Item:
    shape = f"({form.head} (game sto COUNT)) or ({form.head} (game sto COUNT) 3)"
    rest = ctx.operands(form, 1, 2, shape)
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
        if isinstance(word, Atom) and word.is_word("sto", "str", "points"):
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


# --- point maps ----------------------------------------------------------------------------------

_AWARD = "(((SUIT : H) 1) ((RANK : Q) (SUIT : S) 13))"


def _awards(ctx: Context, node: Node) -> tuple[p.Award, ...]:
    if isinstance(node, Atom) or not node.items:
        if not (isinstance(node, Atom) and node.kind == "bad"):
            ctx.report("E212", node.span, "a point map is a list of awards", f"write {_AWARD}")
        return ()
    first = node.items[0]
    if (
        isinstance(first, Form)
        and first.items
        and isinstance(first.items[0], Atom)
        and first.items[0].kind == "name"
    ):
        ctx.report("E212", node.span, "each award stands in parentheses of its own", f"write {_AWARD}")
        return ()
    return tuple(award for entry in node.items if (award := _award(ctx, entry)) is not None)


def _award(ctx: Context, node: Node) -> p.Award | None:
    if isinstance(node, Atom):
        if node.kind != "bad":
            ctx.report("E212", node.span, f"{ctx.text(node)} is not an award", f"write {_AWARD}")
        return None
    if node.items and isinstance(node.items[0], Atom) and node.items[0].kind in ("word", "name", "operator"):
        ctx.report("E212", node.span, "each award stands in parentheses of its own", f"write {_AWARD}")
        return None
    if len(node.items) < 2:
        ctx.report("E212", node.span, "an award is one or more pairs and then an amount", f"write {_AWARD}")
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
    ctx.report("E212", node.span, "a pair of an award is (KEY : VALUE)", f"write {_AWARD}")
    return None


# --- decks and teams made in play ----------------------------------------------------------------


@does("create")
def _create(ctx: Context, form: Form) -> p.Item:
    if ctx.in_choice:
        ctx.report(
            "E209",
            form.span,
            "nothing can be created inside a choice",
            "create decks and teams in the setup, or in a do of their own",
        )
        return p.BadItem(form.span)
    what = form.items[1] if len(form.items) > 1 else form
    if isinstance(what, Atom) and what.is_word("deck"):
        return decks.deck(ctx, form) or p.BadItem(form.span)
    if isinstance(what, Atom) and what.is_word("teams"):
        return decks.teams(ctx, form)
    ctx.expected(
        what,
        "only a deck or teams can be created here",
        "write (create deck (game iloc STOCK) (deck (RANK (A, K))))",
    )
    return p.BadItem(form.span)
