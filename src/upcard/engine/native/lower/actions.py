"""Lowers actions on cards: operands left to right, then the change, then its event."""

from __future__ import annotations

from typing import NamedTuple

from upcard.engine.native import ir
from upcard.engine.native.kernels.workspace_growth import BASE
from upcard.engine.native.lower.builder import MINUS, ONE, STATE, WORK, ZERO, add, binary, const
from upcard.engine.native.lower.cards import (
    append,
    each_in_set,
    list_card,
    place_list,
    set_list_card,
    set_of,
    size_of,
    take_out,
)
from upcard.engine.native.lower.collections import Held, held
from upcard.engine.native.lower.context import AsList, AsSet, Cards, Context, InPlace, act_of
from upcard.engine.native.lower.runtime import (
    AT,
    EFFECTS,
    EXCHANGE,
    FORGET,
    MOVE,
    PASS,
    REMEMBER,
    SHUFFLE,
    SWAP,
    bit_parts,
    change_set,
    set_index,
    set_where,
)
from upcard.engine.native.lower.state_layout import Shelf
from upcard.recycle import failures
from upcard.recycle import program as p
from upcard.recycle.limits import MAX_REFERENCES

# --- positions -----------------------------------------------------------------------------------


class Spot(NamedTuple):
    place: ir.Expr
    at: ir.Expr
    """-1 is on top."""
    kind: str
    """top, bottom, index or card"""
    other: ir.Expr
    memory: bool | None
    ordered: bool | None = None
    shelf: Shelf | None = None


def spot(ctx: Context, node: p.Expr) -> Spot:
    if isinstance(node, p.CardAt):
        index = ctx.keep(ctx.value(node.index))
        return _in(ctx, node, ctx.cards(node.cards), index, "index")
    if isinstance(node, p.EndPosition):
        top = isinstance(node, p.TopOf) or node.end == "top"
        return _in(ctx, node, ctx.cards(node.cards), MINUS if top else ZERO, "top" if top else "bottom")
    card = ctx.keep(ctx.value(node))
    ctx.fail(node, failures.NO_CARD_BESIDE, binary("slt", card, ZERO))
    return Spot(ctx.keep(locate(ctx, node, card)), ZERO, "card", card, False)


def _in(ctx: Context, node: p.Expr, cards: Cards, index: ir.Expr, kind: str) -> Spot:
    if not isinstance(cards, InPlace):
        ctx.fail(node, failures.NOT_A_LOCATION)
        return Spot(ZERO, ZERO, kind, ZERO, False)
    return Spot(cards.place, index, kind, ZERO, cards.memory, cards.ordered, cards.shelf)


def locate(ctx: Context, node: p.Expr, card: ir.Expr) -> ir.Expr:
    """The place of the card that a form gave; a look at the card where a memory pointed at it."""
    if ctx.origins.in_memory(node):
        ctx.look(card)
    return ctx.where(card)


def _index_in(ctx: Context, place: ir.Expr, card: ir.Expr) -> ir.Expr:
    """Where a card lies in the list of its place; -1 where no list is kept."""
    listed = ctx.keep(ir.Load("i64", ir.Data("list_offsets"), place))
    i = ctx.variable(MINUS, "at")
    with ctx.when(binary("sge", listed, ZERO)):
        base = ctx.keep(ir.Offset(STATE, listed))
        ctx.set(i, ZERO)
        with ctx.loop(binary("ne", list_card(ctx, base, i), card)):
            ctx.set(i, add(i, ONE))
    return i


# --- moves ---------------------------------------------------------------------------------------


@act_of(p.Move)
def _move(ctx: Context, node: p.Move) -> None:
    what = held(ctx, node.card)
    where = spot(ctx, node.place)
    if not (isinstance(node.card, p.Var) and node.card.binding.how == "each"):
        ctx.fail(node, failures.NO_CARD_TO_MOVE, binary("slt", what.card, ZERO))
    if isinstance(what.of, InPlace) and what.of.memory:
        ctx.fail(node, failures.MOVED_FROM_MEMORY)
    if where.memory:
        ctx.fail(node, failures.MOVED_INTO_MEMORY)
        return
    place = ctx.keep(where.place)
    source = ctx.snapshot(locate(ctx, node.card, what.card)) if ctx.logging else ZERO
    by_position = ctx.snapshot(_by_position(ctx, node.card, what)) if ctx.logging else ZERO
    if where.kind == "card":
        with ctx.when(binary("ne", where.other, what.card)):
            ctx.run("take", STATE, what.card)
            at = _index_in(ctx, place, where.other)
            ctx.run("put", STATE, what.card, place, at)
    else:
        if where.kind == "index":
            _check_index(ctx, node, what.card, place, where.at)
        _take(ctx, node.card, what)
        _put(ctx, what.card, place, where)
    if ctx.logging:
        ctx.log(MOVE, what.card, source, place, _index_in(ctx, place, what.card), by_position)
    _leave(ctx, what)


