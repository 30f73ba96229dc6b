"""Lowers lists of collections: a count, then a word per element.

Groups are made one after the other, each with a link to the one before; when all are there the links become
the list.
"""

from __future__ import annotations

from upcard.engine.native import ir
from upcard.engine.native.lower.builder import ONE, WORK, ZERO, add, binary, const, scaled
from upcard.engine.native.lower.cards import (
    append,
    as_list,
    each_in_list,
    element,
    list_card,
    new_list,
    size_of,
)
from upcard.engine.native.lower.collections import concatenated, place_of, sort_list
from upcard.engine.native.lower.context import AsSet, Cards, Context, InPlace, array_of, groups_of
from upcard.engine.native.lower.list_values import new_array, push
from upcard.engine.native.lower.point_maps import map_of, score
from upcard.engine.native.lower.values import attribute, owner_index
from upcard.recycle import failures
from upcard.recycle import program as p
from upcard.recycle.constants import text_of
from upcard.recycle.kinds import Kind
from upcard.recycle.limits import MAX_COUNT, MAX_GROUPED, MAX_SUBSETS, SUBSETS_A_UNIT


@groups_of(p.Partition)
def _partition(ctx: Context, node: p.Partition) -> ir.Expr:
    if node.key.span.start < node.parts[0].span.start:
        key = ctx.keep(ctx.value(node.key))
        everything = concatenated(ctx, node, node.parts)
    else:  # older programs write the key last, and operands are evaluated as they are written
        everything = concatenated(ctx, node, node.parts)
        key = ctx.keep(ctx.value(node.key))
    size = ctx.keep(ctx.word(0, everything))
    made = new_array(ctx, node, size)
    values = new_array(ctx, node, size)
    with each_in_list(ctx, everything) as card:
        ctx.look(card)
        value = ctx.keep(attribute(ctx, key, card))
        found = ctx.variable(ZERO, "found")
        groups = ctx.keep(ctx.word(0, made))
        with (
            ctx.each_index(ZERO, groups) as i,
            ctx.when(binary("eq", ctx.word(add(i, ONE), values), value)),
        ):
            ctx.set(found, ctx.word(add(i, ONE), made))
        with ctx.when(binary("eq", found, ZERO)):
            fresh = new_list(ctx, node, size)
            ctx.set(found, ctx.distance(fresh))
            push(ctx, made, found)
            push(ctx, values, value)
        append(ctx, ctx.keep(ir.Offset(WORK, found)), card)
    return made


@groups_of(p.Tuples)
def _tuples(ctx: Context, node: p.Tuples) -> ir.Expr:
    count = ctx.keep(ctx.value(node.count))
    base, using = _sorted_by_score(ctx, node, node.cards, node.using, count)
    size = ctx.keep(ctx.word(0, base))
    chain, groups = ctx.variable(ZERO, "chain"), ctx.variable(ZERO, "groups")
    grouped = ctx.variable(ZERO, "grouped")
    start = ctx.variable(ZERO, "start")
    chosen = new_array(ctx, node, size)
    with ctx.loop(binary("slt", start, size)):
        end = _end_of_score(ctx, node, base, using, start, size)
        have = ctx.keep(binary("sub", end, start))
        with ctx.when(binary("sle", count, have)):
            with ctx.each_index(ZERO, count) as i:
                ctx.set_word(i, i, chosen)
            with ctx.loop():
                made = _bounded_group(ctx, node, count, chain, groups, grouped)
                with ctx.each_index(ZERO, count) as i:
                    append(ctx, made, list_card(ctx, base, add(start, ctx.word(i, chosen))))
                # the next way to choose: the last index that can rise does, those behind it follow on
                at = ctx.variable(binary("sub", count, ONE), "at")
                with ctx.loop(binary("sge", at, ZERO)):
                    room = binary("sub", add(ctx.word(at, chosen), binary("sub", count, at)), have)
                    with ctx.when(binary("slt", room, ZERO)):
                        ctx.emit(ir.Break())
                    ctx.set(at, binary("sub", at, ONE))
                with ctx.when(binary("slt", at, ZERO)):
                    ctx.emit(ir.Break())
                value = ctx.variable(add(ctx.word(at, chosen), ONE), "value")
                with ctx.loop(binary("slt", at, count)):
                    ctx.set_word(at, value, chosen)
                    ctx.set(value, add(value, ONE))
                    ctx.set(at, add(at, ONE))
        ctx.set(start, end)
    return _gathered(ctx, node, chain, groups)


