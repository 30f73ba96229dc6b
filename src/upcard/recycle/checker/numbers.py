"""Checks forms whose value is a number, string, condition, player or team."""

from __future__ import annotations

from upcard.recycle import program as p
from upcard.recycle.checker.context import Context
from upcard.recycle.checker.values import (
    card,
    cards,
    collection,
    condition,
    integer,
    makes,
    player,
    point_map,
    string,
    value,
    wrong_kind,
)
from upcard.recycle.forms import Atom, Form, Node
from upcard.recycle.kinds import Kind

# --- numbers -------------------------------------------------------------------------------------


@makes("+", "-", "*", "//", "%", "^")
def _arithmetic(ctx: Context, form: Form) -> p.Expr:
    head = form.head
    rest = ctx.operands(form, 2, 10_000, f"({head} 7 2)")
    if rest is None:
        return p.Bad(form.span)
    if len(rest) > 2:
        ctx.newer_form(form.span)
    operands = tuple(integer(ctx, node, head) for node in rest)
    return p.Arithmetic(form.span, head, operands)  # type: ignore[arg-type]


@makes("tri", "fib")
def _tri_fib(ctx: Context, form: Form) -> p.Expr:
    rest = ctx.operands(form, 1, 1, f"({form.head} 4)")
    if rest is None:
        return p.Bad(form.span)
    of = integer(ctx, rest[0], form.head)
    return p.Tri(form.span, of) if form.head == "tri" else p.Fib(form.span, of)


@makes("size")
def _size(ctx: Context, form: Form) -> p.Expr:
    rest = ctx.operands(form, 1, 1, "(size (game vloc PILE))")
    if rest is None:
        return p.Bad(form.span)
    return p.Size(form.span, collection(ctx, rest[0], "size"))


@makes("pid")
def _pid(ctx: Context, form: Form) -> p.Expr:
    ctx.newer_form(form.span)
    rest = ctx.operands(form, 1, 1, "(pid (current player))")
    if rest is None:
        return p.Bad(form.span)
    return p.Pid(form.span, player(ctx, rest[0], "pid"))


def using(ctx: Context, form: Form, before: int, shape: str) -> tuple[tuple[Node, ...], p.Expr] | None:
    """Forms that end in `using M`: the operands before it, and the map."""
    rest = ctx.operands(form, before + 2, before + 2, shape)
    if rest is None:
        return None
    word = rest[before]
    if not (isinstance(word, Atom) and word.is_word("using")):
        if not (isinstance(word, Atom) and word.kind == "bad"):
            ctx.report(
                "E201", word.span, f"{form.head} needs the word using and a point map here", f"write {shape}"
            )
        return None
    return rest[:before], point_map(ctx, rest[before + 1], f"{form.head} using")


@makes("sum")
def _sum(ctx: Context, form: Form) -> p.Expr:
    parts = using(ctx, form, 1, "(sum (game vloc PILE) using (game points VALUE))")
    if parts is None:
        return p.Bad(form.span)
    return p.Sum(form.span, cards(ctx, parts[0][0], "sum"), parts[1])


@makes("score")
def _score(ctx: Context, form: Form) -> p.Expr:
    parts = using(ctx, form, 1, "(score 'C using (game points VALUE))")
    if parts is None:
        return p.Bad(form.span)
    return p.Score(form.span, card(ctx, parts[0][0], "score"), parts[1])


@makes("scoremax", "scoremin")
def _best_score(ctx: Context, form: Form) -> p.Expr:
    ctx.newer_form(form.span)
    parts = using(ctx, form, 1, f"({form.head} (game vloc PILE) using (game points VALUE))")
    if parts is None:
        return p.Bad(form.span)
    of = cards(ctx, parts[0][0], form.head)
    return p.BestScore(form.span, of, parts[1], form.head == "scoremax")


def bounds(ctx: Context, form: Form, shape: str) -> tuple[p.Expr, p.Expr] | None:
    """a .. b"""
    rest = form.items[1:]
    if len(rest) == 3 and isinstance(rest[1], Atom) and rest[1].is_mark(".."):
        return integer(ctx, rest[0], form.head), integer(ctx, rest[2], form.head)
    if not any(isinstance(item, Atom) and item.kind == "bad" for item in rest):
        ctx.report("E201", form.span, f"{form.head} needs two bounds with .. between them", f"write {shape}")
    return None


