"""Collections of cards in machine code: sets where order cannot matter, lists where it can.

Three things stand for a collection while code is written: a place, a set in locals, or a list in memory (a
count, then the cards). Lists lie in the workspace's arena, which is emptied at each decision.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from upcard.engine.native import ir
from upcard.engine.native.lower.analysis import each_once, element_form
from upcard.engine.native.lower.builder import (
    MINUS,
    ONE,
    STATE,
    WORK,
    ZERO,
    add,
    binary,
    const,
    scaled,
)
from upcard.engine.native.lower.context import SETS, AsList, AsSet, Cards, Context, InPlace, Words
from upcard.engine.native.lower.runtime import bit_parts, set_index, sets_of
from upcard.engine.native.lower.state_layout import Shelf
from upcard.recycle import program as p
from upcard.recycle.order import family_of

# --- lists ---------------------------------------------------------------------------------------


def new_list(ctx: Context, node: p.Node, most: ir.Expr) -> ir.Local:
    """An empty list with room for `most` cards."""
    made = ctx.allocate(node, add(const(8), scaled(most, ctx.layout.card_bytes)))
    ctx.set_word(0, ZERO, made)
    return made


def append(ctx: Context, base: ir.Expr, card: ir.Expr) -> None:
    count = ctx.variable(ctx.word(0, base, "list"), "count")
    set_list_card(ctx, base, count, card, "list")
    ctx.set_word(0, add(count, ONE), base, "list")


def list_card(ctx: Context, base: ir.Expr, index: ir.Expr) -> ir.Expr:
    return ir.Load(ctx.layout.card_width, ir.Offset(base, const(8)), index, "list")


def set_list_card(ctx: Context, base: ir.Expr, index: ir.Expr, card: ir.Expr, kind: ir.Kind = "") -> None:
    ctx.emit(ir.Store(ctx.layout.card_width, ir.Offset(base, const(8)), index, card, kind))


def place_list(ctx: Context, place: ir.Expr, shelf: Shelf | None = None) -> ir.Expr:
    """The list of an ordered place."""
    offsets = ctx.layout.list_offsets
    if isinstance(place, ir.Const):
        return ir.Offset(STATE, const(offsets[int(place.value)]))
    if shelf is not None and shelf.places > 1:
        first, step = offsets[shelf.first], offsets[shelf.first + 1] - offsets[shelf.first]
        return ir.Offset(STATE, add(scaled(place, step), const(first - shelf.first * step)))
    return ir.Offset(STATE, ir.Load("i64", ir.Data("list_offsets"), place))


def list_words(ctx: Context, cards: ir.Expr) -> ir.Expr:
    """The words that cards of a list take, without their count."""
    return binary("lshr", add(scaled(cards, ctx.layout.card_bytes), const(7)), const(3))


def as_list(ctx: Context, node: p.Node, cards: Cards, copy: bool = False) -> ir.Expr:
    """The cards as a list in their own order; a copy when the original may change meanwhile."""
    if isinstance(cards, AsList) and not copy:
        return cards.base
    if isinstance(cards, InPlace) and cards.ordered and not copy:
        return ctx.keep(place_list(ctx, cards.place, cards.shelf))
    made = new_list(ctx, node, size_of(ctx, cards))
    if isinstance(cards, AsSet):
        with each_in_set(ctx, cards.words) as card:
            append(ctx, made, card)
    elif isinstance(cards, AsList):
        with each_in_list(ctx, cards.base) as card:
            append(ctx, made, card)
    else:
        _copy_place(ctx, made, cards)
    return made


def _copy_place(ctx: Context, made: ir.Expr, cards: InPlace) -> None:
    with (
        ctx.block() as ordered,
        each_in_list(ctx, ctx.keep(place_list(ctx, cards.place, cards.shelf))) as card,
    ):
        append(ctx, made, card)
    with ctx.block() as plain, each_in_set(ctx, set_of(ctx, cards)) as card:
        append(ctx, made, card)
    if cards.ordered is not None:
        ctx.blocks[-1].extend(ordered if cards.ordered else plain)
        return
    has_list = binary("sge", ir.Load("i64", ir.Data("list_offsets"), cards.place), ZERO)
    ctx.either(has_list, ordered, plain)


# --- sets ----------------------------------------------------------------------------------------


def set_of(ctx: Context, cards: Cards) -> Words:
    """The cards as a set; only for collections that hold each card at most once."""
    words = range(ctx.layout.set_words)
    if isinstance(cards, AsSet):
        return cards.words
    if isinstance(cards, InPlace):
        kind = sets_of(cards.shelf)
        return tuple(ctx.word(set_index(ctx.layout, cards.place, const(w)), kind=kind) for w in words)
    made = tuple(ctx.variable(ZERO, "set") for _ in words)
    with each_in_list(ctx, cards.base) as card:
        put_in(ctx, made, card)
    return made


def set_from(ctx: Context, node: p.Expr) -> Words:
    """The cards of a form that holds each once, as a set; some forms need not be made a list first."""
    directly = SETS.get(type(node))
    words = directly(ctx, node) if directly is not None else None
    return set_of(ctx, ctx.cards(node)) if words is None else words


def counted_set(ctx: Context, node: p.Node, words: Words) -> Words:
    """The cards that a form goes through, as a set; the form counts them."""
    if node in ctx.counts.units:
        words = tuple(ctx.keep(word) for word in words)
        ctx.count_work(node, count_set(ctx, words))
    return words


def combined(op: str, one: Words, other: Words) -> Words:
    """Two sets combined word by word."""
    return tuple(binary(op, a, b) for a, b in zip(one, other, strict=True))


def put_in(ctx: Context, words: Words, card: ir.Expr) -> None:
    """Put a card into a set of locals."""
    if len(words) == 1:
        (word,) = words
        assert isinstance(word, ir.Local)
        ctx.set(word, binary("or", word, binary("shl", ONE, card)))
        return
    bit = ctx.keep(binary("shl", ONE, binary("and", card, const(63))))
    index = ctx.keep(binary("lshr", card, const(6)))
    for i, word in enumerate(words):
        assert isinstance(word, ir.Local)
        ctx.set(word, binary("or", word, ir.If(binary("eq", index, const(i)), bit, ZERO)))


def take_out(ctx: Context, words: Words, card: ir.Expr) -> None:
    _, bit = bit_parts(ctx, ctx.layout, card)
    bit = ctx.keep(bit)
    index = ctx.keep(binary("lshr", card, const(6)))
    for i, word in enumerate(words):
        assert isinstance(word, ir.Local)
        gone = bit if len(words) == 1 else ir.If(binary("eq", index, const(i)), bit, ZERO)
        ctx.set(word, binary("and", word, ir.Unary("not", gone)))


def count_set(ctx: Context, words: Words) -> ir.Expr:
    total: ir.Expr = ZERO
    for word in words:
        total = add(total, ir.Unary("popcount", word))
    return total


def by_card(ctx: Context, node: p.Expr) -> bool:
    return ctx.orders.by_card(node) and each_once(node)


# --- loops ---------------------------------------------------------------------------------------


@contextmanager
def each_in_list(ctx: Context, base: ir.Expr) -> Iterator[ir.Local]:
    i = ctx.variable(ZERO, "i")
    end = ctx.keep(ctx.word(0, base))
    with ctx.loop(binary("slt", i, end)):
        card = ctx.variable(list_card(ctx, base, i), "card")
        ctx.set(i, add(i, ONE))
        yield card


@contextmanager
def each_in_set(ctx: Context, words: Words) -> Iterator[ir.Local]:
    """In card order. The set is taken as it was at the start."""
    if len(words) == 1:
        left = ctx.variable(words[0], "left")
        with ctx.loop(left):
            card = ctx.variable(ir.Unary("ctz", left), "card")
            ctx.set(left, binary("and", left, binary("sub", left, ONE)))
            yield card
        return
    kept = [ctx.variable(word, "left") for word in words]
    base = ctx.variable(ZERO, "base")
    with ctx.loop(binary("slt", base, const(64 * len(words)))):
        left = ctx.local("left")
        chosen: ir.Expr = kept[-1]
        for i in reversed(range(len(words) - 1)):
            chosen = ir.If(binary("eq", base, const(64 * i)), kept[i], chosen)
        ctx.set(left, chosen)
        start = ctx.variable(base, "start")
        ctx.set(base, add(base, const(64)))
        with ctx.loop(left):
            card = ctx.variable(add(start, ir.Unary("ctz", left)), "card")
            ctx.set(left, binary("and", left, binary("sub", left, ONE)))
            yield card


@contextmanager
def each_card(
    ctx: Context, node: p.Expr, in_order: bool, stays: bool = True, form: p.Node | None = None
) -> Iterator[ir.Local]:
    """Every card of a collection as it was at the start, in its own order if that can matter.

    `stays`: no card moves meanwhile. `form` goes through them, and counts them.
    """
    if each_once(node) and (not in_order or ctx.orders.by_card(node)):
        with _each_counted(ctx, form, set_from(ctx, node)) as card:
            yield card
        return
    cards = ctx.cards(node)
    if isinstance(cards, AsSet):
        with _each_counted(ctx, form, cards.words) as card:
            yield card
        return
    base = as_list(ctx, node, cards, copy=not stays)
    if form is not None:
        ctx.count_work(form, ctx.word(0, base))
        ctx.count_cards(form, ctx.word(0, base))
    with each_in_list(ctx, base) as card:
        yield card


@contextmanager
def _each_counted(ctx: Context, form: p.Node | None, words: Words) -> Iterator[ir.Local]:
    kept = tuple(ctx.keep(word) for word in words)
    if form is not None:
        ctx.count_work(form, count_set(ctx, kept))
        ctx.count_cards(form, count_set(ctx, kept))
    with each_in_set(ctx, kept) as card:
        yield card


# --- sizes and ends ------------------------------------------------------------------------------


def size_of(ctx: Context, cards: Cards) -> ir.Expr:
    if isinstance(cards, AsList):
        return ctx.word(0, cards.base, "list")
    if isinstance(cards, InPlace) and cards.memory:
        return ctx.word(0, place_list(ctx, cards.place, cards.shelf), "list")
    return count_set(ctx, set_of(ctx, cards))


def end_card(ctx: Context, cards: Cards, end: str) -> ir.Expr:
    """The card at an end, or -1."""
    if isinstance(cards, AsSet):
        return end_of_set(ctx, cards.words, end)
    if isinstance(cards, AsList) or cards.ordered:
        base = ctx.keep(
            cards.base if isinstance(cards, AsList) else place_list(ctx, cards.place, cards.shelf)
        )
        count = ctx.keep(ctx.word(0, base, "list"))
        at = binary("sub", count, ONE) if end == "top" else ZERO
        return ctx.keep(ir.If(binary("eq", count, ZERO), MINUS, list_card(ctx, base, at)))
    if cards.ordered is None:
        result = ctx.local("end")
        with ctx.block() as listed:
            ctx.set(result, end_card(ctx, InPlace(cards.place, True, cards.memory), end))
        with ctx.block() as plain:
            ctx.set(result, end_card(ctx, InPlace(cards.place, False, cards.memory), end))
        ctx.either(binary("sge", ir.Load("i64", ir.Data("list_offsets"), cards.place), ZERO), listed, plain)
        return result
    return end_of_set(ctx, set_of(ctx, cards), end)


def end_of_set(ctx: Context, words: Words, end: str) -> ir.Expr:
    found: ir.Expr = MINUS
    order = range(len(words)) if end == "top" else reversed(range(len(words)))
    for i in order:
        word = ctx.keep(words[i])
        if end == "top":
            at = binary("sub", const(64 * i + 63), ir.Unary("clz", word))
        else:
            at = add(const(64 * i), ir.Unary("ctz", word))
        found = ir.If(binary("ne", word, ZERO), at, found)
    return ctx.keep(found)


def nth(ctx: Context, cards: Cards, index: ir.Expr) -> ir.Expr:
    """The card at an index that exists."""
    if isinstance(cards, AsList) or (isinstance(cards, InPlace) and cards.ordered):
        base = cards.base if isinstance(cards, AsList) else place_list(ctx, cards.place, cards.shelf)
        return list_card(ctx, base, index)
    if isinstance(cards, InPlace) and cards.ordered is None:
        listed = ir.Load("i64", ir.Data("list_offsets"), cards.place)
        return ctx.keep(
            ir.If(
                binary("sge", listed, ZERO),
                nth(ctx, InPlace(cards.place, True, cards.memory), index),
                nth(ctx, InPlace(cards.place, False, cards.memory), index),
            )
        )
    return nth_of_set(ctx, set_of(ctx, cards), index)


def nth_of_set(ctx: Context, words: Words, index: ir.Expr) -> ir.Expr:
    if len(words) == 1:
        return ctx.call("kth", words[0], index)
    result, left = ctx.variable(MINUS, "nth"), ctx.variable(index, "left")
    for i, word in enumerate(words):
        kept = ctx.keep(word)
        here = ctx.keep(ir.Unary("popcount", kept))
        with ctx.when(binary("and", binary("slt", result, ZERO), binary("slt", left, here))):
            ctx.set(result, add(const(64 * i), ctx.call("kth", kept, left)))
        ctx.set(left, binary("sub", left, here))
    return result


# --- elements of lists of collections ------------------------------------------------------------


def element(ctx: Context, lists: p.Expr, word: ir.Expr) -> Cards:
    """The collection that a word of a list of collections stands for."""
    form = element_form(lists)
    if form is not None:
        return in_place(ctx, word, form)
    base = ctx.variable(ir.Offset(WORK, word), "group")
    ctx.distances[base.name] = word
    return AsList(base)


def in_place(ctx: Context, place: ir.Expr, form: p.PlaceForm) -> InPlace:
    """A place whose number is known only at run time; the form tells its sort."""
    family = family_of(form)
    ordered = None if family.name is None else ctx.layout.facts.order.reason(family) is not None
    return InPlace(place, ordered, form.cls == "mem")
