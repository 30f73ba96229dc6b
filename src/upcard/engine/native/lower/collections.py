"""Lowers collections of cards: locations, filters, set operations, ends, runs, elements of lists."""

from __future__ import annotations

from typing import NamedTuple

from upcard.engine.native import ir
from upcard.engine.native.lower.analysis import each_once, place_form
from upcard.engine.native.lower.builder import MINUS, ONE, ZERO, add, binary, const, negate, scaled
from upcard.engine.native.lower.cards import (
    append,
    as_list,
    combined,
    counted_set,
    each_card,
    each_in_list,
    element,
    end_card,
    in_place,
    list_card,
    new_list,
    nth,
    put_in,
    set_list_card,
    set_of,
    size_of,
)
from upcard.engine.native.lower.context import AsList, AsSet, Cards, Context, InPlace, cards_of, value_of
from upcard.engine.native.lower.fast.card_masks import card_mask
from upcard.engine.native.lower.list_values import each_collection, each_element, each_entry
from upcard.engine.native.lower.point_maps import map_of, score
from upcard.engine.native.lower.score_values import best_card
from upcard.engine.native.lower.values import owner_index
from upcard.recycle import failures
from upcard.recycle import program as p
from upcard.recycle.constants import text_of
from upcard.recycle.kinds import Kind
from upcard.recycle.limits import MAX_COUNT, MAX_NUMBER

FEW = 4096
"""Cards of a union for which room is kept without counting first."""


# --- cards by position ---------------------------------------------------------------------------


class Held(NamedTuple):
    """A card and the collection it was reached through."""

    card: ir.Expr
    of: Cards | None
    at: ir.Expr
    """Its index there: -1 at the top, -2 where it has to be looked for."""


def held(ctx: Context, node: p.Expr) -> Held:
    if isinstance(node, p.EndPosition):
        of = ctx.cards(node.cards)
        end = "top" if isinstance(node, p.TopOf) else node.end
        card = ctx.keep(end_card(ctx, of, end))
        return Held(card, of, ZERO if end == "bottom" else MINUS)
    if isinstance(node, p.CardAt):
        index = ctx.keep(ctx.value(node.index))
        of = ctx.cards(node.cards)
        size = ctx.keep(size_of(ctx, of))
        ctx.fail(node, failures.NO_SUCH_CARD, binary("uge", index, size), index, size)
        return Held(ctx.keep(nth(ctx, of, index)), of, index)
    if isinstance(node, p.BestCard):
        card, of, at = best_card(ctx, node)
        return Held(ctx.keep(card), of, at)
    return Held(ctx.keep(ctx.value(node)), None, ZERO)


@value_of(p.EndCard, p.TopOf, p.CardAt, p.BestCard)
def _card(ctx: Context, node: p.Expr) -> ir.Expr:
    return held(ctx, node).card


# --- locations -----------------------------------------------------------------------------------


@cards_of(p.Location)
def _location(ctx: Context, node: p.Location) -> Cards:
    name = text_of(node.name)
    shelf = None if name is None else ctx.layout.shelves[isinstance(node.owner, p.Table), node.cls][name]
    return InPlace(place_of(ctx, node), is_ordered(ctx, node), node.cls == "mem", shelf)


def is_ordered(ctx: Context, node: p.Location) -> bool | None:
    """Whether a location keeps its order; None where that is known only when its name is."""
    shelves = ctx.layout.shelves[isinstance(node.owner, p.Table), node.cls]
    name = text_of(node.name)
    if name is not None and not shelves[name].ordered:
        return False
    return True if name is not None or all(shelf.ordered for shelf in shelves.values()) else None


def place_of(ctx: Context, node: p.Location) -> ir.Expr:
    """The number of a place."""
    table = isinstance(node.owner, p.Table)
    owner = ctx.keep(owner_index(ctx, node.owner))
    shelves = ctx.layout.shelves[table, node.cls]
    name = text_of(node.name)
    if name is not None:
        start = add(const(shelves[name].first), scaled(owner, shelves[name].numbers))
    else:
        start = _computed_start(ctx, table, node.cls, ctx.keep(ctx.value(node.name)), owner)
    if node.number is None:
        return ctx.keep(start)
    number = ctx.keep(ctx.value(node.number))
    ctx.fail(node, failures.NO_SUCH_NUMBER, binary("ugt", number, const(MAX_NUMBER)), number)
    return ctx.keep(add(start, number))


