"""Checks values bottom up, from a form to a typed expression.

`value` gives whatever kind the form has; the functions named after kinds turn that into the kind that is
wanted, where the language has a rule for it (a collection for its top card, a team for its members), and
otherwise report both kinds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from upcard.recycle import program as p
from upcard.recycle.checker.context import Context
from upcard.recycle.forms import Atom, Form, Node
from upcard.recycle.kinds import Kind
from upcard.recycle.reserved_words import ACTIONS, CLASSES, STORAGES

Maker: TypeAlias = Callable[[Context, Form], p.Expr]

MAKERS: dict[str, Maker] = {}
"""Which function understands a form, by its head. Filled by the sibling files."""


def makes(*heads: str) -> Callable[[Maker], Maker]:
    def register(maker: Maker) -> Maker:
        for head in heads:
            MAKERS[head] = maker
        return maker

    return register


def value(ctx: Context, node: Node) -> p.Expr:
    """Any value form."""
    if ctx.trial is not None and isinstance(node, Form):
        return ctx.trial.made("value", _value, ctx, node)
    around, ctx.reach = ctx.reach, 0
    expr = _value(ctx, node)
    ctx.last_reach = ctx.reach + 1
    ctx.reach = max(around, ctx.last_reach)
    return expr


def _value(ctx: Context, node: Node) -> p.Expr:
    ctx.steps += 1
    if isinstance(node, Atom):
        return _atom(ctx, node)
    if not node.items:
        return ctx.bad(
            "E202",
            node.span,
            "these parentheses are empty",
            "remove them, or write a value such as 3",
        )
    first = node.items[0]
    second = node.items[1] if len(node.items) > 1 else None
    if isinstance(second, Atom) and second.kind == "word":
        if second.text in STORAGES:
            return store(ctx, node)
        if second.text in CLASSES and not (isinstance(first, Atom) and first.is_word("indexed")):
            return location(ctx, node)
        if second.text in ("player", "team") and not (isinstance(first, Atom) and first.text in MAKERS):
            return _seat_or_team(ctx, node)
    if isinstance(first, Form) or first.kind in ("number", "variable"):
        return _indexed_card(ctx, node)
    if first.kind == "name":
        return _names(ctx, node)
    if first.kind == "bad":
        return p.Bad(node.span)
    maker = MAKERS.get(first.text)
    if maker is not None:
        return maker(ctx, node)
    if first.text in ACTIONS:
        return ctx.bad(
            "E204",
            first.span,
            f"{first.text} is an action, but a value is needed here",
            "write a value such as 3, HEARTS or (size (game vloc PILE))",
        )
    return ctx.bad(
        "E202",
        first.span,
        f"{first.text} does not start a value",
        "write a value such as 3, HEARTS, 'C or (top (game vloc PILE))",
    )


def _atom(ctx: Context, atom: Atom) -> p.Expr:
    if atom.kind == "number":
        return p.Int(atom.span, int(atom.text))
    if atom.kind == "name":
        return p.Str(atom.span, atom.text)
    if atom.kind == "variable":
        return ctx.variable(atom)
    if atom.kind == "bad":
        return p.Bad(atom.span)
    if atom.is_word("player"):
        if ctx.in_declare:
            return _too_early(ctx, atom)
        return p.Players(atom.span, others=False)
    if atom.is_word("team"):
        if ctx.in_declare:
            return _too_early(ctx, atom)
        return p.Teams(atom.span, others=False)
    return ctx.bad(
        "E202",
        atom.span,
        f"{atom.text} is not a value on its own",
        "write a value such as 3, HEARTS, 'C or (top (game vloc PILE))",
    )


def _too_early(ctx: Context, node: Node) -> p.Bad:
    return ctx.bad(
        "E305",
        node.span,
        "there are no players before the setup",
        "bind players with let, such as (let (current player) 'P ...)",
    )


# --- wanted kinds --------------------------------------------------------------------------------


def want(ctx: Context, node: Node, kind: Kind, what: str) -> p.Expr:
    """The value of a form, brought to a kind; `what` says in a message who wants it."""
    expr = value(ctx, node)
    return brought(ctx, expr, node, kind, what)


def brought(ctx: Context, expr: p.Expr, node: Node, kind: Kind, what: str) -> p.Expr:
    have = expr.kind
    if have in (kind, Kind.ANY):
        return expr
    if kind is Kind.CARD and have is Kind.CARDS:
        return p.TopOf(expr.span, expr)
    return wrong_kind(ctx, expr, node, kind.value, what)


def wrong_kind(ctx: Context, expr: p.Expr, node: Node, wanted: str, what: str) -> p.Bad:
    message = f"{what} needs {wanted}, but {ctx.text(node)} is {expr.kind.value}"
    return misfit(ctx, expr, node, message, _EXAMPLES.get(wanted, ""))


def misfit(ctx: Context, expr: p.Expr, node: Node, message: str, hint: str) -> p.Bad:
    """A value of the wrong kind. The mistake may be where a variable was bound, so that is said as well,
    and said once: further uses of the variable would only repeat it."""
    if isinstance(expr, p.Var):
        if expr.binding.slot in ctx.blamed:
            return p.Bad(node.span)
        ctx.blamed.add(expr.binding.slot)
        bound = ctx.source.line(expr.binding.span.start)
        if bound != ctx.source.line(node.span.start):
            hint = f"'{expr.binding.name} gets its value on line {bound}; {hint}"
    return ctx.bad("E302", node.span, message, hint)


_EXAMPLES = {
    Kind.INT.value: "a number is 3, (size (game vloc PILE)) or (game sto COUNT)",
    Kind.BOOL.value: "a condition is (== (game sto COUNT) 3) or (any player 'P (> ('P sto COUNT) 3))",
    Kind.STR.value: "a string is HEARTS, (game str TRUMP) or (cardatt SUIT 'C)",
    Kind.CARD.value: "a card is (top (game vloc PILE)) or a variable that holds one",
    Kind.PLAYER.value: "a player is (current player), (1 player) or (owner 'C)",
    Kind.TEAM.value: "a team is (current team) or (team (current player))",
    Kind.CARDS.value: "a card collection is (game vloc PILE) or (filter ('P iloc HAND) 'C ...)",
    Kind.LISTS.value: "a list of collections is (partition SUIT (game vloc PILE))",
    Kind.MAP.value: "a point map is (game points VALUE)",
    "a collection": "a collection is (game vloc PILE), player, (range 1..3) or (RED, BLUE)",
}


def integer(ctx: Context, node: Node, what: str) -> p.Expr:
    return want(ctx, node, Kind.INT, what)


def condition(ctx: Context, node: Node, what: str) -> p.Expr:
    return want(ctx, node, Kind.BOOL, what)


def string(ctx: Context, node: Node, what: str) -> p.Expr:
    return want(ctx, node, Kind.STR, what)


def card(ctx: Context, node: Node, what: str) -> p.Expr:
    return want(ctx, node, Kind.CARD, what)


def player(ctx: Context, node: Node, what: str) -> p.Expr:
    return want(ctx, node, Kind.PLAYER, what)


def cards(ctx: Context, node: Node, what: str) -> p.Expr:
    return want(ctx, node, Kind.CARDS, what)


def point_map(ctx: Context, node: Node, what: str) -> p.Expr:
    return want(ctx, node, Kind.MAP, what)


def collection(ctx: Context, node: Node, what: str) -> p.Expr:
    """Anything with elements; a team stands for its members."""
    expr = value(ctx, node)
    if expr.kind is Kind.TEAM:
        return p.Members(expr.span, expr)
    if expr.kind.element is not None:
        return expr
    return wrong_kind(ctx, expr, node, "a collection", what)


def as_part(ctx: Context, expr: p.Expr, node: Node, what: str) -> p.Expr:
    """Cards, or a list of collections that are taken together."""
    if expr.kind in (Kind.CARDS, Kind.LISTS, Kind.ANY):
        return expr
    return wrong_kind(ctx, expr, node, Kind.CARDS.value, what)


# --- forms without a head word -------------------------------------------------------------------


def owner(ctx: Context, node: Node, teams: bool) -> p.Owner:
    """Who owns a storage or location; only storages may be a team's."""
    if isinstance(node, Atom) and node.is_word("game"):
        return p.Table(node.span)
    expr = value(ctx, node)
    if expr.kind is Kind.TEAM and not teams:
        return ctx.bad(
            "E304",
            node.span,
            "a team cannot own cards",
            "let a player or the table own them, as in (game vloc WON)",
        )
    if expr.kind not in (Kind.PLAYER, Kind.TEAM, Kind.ANY):
        owners = "game, a player or a team" if teams else "game or a player"
        return misfit(
            ctx,
            expr,
            node,
            f"an owner must be {owners}, but {ctx.text(node)} is {expr.kind.value}",
            "write the owner first, as in (game sto COUNT) or ('P iloc HAND)",
        )
    return expr


