"""Lowers lists of numbers, strings, players and teams, and loops over collections of any kind.

A list in memory is a count, then a word per element; a loop makes one only where it has to.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import Any

from upcard.engine.api import Place
from upcard.engine.native import ir
from upcard.engine.native.lower.builder import ONE, STATE, ZERO, add, binary, const, scaled
from upcard.engine.native.lower.cards import each_card, element
from upcard.engine.native.lower.context import Cards, Context, array_of, groups_of
from upcard.engine.native.lower.runtime import NO_CARDS_WORD
from upcard.engine.shared.table import Snapshot
from upcard.recycle import failures
from upcard.recycle import program as p
from upcard.recycle.kinds import Kind
from upcard.recycle.limits import MAX_COUNT

# --- loops ---------------------------------------------------------------------------------------


@contextmanager
def each_element(
    ctx: Context,
    node: p.Node,
    source: p.Expr,
    binding: p.Binding,
    in_order: bool = True,
    stays: bool = True,
) -> Iterator[None]:
    """Loop over a collection of any kind; inside, the variable stands for the element. `node` counts them."""
    if source.kind is Kind.CARDS:
        with each_card(ctx, source, in_order, stays, node) as card:
            ctx.env[binding.slot] = card
            yield
        return
    if source.kind is Kind.LISTS:
        with each_collection(ctx, source, node) as collection:
            ctx.env[binding.slot] = collection
            yield
        return
    with each_scalar(ctx, source, node) as value:
        ctx.env[binding.slot] = value
        yield


@contextmanager
def each_collection(ctx: Context, node: p.Expr, form: p.Node | None = None) -> Iterator[Cards]:
    """Loop over the collections of a list, which `form` counts. Where nothing can fail meanwhile they are not
    gathered first."""
    if isinstance(node, p.Each) and ctx.analysis.safe(node) and form not in ctx.counts.units:
        with each_element(ctx, node, node.source, node.binding):
            yield ctx.cards(node.body)
        return
    base = ctx.keep(ctx.groups(node))
    if form is not None:
        ctx.count_work(form, ctx.word(0, base))
    with each_entry(ctx, base) as entry:
        yield element(ctx, node, entry)


@contextmanager
def each_entry(ctx: Context, base: ir.Expr) -> Iterator[ir.Local]:
    """Loop over the words of a list in memory."""
    with ctx.each_index(ZERO, ctx.word(0, base)) as i:
        yield ctx.variable(ctx.word(add(i, ONE), base), "entry")


@contextmanager
def each_scalar(ctx: Context, source: p.Expr, node: p.Node) -> Iterator[ir.Expr]:
    """Loop over numbers, strings, players or teams, which `node` counts."""
    if isinstance(source, p.Players | p.Teams):
        words = ctx.layout.words
        players = isinstance(source, p.Players)
        end = const(ctx.layout.seats) if players else ctx.team_count()
        skip = None
        if source.others:
            here = ctx.seat("current") if players else ctx.word(words["team_index"] + ctx.team_depth)
            skip = ctx.keep(here)
        if players or not ctx.before_teams:
            ctx.count_work(node, binary("sub", end, const(int(source.others))))
        with ctx.each_index(ZERO, end) as i:
            if skip is None:
                yield i
            else:
                with ctx.when(binary("ne", i, skip)):
                    yield i
        return
    if isinstance(source, p.Members):
        team = ctx.keep(ctx.value(source.team))
        with _each_member(ctx, source, team, node) as member:
            yield member
        return
    if isinstance(source, p.Range):
        low, high = ctx.keep(ctx.value(source.low)), ctx.keep(ctx.value(source.high))
        _check_range(ctx, source, low, high)
        with ctx.when(binary("sge", high, low)):
            size = ctx.keep(add(binary("sub", high, low), ONE))
            ctx.count_work(node, size)
            with ctx.each_index(ZERO, size) as i:
                yield ctx.variable(add(low, i), "number")
        return
    base = ctx.array(source)
    ctx.count_work(node, ctx.word(0, base))
    with each_entry(ctx, base) as entry:
        yield entry


@contextmanager
def _each_member(ctx: Context, source: p.Members, team: ir.Expr, node: p.Node) -> Iterator[ir.Expr]:
    seats, words, known = ctx.layout.seats, ctx.layout.words, ctx.known_teams
    if known is not None:
        size = ctx.in_table("team_sizes", [len(members) for members in known], team)
        row = ctx.keep(scaled(team, seats))
        table = [seat for members in known for seat in [*members, *[0] * (seats - len(members))]]
        ctx.count_work(node, size)
        with ctx.each_index(ZERO, size) as i:
            yield ctx.variable(ctx.in_table("team_members", table, add(row, i)), "member")
        return
    ctx.fail(source, failures.TEAM_IS_GONE, binary("uge", team, ctx.team_count()))
    size = ctx.word(add(team, const(words["team_size"])))
    row = ctx.keep(add(scaled(team, seats), const(words["members"])))
    ctx.count_work(node, size)
    with ctx.each_index(ZERO, size) as i:
        yield ctx.variable(ctx.word(add(row, i)), "member")


def range_size(ctx: Context, source: p.Range, low: ir.Expr, high: ir.Expr) -> ir.Expr:
    """How many numbers a range has."""
    _check_range(ctx, source, low, high)
    return ir.If(binary("sge", high, low), add(binary("sub", high, low), ONE), ZERO)


def _check_range(ctx: Context, source: p.Range, low: ir.Expr, high: ir.Expr) -> None:
    wide = binary("uge", ir.Binary("sub", high, low), const(MAX_COUNT))
    ctx.fail(source, failures.TOO_MANY_NUMBERS, binary("and", binary("sge", high, low), wide))


# --- lists in memory -----------------------------------------------------------------------------


@array_of(p.Names)
def _names(ctx: Context, node: p.Names) -> ir.Expr:
    return data_array(ctx, [ctx.layout.strings[text] for text in node.texts])


@array_of(p.Numbers)
def _numbers(ctx: Context, node: p.Numbers) -> ir.Expr:
    return data_array(ctx, list(node.values))


@array_of(p.Var)
@groups_of(p.Var)
def _var(ctx: Context, node: p.Var) -> ir.Expr:
    if node.binding.how == "declare":
        return declared_array(ctx, node.binding)
    known = ctx.env[node.binding.slot]
    assert isinstance(known, ir.Expr)
    assert known.type == "ptr"
    return known


@array_of(p.Range)
def _range(ctx: Context, node: p.Range) -> ir.Expr:
    low, high = ctx.keep(ctx.value(node.low)), ctx.keep(ctx.value(node.high))
    size = ctx.keep(range_size(ctx, node, low, high))
    ctx.count_cards(node, size)
    made = new_array(ctx, node, size)
    with ctx.each_index(ZERO, size) as i:
        push(ctx, made, add(low, i))
    return made


@array_of(p.Players, p.Teams, p.Members)
def _seats_or_teams(ctx: Context, node: p.Players | p.Teams | p.Members) -> ir.Expr:
    made = new_array(ctx, node, const(ctx.layout.seats))
    with each_scalar(ctx, node, node) as number:
        push(ctx, made, number)
    return made


def new_array(ctx: Context, node: p.Node, most: ir.Expr) -> ir.Local:
    """An empty list with room for `most` words."""
    made = ctx.allocate(node, add(const(8), scaled(most, 8)))
    ctx.set_word(0, ZERO, made)
    return made


def push(ctx: Context, base: ir.Expr, value: ir.Expr) -> None:
    count = ctx.variable(ctx.word(0, base), "count")
    ctx.set_word(add(count, ONE), value, base)
    ctx.set_word(0, add(count, ONE), base)


def declared_array(ctx: Context, binding: p.Binding) -> ir.Expr:
    """A declared list. A collection in it that is no location is empty: there are no cards yet."""
    slot, declared = binding.slot, ctx.layout.declared
    if slot in declared.drawn:
        return ctx.keep(ir.Offset(STATE, const(8 * ctx.layout.words[f"var{slot}"])))
    values = [_declared_word(ctx, value) for value in declared.known.get(slot, ())]
    return data_array(ctx, values)


def _declared_word(ctx: Context, value: Any) -> int:
    if isinstance(value, Place):
        return ctx.layout.number_of(value)
    if isinstance(value, Snapshot):
        return 8 * NO_CARDS_WORD
    return ctx.layout.strings[value] if isinstance(value, str) else int(value)


def data_array(ctx: Context, values: list[int]) -> ir.Expr:
    """Constant words behind their count."""
    words = [len(values), *values]
    digest = sha256(b"".join(word.to_bytes(8, "little", signed=True) for word in words)).hexdigest()
    return ctx.data(f"array_{digest[:16]}", words)


def count_elements(ctx: Context, source: p.Expr) -> ir.Expr:
    """How many numbers, strings, players or teams there are."""
    if isinstance(source, p.Names):
        return const(len(source.texts))
    if isinstance(source, p.Numbers):
        return const(len(source.values))
    if isinstance(source, p.Var):
        return ctx.word(0, ctx.array(source))
    total = ctx.variable(ZERO, "total")
    if isinstance(source, p.Filter):
        with each_element(ctx, source, source.source, source.binding), ctx.when(ctx.brief(source.test)):
            ctx.set(total, add(total, ONE))
    else:
        with each_scalar(ctx, source, source):
            ctx.set(total, add(total, ONE))
    return total