def _take(ctx: Context, node: p.Expr, what: Held) -> None:
    """Without a search from the top of a place, and from a known place that keeps no order."""
    of = what.of
    if isinstance(node, p.Var) and node.binding.slot in ctx.sure:
        home = ctx.sure[node.binding.slot]
        word, bit = bit_parts(ctx, ctx.layout, what.card)
        index = ctx.keep(set_index(ctx.layout, home.place, word))
        change_set(ctx, index, "and", ir.Unary("not", bit), home.shelf)
        return
    at_end = isinstance(node, p.EndPosition) and isinstance(of, InPlace) and of.ordered is not None
    if not at_end or (of.ordered and what.at != MINUS):  # type: ignore[union-attr]
        ctx.run("take", STATE, what.card)
        return
    assert isinstance(of, InPlace)
    word, bit = bit_parts(ctx, ctx.layout, what.card)
    index = ctx.keep(set_index(ctx.layout, of.place, word))
    change_set(ctx, index, "and", ir.Unary("not", bit), of.shelf)
    if of.ordered:
        base = ctx.keep(place_list(ctx, of.place, of.shelf))
        ctx.set_word(0, binary("sub", ctx.word(0, base, "list"), ONE), base, "list")


def _put(ctx: Context, card: ir.Expr, place: ir.Expr, where: Spot) -> None:
    if where.kind != "top" or where.ordered is None:
        ctx.run("put", STATE, card, place, where.at)
        return
    word, bit = bit_parts(ctx, ctx.layout, card)
    index = ctx.keep(set_index(ctx.layout, place, word))
    change_set(ctx, index, "or", bit, where.shelf)
    ctx.emit(set_where(ctx.layout, card, place))
    if where.ordered:
        append(ctx, ctx.keep(place_list(ctx, place, where.shelf)), card)


def _by_position(ctx: Context, node: p.Expr, what: Held) -> ir.Expr:
    if not isinstance(node, p.Position) or not isinstance(what.of, InPlace):
        return ZERO
    if what.of.ordered is not None:
        return const(int(what.of.ordered))
    return binary("sge", ir.Load("i64", ir.Data("list_offsets"), what.of.place), ZERO)


def _check_index(ctx: Context, node: p.Node, card: ir.Expr, place: ir.Expr, index: ir.Expr) -> None:
    """An index counts among the cards without the moved one."""
    size = size_of(ctx, InPlace(place, None, False))
    inside = binary("eq", ctx.where(card), place)
    others = ctx.keep(binary("sub", size, inside))
    ctx.fail(node, failures.NO_SUCH_PLACE, binary("ugt", index, others), index, others)


def _leave(ctx: Context, what: Held) -> None:
    """A card that was reached through a computed collection leaves it."""
    if isinstance(what.of, AsSet) and all(isinstance(w, ir.Local) for w in what.of.words):
        take_out(ctx, what.of.words, what.card)
    elif isinstance(what.of, AsList):
        base = what.of.base
        last = ctx.keep(binary("sub", ctx.word(0, base), ONE))
        i = ctx.variable(last if what.at == MINUS else what.at, "i")
        if what.at == const(-2):
            ctx.set(i, ZERO)
            with ctx.loop(binary("ne", list_card(ctx, base, i), what.card)):
                ctx.set(i, add(i, ONE))
        with ctx.loop(binary("slt", i, last)):
            set_list_card(ctx, base, i, list_card(ctx, base, add(i, ONE)))
            ctx.set(i, add(i, ONE))
        ctx.set_word(0, last, base)


# --- memories ------------------------------------------------------------------------------------