def store(ctx: Context, form: Form) -> p.Expr:
    """(W sto N), (W str N), (W points N)"""
    word = form.items[1]
    assert isinstance(word, Atom)
    if len(form.items) != 3:
        return ctx.bad(
            "E201",
            form.span,
            f"{word.text} must be between one owner and one name",
            f"write (game {word.text} COUNT) or ((current player) {word.text} COUNT)",
        )
    who = owner(ctx, form.items[0], teams=True)
    name = string(ctx, form.items[2], f"the name of a {word.text} storage")
    if isinstance(who, p.Bad) or isinstance(name, p.Bad):
        return p.Bad(form.span)
    return _STORAGES[word.text](form.span, who, name)


_STORAGES: dict[str, type[p.Storage]] = {cls.word: cls for cls in (p.IntStore, p.StrStore, p.MapStore)}


def location(ctx: Context, form: Form) -> p.Expr:
    """(OWNER class NAME [n])"""
    word = form.items[1]
    assert isinstance(word, Atom)
    shape = f"write (game {word.text} PILE), or (game {word.text} PILE 2) for a numbered one"
    if not 3 <= len(form.items) <= 4:
        return ctx.bad("E201", form.span, f"{word.text} must be between an owner and a name", shape)
    if isinstance(form.items[2], Atom) and form.items[2].is_word("new"):
        return ctx.bad("E211", form.items[2].span, "the word new has no meaning yet", shape)
    who = owner(ctx, form.items[0], teams=False)
    name = string(ctx, form.items[2], "the name of a location")
    number = None
    if len(form.items) == 4:
        ctx.newer_form(form.span)
        number = integer(ctx, form.items[3], "the number of a location")
    if isinstance(who, p.Bad) or isinstance(name, p.Bad) or isinstance(number, p.Bad):
        return p.Bad(form.span)
    return p.Location(form.span, who, word.text, name, number)  # type: ignore[arg-type]


