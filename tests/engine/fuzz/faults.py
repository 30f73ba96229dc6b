"""Mistakes planted in the lowering, one at a time: the comparison must find each of them.

Each fault replaces one method of the lowering, or one function of its runtime, by one that is wrong in the
way people are wrong: an index off by one, a tie that is not drawn, something that is not put back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, NamedTuple

from upcard.engine.native import ir
from upcard.engine.native.lower import awards, runtime
from upcard.engine.native.lower.builder import MINUS, ONE, STATE, ZERO, binary
from upcard.engine.native.lower.control import Control
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


@fault("CardAt", "Move card by index")
def index_off_by_one() -> Iterator[None]:
    right = Control.nth

    def wrong(self: Control, cards: Any, index: ir.Expr) -> ir.Expr:
        lower = ir.If(binary("sgt", index, ZERO), binary("sub", index, ONE), ZERO)
        return right(self, cards, self.keep(lower))

    with replaced(Control, "nth", wrong):
        yield


@fault("BestCard", "Move card by score", "Remember card by score")
def ties_are_not_drawn() -> Iterator[None]:
    """The first of the best cards wins, and the stream stays where it was."""
    right = Control.best_card

    def wrong(self: Control, node: p.BestCard) -> Any:
        call = self.call

        def undrawn(name: str, *arguments: ir.Expr) -> ir.Expr:
            return ZERO if name == "draw" else call(name, *arguments)

        with replaced(self, "call", undrawn):
            return right(self, node)

    with replaced(Control, "best_card", wrong):
        yield


@fault("ForAny")
def alternatives_are_not_rolled_back() -> Iterator[None]:
    """After an alternative was tried out, the state stays as the alternative left it."""
    right = Control._unfold

    def wrong(self: Control, *arguments: Any) -> None:
        run = self.run

        def kept(name: str, *given: ir.Expr) -> None:
            if not (name == "copy" and given[0] is STATE):
                run(name, *given)

        with replaced(self, "run", kept):
            right(self, *arguments)

    with replaced(Control, "_unfold", wrong):
        yield


@fault("Combination union")
def unions_run_backwards() -> Iterator[None]:
    right = Control._concatenated

    def wrong(self: Control, node: p.Node, parts: tuple[p.Expr, ...]) -> ir.Expr:
        return right(self, node, tuple(reversed(parts)))

    with replaced(Control, "_concatenated", wrong):
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

    with replaced(runtime, "_take", wrong):
        yield


@fault("Arithmetic //")
def division_is_unsigned() -> Iterator[None]:
    right = Control._combine

    def wrong(self: Control, node: p.Node, operator: str, a: ir.Expr, b: ir.Expr) -> ir.Expr:
        made = right(self, node, operator, a, b)
        return self.keep(ir.Binary("udiv", a, b)) if operator == "//" else made

    with replaced(Control, "_combine", wrong):
        yield


@fault("Cycle current SeatAt", "Cycle current SeatNumber", "Cycle current Var")
def a_new_current_seat_empties_the_queue() -> Iterator[None]:
    right = Control._cycle

    def wrong(self: Control, node: p.Cycle) -> None:
        right(self, node)
        if node.which == "current":
            self.set_word(self.layout.words["seat_queue"] + self.seat_depth, MINUS)

    with replaced(Control, "_cycle", wrong):
        yield


@fault("Shuffle snapshot")
def snapshots_are_not_shuffled() -> Iterator[None]:
    """Nothing is drawn for a shuffle of cards that lie elsewhere."""
    right = Control._shuffle

    def wrong(self: Control, node: p.Shuffle) -> None:
        run = self.run

        def undrawn(name: str, *given: ir.Expr) -> None:
            if name != "shuffle" or isinstance(node.cards, p.Location):
                run(name, *given)

        with replaced(self, "run", undrawn):
            right(self, node)

    with replaced(Control, "_shuffle", wrong):
        yield


@fault("Var let INT", "Var let STR", "Var let CARD", "Var let PLAYER", "Var let TEAM")
def let_looks_again_at_every_use() -> Iterator[None]:
    """What let binds is not taken as it was when control reached it."""
    right = Control.bind_value

    def wrong(self: Control, binding: p.Binding, value: p.Expr) -> None:
        if value.kind in (Kind.INT, Kind.STR, Kind.CARD, Kind.PLAYER, Kind.TEAM):
            with replaced(self, "keep", lambda made, *_: made):
                self.env[binding.slot] = self.value(value)
        else:
            right(self, binding, value)

    with replaced(Control, "bind_value", wrong):
        yield


@fault("Award more pairs")
def one_matching_pair_is_enough() -> Iterator[None]:
    """An award counts for a card that matches any of its pairs."""

    def wrong(award: p.Award, face: dict[str, str]) -> bool:
        return any(
            isinstance(key, p.Str) and isinstance(value, p.Str) and face.get(key.text, "") == value.text
            for key, value in award.pairs
        )

    with replaced(awards, "_matches", wrong):
        yield


@fault("ForAny CARDS")
def picks_follow_the_list() -> Iterator[None]:
    """An any over cards goes through them as they lie, not in card order."""

    def wrong(self: Control, node: p.Node, cards: Any) -> ir.Expr:
        return self.as_list(node, cards, copy=True)

    with replaced(Control, "_sorted_copy", wrong):
        yield


@fault("Move card by top", "Move card by bottom")
def moved_cards_stay_in_the_snapshot() -> Iterator[None]:
    with replaced(Control, "_leave", lambda self, what: None):
        yield


@fault("Cycle next SeatAt", "Cycle next SeatNumber", "Cycle next Var")
def the_queue_outlives_the_advance() -> Iterator[None]:
    """A stage goes on to the seat that was queued, again and again."""
    right = Control._stage

    def wrong(self: Control, number: int, step: Any) -> None:
        set_word = self.set_word

        def kept(at: Any, value: ir.Expr, *base: Any) -> None:
            if not (step.what == "again" and value is MINUS):
                set_word(at, value, *base)

        with replaced(self, "set_word", kept):
            right(self, number, step)

    with replaced(Control, "_stage", wrong):
        yield