@makes("random")
def _random(ctx: Context, form: Form) -> p.Expr:
    if len(form.items) == 2:
        return p.Random(form.span, None, integer(ctx, form.items[1], "random"))
    both = bounds(ctx, form, "(random 3) or (random 2 .. 5)")
    return p.Random(form.span, *both) if both else p.Bad(form.span)


@makes("range")
def _range(ctx: Context, form: Form) -> p.Expr:
    both = bounds(ctx, form, "(range 1..3)")
    return p.Range(form.span, *both) if both else p.Bad(form.span)


# --- strings -------------------------------------------------------------------------------------


@makes("cardatt")
def _cardatt(ctx: Context, form: Form) -> p.Expr:
    rest = ctx.operands(form, 2, 2, "(cardatt SUIT 'C)")
    if rest is None:
        return p.Bad(form.span)
    key = string(ctx, rest[0], "the key of cardatt")
    return p.CardAtt(form.span, key, card(ctx, rest[1], "cardatt"))


# --- conditions ----------------------------------------------------------------------------------


@makes("and", "or")
def _logic(ctx: Context, form: Form) -> p.Expr:
    head = form.head
    rest = ctx.operands(form, 2, 10_000, f"({head} (== 1 1) (== 2 2))")
    if rest is None:
        return p.Bad(form.span)
    return p.Logic(form.span, head, tuple(condition(ctx, node, head) for node in rest))  # type: ignore[arg-type]


@makes("not")
def _not(ctx: Context, form: Form) -> p.Expr:
    rest = ctx.operands(form, 1, 1, "(not (== 1 2))")
    if rest is None:
        return p.Bad(form.span)
    return p.Not(form.span, condition(ctx, rest[0], "not"))


@makes("<", ">", "<=", ">=")
def _compare(ctx: Context, form: Form) -> p.Expr:
    head = form.head
    rest = ctx.operands(form, 2, 2, f"({head} (game sto COUNT) 3)")
    if rest is None:
        return p.Bad(form.span)
    left, right = integer(ctx, rest[0], head), integer(ctx, rest[1], head)
    return p.Compare(form.span, head, left, right)  # type: ignore[arg-type]


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
    rest = ctx.operands(form, 2, 2, f"({head} (cardatt SUIT 'C) HEARTS)")
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


def loop_head(ctx: Context, form: Form, shape: str) -> tuple[p.Expr, Atom, Node] | None:
    """(HEAD COLLECTION 'V BODY): the collection, the variable and the body."""
    rest = ctx.operands(form, 3, 3, shape)
    if rest is None:
        return None
    source = collection(ctx, rest[0], form.head)
    variable = ctx.named(rest[1], form.head, shape)
    return None if variable is None else (source, variable, rest[2])


@makes("all", "any")
def _all_any(ctx: Context, form: Form) -> p.Expr:
    head = form.head
    shape = f"({head} player 'P (> ('P sto COUNT) 3))"
    parts = loop_head(ctx, form, shape)
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
    parts = loop_head(ctx, form, "(filter (game vloc PILE) 'C (== (cardatt SUIT 'C) HEARTS))")
    if parts is None:
        return p.Bad(form.span)
    source, variable, body = parts
    binding = ctx.bind(variable, source.kind.element or Kind.ANY, "each", source)
    with ctx.scope(binding):
        test = condition(ctx, body, "filter")
    return p.Bad(form.span) if source.kind is Kind.ANY else p.Filter(form.span, source, binding, test)


# --- players and teams ---------------------------------------------------------------------------


@makes("owner")
def _owner(ctx: Context, form: Form) -> p.Expr:
    rest = ctx.operands(form, 1, 1, "(owner (top (game mem SEEN)))")
    if rest is None:
        return p.Bad(form.span)
    return p.OwnerOf(form.span, card(ctx, rest[0], "owner"))


@makes("team")
def _team(ctx: Context, form: Form) -> p.Expr:
    rest = ctx.operands(form, 1, 1, "(team (current player))")
    if rest is None:
        return p.Bad(form.span)
    return p.TeamOf(form.span, player(ctx, rest[0], "team"))


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
    return ctx.expected(word, "other is followed by player or team", "write (other player)")
