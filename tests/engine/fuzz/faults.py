"""Mistakes planted in the lowering, one at a time: the comparison must find each of them.

Each fault replaces one function of the lowering by one that is wrong in the way people are wrong: an index
off by one, a tie that is not drawn, something that is not put back.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Any, NamedTuple

from upcard.engine.native import ir
from upcard.engine.native.lower import (
    actions,
    cards,
    choices,
    collections,
    context,
    control,
    items,
    point_maps,
    runtime,
    score_values,
    storage_actions,
    values,
    variables,
)
from upcard.engine.native.lower.builder import MINUS, ONE, STATE, ZERO, binary
from upcard.engine.native.lower.context import Context
from upcard.recycle import program as p
from upcard.recycle.kinds import Kind


class Fault(NamedTuple):
    plant: Callable[[], AbstractContextManager[None]]
    touches: tuple[str, ...]
    """Forms, as `coverage` names them, that the fault has to do with: programs that execute none of them
    would only take time."""


FAULTS: dict[str, Fault] = {}


def fault(*touches: str) -> Callable[[Callable[[], Iterator[None]]], Callable[[], Iterator[None]]]:
    def register(plant: Callable[[], Iterator[None]]) -> Callable[[], Iterator[None]]:
        FAULTS[plant.__name__] = Fault(contextmanager(plant), touches)
        return plant

    return register


@contextmanager
def replaced(owner: Any, name: str, new: Any) -> Iterator[None]:
    """An attribute of a class, an instance or a module, until the end of the block."""
    missing = object()
    own = vars(owner).get(name, missing)
    setattr(owner, name, new)
    try:
        yield
    finally:
        if own is missing:
            delattr(owner, name)
        else:
            setattr(owner, name, own)


@contextmanager
def wrong_function(right: Callable[..., Any], wrong: Callable[..., Any]) -> Iterator[None]:
    """A function of the lowering replaced wherever it was imported or registered for a form."""
    names = [name for name in sys.modules if name.startswith("upcard.engine.native.lower")]
    tables = [
        table for table in vars(context).values() if isinstance(table, dict) and right in table.values()
    ]
    with ExitStack() as planted:
        for module in (sys.modules[name] for name in names):
            for name in [name for name, value in vars(module).items() if value is right]:
                planted.enter_context(replaced(module, name, wrong))
        for table in tables:
            was = dict(table)
            planted.callback(table.update, was)
            table.update({node: wrong for node, function in was.items() if function is right})
        yield


@fault("CardAt", "Move card by index")
def index_off_by_one() -> Iterator[None]:
    right = cards.nth

    def wrong(ctx: Context, collection: Any, index: ir.Expr) -> ir.Expr:
        lower = ir.If(binary("sgt", index, ZERO), binary("sub", index, ONE), ZERO)
        return right(ctx, collection, ctx.keep(lower))

    with wrong_function(right, wrong):
        yield


@fault("BestCard", "Move card by score", "Remember card by score")
def ties_are_not_drawn() -> Iterator[None]:
    """The first of the best cards wins, and the stream stays where it was."""
    right = score_values.best_card

    def wrong(ctx: Context, node: p.BestCard) -> Any:
        call = ctx.call

        def undrawn(name: str, *arguments: ir.Expr) -> ir.Expr:
            return ZERO if name == "draw" else call(name, *arguments)

        with replaced(ctx, "call", undrawn):
            return right(ctx, node)

    with wrong_function(right, wrong):
        yield


@fault("ForAny")
def alternatives_are_not_rolled_back() -> Iterator[None]:
    """After an alternative was tried out, the state stays as the alternative left it."""
    right = choices._unfold

    def wrong(ctx: Context, *arguments: Any) -> None:
        run = ctx.run

        def kept(name: str, *given: ir.Expr) -> None:
            if not (name == "copy" and given[0] is STATE):
                run(name, *given)

        with replaced(ctx, "run", kept):
            right(ctx, *arguments)

    with wrong_function(right, wrong):
        yield


@fault("Combination union")
def unions_run_backwards() -> Iterator[None]:
    right = collections.concatenated

    def wrong(ctx: Context, node: p.Node, parts: tuple[p.Expr, ...]) -> ir.Expr:
        return right(ctx, node, tuple(reversed(parts)))

    with wrong_function(right, wrong):
        yield


@fault("Move")
def taken_cards_stay_in_the_set() -> Iterator[None]:
    """The list of a place is kept up, the set beside it is not."""
    right = runtime._take

    def wrong(b: Any, layout: Any) -> None:
        set_word = b.set_word
        first = [True]

        def forgetful(*arguments: Any, **named: Any) -> None:
            if first[0]:
                first[0] = False
            else:
                set_word(*arguments, **named)

        with replaced(b, "set_word", forgetful):
            right(b, layout)

    with wrong_function(right, wrong):
        yield


@fault("Arithmetic //")
def division_is_unsigned() -> Iterator[None]:
    right = values._combine

    def wrong(ctx: Context, node: p.Node, operator: str, a: ir.Expr, b: ir.Expr) -> ir.Expr:
        made = right(ctx, node, operator, a, b)
        return ctx.keep(ir.Binary("udiv", a, b)) if operator == "//" else made

    with wrong_function(right, wrong):
        yield


@fault("Cycle current SeatAt", "Cycle current SeatNumber", "Cycle current Var")
def a_new_current_seat_empties_the_queue() -> Iterator[None]:
    right = storage_actions._cycle

    def wrong(ctx: Context, node: p.Cycle) -> None:
        right(ctx, node)
        if node.which == "current":
            ctx.set_word(ctx.layout.words["seat_queue"] + ctx.seat_depth, MINUS)

    with wrong_function(right, wrong):
        yield


@fault("Shuffle snapshot")
def snapshots_are_not_shuffled() -> Iterator[None]:
    """Nothing is drawn for a shuffle of cards that lie elsewhere."""
    right = actions._shuffle

    def wrong(ctx: Context, node: p.Shuffle) -> None:
        run = ctx.run

        def undrawn(name: str, *given: ir.Expr) -> None:
            if name != "shuffle" or isinstance(node.cards, p.Location):
                run(name, *given)

        with replaced(ctx, "run", undrawn):
            right(ctx, node)

    with wrong_function(right, wrong):
        yield


@fault("Var let INT", "Var let STR", "Var let CARD", "Var let PLAYER", "Var let TEAM")
def let_looks_again_at_every_use() -> Iterator[None]:
    """What let binds is not taken as it was when control reached it."""
    right = variables.bind_value

    def wrong(ctx: Context, binding: p.Binding, value: p.Expr) -> None:
        if value.kind in (Kind.INT, Kind.STR, Kind.CARD, Kind.PLAYER, Kind.TEAM):
            with replaced(ctx, "keep", lambda made, *_: made):
                ctx.env[binding.slot] = ctx.value(value)
        else:
            right(ctx, binding, value)

    with wrong_function(right, wrong):
        yield


@fault("Award more pairs")
def one_matching_pair_is_enough() -> Iterator[None]:
    """An award counts for a card that matches any of its pairs."""

    def wrong(award: p.Award, face: dict[str, str]) -> bool:
        return any(
            isinstance(key, p.Str) and isinstance(value, p.Str) and face.get(key.text, "") == value.text
            for key, value in award.pairs
        )

    with wrong_function(point_maps._matches, wrong):
        yield


@fault("ForAny CARDS")
def picks_follow_the_list() -> Iterator[None]:
    """An any over cards goes through them as they lie, not in card order."""

    def wrong(ctx: Context, node: p.Node, collection: Any) -> ir.Expr:
        return cards.as_list(ctx, node, collection, copy=True)

    with wrong_function(items._sorted_copy, wrong):
        yield


@fault("Move card by top", "Move card by bottom")
def moved_cards_stay_in_the_snapshot() -> Iterator[None]:
    with wrong_function(actions._leave, lambda ctx, what: None):
        yield


@fault("Cycle next SeatAt", "Cycle next SeatNumber", "Cycle next Var")
def the_queue_outlives_the_advance() -> Iterator[None]:
    """A stage goes on to the seat that was queued, again and again."""
    right = control._stage

    def wrong(walk: control.Walk, number: int, step: Any) -> None:
        set_word = walk.ctx.set_word

        def kept(at: Any, value: ir.Expr, *base: Any) -> None:
            if not (step.what == "again" and value is MINUS):
                set_word(at, value, *base)

        with replaced(walk.ctx, "set_word", kept):
            right(walk, number, step)

    with wrong_function(right, wrong):
        yield
