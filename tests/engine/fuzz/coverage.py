"""How often each form of the language was executed, not just written.

The reference engine looks its functions up in tables; while a `Watch` is on, the tables hold functions
that count the node and then do the same. A node without an entry of its own is counted where its first
operand is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from upcard.engine.reference import choices
from upcard.engine.reference import evaluator as machine
from upcard.engine.reference.state import ReferenceState
from upcard.recycle import program as p
from upcard.recycle.kinds import Kind
from upcard.recycle.walk import below

MAX_STEPS = 60_000
"""Evaluations in one deal; a program that takes more is left out."""
GROUPS_OF_A_STEP = 8
"""Groups of cards that are made in the time of an evaluation."""


class TooLong(Exception):
    """A deal that the reference engine would take too long over."""


class Watch:
    """Counts of nodes, and a bound on the work of one deal."""

    def __init__(self, most_steps: int = MAX_STEPS) -> None:
        self.nodes: Counter[p.Node] = Counter()
        self.left = most_steps
        self.endings: Counter[str] = Counter()
        self.failures: Counter[str] = Counter()

    def count(self, node: p.Node) -> None:
        self.nodes[node] += 1
        self.spend(1)

    def spend(self, steps: int) -> None:
        self.left -= steps
        if self.left < 0:
            raise TooLong

    def failed(self, form: p.Node | None, message: str) -> None:
        self.failures[re.sub(r"'[A-Z]+", "'V", re.sub(r"-?[0-9][0-9,]*", "n", message))] += 1


@contextmanager
def watching(watch: Watch) -> Iterator[None]:
    """Every evaluation, action, item and stage of the reference engine is counted."""
    values, actions = dict(machine.VALUES), dict(machine.ACTIONS)
    expand, pickable, alternatives = choices._expand, choices.pickable, choices.alternatives
    stage = ReferenceState._stage

    def counted(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(m: Any, node: Any) -> Any:
            watch.count(node)
            value = function(m, node)
            if isinstance(value, list):
                watch.spend(len(value) // GROUPS_OF_A_STEP)
            return value

        return call

    def counted_expand(m: Any, task: Any, agenda: Any) -> Any:
        if isinstance(task, p.Item) and not isinstance(task, p.Action):
            watch.count(task)
        else:
            watch.spend(1)
        return expand(m, task, agenda)

    def counted_pickable(m: Any, node: p.ForAny) -> Any:
        watch.count(node)
        return pickable(m, node)

    def counted_alternatives(m: Any, choice: p.Choice, decision: int) -> Any:
        watch.count(choice)
        return alternatives(m, choice, decision)

    def counted_stage(self: ReferenceState, step: Any) -> None:
        watch.count(step.stage)
        stage(self, step)

    machine.VALUES.update({node: counted(function) for node, function in values.items()})
    machine.ACTIONS.update({node: counted(function) for node, function in actions.items()})
    choices._expand = counted_expand
    choices.pickable = counted_pickable
    choices.alternatives = counted_alternatives
    ReferenceState._stage = counted_stage  # type: ignore[method-assign]
    try:
        yield
    finally:
        machine.VALUES.update(values)
        machine.ACTIONS.update(actions)
        choices._expand, choices.pickable, choices.alternatives = expand, pickable, alternatives
        ReferenceState._stage = stage  # type: ignore[method-assign]


# --- what a node is called -----------------------------------------------------------------------

CLASSES = ("vloc", "iloc", "hloc", "oloc", "mem")
KINDS = (Kind.CARD, Kind.CARDS, Kind.INT, Kind.STR, Kind.PLAYER, Kind.TEAM)


def owner_of(owner: p.Owner) -> str:
    if isinstance(owner, p.Table):
        return "table"
    return "team" if owner.kind is Kind.TEAM else "player"


def name_of(expr: p.Expr) -> str:
    return "written name" if isinstance(expr, p.Str) else "computed name"


def ways(node: p.Node) -> list[str]:
    """The sub-forms that a node is an instance of; each is counted with the node's type."""
    match node:
        case p.Arithmetic():
            return [node.operator, "two" if len(node.operands) == 2 else "more"]
        case p.Compare() | p.Logic():
            return [node.operator]
        case p.Same():
            return ["!=" if node.negated else "==", node.of.name]
        case p.IntStore() | p.StrStore() | p.MapStore():
            return [owner_of(node.owner), name_of(node.name)]
        case p.Location():
            found = [f"{owner_of(node.owner)} {node.cls}", name_of(node.name)]
            if node.number is not None:
                found.append("fixed number" if isinstance(node.number, p.Int) else "computed number")
            return found
        case p.Indexed():
            return [owner_of(node.owner)]
        case p.Size():
            return [node.of.kind.name]
        case p.BestScore() | p.BestCard():
            return ["greatest" if node.greatest else "least"]
        case p.Random():
            return ["from 0" if node.low is None else "from low"]
        case p.SeatAt() | p.TeamAt():
            return [node.which]
        case p.EndCard() | p.EndCards() | p.EndRun() | p.ListEnd():
            return [node.end]
        case p.Combination():
            parts = ["lists" if part.kind is Kind.LISTS else "cards" for part in node.parts]
            return [node.how, *(f"{node.how} of {part}" for part in set(parts))]
        case p.Filter():
            return [node.source.kind.name]
        case p.Quantified():
            return [f"{'all' if node.every else 'any'} {node.source.kind.name}"]
        case p.SumOver() | p.Each():
            return [node.source.kind.name]
        case p.Partition():
            return ["key last" if node.key.span.start > node.parts[0].span.start else "key first"]
        case p.Runs():
            return ["all" if node.every else "largest"]
        case p.Players() | p.Teams():
            return ["others" if node.others else "every"]
        case p.Var():
            return [f"{node.binding.how} {node.kind.name}"]
        case _:
            return done(node)


