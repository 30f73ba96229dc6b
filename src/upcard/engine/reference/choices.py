"""Blocks and choices (docs/language/choices.md): running items, listing alternatives, playing one.

Items are put on an agenda, a linked list of what remains, so that nothing depends on Python's stack: a
repeat of a million actions inside a choice is only long. While listing, each `any` is a point to come
back to: everything done since is undone and the next element is tried.
"""

from __future__ import annotations

from collections import deque
from typing import Any, NamedTuple, TypeAlias

from upcard.engine.api import Place
from upcard.engine.reference.evaluator import Evaluator
from upcard.engine.reference.fault import Fault
from upcard.engine.rng import Stream
from upcard.engine.shared.alternatives import NOTHING, Alternative, Picked
from upcard.engine.shared.table import Snapshot
from upcard.recycle import failures
from upcard.recycle import program as p
from upcard.recycle.kinds import Kind
from upcard.recycle.limits import MAX_CARDS_PICKED, MAX_COUNT, MAX_PICKS, MAX_PICKS_LISTED


class _Loop(NamedTuple):
    """The elements of an `all` that are still to come."""

    node: p.ForAll
    elements: list[Any]
    at: int


class _Again(NamedTuple):
    """Repetitions that are still to come."""

    item: p.Item
    left: int


Task: TypeAlias = p.Item | _Loop | _Again
Agenda: TypeAlias = "tuple[Task, Agenda] | None"


def _expand(m: Evaluator, task: Task, agenda: Agenda) -> Agenda:
    """One task that is not an `any`: what remains after it."""
    if isinstance(task, p.Action):
        m.act(task)
    elif isinstance(task, p.Do):
        for item in reversed(task.items):
            agenda = (item, agenda)
    elif isinstance(task, p.When):
        if m.value(task.test):
            return task.item, agenda
    elif isinstance(task, p.ForAll):
        elements = m.elements(task.source)
        m.count(task, len(elements))
        return _Loop(task, elements, 0), agenda
    elif isinstance(task, _Loop):
        node, elements, at = task
        if at < len(elements):
            m.table.bind(node.binding.slot, elements[at])
            return node.item, (_Loop(node, elements, at + 1), agenda)
    elif isinstance(task, p.Let):
        m.table.bind(task.binding.slot, m.value(task.value))
        return task.item, agenda
    elif isinstance(task, p.Repeat):
        count = m.value(task.count)
        if count > MAX_COUNT:
            raise m.fault(task, failures.TOO_MANY_TIMES, count)
        m.count(task, max(count, 0))
        return _Again(task.item, count), agenda
    elif isinstance(task, p.RepeatAll):
        count = _all_of(m, task.item.card)
        m.count(task, count)
        return _Again(task.item, count), agenda
    elif isinstance(task, _Again):
        if task.left > 0:
            return task.item, (_Again(task.item, task.left - 1), agenda)
    else:
        raise AssertionError(f"{type(task).__name__} is not an item of a checked program")
    return agenda


def _all_of(m: Evaluator, card: p.Expr) -> int:
    """How many cards the collection holds that a card expression points into."""
    if isinstance(card, p.Position):
        return len(m.cards(card.cards))
    return 1


def run(m: Evaluator, item: p.Item) -> None:
    """An item outside a choice."""
    agenda: Agenda = (item, None)
    while agenda is not None:
        task, agenda = agenda
        agenda = _expand(m, task, agenda)


# --- listing -------------------------------------------------------------------------------------


class _Point:
    """An `any` while its elements are tried one after the other."""

    __slots__ = ("agenda", "effects", "elements", "index", "mark", "node", "peeked", "picks", "work")

    def __init__(
        self, m: Evaluator, node: p.ForAny, elements: list[Any], agenda: Agenda, picks: int, work: int
    ) -> None:
        self.node, self.elements, self.agenda = node, elements, agenda
        self.index = 0
        self.mark = len(m.table.trail or ())
        self.effects = len(m.effects)
        self.picks = picks
        self.peeked = m.peeked
        self.work = work
        """Units of the run so far, which every other run from here takes as well."""


def pickable(m: Evaluator, node: p.ForAny) -> list[Any]:
    """The elements of an any, cards in card order whatever order the collection has."""
    elements = m.elements(node.source)
    m.count_cards(node, len(elements))
    if node.source.kind is Kind.CARDS:
        elements.sort()
    return elements


def _record(node: p.ForAny, element: Any) -> Picked:
    kind = node.binding.kind
    return Picked(node.site, tuple(element.cards) if isinstance(element, Snapshot) else element, kind)


def alternatives(m: Evaluator, choice: p.Choice, decision: int) -> list[Alternative]:
    """Every alternative of a choice. The state afterwards is exactly as before."""
    return _listed(m, choice, decision, None)[0]