def _computed_start(ctx: Context, table: bool, cls: str, name: ir.Expr, owner: ir.Expr) -> ir.Expr:
    """Place number 0 of a name that is known only at run time: the start of its shelf from a table."""
    shelves = ctx.layout.shelves[table, cls]
    named = [shelves.get(text) for text in ctx.layout.strings]
    pairs = [(shelf.first, shelf.numbers) if shelf is not None else (0, 0) for shelf in named]
    data = ctx.data(f"shelf_{'t' if table else 'p'}_{cls}", (n for pair in pairs for n in pair))
    at = ctx.keep(scaled(name, 2))
    first = ir.Load("i64", data, at)
    if table:
        return first
    return add(first, binary("mul", owner, ir.Load("i64", data, add(at, ONE))))


@cards_of(p.Var)
def _cards_var(ctx: Context, node: p.Var) -> Cards:
    if node.binding.how == "declare":
        return _declared_cards(ctx, node)
    known = ctx.env[node.binding.slot]
    assert isinstance(known, InPlace | AsSet | AsList)
    return known


def _declared_cards(ctx: Context, node: p.Var) -> Cards:
    """A location; anything else is empty, since before the setup there are no cards anywhere."""
    slot, declared = node.binding.slot, ctx.layout.declared
    form = place_form(node)
    if form is None:
        return AsList(ctx.data("no_cards", [0]))
    if slot in declared.drawn:
        return in_place(ctx, ctx.word(ctx.layout.words[f"var{slot}"]), form)
    place = declared.known.get(slot)
    return in_place(ctx, ZERO if place is None else const(ctx.layout.number_of(place)), form)


# --- computed collections ------------------------------------------------------------------------


@cards_of(p.Combination)
def _combination(ctx: Context, node: p.Combination) -> Cards:
    if node.how == "union":
        return AsList(concatenated(ctx, node, node.parts))
    return _selected(ctx, node)


def concatenated(ctx: Context, node: p.Node, parts: tuple[p.Expr, ...]) -> ir.Expr:
    if ctx.layout.bounds.operands(parts) > FEW or node in ctx.counts.large:
        return _concatenated_many(ctx, node, parts)
    made = new_list(ctx, node, const(ctx.layout.bounds.operands(parts)))
    for part in parts:
        if part.kind is Kind.CARDS:
            with each_card(ctx, part, in_order=True) as card:
                append(ctx, made, card)
        else:
            with each_collection(ctx, part) as collection:
                with each_in_list(ctx, as_list(ctx, node, collection)) as card:
                    append(ctx, made, card)
    return made


def _concatenated_many(ctx: Context, node: p.Node, parts: tuple[p.Expr, ...]) -> ir.Expr:
    """Where the text does not say that it stays small: all operands first, then counted, then copied."""
    total = ctx.variable(ZERO, "total")
    gathered: list[tuple[p.Expr, ir.Expr]] = []
    for part in parts:
        if part.kind is Kind.CARDS:
            base = as_list(ctx, node, ctx.cards(part), copy=True)
            ctx.set(total, add(total, ctx.word(0, base)))
        else:
            base = ctx.keep(ctx.groups(part))
            with each_entry(ctx, base) as word:
                entry = element(ctx, part, word)
                ctx.set(total, add(total, size_of(ctx, entry)))
        gathered.append((part, base))
    ctx.fail(node, failures.TOO_MANY_CARDS, binary("sgt", total, const(MAX_COUNT)))
    ctx.count_cards(node, total)
    made = new_list(ctx, node, total)
    for part, base in gathered:
        if part.kind is Kind.CARDS:
            with each_in_list(ctx, base) as card:
                append(ctx, made, card)
            continue
        with each_entry(ctx, base) as word:
            entry = element(ctx, part, word)
            with ctx.scratch(), each_in_list(ctx, as_list(ctx, node, entry)) as card:
                append(ctx, made, card)
    return made


