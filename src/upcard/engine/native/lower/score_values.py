"""Lowers scores of cards: sums, the best score, the best card with ties drawn."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from upcard.engine.native import ir
from upcard.engine.native.lower.analysis import each_once
from upcard.engine.native.lower.builder import MINUS, ONE, STATE, WORK, ZERO, add, binary, const, negate
from upcard.engine.native.lower.cards import (
    as_list,
    count_set,
    each_card,
    each_in_list,
    each_in_set,
    list_card,
    set_from,
    set_of,
)
from upcard.engine.native.lower.context import AsSet, Cards, Context, value_of
from upcard.engine.native.lower.fast.score_ranks import best_by_rank, best_of_word, has_ranks
from upcard.engine.native.lower.point_maps import map_of, score
from upcard.recycle import failures
from upcard.recycle import program as p


@value_of(p.Score)
def _score(ctx: Context, node: p.Score) -> ir.Expr:
    card = ctx.keep(ctx.value(node.card))
    using = map_of(ctx, node.using)
    if not (isinstance(node.card, p.Var) and node.card.binding.how == "each"):
        ctx.fail(node, failures.NO_CARD_TO_SCORE, binary("slt", card, ZERO))
    return ctx.keep(score(ctx, node, card, using))


@value_of(p.Sum)
def _sum(ctx: Context, node: p.Sum) -> ir.Expr:
    total = ctx.variable(ZERO, "total")
    with _each_card_then_map(ctx, node) as (card, using):
        amount = ctx.keep(score(ctx, node, card, using))
        ctx.fail(node, failures.TOO_WIDE, ir.Binary("sadd_over", total, amount))
        ctx.set(total, add(total, amount))
    return total


@contextmanager
def _each_card_then_map(ctx: Context, node: p.Sum | p.BestScore) -> Iterator[tuple[ir.Local, ir.Expr]]:
    """Cards are evaluated before the map; in order only where a sum could overflow midway."""
    source, using = node.cards, node.using
    in_order = not ctx.analysis.small_maps
    if ctx.analysis.safe(using):
        found = map_of(ctx, using)
        with each_card(ctx, source, in_order, form=node) as card:
            yield card, found
        return
    base = as_list(ctx, source, ctx.cards(source), copy=True)
    found = map_of(ctx, using)
    ctx.count_cards(node, ctx.word(0, base))
    with each_in_list(ctx, base) as card:
        yield card, found


@value_of(p.BestScore)
def _best_score(ctx: Context, node: p.BestScore) -> ir.Expr:
    seen, best = ctx.variable(ZERO, "seen"), ctx.variable(ZERO, "best")
    with _each_card_then_map(ctx, node) as (card, using):
        amount = ctx.keep(score(ctx, node, card, using))
        better = binary("sgt" if node.greatest else "slt", amount, best)
        ctx.set(best, ir.If(binary("or", negate(seen), better), amount, best))
        ctx.set(seen, ONE)
    ctx.fail(node, failures.NO_CARDS_TO_SCORE, negate(seen))
    return best


def best_card(ctx: Context, node: p.BestCard) -> tuple[ir.Expr, Cards, ir.Expr]:
    """The best card, ties drawn: counted on one walk, found on a second where there is a tie. Also its
    index where the collection may hold a card twice, else -2: it has to be looked for."""
    cards: Cards
    if not each_once(node.cards):
        cards = ctx.cards(node.cards)
        winner, at = _best_of_list(ctx, node, cards)
        return winner, cards, at
    if isinstance(node.cards, p.Var | p.Location):
        cards = ctx.cards(node.cards)  # the very one: a card moved by this form leaves it
        words = tuple(ctx.keep(w) for w in set_of(ctx, cards))
    else:
        words = tuple(ctx.variable(w, "set") for w in set_from(ctx, node.cards))
        cards = AsSet(words)
    using = map_of(ctx, node.using)
    missing = failures.NO_GREATEST_CARD if node.greatest else failures.NO_LEAST_CARD
    empty = negate(count_set(ctx, words)) if len(words) > 1 else binary("eq", words[0], ZERO)
    ctx.fail(node, missing, empty)
    ctx.count_cards(node, count_set(ctx, words))
    if has_ranks(ctx):
        return best_by_rank(ctx, node, words[0], using), cards, const(-2)
    if len(words) == 1 and ctx.analysis.small_maps:
        return best_of_word(ctx, node, words[0], using), cards, const(-2)
    best, winner, tied = (
        ctx.variable(ZERO, "best"),
        ctx.variable(MINUS, "winner"),
        ctx.variable(ZERO, "tied"),
    )
    with each_in_set(ctx, words) as card:
        amount = ctx.keep(score(ctx, node, card, using))
        better = binary("sgt" if node.greatest else "slt", amount, best)
        first = binary("eq", tied, ZERO)
        with ctx.block() as gain:
            ctx.set(best, amount)
            ctx.set(winner, card)
            ctx.set(tied, ONE)
        with ctx.block() as same, ctx.when(binary("eq", amount, best)):
            ctx.set(tied, add(tied, ONE))
        ctx.either(binary("or", first, better), gain, same)
    with ctx.when(binary("sgt", tied, ONE)):
        left = ctx.variable(ctx.call("draw", STATE, WORK, tied), "left")
        with each_in_set(ctx, words) as card:
            with ctx.when(binary("eq", score(ctx, node, card, using), best)):
                with ctx.when(binary("eq", left, ZERO)):
                    ctx.set(winner, card)
                ctx.set(left, binary("sub", left, ONE))
    return winner, cards, const(-2)


def _best_of_list(ctx: Context, node: p.BestCard, cards: Cards) -> tuple[ir.Expr, ir.Expr]:
    """A collection that may hold a card twice: each time counts, in card order."""
    base = as_list(ctx, node, cards, copy=True)
    using = map_of(ctx, node.using)
    count = ctx.keep(ctx.word(0, base))
    missing = failures.NO_GREATEST_CARD if node.greatest else failures.NO_LEAST_CARD
    ctx.fail(node, missing, binary("eq", count, ZERO))
    ctx.count_cards(node, count)
    best, tied = ctx.variable(ZERO, "best"), ctx.variable(ZERO, "tied")
    with each_in_list(ctx, base) as card:
        amount = ctx.keep(score(ctx, node, card, using))
        better = binary("sgt" if node.greatest else "slt", amount, best)
        with ctx.block() as gain:
            ctx.set(best, amount)
            ctx.set(tied, ONE)
        with ctx.block() as same, ctx.when(binary("eq", amount, best)):
            ctx.set(tied, add(tied, ONE))
        ctx.either(binary("or", binary("eq", tied, ZERO), better), gain, same)
    left = ctx.variable(ctx.call("draw", STATE, WORK, tied), "left")
    winner = ctx.variable(MINUS, "winner")
    last, at = ctx.variable(MINUS, "last"), ctx.variable(ZERO, "at")
    # card order: the least card above the last one, as often as the list holds it
    with ctx.loop(binary("slt", winner, ZERO)):
        following = ctx.variable(const(1 << 20), "following")
        with each_in_list(ctx, base) as card:
            with ctx.when(binary("and", binary("sgt", card, last), binary("slt", card, following))):
                with ctx.when(binary("eq", score(ctx, node, card, using), best)):
                    ctx.set(following, card)
        ctx.set(last, following)
        i = ctx.variable(ZERO, "i")
        with ctx.loop(binary("slt", i, count)):
            with ctx.when(binary("eq", list_card(ctx, base, i), following)):
                with ctx.when(binary("eq", left, ZERO)):
                    ctx.set(winner, following)
                    ctx.set(at, i)
                ctx.set(left, binary("sub", left, ONE))
            ctx.set(i, add(i, ONE))
    return winner, at
