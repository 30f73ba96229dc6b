"""Work: how much a program may do at one decision, and which forms count it.

A loop counts one unit for each of its elements, and for each of them the units of what stands inside it: a
few for every action, whether it is done or not, and one for every `any`. Short loops inside it belong to
that, with all the turns that the text allows them; other loops count by themselves. A form that makes groups
counts the groups; one that makes or reads a collection of more than `FREE_CARDS` cards counts the cards. An
item of a choice counts the units inside it, and one more, for each run: an alternative is worked out from the
beginning of its item, whichever alternative came before it.

Counting costs time, so most programs do none of it: a part of a program that its text bounds to a few
thousand units counts nothing (`FREE_WORK`, `FREE_LISTING`). Which parts count follows from the text alone, so
engines agree on it, and on the form at which too much was done. A form counts when its operands are worked
out and before its first element.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from upcard.recycle import program as p
from upcard.recycle.deck_sizes import deck_size
from upcard.recycle.failures import TOO_MUCH_WORK
from upcard.recycle.kinds import Kind
from upcard.recycle.limits import (
    ACTION_WORK,
    FREE_CARDS,
    FREE_LISTING,
    FREE_WORK,
    MAX_COUNT,
    MAX_WORK,
    SUBSETS_A_UNIT,
)
from upcard.recycle.sizes import Sizes
from upcard.recycle.walk import below, children

SHORT_LOOP = 256
"""A loop inside another that its text bounds to so many units counts as many, with the loop around it: it
need not count each time."""
_CAP = 1_000 * MAX_WORK
"""Bounds beyond this make no difference."""

_OVER = (p.Filter, p.Quantified, p.SumOver, p.Each, p.ForAll)
_LOOPS = (*_OVER, p.Repeat, p.RepeatAll)
_GROUPS = (p.Tuples, p.Subsets, p.Runs)


@dataclass(frozen=True)
class WorkLimits:
    """What is too much, and what is too little to be counted. Tests count more, and allow less."""

    most: int = MAX_WORK
    free: int = FREE_WORK
    free_listing: int = FREE_LISTING
    free_cards: int = FREE_CARDS


USUAL = WorkLimits()


@dataclass(frozen=True)
class Work:
    """The forms of a program that count."""

    units: dict[p.Node, int]
    """Loops and forms that make groups, with what each element or group counts; items of choices, with what
    each run counts."""
    large: frozenset[p.Node]
    """Forms that count the cards of a collection they make or read; ranges that are held."""
    most: int = MAX_WORK
    """More than this is too much."""

    def __bool__(self) -> bool:
        return bool(self.units or self.large)

    @property
    def sentence(self) -> str:
        """What to say where too much is done."""
        return TOO_MUCH_WORK.format(self.most)


def work_of(program: p.Program, cards: int, limits: WorkLimits = USUAL) -> Work:
    """`cards` is how many there can be."""
    bounds = _Bounds(Sizes(cards, program.players, program.base), limits)
    units: dict[p.Node, int] = {}
    large: list[p.Node] = []
    for part, is_item in _long(program, bounds):
        if is_item:
            units[part] = 1 + bounds.inside(part)
        units |= bounds.counting(part, is_item)
        large += bounds.large(part)
    return Work(units, frozenset(large), limits.most)


def _long(program: p.Program, bounds: _Bounds) -> Iterator[tuple[p.Node, bool]]:
    """The parts that can be long, and whether they are items of choices."""
    parts: list[p.Node] = [declare.value for declare in program.declares]
    parts += [program.scoring.value, *_parts(program.body)]  # a setup is bounded by the cards it may make
    limits = bounds.limits
    for part in parts:
        if isinstance(part, p.Choice):
            listings = {item: bounds.listing(item) for item in part.items}
            if sum(listings.values()) > limits.free_listing:
                yield from ((item, True) for item, units in listings.items() if units > limits.free)
        elif bounds.of(part) + bounds.held(part) > limits.free:
            yield part, False


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


def _action_work(action: p.Action) -> int:
    """What an action takes whatever it handles: at least what engines note of it, in words, by 8 to 5."""
    if isinstance(action, p.SetPoints):
        return ACTION_WORK + sum(1 + 2 * len(award.pairs) for award in action.awards)
    if isinstance(action, p.CreateTeams):
        return ACTION_WORK + sum(len(team) for team in action.teams)
    if isinstance(action, p.CreateDeck):
        return ACTION_WORK + deck_size(action)
    return ACTION_WORK


def _are_apart(one: p.Expr, other: p.Expr) -> bool:
    """Two places that are certainly not the same."""
    if not (isinstance(one, p.Location) and isinstance(other, p.Location)):
        return False
    if one.cls != other.cls or isinstance(one.owner, p.Table) != isinstance(other.owner, p.Table):
        return True
    return isinstance(one.name, p.Str) and isinstance(other.name, p.Str) and one.name.text != other.name.text


class _Bounds:
    """How much a form can do each time, at most, and what it counts."""

    def __init__(self, sizes: Sizes, limits: WorkLimits) -> None:
        self.limits = limits
        self._sizes = sizes
        self._bounds: dict[p.Node, int] = {}
        self._inside: dict[p.Node, int] = {}

    # --- bounds --------------------------------------------------------------------------------

    def of(self, node: p.Node) -> int:
        """Units at most."""
        known = self._bounds.get(node)
        if known is None:
            known = self._bounds[node] = min(self._find(node), _CAP)
        return known

    def listing(self, item: p.Item) -> int:
        """All runs of an item of a choice."""
        return min(self._runs(item) * (1 + self.of(item)), _CAP)

    def _find(self, node: p.Node) -> int:
        if isinstance(node, _LOOPS):
            *before, body = children(node)
            return sum(map(self.of, before)) + self._turns(node) * (1 + self.of(body))
        made = self._sizes.elements(node) if isinstance(node, _GROUPS) else 0
        if isinstance(node, p.Subsets):
            made = -(-made // SUBSETS_A_UNIT)
        if isinstance(node, p.Let):
            made = self.held(node.value)
        return self._own(node) + made + self._cards(node) + sum(map(self.of, children(node)))

    def held(self, value: p.Node) -> int:
        """Numbers of a range that is kept. Any other range is walked by a form that counts."""
        return self._sizes.elements(value) if isinstance(value, p.Range) else 0

    def _own(self, node: p.Node) -> int:
        return _action_work(node) if isinstance(node, p.Action) else int(isinstance(node, p.ForAny))

    def _turns(self, node: p.Node) -> int:
        """How many elements a loop goes through at most."""
        sizes = self._sizes
        if isinstance(node, p.Repeat):
            return self._times(node)
        if isinstance(node, p.RepeatAll):
            card = node.item.card
            return sizes.elements(card.cards) if isinstance(card, p.Position) else 1
        assert isinstance(node, _OVER)
        return sizes.elements(node.source)

    def _times(self, node: p.Repeat) -> int:
        """Cards that are dealt from a place run out, which ends the game."""
        most = max(0, min(self._sizes.interval(node.count)[1], MAX_COUNT))
        item = node.item
        if isinstance(item, p.Move) and isinstance(item.card, p.EndPosition):
            place = item.place.cards if isinstance(item.place, p.EndPosition) else None
            if place is not None and _are_apart(item.card.cards, place):
                return min(most, self._sizes.elements(item.card.cards) + 1)
        return most

    def _cards(self, node: p.Node) -> int:
        """Cards that a form makes a collection of, or reads."""
        sizes = self._sizes
        if isinstance(node, p.Combination | p.Partition):
            return sizes.operands(node.parts)
        if isinstance(node, p.EndRun):
            return sizes.elements(node.cards) ** 2
        readers = p.Sort | p.Sum | p.BestCard | p.BestScore | p.EndCards | p.Tuples | p.Runs | p.Shuffle
        if isinstance(node, readers):
            return sizes.elements(node.cards)
        if isinstance(node, p.ForAny) and node.source.kind is Kind.CARDS:
            return sizes.elements(node.source)
        return 0

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
        if not isinstance(item, p.ForAll | p.Repeat):
            return 1
        inside, runs = self._runs(item.item), 1
        turns = self._turns(item) if inside > 1 else 0
        while turns > 0 and runs < _CAP:
            runs, turns = runs * inside, turns - 1
        return min(runs, _CAP)

    # --- what counts ---------------------------------------------------------------------------

    def inside(self, node: p.Node) -> int:
        """Units of what stands in a form, without what counts by itself."""
        known = self._inside.get(node)
        if known is None:
            known = self._inside[node] = min(self._find_inside(node), _CAP)
        return known

    def _find_inside(self, node: p.Node) -> int:
        if isinstance(node, _LOOPS):
            *before, body = children(node)
            whole = self._turns(node) * (1 + self.inside(body))
            return sum(map(self.inside, before)) + (whole if whole <= SHORT_LOOP else 0)
        handled = self._cards(node) if isinstance(node, p.Shuffle) else 0
        shuffled = handled if handled <= self.limits.free_cards else 0
        return self._own(node) + shuffled + sum(map(self.inside, children(node)))

    def counting(self, part: p.Node, is_inside: bool) -> dict[p.Node, int]:
        """The loops and group forms of a part with what they count for each element; `is_inside`: short loops
        belong to a run."""
        found: dict[p.Node, int] = {}
        waiting = [(part, is_inside)]
        while waiting:
            node, within = waiting.pop()
            if isinstance(node, _LOOPS):
                *before, body = children(node)
                units = 1 + self.inside(body)
                if not within or self._turns(node) * units > SHORT_LOOP:
                    found[node] = units
                waiting += [(inner, within) for inner in before]
                waiting.append((body, True))
                continue
            if isinstance(node, _GROUPS):
                found[node] = 1
            waiting += [(inner, within) for inner in children(node)]
        return found

    def large(self, part: p.Node) -> Iterator[p.Node]:
        """Those of a part that count cards, and ranges that are held."""
        for node in below(part):
            if self._cards(node) > self.limits.free_cards:
                yield node
            held = node.value if isinstance(node, p.Let) else part
            if self.held(held) > self.limits.free_cards:
                yield held