def watched(
    m: Evaluator, choice: p.Choice, decision: int, hidden: frozenset[int]
) -> tuple[list[Alternative], Stream]:
    """The same, noting in each alternative when it looks at one of the hidden cards; and the listing's
    stream as the listing left it."""
    found, stream = _listed(m, choice, decision, hidden)
    assert stream is not None
    return found, stream


def _listed(
    m: Evaluator, choice: p.Choice, decision: int, hidden: frozenset[int] | None
) -> tuple[list[Alternative], Stream | None]:
    found: list[Alternative] = []
    m.begin_listing(decision)
    m.watched = hidden
    try:
        total = _Total()
        for number, item in enumerate(choice.items):
            m.blamed = item
            _unfold(m, choice, number, item, found, total)
        stream = m.stream if hidden is not None else None
    except Fault as fault:
        fault.keep(m.table.env)  # what the variables held is about to be undone
        raise
    finally:
        m.watched = m.blamed = None
        m.end_listing()
    return found, stream


class _Total:
    """What the alternatives of a decision hold together: it has bounds, since engines keep them all."""

    picks = 0
    cards = 0

    def add(self, m: Evaluator, choice: p.Choice, picks: list[Picked]) -> None:
        self.picks += len(picks)
        for pick in picks:
            if (
                pick.kind is Kind.CARDS
                and isinstance(pick.element, tuple)
                and not isinstance(pick.element, Place)
            ):
                self.cards += len(pick.element)
        if self.picks > MAX_PICKS_LISTED:
            raise m.fault(choice, failures.TOO_MANY_LISTED)
        if self.cards > MAX_CARDS_PICKED:
            raise m.fault(choice, failures.TOO_MANY_PICKED)


def _unfold(
    m: Evaluator, choice: p.Choice, number: int, item: p.Item, found: list[Alternative], total: _Total
) -> None:
    table = m.table
    picks: list[Picked] = []
    points: list[_Point] = []
    agenda: Agenda = (item, None)
    m.peeked = None
    start = len(table.trail or ())
    before = m.work
    """Where the run at hand began to count."""
    m.count(item, 1)
    while True:
        while agenda is not None:
            task, agenda = agenda
            if not isinstance(task, p.ForAny):
                agenda = _expand(m, task, agenda)
                continue
            elements = pickable(m, task)
            if len(picks) >= MAX_PICKS:
                raise m.fault(task, failures.TOO_MANY_PICKS)
            if elements:
                points.append(_Point(m, task, elements, agenda, len(picks), m.work - before))
                agenda = _try(m, points[-1], picks)
            else:
                picks.append(Picked(task.site, NOTHING, task.binding.kind))
        if m.effects:
            if len(found) == MAX_COUNT:
                raise m.fault(choice, failures.TOO_MANY_ALTERNATIVES)
            total.add(m, choice, picks)
            found.append(Alternative(number, tuple(picks), tuple(m.effects), m.peeked))
        while points:
            point = points[-1]
            table.roll_back(point.mark)
            del m.effects[point.effects :]
            del picks[point.picks :]
            m.peeked = point.peeked
            point.index += 1
            if point.index < len(point.elements):
                before = m.work
                m.add_work(item, point.work)
                agenda = _try(m, point, picks)
                break
            points.pop()
        else:
            table.roll_back(start)
            m.effects.clear()
            return


def _try(m: Evaluator, point: _Point, picks: list[Picked]) -> Agenda:
    element = point.elements[point.index]
    picks.append(_record(point.node, element))
    m.table.bind(point.node.binding.slot, element)
    return point.node.item, point.agenda


# --- carrying out --------------------------------------------------------------------------------


def carry_out(m: Evaluator, choice: p.Choice, alternative: Alternative) -> None:
    """Run the item again from the present state, with the game's own chance and the recorded picks."""
    left = deque(alternative.picks)
    m.blamed = choice.items[alternative.item]
    try:
        _carry_out(m, (m.blamed, None), left)
    finally:
        m.blamed = None


def _carry_out(m: Evaluator, agenda: Agenda, left: deque[Picked]) -> None:
    while agenda is not None:
        task, agenda = agenda
        if not isinstance(task, p.ForAny):
            agenda = _expand(m, task, agenda)
            continue
        if left and left[0].site == task.site:
            element = left.popleft().element
            if element is NOTHING:
                continue
            if isinstance(element, tuple) and not isinstance(element, Place):
                element = Snapshot(element)
        else:
            # chance took another road than the listing: this form has no pick, so its first element
            elements = pickable(m, task)
            if not elements:
                continue
            element = elements[0]
        m.table.bind(task.binding.slot, element)
        agenda = (task.item, agenda)
