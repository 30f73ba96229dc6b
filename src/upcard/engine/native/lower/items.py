"""Lowers items: the forms around actions, and how an `any` inside a choice takes its element."""

from __future__ import annotations

from typing import Any

from upcard.engine.native import ir
from upcard.engine.native.lower.analysis import each_once
from upcard.engine.native.lower.builder import ONE, WORK, ZERO, add, binary, const, scaled
from upcard.engine.native.lower.cards import (
    append,
    as_list,
    count_set,
    each_in_list,
    element,
    list_card,
    nth_of_set,
    set_from,
    size_of,
)
from upcard.engine.native.lower.context import AsList, Cards, Context, item_of, picks_lists
from upcard.engine.native.lower.list_values import each_element, each_entry, range_size
from upcard.engine.native.lower.runtime import AT, COUNTS_AT, PICKS_AT, SCRIPT_AT, STREAMS_AT
from upcard.engine.native.lower.state_layout import STREAM_WORDS
from upcard.engine.native.lower.variables import bind_value
from upcard.recycle import failures
from upcard.recycle import program as p
from upcard.recycle.kinds import Kind
from upcard.recycle.limits import MAX_COUNT, MAX_PICKS
from upcard.recycle.walk import below

EMPTY = const(-(2**63))
"""The pick of an any that had nothing to pick from."""
_STAYING = (p.SetInt, p.AddInt, p.SetStr, p.SetPoints, p.Cycle, p.Pass)
"""Actions that leave every card where it lies."""


@item_of(p.Do)
def _do(ctx: Context, node: p.Do) -> None:
    for inner in node.items:
        ctx.item(inner)


@item_of(p.When)
def _when(ctx: Context, node: p.When) -> None:
    with ctx.when(ctx.value(node.test)):
        ctx.item(node.item)


@item_of(p.Let)
def _let(ctx: Context, node: p.Let) -> None:
    bind_value(ctx, node.binding, node.value)
    ctx.item(node.item)


@item_of(p.Repeat)
def _repeat(ctx: Context, node: p.Repeat) -> None:
    with ctx.each_index(ZERO, repeat_count(ctx, node)):
        ctx.item(node.item)


def repeat_count(ctx: Context, node: p.Repeat) -> ir.Expr:
    """How often, checked and counted."""
    count = ctx.keep(ctx.value(node.count))
    ctx.fail(node, failures.TOO_MANY_TIMES, binary("sgt", count, const(MAX_COUNT)), count)
    if node in ctx.counts.units:
        ctx.count_work(node, ir.If(binary("sgt", count, ZERO), count, ZERO))
    return count


@item_of(p.RepeatAll)
def _repeat_all(ctx: Context, node: p.RepeatAll) -> None:
    card = node.item.card
    size: ir.Expr = ONE
    if isinstance(card, p.Position):
        size = size_of(ctx, ctx.cards(card.cards))
    if node in ctx.counts.units:
        size = ctx.keep(size)
        ctx.count_work(node, size)
    with ctx.each_index(ZERO, size):
        ctx.item(node.item)


@item_of(p.ForAll)
def _for_all(ctx: Context, node: p.ForAll) -> None:
    source = node.source
    if source.kind is Kind.LISTS:
        base = ctx.keep(ctx.groups(source))
        ctx.count_work(node, ctx.word(0, base))
        with each_entry(ctx, base) as entry:
            ctx.env[node.binding.slot] = element(ctx, source, entry)
            ctx.item(node.item)
        return
    stays = all(isinstance(n, _STAYING) for n in below(node.item) if isinstance(n, p.Action))
    with each_element(ctx, node, source, node.binding, stays=stays):
        ctx.item(node.item)


# --- any inside a choice -------------------------------------------------------------------------


@item_of(p.ForAny)
def _for_any(ctx: Context, node: p.ForAny) -> None:
    """Listing: the element that the script says. Carrying out: the recorded one, or the first."""
    go, value = ctx.variable(ZERO, "go"), ctx.variable(ZERO, "pick")
    with ctx.block() as listing:
        _pick_by_script(ctx, node, go, value)
    with ctx.block() as carrying:
        _pick_by_record(ctx, node, go, value)
    ctx.either(ctx.word(AT["listing"], WORK), listing, carrying)
    with ctx.when(go):
        _bind_pick(ctx, node, value)
        ctx.item(node.item)


def _elements(ctx: Context, node: p.ForAny) -> tuple[ir.Expr, Any]:
    """How many elements, and how to get one by index."""
    source = node.source
    if source.kind is Kind.CARDS:
        if each_once(source):
            words = tuple(ctx.keep(w) for w in set_from(ctx, source))
            count = ctx.keep(count_set(ctx, words))
            ctx.count_cards(node, count)
            return count, lambda i: nth_of_set(ctx, words, i)
        cards = ctx.cards(source)
        ctx.count_cards(node, size_of(ctx, cards))
        base = _sorted_copy(ctx, node, cards)
        return ctx.keep(ctx.word(0, base)), lambda i: list_card(ctx, base, i)
    if isinstance(source, p.Range):
        low, high = ctx.keep(ctx.value(source.low)), ctx.keep(ctx.value(source.high))
        size = ctx.keep(range_size(ctx, source, low, high))
        return size, lambda i: add(low, i)
    array = ctx.keep(ctx.groups(source) if source.kind is Kind.LISTS else ctx.array(source))
    return ctx.keep(ctx.word(0, array)), lambda i: ctx.word(add(i, ONE), array)


