"""Lowers variables: what `let` binds, and the variables around a choice, which outlive a decision.

Between a let and its choice nothing changes. So a list that is held there is made again from the same state,
and with the same draws, rather than kept in it.
"""

from __future__ import annotations

from itertools import takewhile
from typing import Any

from upcard.engine.native import ir
from upcard.engine.native.lower.analysis import holds_places, is_place, place_form
from upcard.engine.native.lower.builder import ONE, STATE, WORK, ZERO, add, const
from upcard.engine.native.lower.cards import as_list, by_card, in_place, list_words, set_of
from upcard.engine.native.lower.context import AsList, AsSet, Context, InPlace
from upcard.engine.native.lower.runtime import AT, NO_CARDS_WORD
from upcard.engine.native.lower.state_layout import LISTED, STREAM_WORDS, is_made_again
from upcard.engine.shared.flat_program import Bind
from upcard.recycle import program as p
from upcard.recycle.kinds import Kind
from upcard.recycle.walk import below


def bind_value(ctx: Context, binding: p.Binding, value: p.Expr) -> None:
    """let: a location stays live, anything else is taken as it is now."""
    if value.kind is Kind.CARDS:
        cards = ctx.cards(value)
        if isinstance(value, p.Var):
            ctx.env[binding.slot] = cards  # the same object, under another name
        elif isinstance(cards, InPlace):
            ctx.env[binding.slot] = InPlace(ctx.snapshot(cards.place), cards.ordered, cards.memory)
        elif isinstance(cards, AsSet):
            ctx.env[binding.slot] = AsSet(tuple(ctx.snapshot(w) for w in cards.words))
        else:
            ctx.env[binding.slot] = cards
    elif value.kind is Kind.LISTS:
        ctx.env[binding.slot] = ctx.keep(ctx.groups(value))
    elif value.kind in (Kind.INTS, Kind.STRS, Kind.PLAYERS, Kind.TEAMS):
        ctx.env[binding.slot] = ctx.keep(ctx.array(value))
    else:
        ctx.env[binding.slot] = ctx.snapshot(ctx.value(value))


def lets_before(ctx: Context, number: int) -> list[p.Binding]:
    """The lets around a choice, outermost first."""
    lets = list(takewhile(lambda step: isinstance(step, Bind), reversed(ctx.code[:number])))
    return [step.node.binding for step in reversed(lets) if isinstance(step, Bind)]


def bind_again(ctx: Context, bound: list[p.Binding]) -> None:
    """At the start of a function: the variables that outlive a decision, from the state or made again."""
    for binding in bound:
        if is_made_again(ctx.layout, binding):
            _make_again(ctx, binding)
        else:
            ctx.env[binding.slot] = _stored(ctx, binding, ctx.layout.words[f"var{binding.slot}"])


def _make_again(ctx: Context, binding: p.Binding) -> None:
    """It was made before, so it cannot fail between changing streams and changing back, and its work is
    counted already."""
    ctx.counts_nothing = True
    if _draws(binding.source):
        _draw_again(ctx, binding)
    else:
        bind_value(ctx, binding, binding.source)
    ctx.counts_nothing = False


def _draw_again(ctx: Context, binding: p.Binding) -> None:
    chance, kept_at = ctx.layout.words["c0"], ctx.layout.words[f"var{binding.slot}"]
    now = [ctx.snapshot(ctx.word(chance + i)) for i in range(STREAM_WORDS)]
    listing = ctx.snapshot(ctx.word(AT["listing"], WORK))
    for i in range(STREAM_WORDS):
        ctx.set_word(chance + i, ctx.word(kept_at + i))
    ctx.set_word(AT["listing"], ZERO, WORK)
    bind_value(ctx, binding, binding.source)
    for i, word in enumerate(now):
        ctx.set_word(chance + i, word)
    ctx.set_word(AT["listing"], listing, WORK)


def _stored(ctx: Context, binding: p.Binding, at: int) -> Any:
    source = binding.source
    if binding.kind is Kind.CARDS:
        form = place_form(source)
        if form is not None:
            return in_place(ctx, ctx.word(at), form)
        if by_card(ctx, source):
            return AsSet(tuple(ctx.variable(ctx.word(at + w), "kept") for w in range(ctx.layout.set_words)))
        return AsList(ir.Offset(STATE, const(8 * at)))
    return ctx.word(at)


def store_variable(ctx: Context, binding: p.Binding, value: p.Expr) -> None:
    at = ctx.layout.words[f"var{binding.slot}"]
    if binding.how == "let" and is_made_again(ctx.layout, binding):
        if _draws(value):
            for word in range(STREAM_WORDS):
                ctx.set_word(at + word, ctx.word(ctx.layout.words["c0"] + word))
        bind_value(ctx, binding, value)  # for its faults and draws; see `bind_again`
        return
    if binding.kind in LISTED:  # declared
        base = ctx.keep(ctx.groups(value) if binding.kind is Kind.LISTS else ctx.array(value))
        if binding.kind is Kind.LISTS and not holds_places(value):
            with ctx.each_index(ZERO, ctx.word(0, base)) as i:
                ctx.set_word(add(i, const(at + 1)), const(8 * NO_CARDS_WORD))
            ctx.set_word(at, ctx.word(0, base))
        else:
            ctx.run("copy", ir.Offset(STATE, const(8 * at)), base, add(ctx.word(0, base), ONE))
        return
    if binding.kind is Kind.CARDS:
        cards = ctx.cards(value)
        if isinstance(cards, InPlace) and is_place(value):
            ctx.set_word(at, cards.place)
        elif by_card(ctx, value):
            for w, bits in enumerate(set_of(ctx, cards)):
                ctx.set_word(at + w, bits)
        else:
            base = as_list(ctx, value, cards)
            size = ctx.keep(add(ONE, list_words(ctx, ctx.word(0, base))))
            ctx.run("copy", ir.Offset(STATE, const(8 * at)), base, size)
    else:
        ctx.set_word(at, ctx.value(value))


def _draws(value: p.Expr) -> bool:
    return any(isinstance(node, p.Random | p.BestCard) for node in below(value))
