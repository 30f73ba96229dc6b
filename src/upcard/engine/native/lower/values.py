"""Lowers values of one word: numbers, conditions, strings, players, teams, cards.

A card is its number in card order, -1 for no card; a string is its number; players and teams count from 0.
"""

from __future__ import annotations

from operator import add as plus
from operator import mul as times
from operator import sub as minus

from upcard.engine.native import ir
from upcard.engine.native.lower.analysis import each_once, one_of_the_players
from upcard.engine.native.lower.builder import (
    MINUS,
    ONE,
    STATE,
    WORK,
    ZERO,
    add,
    binary,
    const,
    negate,
    scaled,
)
from upcard.engine.native.lower.cards import count_set, counted_set, set_from, size_of
from upcard.engine.native.lower.context import Context, value_of
from upcard.engine.native.lower.fast.card_masks import card_mask, is_quick
from upcard.engine.native.lower.list_values import count_elements, each_element
from upcard.recycle import failures
from upcard.recycle import program as p
from upcard.recycle.arithmetic import GREATEST, LEAST
from upcard.recycle.constants import text_of
from upcard.recycle.facts import owner_word
from upcard.recycle.kinds import Kind

_EXACT = {"add": plus, "sub": minus, "mul": times}


@value_of(p.Var)
def _var(ctx: Context, node: p.Var) -> ir.Expr:
    if node.binding.how == "declare":
        return _declared(ctx, node.binding)
    known = ctx.env[node.binding.slot]
    assert isinstance(known, ir.Expr)
    return known


def _declared(ctx: Context, binding: p.Binding) -> ir.Expr:
    declared, slot = ctx.layout.declared, binding.slot
    if slot in declared.drawn:
        return ctx.word(ctx.layout.words[f"var{slot}"])
    value = declared.known.get(slot)
    if binding.kind is Kind.STR:
        return const(ctx.layout.strings[value or ""])
    # no card; or no value, and every game fails before it is read
    return MINUS if value is None else const(int(value))


# --- storages ------------------------------------------------------------------------------------


def owner_index(ctx: Context, owner: p.Owner) -> ir.Expr:
    """The number of an owner among those of its kind."""
    if isinstance(owner, p.Table):
        return ZERO
    who = ctx.value(owner)
    if ctx.analysis.may_be_gone(owner):
        who = ctx.keep(who)
        ctx.fail(owner, failures.TEAM_IS_GONE, binary("uge", who, ctx.team_count()))
    return who


def storage_word(ctx: Context, node: p.Storage) -> ir.Expr:
    """The index of a storage's first word."""
    layout = ctx.layout
    sort, words = {
        p.IntStore: ("ints", layout.ints),
        p.StrStore: ("strs", layout.strs),
        p.MapStore: ("maps", layout.maps),
    }[type(node)]
    kind = owner_word(node.owner)
    owner = ctx.keep(owner_index(ctx, node.owner))
    behind = scaled(owner, layout.map_stride if isinstance(node, p.MapStore) else 1)
    name = text_of(node.name)
    if name is not None:
        return ctx.keep(add(behind, const(words[kind, name])))
    # a computed name: its first word from a table
    table = ctx.data(f"{sort}_of_{kind}", (words.get((kind, text), 0) for text in layout.strings))
    return ctx.keep(add(ir.Load("i64", table, ctx.value(node.name)), behind))


@value_of(p.IntStore, p.StrStore)
def _storage(ctx: Context, node: p.IntStore | p.StrStore) -> ir.Expr:
    return ctx.word(storage_word(ctx, node))


# --- numbers -------------------------------------------------------------------------------------


@value_of(p.Int, p.Truth)
def _written(ctx: Context, node: p.Int | p.Truth) -> ir.Expr:
    return const(int(node.value))


@value_of(p.Size)
def _size(ctx: Context, node: p.Size) -> ir.Expr:
    of = node.of
    if of.kind is Kind.CARDS:
        if each_once(of):
            return ctx.keep(count_set(ctx, set_from(ctx, of)))
        return ctx.keep(size_of(ctx, ctx.cards(of)))
    if of.kind is Kind.LISTS:
        return ctx.keep(ctx.word(0, ctx.groups(of)))
    return ctx.keep(count_elements(ctx, of))