def _sorted_copy(ctx: Context, node: p.Node, cards: Cards) -> ir.Expr:
    """In card order, equal cards side by side."""
    base = as_list(ctx, node, cards, copy=True)
    size = ctx.keep(ctx.word(0, base))
    room = const(ctx.layout.room)
    with ctx.scratch():
        times = ctx.allocate(node, scaled(room, 8))
        with ctx.each_index(ZERO, room) as i:
            ctx.set_word(i, ZERO, times)
        with each_in_list(ctx, base) as card:
            ctx.set_word(card, add(ctx.word(card, times), ONE), times)
        ctx.set_word(0, ZERO, base)
        with ctx.each_index(ZERO, room) as i, ctx.each_index(ZERO, ctx.word(i, times)):
            append(ctx, base, i)
    ctx.set_word(0, size, base)
    return base


def _pick_by_script(ctx: Context, node: p.ForAny, go: ir.Local, value: ir.Local) -> None:
    count, element_at = _elements(ctx, node)
    picks = ctx.snapshot(ctx.word(AT["picks"], WORK))
    ctx.fail(node, failures.TOO_MANY_PICKS, binary("sge", picks, const(MAX_PICKS)))
    with ctx.when(binary("eq", count, ZERO)):
        ctx.set(value, EMPTY)
    with ctx.when(binary("ne", count, ZERO)):
        depth = ctx.snapshot(ctx.word(AT["depth"], WORK))
        after = ctx.keep(add(depth, ONE))
        ctx.set_word(AT["depth"], after, WORK)
        with ctx.when(binary("sge", depth, ctx.word(AT["script"], WORK))):
            ctx.set_word(add(depth, const(SCRIPT_AT)), ZERO, WORK)
            ctx.set_word(add(depth, const(COUNTS_AT)), count, WORK)
            ctx.set_word(AT["script"], after, WORK)
        ctx.set(value, element_at(ctx.snapshot(ctx.word(add(depth, const(SCRIPT_AT)), WORK))))
        ctx.set(go, ONE)
        if ctx.chancy:
            change_streams(ctx, after)
    ctx.set_word(AT["picks"], add(picks, ONE), WORK)
    at = ctx.keep(add(scaled(picks, 2), const(PICKS_AT)))
    ctx.set_word(at, const(node.site), WORK)
    kept: ir.Local = value
    if picks_lists(node):
        # recorded as it is now: cards moved through the list itself will leave it
        kept = ctx.variable(value, "kept")
        with ctx.when(go):
            made = as_list(ctx, node, AsList(ctx.keep(ir.Offset(WORK, value))), copy=True)
            ctx.set(kept, ctx.distance(made))
    ctx.set_word(add(at, ONE), kept, WORK)


def change_streams(ctx: Context, depth: ir.Expr) -> None:
    """After `depth` any forms: draws repeat from the stream as it was here, or the stream is noted."""
    kept = ctx.keep(add(scaled(depth, 4), const(STREAMS_AT)))
    with ctx.block() as again:
        for i in range(STREAM_WORDS):
            ctx.set_word(AT["r0"] + i, ctx.word(add(kept, const(i)), WORK), WORK)
    with ctx.block() as fresh:
        for i in range(STREAM_WORDS):
            ctx.set_word(add(kept, const(i)), ctx.word(AT["l0"] + i, WORK), WORK)
    ctx.either(binary("slt", depth, ctx.word(AT["replayed"], WORK)), again, fresh)


def _pick_by_record(ctx: Context, node: p.ForAny, go: ir.Local, value: ir.Local) -> None:
    taken = ctx.snapshot(ctx.word(AT["taken"], WORK))
    at = ctx.keep(add(scaled(taken, 2), const(PICKS_AT)))
    mine = ctx.variable(ZERO, "mine")
    with ctx.when(binary("slt", taken, ctx.word(AT["picks"], WORK))):
        ctx.set(mine, binary("eq", ctx.word(at, WORK), const(node.site)))
    with ctx.block() as recorded:
        ctx.set_word(AT["taken"], add(taken, ONE), WORK)
        ctx.set(value, ctx.word(add(at, ONE), WORK))
        ctx.set(go, binary("ne", value, EMPTY))
        if picks_lists(node):
            with ctx.when(go):
                fresh = as_list(ctx, node, AsList(ctx.keep(ir.Offset(WORK, value))), copy=True)
                ctx.set(value, ctx.distance(fresh))
    with ctx.block() as first:
        if ctx.chancy:
            count, element_at = _elements(ctx, node)
            with ctx.when(binary("ne", count, ZERO)):
                ctx.set(value, element_at(ZERO))
                ctx.set(go, ONE)
    ctx.either(mine, recorded, first)


def _bind_pick(ctx: Context, node: p.ForAny, value: ir.Local) -> None:
    if node.source.kind is Kind.LISTS:
        ctx.env[node.binding.slot] = element(ctx, node.source, value)
    else:
        ctx.env[node.binding.slot] = value