def _sorted_by_score(
    ctx: Context, node: p.Node, source: p.Expr, using: p.Expr, count: ir.Expr | None = None
) -> tuple[ir.Expr, ir.Expr]:
    """The cards by ascending score, cards of one score in their own order; and the map. How many a tuple
    has is looked at in between: when all operands are there, before the first card is scored."""
    base = as_list(ctx, node, ctx.cards(source), copy=True)
    found = map_of(ctx, using)
    if count is not None:
        ctx.fail(node, failures.EMPTY_TUPLES, binary("slt", count, ONE), count)
    ctx.count_cards(node, ctx.word(0, base))
    sort_list(ctx, node, base, found)
    return base, found


def _end_of_score(
    ctx: Context, node: p.Node, base: ir.Expr, using: ir.Expr, start: ir.Expr, size: ir.Expr
) -> ir.Local:
    """Behind the last card that scores like the one at `start`."""
    mine = ctx.keep(score(ctx, node, ctx.keep(list_card(ctx, base, start)), using))
    end = ctx.variable(add(start, ONE), "end")
    with ctx.loop(binary("slt", end, size)):
        other = ctx.keep(list_card(ctx, base, end))
        with ctx.when(binary("ne", score(ctx, node, other, using), mine)):
            ctx.emit(ir.Break())
        ctx.set(end, add(end, ONE))
    return end


@groups_of(p.Subsets)
def _subsets(ctx: Context, node: p.Subsets) -> ir.Expr:
    base = as_list(ctx, node, ctx.cards(node.cards), copy=True)
    size = ctx.keep(ctx.word(0, base))
    many = binary("sgt", size, const(MAX_SUBSETS))
    ctx.fail(node, failures.TOO_MANY_SUBSETS, many, size)
    chain, groups = ctx.variable(ZERO, "chain"), ctx.variable(ZERO, "groups")
    chosen = ctx.variable(ONE, "chosen")
    end = ctx.keep(binary("shl", ONE, size))
    ctx.count_work(node, binary("udiv", end, const(SUBSETS_A_UNIT)))
    with ctx.loop(binary("slt", chosen, end)):
        made = _new_group(ctx, node, ir.Unary("popcount", chosen), chain, groups)
        left = ctx.variable(chosen, "left")
        with ctx.loop(left):
            append(ctx, made, list_card(ctx, base, ir.Unary("ctz", left)))
            ctx.set(left, binary("and", left, binary("sub", left, ONE)))
        ctx.set(chosen, add(chosen, ONE))
    return _gathered(ctx, node, chain, groups)