@value_of(p.Arithmetic)
def _arithmetic(ctx: Context, node: p.Arithmetic) -> ir.Expr:
    numbers = [ctx.keep(ctx.value(operand)) for operand in node.operands]
    result = numbers[0]
    for number in numbers[1:]:
        result = _combine(ctx, node, node.operator, result, number)
    return result


def _combine(ctx: Context, node: p.Node, operator: str, a: ir.Expr, b: ir.Expr) -> ir.Expr:
    if operator in ("+", "-", "*"):
        op = {"+": "add", "-": "sub", "*": "mul"}[operator]
        if isinstance(a, ir.Const) and isinstance(b, ir.Const):
            exact = _EXACT[op](int(a.value), int(b.value))
            if LEAST <= exact <= GREATEST:
                return const(exact)
        ctx.fail(node, failures.TOO_WIDE, ir.Binary(f"s{op}_over", a, b))
        return ctx.keep(ir.Binary(op, a, b))
    if operator in ("//", "%"):
        ctx.fail(node, failures.DIVIDED_BY_ZERO, binary("eq", b, ZERO))
        if operator == "%":
            return ctx.keep(ir.Binary("srem", a, b))
        ctx.fail(
            node, failures.TOO_WIDE, binary("and", binary("eq", a, const(LEAST)), binary("eq", b, MINUS))
        )
        return ctx.keep(ir.Binary("sdiv", a, b))
    ctx.fail(node, failures.NEGATIVE_EXPONENT, binary("slt", b, ZERO))
    result = ctx.variable(ONE, "power")
    left = ctx.variable(b, "left")
    tame = binary("ule", add(a, ONE), const(2))  # -1, 0 and 1 never grow
    with ctx.when(tame):
        odd = binary("and", left, ONE)
        ctx.set(result, ir.If(binary("eq", left, ZERO), ONE, ir.If(odd, a, binary("and", a, ONE))))
        ctx.set(left, ZERO)
    ctx.fail(node, failures.TOO_WIDE, binary("sgt", left, const(63)))
    with ctx.loop(binary("sgt", left, ZERO)):
        ctx.fail(node, failures.TOO_WIDE, ir.Binary("smul_over", result, a))
        ctx.set(result, ir.Binary("mul", result, a))
        ctx.set(left, binary("sub", left, ONE))
    return result


@value_of(p.Tri)
def _tri(ctx: Context, node: p.Tri) -> ir.Expr:
    n = ctx.keep(ctx.value(node.of))
    ctx.fail(node, failures.NEGATIVE_TRI, binary("slt", n, ZERO))
    ctx.fail(node, failures.TOO_WIDE, binary("sgt", n, const(4_294_967_295)))
    half = ir.If(binary("and", n, ONE), n, binary("lshr", n, ONE))
    other = ir.If(binary("and", n, ONE), binary("lshr", add(n, ONE), ONE), add(n, ONE))
    return ctx.keep(ir.Binary("mul", half, other))


@value_of(p.Fib)
def _fib(ctx: Context, node: p.Fib) -> ir.Expr:
    n = ctx.variable(ctx.value(node.of), "n")
    ctx.fail(node, failures.NEGATIVE_FIB, binary("slt", n, ZERO))
    ctx.fail(node, failures.TOO_WIDE, binary("sgt", n, const(92)))
    a, b = ctx.variable(ZERO, "a"), ctx.variable(ONE, "b")
    with ctx.loop(binary("sgt", n, ZERO)):
        c = ctx.variable(add(a, b), "c")
        ctx.set(a, b)
        ctx.set(b, c)
        ctx.set(n, binary("sub", n, ONE))
    return a


@value_of(p.Random)
def _random(ctx: Context, node: p.Random) -> ir.Expr:
    low = ctx.keep(ctx.value(node.low)) if node.low is not None else ZERO
    high = ctx.keep(ctx.value(node.high))
    ctx.fail(node, failures.NOTHING_TO_DRAW, binary("slt", high, low), low, high)
    # up to 2^63 numbers: one less is the greatest difference that is not negative
    span = ctx.keep(ir.Binary("sub", high, low))
    ctx.fail(node, failures.RANDOM_TOO_WIDE, binary("slt", span, ZERO))
    width = ctx.keep(add(span, ONE))
    return ctx.variable(add(low, ctx.call("draw", STATE, WORK, width)), "drawn")


@value_of(p.Pid)
def _pid(ctx: Context, node: p.Pid) -> ir.Expr:
    return add(ctx.value(node.player), const(ctx.program.base))