@act_of(p.Remember)
def _remember(ctx: Context, node: p.Remember) -> None:
    what = held(ctx, node.card)
    where = spot(ctx, node.place)
    ctx.fail(node, failures.NO_CARD_TO_REMEMBER, binary("slt", what.card, ZERO))
    if not where.memory:
        ctx.fail(node, failures.NOT_A_MEMORY)
        return
    base = ctx.keep(place_list(ctx, where.place))
    size = ctx.keep(ctx.word(0, base))
    if where.kind == "index":
        ctx.fail(node, failures.NO_SUCH_PLACE, binary("ugt", where.at, size), where.at, size)
    full = binary("sge", size, const(MAX_REFERENCES))
    ctx.fail(node, failures.TOO_MANY_REFERENCES, full)
    i = ctx.variable(size, "i")
    if where.kind != "top":
        with ctx.loop(binary("sgt", i, where.at)):
            before = list_card(ctx, base, binary("sub", i, ONE))
            set_list_card(ctx, base, i, before)
            ctx.set(i, binary("sub", i, ONE))
    set_list_card(ctx, base, i, what.card)
    ctx.set_word(0, add(size, ONE), base)
    if ctx.logging:
        ctx.log(REMEMBER, what.card, locate(ctx, node.card, what.card), where.place, i)


@act_of(p.Forget)
def _forget(ctx: Context, node: p.Forget) -> None:
    what = held(ctx, node.card)
    ctx.fail(node, failures.NO_CARD_TO_FORGET, binary("slt", what.card, ZERO))
    if not isinstance(what.of, InPlace) or not what.of.memory:
        ctx.fail(node, failures.NOT_REMEMBERED)
        return
    base = ctx.keep(place_list(ctx, what.of.place))
    if ctx.logging:
        ctx.log(FORGET, what.card, what.of.place, _remembered_at(ctx, base, what))
    _leave(ctx, Held(what.card, AsList(base), what.at))


def _remembered_at(ctx: Context, base: ir.Expr, what: Held) -> ir.Expr:
    """The index of the reference that is forgotten."""
    if what.at == MINUS:
        return binary("sub", ctx.word(0, base), ONE)
    i = ctx.variable(what.at, "at")
    if what.at == const(-2):
        ctx.set(i, ZERO)
        with ctx.loop(binary("ne", list_card(ctx, base, i), what.card)):
            ctx.set(i, add(i, ONE))
    return i


# --- shuffles and swaps --------------------------------------------------------------------------


@act_of(p.Shuffle)
def _shuffle(ctx: Context, node: p.Shuffle) -> None:
    cards = ctx.cards(node.cards)
    assert not isinstance(cards, AsSet), "what is shuffled is ordered, so it is never a set"
    base = ctx.keep(cards.base if isinstance(cards, AsList) else place_list(ctx, cards.place))
    size = ctx.keep(ctx.word(0, base))
    ctx.count_cards(node, size)
    body = ir.Offset(base, const(8))
    at = ctx.layout.words["shuffles"]
    given = ctx.variable(ZERO, "given")
    with (
        ctx.when(binary("eq", ctx.word(AT["listing"], WORK), ZERO)),
        ctx.when(binary("sgt", size, ONE)),
    ):
        number = ctx.keep(ctx.word(at))
        ctx.set_word(at, add(number, ONE))
        with ctx.when(binary("slt", number, ctx.word(AT["stacked"], WORK))):
            ctx.set(given, ctx.call("stacked", STATE, WORK, number, body, size))
            fault = ctx.faults.number(node, failures.WRONG_STACK)
            with ctx.when(binary("slt", given, ZERO)):
                ctx.emit(ir.Return(const(fault)))
    with ctx.when(binary("eq", given, ZERO)):
        ctx.run("shuffle", STATE, WORK, body, size)
    if ctx.logging:
        place = MINUS if isinstance(cards, AsList) else cards.place
        noted = ctx.snapshot(ctx.word(AT["effects"], WORK))
        ctx.log(SHUFFLE, place, given, size)
        with ctx.when(binary("sle", size, const(MAX_REFERENCES))):
            start = ctx.keep(add(noted, ctx.word(EFFECTS + BASE, WORK)))
            head = ctx.keep(add(start, const(5)))
            with ctx.each_index(ZERO, size) as i:
                ctx.set_word(add(head, i), ir.Load(ctx.layout.card_width, body, i), WORK)
            ctx.set_word(add(start, ONE), add(size, const(3)), WORK)
            ctx.set_word(AT["effects"], add(ctx.word(AT["effects"], WORK), size), WORK)