@groups_of(p.Runs)
def _runs(ctx: Context, node: p.Runs) -> ir.Expr:
    least = ctx.keep(ctx.value(node.least))
    base, using = _sorted_by_score(ctx, node, node.cards, node.using)
    size = ctx.keep(ctx.word(0, base))
    # where each score's cards begin, and the scores themselves
    starts, values = new_array(ctx, node, add(size, ONE)), new_array(ctx, node, add(size, ONE))
    at = ctx.variable(ZERO, "at")
    with ctx.loop(binary("slt", at, size)):
        push(ctx, starts, at)
        push(ctx, values, ctx.keep(score(ctx, node, ctx.keep(list_card(ctx, base, at)), using)))
        ctx.set(at, _end_of_score(ctx, node, base, using, at, size))
    scores = ctx.keep(ctx.word(0, starts))
    ctx.set_word(add(scores, ONE), size, starts)
    chain, groups = ctx.variable(ZERO, "chain"), ctx.variable(ZERO, "groups")
    grouped = ctx.variable(ZERO, "grouped")
    wheel = new_array(ctx, node, add(size, ONE))
    first = ctx.variable(ZERO, "first")
    with ctx.loop(binary("slt", first, scores)):
        last = ctx.variable(first, "last")
        with ctx.loop(binary("slt", add(last, ONE), scores)):
            here, after = ctx.word(add(last, ONE), values), ctx.word(add(last, const(2)), values)
            with ctx.when(binary("ne", ir.Binary("sub", after, here), ONE)):
                ctx.emit(ir.Break())
            ctx.set(last, add(last, ONE))
        if node.every:
            with ctx.each_index(first, add(last, ONE)) as low, ctx.each_index(low, add(last, ONE)) as high:
                _stretch(ctx, node, base, starts, wheel, low, high, least, chain, groups, grouped)
        else:
            _stretch(ctx, node, base, starts, wheel, first, last, least, chain, groups, grouped)
        ctx.set(first, add(last, ONE))
    return _gathered(ctx, node, chain, groups)


def _stretch(
    ctx: Context,
    node: p.Runs,
    base: ir.Expr,
    starts: ir.Expr,
    wheel: ir.Expr,
    low: ir.Expr,
    high: ir.Expr,
    least: ir.Expr,
    chain: ir.Local,
    groups: ir.Local,
    grouped: ir.Local,
) -> None:
    """Every way to take one card per score: the last score's card changes fastest."""
    length = ctx.keep(add(binary("sub", high, low), ONE))
    with ctx.when(binary("sge", length, least)):
        with ctx.each_index(ZERO, length) as i:
            ctx.set_word(i, ZERO, wheel)
        with ctx.loop():
            made = _bounded_group(ctx, node, length, chain, groups, grouped)
            with ctx.each_index(ZERO, length) as i:
                begin = ctx.word(add(add(low, i), ONE), starts)
                append(ctx, made, list_card(ctx, base, add(begin, ctx.word(i, wheel))))
            at = ctx.variable(binary("sub", length, ONE), "at")
            with ctx.loop(binary("sge", at, ZERO)):
                row = ctx.keep(add(low, at))
                have = binary("sub", ctx.word(add(row, const(2)), starts), ctx.word(add(row, ONE), starts))
                turned = ctx.variable(add(ctx.word(at, wheel), ONE), "turned")
                with ctx.when(binary("slt", turned, have)):
                    ctx.set_word(at, turned, wheel)
                    ctx.emit(ir.Break())
                ctx.set_word(at, ZERO, wheel)
                ctx.set(at, binary("sub", at, ONE))
            with ctx.when(binary("slt", at, ZERO)):
                ctx.emit(ir.Break())


@groups_of(p.Each)
def _each(ctx: Context, node: p.Each) -> ir.Expr:
    source = node.source
    if source.kind is Kind.CARDS:
        inner = as_list(ctx, node, ctx.cards(source), copy=True)
        size = ctx.keep(ctx.word(0, inner))
    elif source.kind is Kind.LISTS:
        inner = ctx.keep(ctx.groups(source))
        size = ctx.keep(ctx.word(0, inner))
    else:
        inner = ctx.keep(ctx.array(source))
        size = ctx.keep(ctx.word(0, inner))
    made = new_array(ctx, node, size)
    ctx.count_work(node, size)
    with ctx.each_index(ZERO, size) as i:
        if source.kind is Kind.CARDS:
            ctx.env[node.binding.slot] = ctx.variable(list_card(ctx, inner, i), "card")
        else:
            word = ctx.variable(ctx.word(add(i, ONE), inner), "entry")
            ctx.env[node.binding.slot] = element(ctx, source, word) if source.kind is Kind.LISTS else word
        push(ctx, made, ctx.keep(_entry(ctx, node, ctx.cards(node.body))))
    return made


