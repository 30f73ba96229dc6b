"""Finds the best card of a set of one word without jumps: by score, or by ranks computed beforehand."""

from __future__ import annotations

from upcard.engine.native import ir
from upcard.engine.native.lower.builder import ONE, STATE, WORK, ZERO, add, binary, const
from upcard.engine.native.lower.cards import each_in_set, nth_of_set
from upcard.engine.native.lower.context import Context
from upcard.engine.native.lower.fast.score_tables import SHARED
from upcard.engine.native.lower.point_maps import score
from upcard.recycle import program as p


def best_of_word(ctx: Context, node: p.BestCard, word: ir.Expr, using: ir.Expr) -> ir.Expr:
    """The best cards as a set. No jumps: the best card cannot be predicted."""
    best, found = ctx.variable(const(-(2**60)), "best"), ctx.variable(ZERO, "found")
    with each_in_set(ctx, (word,)) as card:
        points = score(ctx, node, card, using)
        amount = ctx.keep(points if node.greatest else binary("sub", ZERO, points))
        bit = ctx.keep(binary("shl", ONE, card))
        same = ir.Select(binary("eq", amount, best), binary("or", found, bit), found)
        ctx.set(found, ir.Select(binary("sgt", amount, best), bit, same))
        ctx.set(best, ir.Select(binary("sgt", amount, best), amount, best))
    winner = ctx.variable(ir.Unary("ctz", found), "winner")
    with ctx.when(binary("and", found, binary("sub", found, ONE))):
        tied = ir.Unary("popcount", found)
        which = ctx.variable(ctx.call("draw", STATE, WORK, tied), "which")
        ctx.set(winner, nth_of_set(ctx, (found,), which))
    return winner


def has_ranks(ctx: Context) -> bool:
    """The scores of every map are known when the game is loaded, so cards can be ranked by them."""
    tabled = all(site in ctx.score_tables for site in ctx.map_sites)
    return tabled and ctx.layout.set_words == 1 and not ctx.logging


def write_ranks(ctx: Context, wanted: set[bool]) -> None:
    """greatest_rank and least_rank(S, W, map, card), where wanted: a card's rank by its score."""
    at, card = ir.Local("at", "int"), ir.Local("card", "int")
    for greatest in sorted(wanted):
        which = "greatest" if greatest else "least"
        site = ctx.variable(ctx.word(at), "site")
        for number, node in enumerate(ctx.map_sites):
            ranks = ctx.score_tables[node].ranks(ctx.layout.room, greatest)
            data = ctx.data(f"{which}_ranks_{number}", ranks, 2)
            with ctx.when(binary("eq", site, const(number + 1))):
                ctx.emit(ir.Return(ir.Load("u16", data, add(ctx.word(add(at, ONE)), card))))
        # it was never set: all cards have the same score
        ctx.emit(ir.Return(binary("or", const(SHARED), card)))
        ctx.function(f"{which}_rank", (STATE, WORK, at, card))


def best_by_rank(ctx: Context, node: p.BestCard, word: ir.Expr, using: ir.Expr) -> ir.Expr:
    """As `best_of_word`; scores are compared a second time only where the best one is shared."""
    rank = "greatest_rank" if node.greatest else "least_rank"
    best = ctx.variable(ZERO, "best")
    with each_in_set(ctx, (word,)) as card:
        here = ctx.keep(ctx.call(rank, STATE, WORK, using, card))
        ctx.set(best, ir.Select(binary("ugt", here, best), here, best))
    winner = ctx.variable(binary("and", best, const(SHARED - 1)), "winner")
    with ctx.when(binary("and", best, const(SHARED))):
        found = ctx.variable(ZERO, "found")
        with each_in_set(ctx, (word,)) as card:
            here = binary("xor", ctx.call(rank, STATE, WORK, using, card), best)
            ctx.set(found, binary("or", found, binary("shl", binary("ult", here, const(SHARED)), card)))
        which = ctx.variable(ctx.call("draw", STATE, WORK, ir.Unary("popcount", found)), "which")
        ctx.set(winner, nth_of_set(ctx, (found,), which))
    return winner