@act_of(p.Swap)
def _swap(ctx: Context, node: p.Swap) -> None:
    if node.whole:
        a, b = ctx.cards(node.left), ctx.cards(node.right)
        bad = not isinstance(a, InPlace) or not isinstance(b, InPlace) or a.memory or b.memory
        if bad:
            ctx.fail(node, failures.NOT_SWAPPABLE)
            return
        assert isinstance(a, InPlace)
        assert isinstance(b, InPlace)
        pa, pb = ctx.keep(a.place), ctx.keep(b.place)
        ctx.log(SWAP, pa, pb)
        _swap_places(ctx, node, pa, pb)
        return
    left, right = held(ctx, node.left), held(ctx, node.right)
    missing = binary("or", binary("slt", left.card, ZERO), binary("slt", right.card, ZERO))
    ctx.fail(node, failures.NO_CARD_TO_SWAP, missing)
    if any(isinstance(h.of, InPlace) and h.of.memory for h in (left, right)):
        ctx.fail(node, failures.SWAPPED_IN_MEMORY)
    if ctx.logging:
        bys = (_by_position(ctx, node.left, left), _by_position(ctx, node.right, right))
        places = locate(ctx, node.left, left.card), locate(ctx, node.right, right.card)
        ctx.log(EXCHANGE, left.card, places[0], bys[0], right.card, places[1], bys[1])
    with ctx.when(binary("ne", left.card, right.card)):
        pa, pb = ctx.snapshot(ctx.where(left.card)), ctx.snapshot(ctx.where(right.card))
        ia, ib = _index_in(ctx, pa, left.card), _index_in(ctx, pb, right.card)
        # written over each other's position, so that neither moves the rest
        for place, index, card in ((pa, ia, right.card), (pb, ib, left.card)):
            with ctx.when(binary("sge", index, ZERO)):
                base = ctx.keep(place_list(ctx, place))
                set_list_card(ctx, base, index, card)
        _re_home(ctx, left.card, pa, pb)
        _re_home(ctx, right.card, pb, pa)


def _re_home(ctx: Context, card: ir.Expr, old: ir.Expr, new: ir.Expr) -> None:
    """The sets, and the place noted for the card; lists are done."""
    word, bit = bit_parts(ctx, ctx.layout, card)
    kept, index = ctx.keep(bit), ctx.keep(word)
    for place, op, mask in ((old, "and", ir.Unary("not", kept)), (new, "or", kept)):
        at = ctx.keep(set_index(ctx.layout, place, index))
        # a card of the same place may have been put there just before: take out first, put in second
        change_set(ctx, at, op, mask)
    ctx.emit(set_where(ctx.layout, card, new))


def _swap_places(ctx: Context, node: p.Node, a: ir.Expr, b: ir.Expr) -> None:
    """Sets are exchanged word by word, lists as a whole, and the place of every card is updated."""
    with ctx.when(binary("ne", a, b)):
        for w in range(ctx.layout.set_words):
            ia, ib = (ctx.keep(set_index(ctx.layout, place, const(w))) for place in (a, b))
            kept = ctx.variable(ctx.word(ia, kind="set"), "kept")
            ctx.set_word(ia, ctx.word(ib, kind="set"), kind="set")
            ctx.set_word(ib, kept, kind="set")
        la, lb = (ctx.keep(ir.Load("i64", ir.Data("list_offsets"), place)) for place in (a, b))
        with ctx.when(binary("sge", la, ZERO)):
            words = const(1 + -(-ctx.layout.room * ctx.layout.card_bytes // 8))
            pa, pb = ctx.keep(ir.Offset(STATE, la)), ctx.keep(ir.Offset(STATE, lb))
            with ctx.each_index(ZERO, words) as i:
                kept = ctx.variable(ctx.word(i, pa), "kept")
                ctx.set_word(i, ctx.word(i, pb), pa)
                ctx.set_word(i, kept, pb)
        for place in (a, b):
            with each_in_set(ctx, set_of(ctx, InPlace(place, False, False))) as card:
                ctx.emit(set_where(ctx.layout, card, place))


@act_of(p.Pass)
def _pass(ctx: Context, node: p.Pass) -> None:
    ctx.log(PASS)
