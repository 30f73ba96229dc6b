"""Declared values: which of them are constants when a game is loaded.

They are evaluated before the setup, on an empty table, so only chance can make a difference. Without chance
the reference engine evaluates them once, when the game is loaded. The others are drawn in the setup and kept
in the state.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from upcard.engine.reference import collections as _collections  # noqa: F401  (registers how forms are evaluated)
from upcard.engine.reference import values as _values  # noqa: F401
from upcard.engine.reference.evaluator import Evaluator
from upcard.engine.reference.fault import Fault
from upcard.engine.rng import Stream
from upcard.engine.shared.table import Table
from upcard.recycle import program as p
from upcard.recycle.facts import Facts
from upcard.recycle.walk import below


class Declared(NamedTuple):
    known: dict[int, Any]
    """By slot: a value of the reference engine."""
    drawn: set[int]
    """Slots of those that chance decides."""
    fault: Fault | None
    """What goes wrong in every game."""
    fails_at: int
    """The declare that does."""


def declared(program: p.Program, facts: Facts) -> Declared:
    known: dict[int, Any] = {}
    drawn: set[int] = set()
    table = Table(program.players, program.slots, facts.order, all_ordered=False)
    machine = Evaluator(table, program.base, Stream((0,)), facts)
    for number, declare in enumerate(program.declares):
        slot = declare.binding.slot
        if _is_drawn(declare.value, drawn):
            drawn.add(slot)
            continue
        machine.work = 0
        try:
            known[slot] = table.env[slot] = machine.value(declare.value)
        except Fault as fault:
            return Declared(known, drawn, fault, number)
    return Declared(known, drawn, None, len(program.declares))


def _is_drawn(value: p.Expr, drawn: set[int]) -> bool:
    """There are no cards yet, so looking for the best one fails rather than draws."""
    return any(
        (node.draws and not isinstance(node, p.BestCard))
        or (isinstance(node, p.Var) and node.binding.slot in drawn)
        for node in below(value)
    )