def _selected(ctx: Context, node: p.Combination) -> Cards:
    """intersect and disjunction: how many operands hold each card, then a walk in order of appearance."""
    counts = ctx.allocate(node, const(ctx.layout.room * 4))
    marks = ctx.allocate(node, const(ctx.layout.room * 4))
    with ctx.each_index(ZERO, const(ctx.layout.room)) as i:
        ctx.emit(ir.Store("u32", counts, i, ZERO))
        ctx.emit(ir.Store("u32", marks, i, ZERO))
    seen = new_list(ctx, node, const(ctx.layout.room))
    operands, total = ctx.variable(ZERO, "operands"), ctx.variable(ZERO, "total")

    def one(base: ir.Expr) -> None:
        ctx.set(operands, add(operands, ONE))
        ctx.set(total, add(total, ctx.word(0, base)))
        with each_in_list(ctx, base) as card:
            ctx.look(card)
            mark = ctx.keep(ir.Load("u32", marks, card))
            with ctx.when(binary("eq", mark, ZERO)):
                append(ctx, seen, card)
            with ctx.when(binary("ne", mark, operands)):
                ctx.emit(ir.Store("u32", marks, card, operands))
                ctx.emit(ir.Store("u32", counts, card, add(ir.Load("u32", counts, card), ONE)))

    for part in node.parts:
        if part.kind is Kind.CARDS:
            one(as_list(ctx, node, ctx.cards(part)))
        else:
            with each_collection(ctx, part) as collection:
                one(as_list(ctx, node, collection))
    ctx.fail(node, failures.TOO_MANY_CARDS, binary("sgt", total, const(MAX_COUNT)))
    ctx.count_cards(node, total)
    made = new_list(ctx, node, const(ctx.layout.room))
    wanted = ctx.keep(operands) if node.how == "intersect" else ONE
    with each_in_list(ctx, seen) as card, ctx.when(binary("eq", ir.Load("u32", counts, card), wanted)):
        append(ctx, made, card)
    return AsList(made)


@cards_of(p.Filter)
def _filter(ctx: Context, node: p.Filter) -> Cards:
    if each_once(node.source) and ctx.orders.by_card(node.source):
        chosen = card_mask(ctx, node.test, node.binding)
        if chosen is not None:
            words = counted_set(ctx, node, set_of(ctx, ctx.cards(node.source)))
            return AsSet(combined("and", words, chosen))
        made = tuple(ctx.variable(ZERO, "set") for _ in range(ctx.layout.set_words))
        with each_element(ctx, node, node.source, node.binding):
            card = ctx.env[node.binding.slot]
            with ctx.when(ctx.brief(node.test)):
                put_in(ctx, made, card)
        return AsSet(made)
    source = ctx.cards(node.source)
    base = new_list(ctx, node, size_of(ctx, source))
    original = as_list(ctx, node.source, source)
    ctx.count_work(node, ctx.word(0, original))
    chosen = card_mask(ctx, node.test, node.binding) if isinstance(source, InPlace | AsList) else None
    with each_in_list(ctx, original) as card:
        ctx.env[node.binding.slot] = card
        if chosen is not None and ctx.layout.set_words == 1:
            test = binary("and", binary("lshr", chosen[0], card), ONE)
        else:
            test = ctx.brief(node.test)
        with ctx.when(test):
            append(ctx, base, card)
    return AsList(base)


@cards_of(p.Sort)
def _sort(ctx: Context, node: p.Sort) -> Cards:
    """Stable and ascending."""
    base = as_list(ctx, node, ctx.cards(node.cards), copy=True)
    using = map_of(ctx, node.using)
    ctx.count_cards(node, ctx.word(0, base))
    sort_list(ctx, node, base, using)
    return AsList(base)


def sort_list(ctx: Context, node: p.Node, base: ir.Expr, using: ir.Expr) -> None:
    """Each card is scored once, in the order of the list."""
    size = ctx.keep(ctx.word(0, base))
    with ctx.scratch():
        pairs, spare = (ctx.allocate(node, scaled(size, 16)) for _ in range(2))
        with ctx.each_index(ZERO, size) as i:
            card = ctx.variable(list_card(ctx, base, i), "card")
            at = ctx.keep(scaled(i, 2))
            ctx.set_word(at, ctx.keep(score(ctx, node, card, using)), pairs)
            ctx.set_word(add(at, ONE), card, pairs)
        ctx.run("sort_pairs", pairs, spare, size)
        with ctx.each_index(ZERO, size) as i:
            ranked = ctx.word(add(scaled(i, 2), ONE), pairs)
            set_list_card(ctx, base, i, ranked)