def done(node: p.Node) -> list[str]:
    """The same, of actions and blocks."""
    match node:
        case p.Move() | p.Remember():
            return [f"card by {by(node.card)}", f"place by {by(node.place)}"]
        case p.Forget():
            return [f"card by {by(node.card)}"]
        case p.Swap():
            return ["places" if node.whole else "cards"]
        case p.AddInt():
            return ["inc" if node.sign > 0 else "dec", "one" if node.amount is None else "amount"]
        case p.Shuffle():
            mem = isinstance(node.cards, p.Location) and node.cards.cls == "mem"
            place = isinstance(node.cards, p.Location)
            return ["memory" if mem else "place" if place else "snapshot"]
        case p.Cycle():
            return [f"{node.which} {type(node.player).__name__}"]
        case p.ForAll():
            return [("any " if node.was_any else "all ") + node.source.kind.name]
        case p.ForAny():
            return [node.source.kind.name]
        case p.Let() | p.LetChoice():
            live = isinstance(node.value, p.Location)
            return ["live place" if live else node.value.kind.name]
        case p.RepeatAll():
            return ["move" if isinstance(node.item, p.Move) else "forget"]
        case p.Stage():
            return [node.of]
        case p.Award():
            fixed = all(isinstance(v, p.Str) for pair in node.pairs for v in pair)
            return [
                "one pair" if len(node.pairs) == 1 else "more pairs",
                "fixed" if fixed and isinstance(node.amount, p.Int) else "captured",
            ]
        case p.CreateDeck():
            return ["plain back" if node.back is None else "named back"]
        case p.Declare():
            return [node.value.kind.name, *(["overridden"] if node.overridden else [])]
        case p.Scoring():
            return ["max" if node.highest else "min"]
        case p.Child():
            return ["leaf" if not node.below else "branch"]
        case _:
            return []


def by(card: p.Expr) -> str:
    """How a card or a place is designated."""
    match card:
        case p.EndCard():
            return card.end
        case p.CardAt():
            return "index"
        case p.TopOf():
            return "collection"
        case p.BestCard():
            return "score"
    return "variable"


_COUNTED_WITH: dict[type[p.Node], Callable[[Any], p.Node]] = {
    p.LetChoice: lambda node: node.value,
    p.Declare: lambda node: node.value,
    p.Scoring: lambda node: node.value,
    p.Award: lambda node: node.amount,
    p.Attribute: lambda node: node.key,
    p.Child: lambda node: node.value,
}


def executed(program: p.Program, watch: Watch) -> Counter[str]:
    """Names of forms with how often they were executed in one program."""
    found: Counter[str] = Counter()
    for node in below(program):
        other = _COUNTED_WITH.get(type(node))
        times = watch.nodes[other(node) if other else node]
        if times:
            name = type(node).__name__
            found[name] += times
            for way in ways(node):
                found[f"{name} {way}"] += times
    return found
