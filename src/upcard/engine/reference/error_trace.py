"""Describes a run-time error: form, element, line, variables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from upcard.engine.api import Failure, Place
from upcard.engine.reference.fault import Fault
from upcard.engine.shared.table import UNBOUND, Snapshot, Table
from upcard.recycle import program as p
from upcard.recycle.kinds import Kind
from upcard.recycle.walk import below

if TYPE_CHECKING:
    from upcard.engine.reference.state import ReferenceState


MAX_SHOWN = 60
"""Elements of a list that are shown: there may be a million."""


def failure(state: ReferenceState, fault: Fault, element: p.Node) -> Failure:
    program = state.game.program
    source = program.source
    span = fault.node.span
    return Failure(
        fault.message,
        source.line(span.start),
        source.column(span.start),
        source.shown(span),
        source.line(element.span.start),
        state.decisions,
        _variables(state, fault),
    )


def _variables(state: ReferenceState, fault: Fault) -> dict[str, str]:
    """What the variables around a form hold; an inner one hides an outer one of the same name."""
    program, table, node = state.game.program, state.machine.table, fault.node
    env = table.env if fault.env is None else fault.env
    found: dict[str, str] = {}
    for outer in below(program):
        binding = getattr(outer, "binding", None)
        if not isinstance(binding, p.Binding) or isinstance(outer, p.Var):
            continue
        inside = outer.span.start <= node.span.start and node.span.end <= outer.span.end
        behind = binding.span.end <= node.span.start
        if binding.how == "declare" or (inside and behind):
            value = env[binding.slot]
            if value is not UNBOUND:
                found["'" + binding.name] = _shown(table, value, binding.kind, program.base)
    return found


def _rest(elements: list[Any]) -> str:
    """What is said of elements that are not shown."""
    more = len(elements) - MAX_SHOWN
    return f" and {more:,} more" if more > 0 else ""


def _shown(table: Table, value: Any, kind: Kind, base: int) -> str:
    if isinstance(value, Place):
        return value.text
    if isinstance(value, Snapshot):
        return f"[{' '.join(table.cards[card].id for card in value.cards[:MAX_SHOWN])}{_rest(value.cards)}]"
    if isinstance(value, list):
        parts = (_shown(table, part, kind.element or kind, base) for part in value[:MAX_SHOWN])
        return "; ".join(parts) + _rest(value)
    if kind is Kind.CARD:
        return "no card" if value is None else table.cards[value].id
    if kind is Kind.PLAYER:
        return f"player {value + base}"
    return f"team {value + base}" if kind is Kind.TEAM else str(value)
