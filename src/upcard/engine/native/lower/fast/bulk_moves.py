"""Moves several cards at once as a set: emptying a place, or dealing from the top of one."""

from __future__ import annotations

from upcard.engine.native import ir
from upcard.engine.native.lower.builder import ONE, ZERO, binary, const
from upcard.engine.native.lower.cards import each_in_set, list_card, place_list, put_in, set_of, size_of
from upcard.engine.native.lower.context import Context, InPlace, fast_item
from upcard.engine.native.lower.items import repeat_count
from upcard.engine.native.lower.runtime import change_set, set_index, set_where, sets_of
from upcard.recycle import failures
from upcard.recycle import program as p
from upcard.recycle.walk import below


@fast_item(p.Repeat)
def _repeat(ctx: Context, node: p.Repeat) -> bool:
    if not isinstance(node.item, p.Move) or not moves_many(ctx, node.item):
        return False
    move_many(ctx, node.item, repeat_count(ctx, node))
    return True


def moves_many(ctx: Context, move: p.Move) -> bool:
    """Cards are dealt from the top of a place that keeps its order into one that keeps none."""
    if not moves_plainly(ctx, move):
        return False
    assert isinstance(move.card, p.EndCard)
    with ctx.block():
        source = ctx.cards(move.card.cards)
    assert isinstance(source, InPlace)
    return bool(source.ordered) and move.card.end == "top"


def move_many(ctx: Context, move: p.Move, count: ir.Expr) -> None:
    """Both sets are changed once for all cards. Where there are too few nothing is moved: the game fails
    in any case, and nobody reads where its cards lie."""
    assert isinstance(move.card, p.EndCard)
    assert isinstance(move.place, p.EndCard)
    source, target = ctx.cards(move.card.cards), ctx.cards(move.place.cards)
    assert isinstance(source, InPlace)
    assert isinstance(target, InPlace)
    old, new = ctx.keep_now(source.place), ctx.keep_now(target.place)
    base = ctx.keep(place_list(ctx, old, source.shelf))
    size = ctx.keep_now(ctx.word(0, base, "list"))
    ctx.fail(move, failures.NO_CARD_TO_MOVE, binary("sgt", count, size))
    moved = tuple(ctx.variable(ZERO, "moved") for _ in range(ctx.layout.set_words))
    left = ctx.variable(size, "left")
    with ctx.each_index(ZERO, count):
        ctx.set(left, binary("sub", left, ONE))
        card = ctx.keep_now(list_card(ctx, base, left))
        put_in(ctx, moved, card)
        ctx.emit(set_where(ctx.layout, card, new))
    ctx.set_word(0, left, base, "list")
    for w, word in enumerate(moved):
        old_at, new_at = (ctx.keep(set_index(ctx.layout, place, const(w))) for place in (old, new))
        change_set(ctx, old_at, "and", ir.Unary("not", word), source.shelf)
        change_set(ctx, new_at, "or", word, target.shelf)
    ctx.sure.clear()


@fast_item(p.RepeatAll)
def _repeat_all(ctx: Context, node: p.RepeatAll) -> bool:
    move = node.item
    if not isinstance(move, p.Move) or not moves_plainly(ctx, move):
        return False
    if node in ctx.counts.units:
        assert isinstance(move.card, p.EndCard)
        ctx.count_work(node, ctx.keep(size_of(ctx, ctx.cards(move.card.cards))))
    move_all(ctx, move)
    return True


def moves_plainly(ctx: Context, move: p.Move) -> bool:
    """From one place to one that keeps no order, with nobody watching each card on its way."""
    card, place = move.card, move.place
    if ctx.logging or ctx.counting_actions or not isinstance(card, p.EndCard):
        return False
    if not (isinstance(place, p.EndCard) and place.end == "top"):
        return False
    for end in (card, place):
        known = all(isinstance(node, _STILL) for node in below(end))
        if not (isinstance(end.cards, p.Location) and known and ctx.analysis.safe(end)):
            return False
    with ctx.block():  # only to see what they are; nothing of it is used
        source, target = ctx.cards(card.cards), ctx.cards(place.cards)
    assert isinstance(source, InPlace)
    assert isinstance(target, InPlace)
    return not (source.memory or target.memory) and source.ordered is not None and target.ordered is False


_STILL = (p.EndCard, p.Location, p.Table, p.SeatAt, p.SeatNumber, p.Var, p.Int, p.Str)
"""What stands for the same place however many cards have moved."""


def move_all(ctx: Context, move: p.Move) -> None:
    assert isinstance(move.card, p.EndCard)
    assert isinstance(move.place, p.EndCard)
    source, target = ctx.cards(move.card.cards), ctx.cards(move.place.cards)
    assert isinstance(source, InPlace)
    assert isinstance(target, InPlace)
    old, new = ctx.keep_now(source.place), ctx.keep_now(target.place)
    moved = tuple(ctx.keep_now(word) for word in set_of(ctx, source))
    apart = None not in (source.shelf, target.shelf) and source.shelf is not target.shelf
    with ctx.when(ONE if apart else binary("ne", old, new)):
        for w, word in enumerate(moved):
            ctx.set_word(set_index(ctx.layout, old, const(w)), ZERO, kind=sets_of(source.shelf))
            change_set(ctx, set_index(ctx.layout, new, const(w)), "or", word, target.shelf)
        if source.ordered:
            ctx.set_word(0, ZERO, place_list(ctx, old, source.shelf), "list")
        with each_in_set(ctx, moved) as card:
            ctx.emit(set_where(ctx.layout, card, new))
    ctx.sure.clear()
