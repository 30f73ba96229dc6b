"""Work: how much a program can do at one decision, and which of its forms count what they do.

One unit is an element that a loop goes through, a run of an item of a choice, an element that an `any` takes
in it, a group that is made, or a card of a collection of more than `FREE_CARDS` cards that is made or read.
An action takes `ACTION_WORK` units, and one more for each card that it shuffles or makes, each part of an
award and each member of a team. So what engines note of an action is bounded by the units it takes.

Counting costs time, so most programs do none of it: a part of a program that its text bounds to a few
thousand units counts nothing (`FREE_WORK`, `FREE_LISTING`). Which parts count follows from the text alone, so
engines agree on it, and on the form at which too much was done. A form counts when its operands are worked
out and before its first element; an action before it is done.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from upcard.recycle import program as p
from upcard.recycle.kinds import Kind
from upcard.recycle.limits import (
    ACTION_WORK,
    FREE_CARDS,
    FREE_LISTING,
    FREE_WORK,
    MOST,
    MOST_WORK,
    TOO_MUCH_WORK,
    deck_size,
)
from upcard.recycle.sizes import Sizes
from upcard.recycle.walk import below, children

_CAP = 1_000 * MOST_WORK
"""Bounds beyond this make no difference."""

_LOOPS = (p.Filter, p.Quantified, p.SumOver, p.Each, p.ForAll, p.Repeat, p.RepeatAll)
_GROUPS = (p.Tuples, p.Subsets, p.Runs)
_COUNTING = (*_LOOPS, *_GROUPS, p.Action, p.ForAny)


@dataclass(frozen=True)
class WorkLimits:
    """What is too much, and what is too little to be counted. Tests count more, and allow less."""

    most: int = MOST_WORK
    free: int = FREE_WORK
    free_listing: int = FREE_LISTING
    free_cards: int = FREE_CARDS


USUAL = WorkLimits()


@dataclass(frozen=True)
class Work:
    """The forms of a program that count."""

    counted: frozenset[p.Node]
    """In parts that can be long: loops count their elements, group forms their groups, `any` forms what they
    take, actions themselves; items of choices count their runs."""
    large: frozenset[p.Node]
    """There too: forms that count the cards of a collection they make or read; ranges that are held."""

    most: int = MOST_WORK
    """More than this is too much."""

    def __bool__(self) -> bool:
        return bool(self.counted or self.large)

    @property
    def sentence(self) -> str:
        """What to say where too much is done."""
        return TOO_MUCH_WORK.format(self.most)


NO_WORK = Work(frozenset(), frozenset())


def work_of(program: p.Program, cards: int, limits: WorkLimits = USUAL) -> Work:
    """`cards` is how many there can be."""
    bounds = _Bounds(Sizes(cards, program.players, program.base))
    counted: list[p.Node] = []
    large: list[p.Node] = []
    for part in _long(program, bounds, limits):
        counted += (node for node in below(part) if isinstance(node, _COUNTING))
        large += bounds.large(part, limits.free_cards)
        if isinstance(part, p.Item):
            counted.append(part)
    return Work(frozenset(counted), frozenset(large), limits.most)


def _long(program: p.Program, bounds: _Bounds, limits: WorkLimits) -> Iterator[p.Node]:
    """The parts that can be long."""
    parts: list[p.Node] = [declare.value for declare in program.declares]
    parts += [program.scoring.value, *_parts(program.body)]  # a setup is bounded by the cards it may make
    for part in parts:
        if isinstance(part, p.Choice):
            listings = {item: bounds.listing(item) for item in part.items}
            if sum(listings.values()) > limits.free_listing:
                yield from (item for item, units in listings.items() if units > limits.free)
        elif bounds.of(part) > limits.free:
            yield part


def _parts(body: Iterable[p.Element]) -> Iterator[p.Node]:
    """What is done in one piece: blocks, values that are bound around choices, end conditions, choices."""
    for element in body:
        inner: p.Element = element
        while isinstance(inner, p.LetChoice):
            yield inner.value
            inner = inner.inner
        if isinstance(inner, p.Stage):
            yield inner.end
            yield from _parts(inner.body)
        else:
            yield inner


def action_work(action: p.Action) -> int:
    """Units that an action takes, whatever it handles."""
    if isinstance(action, p.SetPoints):
        return ACTION_WORK + sum(1 + 2 * len(award.pairs) for award in action.awards)
    if isinstance(action, p.CreateTeams):
        return ACTION_WORK + sum(len(team) for team in action.teams)
    return ACTION_WORK


class _Bounds:
    """How much a form can do each time, at most."""

    def __init__(self, sizes: Sizes) -> None:
        self._sizes = sizes
        self._known: dict[p.Node, int] = {}

    def of(self, node: p.Node) -> int:
        known = self._known.get(node)
        if known is None:
            known = self._known[node] = min(self._find(node), _CAP)
        return known

    def listing(self, item: p.Item) -> int:
        """All runs of an item of a choice."""
        return min(self._runs(item) * (1 + self.of(item)), _CAP)

    def large(self, part: p.Node, free: int) -> Iterator[p.Node]:
        """Those of a part that count cards. A range is walked by a form that counts, unless it is held."""
        for node in below(part):
            if self._cards(node) > free:
                yield node
            held = node.value if isinstance(node, p.Let) else part
            if isinstance(held, p.Range) and self._sizes.elements(held) > free:
                yield held

    def _find(self, node: p.Node) -> int:
        sizes = self._sizes
        own = 0
        if isinstance(node, p.Filter | p.Quantified | p.SumOver | p.Each | p.ForAll):
            *before, body = children(node)
            return self._sum(before) + sizes.elements(node.source) * (1 + self.of(body))
        if isinstance(node, p.Repeat):
            times = max(0, min(sizes.interval(node.count)[1], MOST))
            return self.of(node.count) + times * (1 + self.of(node.item))
        if isinstance(node, p.RepeatAll):
            return self._all_of(node) * (1 + self.of(node.item))
        if isinstance(node, p.Action):
            own = action_work(node) + self._handled(node)
        elif isinstance(node, p.ForAny):
            own = 1
        elif isinstance(node, _GROUPS):
            own = sizes.elements(node)
        return own + self._cards(node) + self._sum(children(node))

    def _sum(self, nodes: Iterable[p.Node]) -> int:
        return sum(self.of(node) for node in nodes)

    def _all_of(self, node: p.RepeatAll) -> int:
        card = node.item.card
        if isinstance(card, p.EndCard | p.TopOf | p.CardAt):
            return self._sizes.elements(card.cards)
        return 1

    def _handled(self, action: p.Action) -> int:
        """Cards that an action shuffles or makes."""
        if isinstance(action, p.Shuffle):
            return self._sizes.elements(action.cards)
        return deck_size(action) if isinstance(action, p.CreateDeck) else 0

    def _cards(self, node: p.Node) -> int:
        """Cards that a form makes a collection of, or reads."""
        sizes = self._sizes
        if isinstance(node, p.Combination | p.Partition):
            return sizes.operands(node.parts)
        if isinstance(node, p.EndRun):
            return sizes.elements(node.cards) ** 2
        if isinstance(node, p.Sort | p.Sum | p.BestCard | p.BestScore | p.EndCards | p.Tuples | p.Runs):
            return sizes.elements(node.cards)
        if isinstance(node, p.ForAny) and node.source.kind is Kind.CARDS:
            return sizes.elements(node.source)
        return 0

    # --- runs ----------------------------------------------------------------------------------

    def _runs(self, item: p.Item) -> int:
        """How often an item is run while its alternatives are listed: once for every way to pick."""
        if isinstance(item, p.ForAny):
            return min(max(1, self._sizes.elements(item.source)) * self._runs(item.item), _CAP)
        if isinstance(item, p.Do):
            runs = 1
            for inner in item.items:
                runs = min(runs * self._runs(inner), _CAP)
            return runs
        if isinstance(item, p.When | p.Let):
            return self._runs(item.item)
        if isinstance(item, p.ForAll | p.Repeat):
            inside = self._runs(item.item)
            return 1 if inside == 1 else self._power(inside, item)
        return 1

    def _power(self, inside: int, loop: p.ForAll | p.Repeat) -> int:
        sizes = self._sizes
        times = (
            sizes.elements(loop.source)
            if isinstance(loop, p.ForAll)
            else max(0, min(sizes.interval(loop.count)[1], MOST))
        )
        runs = 1
        while times > 0 and runs < _CAP:
            runs, times = runs * inside, times - 1
        return min(runs, _CAP)