def _seat_or_team(ctx: Context, form: Form) -> p.Expr:
    """(current player), (n player), and the same of teams"""
    first, second = form.items[0], form.items[1]
    assert isinstance(second, Atom)
    if len(form.items) != 2:
        return ctx.bad(
            "E201",
            form.items[2].span,
            f"nothing can follow {second.text} here",
            f"write (current {second.text})",
        )
    if ctx.in_declare:
        return _too_early(ctx, form)
    is_player = second.text == "player"
    if isinstance(first, Atom) and first.kind == "word":
        if first.text in ("current", "next", "previous"):
            which: p.Which = first.text  # type: ignore[assignment]
            return p.SeatAt(form.span, which) if is_player else p.TeamAt(form.span, which)
        return ctx.bad(
            "E202",
            first.span,
            f"({first.text} {second.text}) has no meaning",
            f"write (current {second.text}), (next {second.text}) or (1 {second.text})",
        )
    number = integer(ctx, first, f"the number of a {second.text}")
    if isinstance(number, p.Bad):
        return number
    if isinstance(number, p.Int):
        (ctx.evidence.players if is_player else ctx.evidence.teams).append((number.value, form.span))
    return p.SeatNumber(form.span, number) if is_player else p.TeamNumber(form.span, number)


def _indexed_card(ctx: Context, form: Form) -> p.Expr:
    """(n C): a card of a collection, or a collection of a list"""
    if len(form.items) == 1:
        return ctx.bad(
            "E202", form.span, "these parentheses contain a single value", "remove the outer parentheses"
        )
    if len(form.items) != 2:
        return ctx.bad(
            "E202",
            form.span if len(form.items) < 2 else form.items[0].span,
            "this form does not start with a word of the language",
            "write (top (game vloc PILE)), or (2 (game vloc PILE)) for a card by its place",
        )
    index = integer(ctx, form.items[0], "the place of a card")
    if isinstance(index, p.Bad):
        return index
    return picked(ctx, form, form.items[1], "a numbered place", None, index)


def picked(
    ctx: Context, form: Form, source: Node, what: str, end: p.End | None, index: p.Expr | None
) -> p.Expr:
    """One card of cards, or one collection of a list of them: by end or by index."""
    of = value(ctx, source)
    if of.kind is Kind.CARDS:
        return p.EndCard(form.span, end, of) if end else p.CardAt(form.span, index or p.Bad(form.span), of)
    if of.kind is Kind.LISTS:
        return p.ListEnd(form.span, end, of) if end else p.ListAt(form.span, index or p.Bad(form.span), of)
    if of.kind is Kind.ANY:
        return p.Bad(form.span)
    return wrong_kind(ctx, of, source, Kind.CARDS.value, what)


def _names(ctx: Context, form: Form) -> p.Expr:
    """(RED, BLUE)"""
    texts: list[str] = []
    expect_item = True
    for item in form.items:
        if isinstance(item, Atom) and item.is_mark(",") and not expect_item:
            expect_item = True
        elif isinstance(item, Atom) and item.kind == "name" and expect_item:
            texts.append(item.text)
            expect_item = False
        elif isinstance(item, Atom) and item.kind == "bad":
            return p.Bad(form.span)
        elif isinstance(item, Atom) and item.kind == "name":
            return ctx.bad("E114", item.span, "a comma is missing before this name", "write (RED, BLUE)")
        else:
            first = form.items[0]
            return ctx.bad(
                "E202",
                item.span if not isinstance(item, Form) else first.span,
                "a list that starts with a name can contain only names",
                "write (RED, BLUE), or start with a word in lower case, as in (top (game vloc PILE))",
            )
    if expect_item:
        return ctx.bad("E114", form.items[-1].span, "a name is missing after this comma", "write (RED, BLUE)")
    return p.Names(form.span, tuple(texts))