@cards_of(p.EndCards)
def _end_cards(ctx: Context, node: p.EndCards) -> Cards:
    count = ctx.keep(ctx.value(node.count))
    source = ctx.cards(node.cards)
    size = ctx.keep(size_of(ctx, source))
    wanting = binary("sgt", count, size)
    ctx.fail(node, failures.TOO_FEW_CARDS, wanting, count, size)
    ctx.count_cards(node, size)
    original = as_list(ctx, node, source)
    kept = ctx.keep(ir.If(binary("slt", count, ZERO), ZERO, count))
    base = new_list(ctx, node, kept)
    start = binary("sub", size, kept) if node.end == "top" else ZERO
    start = ctx.keep(start)
    with ctx.each_index(ZERO, kept) as i:
        append(ctx, base, list_card(ctx, original, add(start, i)))
    return AsList(base)


@cards_of(p.EndRun)
def _end_run(ctx: Context, node: p.EndRun) -> Cards:
    least = ctx.keep(ctx.value(node.least))
    source = ctx.cards(node.cards)
    size = ctx.keep(size_of(ctx, source))
    original = as_list(ctx, node, source)
    using = map_of(ctx, node.using)
    ctx.count_cards(node, binary("mul", size, size))
    base = new_list(ctx, node, size)
    by_score = ctx.allocate(node, scaled(size, 8))
    length = ctx.variable(size, "length")
    floor = ctx.keep(ir.If(binary("slt", least, ONE), ONE, least))
    with ctx.loop(binary("sge", length, floor)):
        start = ctx.keep(binary("sub", size, length) if node.end == "top" else ZERO)
        low, high = ctx.variable(ZERO, "low"), ctx.variable(ZERO, "high")
        with ctx.each_index(ZERO, length) as i:
            mine = ctx.keep(score(ctx, node, ctx.keep(list_card(ctx, original, add(start, i))), using))
            ctx.set(low, ir.If(binary("or", negate(i), binary("slt", mine, low)), mine, low))
            ctx.set(high, ir.If(binary("or", negate(i), binary("sgt", mine, high)), mine, high))
        spread = ir.Binary("sub", high, low)
        # as many scores as cards: they are a run unless two of them are the same
        with ctx.when(binary("eq", spread, binary("sub", length, ONE))):
            twice = ctx.variable(ZERO, "twice")
            with ctx.each_index(ZERO, length) as i:
                ctx.set_word(i, MINUS, by_score)
            with ctx.each_index(ZERO, length) as i:
                card = ctx.keep(list_card(ctx, original, add(start, i)))
                at = ctx.keep(binary("sub", score(ctx, node, card, using), low))
                ctx.set(twice, binary("or", twice, binary("sge", ctx.word(at, by_score), ZERO)))
                ctx.set_word(at, card, by_score)
            with ctx.when(negate(twice)):
                with ctx.each_index(ZERO, length) as i:
                    append(ctx, base, ctx.word(i, by_score))
                ctx.emit(ir.Break())
        ctx.set(length, binary("sub", length, ONE))
    return AsList(base)


@cards_of(p.ListEnd)
def _list_end(ctx: Context, node: p.ListEnd) -> Cards:
    base = ctx.keep(ctx.groups(node.lists))
    count = ctx.keep(ctx.word(0, base))
    ctx.fail(node, failures.NO_COLLECTIONS, binary("eq", count, ZERO))
    at = ONE if node.end == "top" else count
    return element(ctx, node.lists, ctx.keep(ctx.word(at, base)))


@cards_of(p.ListAt)
def _list_at(ctx: Context, node: p.ListAt) -> Cards:
    index = ctx.keep(ctx.value(node.index))
    base = ctx.keep(ctx.groups(node.lists))
    size = ctx.keep(ctx.word(0, base))
    unknown = binary("uge", index, size)
    ctx.fail(node, failures.NO_SUCH_COLLECTION, unknown, index, size)
    return element(ctx, node.lists, ctx.keep(ctx.word(add(index, ONE), base)))