@value_of(p.SumOver)
def _sum_over(ctx: Context, node: p.SumOver) -> ir.Expr:
    total = ctx.variable(ZERO, "total")
    with each_element(ctx, node, node.source, node.binding):
        amount = ctx.brief(node.store)
        ctx.fail(node, failures.TOO_WIDE, ir.Binary("sadd_over", total, amount))
        ctx.set(total, add(total, amount))
    return total


# --- conditions ----------------------------------------------------------------------------------


@value_of(p.Logic)
def _logic(ctx: Context, node: p.Logic) -> ir.Expr:
    """Bit by bit where nothing can fail and there is little to compute: a jump could not be predicted.
    Otherwise it stops as soon as it is decided."""
    op = "and" if node.operator == "and" else "or"
    first = ctx.value(node.operands[0])
    for operand in node.operands[1:]:
        with ctx.block() as needed:
            value = ctx.value(operand)
        if not needed or (ctx.analysis.safe(operand) and _is_little(needed)):
            if needed:
                first = ctx.keep(first)
                ctx.blocks[-1].extend(needed)
            first = binary(op, first, value)
            continue
        result = ctx.variable(first, "decided")
        test = result if op == "and" else negate(result)
        ctx.emit(ir.Branch(test, (*needed, ir.Assign(result, value))))
        first = result
    return first


def _is_little(needed: list[ir.Stmt]) -> bool:
    """A few loads and operations."""
    looked_up = (ir.Const, ir.Local, ir.Load, ir.Binary, ir.Unary, ir.Data, ir.Offset)
    assigned = [stmt.value for stmt in needed if isinstance(stmt, ir.Assign)]
    return len(assigned) == len(needed) <= 4 and all(isinstance(value, looked_up) for value in assigned)


@value_of(p.Not)
def _not(ctx: Context, node: p.Not) -> ir.Expr:
    return negate(ctx.value(node.of))


@value_of(p.Compare)
def _compare(ctx: Context, node: p.Compare) -> ir.Expr:
    op = {"<": "slt", ">": "sgt", "<=": "sle", ">=": "sge"}[node.operator]
    left = ctx.keep(ctx.value(node.left))
    return binary(op, left, ctx.value(node.right))


@value_of(p.Same)
def _same(ctx: Context, node: p.Same) -> ir.Expr:
    left = ctx.keep(ctx.value(node.left))
    right = ctx.value(node.right)
    if node.of is Kind.CARD:
        right = ctx.keep(right)
        ctx.look(left)
        ctx.look(right)
    return binary("ne" if node.negated else "eq", left, right)


@value_of(p.Quantified)
def _quantified(ctx: Context, node: p.Quantified) -> ir.Expr:
    if node.source.kind is Kind.CARDS and each_once(node.source):
        chosen = card_mask(ctx, node.test, node.binding)
        if chosen is not None:
            words = counted_set(ctx, node, set_from(ctx, node.source))
            hit: ir.Expr = ZERO
            for word, mask in zip(words, chosen, strict=True):
                wanted = ir.Unary("not", mask) if node.every else mask
                hit = binary("or", hit, binary("and", word, wanted))
            return binary("eq" if node.every else "ne", hit, ZERO)
    result = ctx.variable(const(int(node.every)), "decided")
    if isinstance(node.source, p.Players | p.Teams) and is_quick(ctx, node.test):
        # cheaper to test all of them than to mispredict which one decides
        with each_element(ctx, node, node.source, node.binding):
            ctx.set(result, binary("and" if node.every else "or", result, ctx.value(node.test)))
        return result
    with each_element(ctx, node, node.source, node.binding, in_order=not ctx.analysis.safe(node.test)):
        test = ctx.brief(node.test)
        with ctx.when(negate(test) if node.every else test):
            ctx.set(result, const(int(not node.every)))
            ctx.emit(ir.Break())
    return result


# --- strings -------------------------------------------------------------------------------------


@value_of(p.Str)
def _str(ctx: Context, node: p.Str) -> ir.Expr:
    return const(ctx.layout.strings[node.text])


@value_of(p.CardAtt)
def _cardatt(ctx: Context, node: p.CardAtt) -> ir.Expr:
    key = ctx.keep(ctx.value(node.key))
    card = ctx.keep(ctx.value(node.card))
    ctx.look(card)
    if isinstance(node.card, p.Var) and node.card.binding.how == "each":
        return attribute(ctx, key, card)
    return ir.If(binary("slt", card, ZERO), ZERO, attribute(ctx, key, card))