def _entry(ctx: Context, node: p.Node, cards: Cards) -> ir.Expr:
    """The word that stands for a collection in a list; one that is not in memory yet is put there."""
    if isinstance(cards, InPlace):
        return cards.place
    base = as_list(ctx, node, cards, copy=isinstance(cards, AsSet))
    if not isinstance(base, ir.Local) or base.name not in ctx.distances:
        base = as_list(ctx, node, cards, copy=True)  # it lies in the state, not in the workspace
    return ctx.distance(base)


@groups_of(p.Filter)
@array_of(p.Filter)
def _filter(ctx: Context, node: p.Filter) -> ir.Expr:
    """Of a list of collections, or of a list of values."""
    groups = node.kind is Kind.LISTS
    inner = ctx.keep(ctx.groups(node.source) if groups else ctx.array(node.source))
    size = ctx.keep(ctx.word(0, inner))
    made = new_array(ctx, node, size)
    ctx.count_work(node, size)
    with ctx.each_index(ZERO, size) as i:
        entry = ctx.variable(ctx.word(add(i, ONE), inner), "entry")
        ctx.env[node.binding.slot] = element(ctx, node.source, entry) if groups else entry
        with ctx.when(ctx.brief(node.test)):
            push(ctx, made, entry)
    return made


@groups_of(p.Indexed)
def _indexed(ctx: Context, node: p.Indexed) -> ir.Expr:
    table = isinstance(node.owner, p.Table)
    owner = ctx.keep(owner_index(ctx, node.owner))
    shelves = ctx.layout.shelves[table, node.cls]
    name = text_of(node.name)
    made = new_array(ctx, node, const(256))
    if name is not None:
        start = ctx.keep(add(const(shelves[name].first), scaled(owner, shelves[name].numbers)))
    else:
        start = place_of(ctx, p.Location(node.span, node.owner, node.cls, node.name, None))
    with ctx.each_index(ZERO, const(256)) as i:
        place = ctx.keep(add(start, i))
        with ctx.when(size_of(ctx, InPlace(place, None, node.cls == "mem"))):
            push(ctx, made, place)
    return made


# --- groups as they are made ---------------------------------------------------------------------


def _bounded_group(
    ctx: Context, node: p.Node, size: ir.Expr, chain: ir.Local, count: ir.Local, grouped: ir.Local
) -> ir.Local:
    ctx.set(grouped, add(grouped, size))
    many = binary("or", binary("sge", count, const(MAX_COUNT)), binary("sgt", grouped, const(MAX_GROUPED)))
    ctx.fail(node, failures.TOO_MANY_GROUPS, many)
    ctx.count_work(node, ONE)
    return _new_group(ctx, node, size, chain, count)


def _new_group(ctx: Context, node: p.Node, most: ir.Expr, chain: ir.Local, count: ir.Local) -> ir.Local:
    """A list right behind a word: the group before it."""
    link = ctx.allocate(node, add(const(16), scaled(most, ctx.layout.card_bytes)))
    ctx.set_word(0, chain, link)
    made = ctx.variable(ir.Offset(link, const(8)), "list")
    ctx.distances[made.name] = ctx.keep(add(ctx.distance(link), const(8)))
    ctx.set_word(0, ZERO, made)
    ctx.set(chain, ctx.distance(made))
    ctx.set(count, add(count, ONE))
    return made


def _gathered(ctx: Context, node: p.Node, chain: ir.Local, count: ir.Local) -> ir.Expr:
    """The links become a list, from the last group back."""
    made = new_array(ctx, node, count)
    ctx.set_word(0, count, made)
    left = ctx.variable(count, "left")
    with ctx.loop(binary("sgt", left, ZERO)):
        ctx.set_word(left, chain, made)
        ctx.set(chain, ctx.word(0, ir.Offset(WORK, binary("sub", chain, const(8)))))
        ctx.set(left, binary("sub", left, ONE))
    return made
