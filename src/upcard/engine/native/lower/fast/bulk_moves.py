"""Moves several cards at once as a set: emptying a place, or dealing from the top of one."""

from __future__ import annotations

from upcard.engine.native import ir
from upcard.engine.native.lower.builder import ONE, ZERO, binary, const
from upcard.engine.native.lower.cards import each_in_set, list_card, place_list, put_in, set_of, size_of
from upcard.engine.native.lower.collections import is_ordered
from upcard.engine.native.lower.context import Context, InPlace, fast_item
from upcard.engine.native.lower.items import repeat_count
from upcard.engine.native.lower.runtime import change_set, set_index, set_where, sets_of
from upcard.recycle import failures
from upcard.recycle import program as p
from upcard.recycle.walk import below


@fast_item(p.Repeat)
def _repeat(ctx: Context, node: p.Repeat) -> bool:
    """Cards are dealt from the top of a place that keeps its order into one that keeps none.

    Both sets are changed once for all cards. Where there are too few cards none is moved: the game fails in
    any case, and nothing reads where its cards lie.
    """
    move = node.item
    if not isinstance(move, p.Move) or not _moves_plainly(ctx, move):
        return False
    assert isinstance(move.card, p.EndCard)
    assert isinstance(move.card.cards, p.Location)
    if move.card.end != "top" or not is_ordered(ctx, move.card.cards):
        return False
    count = repeat_count(ctx, node)
    source, target = _ends(ctx, move)
    old, new = ctx.snapshot(source.place), ctx.snapshot(target.place)
    base = ctx.keep(place_list(ctx, old, source.shelf))
    size = ctx.snapshot(ctx.word(0, base, "list"))
    ctx.fail(move, failures.NO_CARD_TO_MOVE, binary("sgt", count, size))
    moved = tuple(ctx.variable(ZERO, "moved") for _ in range(ctx.layout.set_words))
    left = ctx.variable(size, "left")
    with ctx.each_index(ZERO, count):
        ctx.set(left, binary("sub", left, ONE))
        card = ctx.snapshot(list_card(ctx, base, left))
        put_in(ctx, moved, card)
        ctx.emit(set_where(ctx.layout, card, new))
    ctx.set_word(0, left, base, "list")
    for w, word in enumerate(moved):
        old_at, new_at = (ctx.keep(set_index(ctx.layout, place, const(w))) for place in (old, new))
        change_set(ctx, old_at, "and", ir.Unary("not", word), source.shelf)
        change_set(ctx, new_at, "or", word, target.shelf)
    ctx.sure.clear()
    return True


@fast_item(p.RepeatAll)
def _repeat_all(ctx: Context, node: p.RepeatAll) -> bool:
    """A place is emptied into one that keeps no order."""
    move = node.item
    if not isinstance(move, p.Move) or not _moves_plainly(ctx, move):
        return False
    if node in ctx.counts.units:
        assert isinstance(move.card, p.EndCard)
        ctx.count_work(node, ctx.keep(size_of(ctx, ctx.cards(move.card.cards))))
    source, target = _ends(ctx, move)
    old, new = ctx.snapshot(source.place), ctx.snapshot(target.place)
    moved = tuple(ctx.snapshot(word) for word in set_of(ctx, source))
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
    return True


def _moves_plainly(ctx: Context, move: p.Move) -> bool:
    """From one place to one that keeps no order, and no card is noted or counted on its way."""
    card, place = move.card, move.place
    if ctx.logging or ctx.counting_actions or not isinstance(card, p.EndCard):
        return False
    if not (isinstance(place, p.EndCard) and place.end == "top"):
        return False
    source, target = card.cards, place.cards
    if not (isinstance(source, p.Location) and isinstance(target, p.Location)):
        return False
    if not all(isinstance(node, _STILL) for end in (card, place) for node in below(end)):
        return False
    if "mem" in (source.cls, target.cls) or not (ctx.analysis.safe(card) and ctx.analysis.safe(place)):
        return False
    return is_ordered(ctx, source) is not None and is_ordered(ctx, target) is False


_STILL = (p.EndCard, p.Location, p.Table, p.SeatAt, p.SeatNumber, p.Var, p.Int, p.Str)
"""Forms that denote the same place however many cards have moved."""


def _ends(ctx: Context, move: p.Move) -> tuple[InPlace, InPlace]:
    """The places that the cards are moved from and to."""
    assert isinstance(move.card, p.EndCard)
    assert isinstance(move.place, p.EndCard)
    return ctx.location(move.card.cards), ctx.location(move.place.cards)