def attribute(ctx: Context, key: ir.Expr, card: ir.Expr) -> ir.Expr:
    """An attribute of a card that exists: the string in a table of keys by cards."""
    if isinstance(key, ir.Const):
        text = next(t for t, n in ctx.layout.strings.items() if n == key.value)
        if text not in ctx.layout.keys:
            return ZERO
        return _face(ctx, const(ctx.layout.keys.index(text)), card)
    row = ctx.keep(ir.Load("i64", ir.Data("key_rows"), key))
    return ir.If(binary("slt", row, ZERO), ZERO, _face(ctx, row, card))


def _face(ctx: Context, row: ir.Expr, card: ir.Expr) -> ir.Expr:
    at = add(card, scaled(row, ctx.layout.room))
    if ctx.layout.moving_faces:
        return ir.Load("u16", STATE, add(at, const(ctx.layout.faces_at // 2)))
    return ir.Load("u16", ir.Data("attributes"), at)


# --- players and teams ---------------------------------------------------------------------------


@value_of(p.SeatAt)
def _seat_at(ctx: Context, node: p.SeatAt) -> ir.Expr:
    return ctx.seat(node.which)


@value_of(p.SeatNumber)
def _seat_number(ctx: Context, node: p.SeatNumber) -> ir.Expr:
    number = ctx.keep(ctx.value(node.number))
    seat = ctx.keep(binary("sub", number, const(ctx.program.base)))
    if isinstance(seat, ir.Const) and 0 <= seat.value < ctx.layout.seats:
        return seat
    ctx.fail(node, failures.NO_SUCH_PLAYER, binary("uge", seat, const(ctx.layout.seats)), number)
    return seat


@value_of(p.OwnerOf)
def _owner_of(ctx: Context, node: p.OwnerOf) -> ir.Expr:
    card = ctx.keep(ctx.value(node.card))
    ctx.fail(node, failures.NO_CARD_TO_OWN, binary("slt", card, ZERO))
    ctx.look(card)
    place = one_of_the_players(node.card)
    if place is not None:
        # by arithmetic rather than from a table: the winner of a trick is on the critical path
        assert isinstance(place.name, p.Str)
        shelf = ctx.layout.shelves[False, place.cls][place.name.text]
        behind = binary("sub", ctx.where(card), const(shelf.first))
        return ctx.keep(behind if shelf.numbers == 1 else binary("udiv", behind, const(shelf.numbers)))
    owner = ctx.keep(ir.Load("i64", ir.Data("place_owner"), ctx.where(card)))
    ctx.fail(node, failures.OWNED_BY_TABLE, binary("slt", owner, ZERO))
    return owner


@value_of(p.TeamAt)
def _team_at(ctx: Context, node: p.TeamAt) -> ir.Expr:
    words = ctx.layout.words
    if ctx.before_teams:
        ctx.fail(node, failures.NO_TEAMS_YET)
    current = ctx.keep(ctx.word(words["team_index"] + ctx.team_depth))
    if node.which == "current":
        return current
    teams = ctx.keep(ctx.team_count())
    if node.which == "next":
        after = ctx.keep(add(current, ONE))
        return ir.If(binary("eq", after, teams), ZERO, after)
    return ir.If(binary("eq", current, ZERO), binary("sub", teams, ONE), binary("sub", current, ONE))


@value_of(p.TeamNumber)
def _team_number(ctx: Context, node: p.TeamNumber) -> ir.Expr:
    number = ctx.keep(ctx.value(node.number))
    team = ctx.keep(binary("sub", number, const(ctx.program.base)))
    ctx.fail(node, failures.NO_SUCH_TEAM, binary("uge", team, ctx.team_count()), number)
    return team


@value_of(p.TeamOf)
def _team_of(ctx: Context, node: p.TeamOf) -> ir.Expr:
    seat = ctx.keep(ctx.value(node.player))
    if ctx.before_teams:
        ctx.fail(node, failures.NO_TEAMS_YET)
    if ctx.known_teams is None:
        return ctx.word(add(seat, const(ctx.layout.words["team_of"])))
    team_of = {seat: number for number, team in enumerate(ctx.known_teams) for seat in team}
    return ctx.in_table("team_of", [team_of[seat] for seat in range(ctx.layout.seats)], seat)
