"""Asks the player to move first whether a stage goes on that ends once all players have done something."""

from __future__ import annotations

from upcard.engine.native import ir
from upcard.engine.native.lower.builder import MINUS, negate
from upcard.engine.native.lower.context import Context
from upcard.engine.native.lower.fast.card_masks import is_quick
from upcard.engine.shared.flat_program import Depths, StageStep
from upcard.recycle import program as p


def go_on_early(ctx: Context, number: int, step: StageStep, depths: Depths) -> None:
    """Where a stage ends once all players have done something, the player to move is tested first.

    While the stage goes on it is usually that player who has not, and no other need be tested.
    """
    end = asks_mover_first(ctx, step)
    if end is None:
        return
    ctx.begin(depths, fresh=False)
    again = step.what == "again"
    seat = ctx.env[end.binding.slot] = ctx.snapshot(ctx.seat("next" if again else "current"))
    with ctx.block() as on:
        if again:
            pass_on(ctx, depths, seat)
        ctx.emit(ir.Go(step.back if again else number + 1))
    unless(ctx, end.test, on)


def asks_mover_first(ctx: Context, step: StageStep) -> p.Quantified | None:
    """The end of a stage that lasts until all players have done something."""
    end = step.stage.end
    if ctx.logging or not (step.stage.of == "player" and isinstance(end, p.Quantified) and end.every):
        return None
    everybody = isinstance(end.source, p.Players) and not end.source.others
    return end if everybody and end not in ctx.counts.units and is_quick(ctx, end.test) else None


def unless(ctx: Context, test: p.Expr, body: list[ir.Stmt]) -> None:
    """Do it where a condition does not hold, by jumps: the player to move has seldom done what ends a
    stage, and once that one has the others have too."""
    if isinstance(test, p.Logic) and test.operator == "or":
        for operand in reversed(test.operands):
            with ctx.block() as inner:
                unless(ctx, operand, body)
            body = inner
        ctx.blocks[-1].extend(body)
        return
    with ctx.when(negate(ctx.value(test))):
        ctx.blocks[-1].extend(body)


def pass_on(ctx: Context, depths: Depths, seat: ir.Expr) -> None:
    words = ctx.layout.words
    ctx.set_word(words["seat_index"] + depths.seat, seat)
    if depths.queued:
        ctx.set_word(words["seat_queue"] + depths.seat, MINUS)
