"""Scripted chance: a state of the reference engine whose shuffles and draws are decided one by one.

A deck is not dealt as a whole. After a shuffle its cards are anonymous: they lie somewhere, and nothing
depends on which is which. A card is decided when its face is read, by the program or by a seat. Cards that
nobody reads are never decided, so deals that differ only in them are one deal. Until a card is decided, all
cards that the same shuffle left undecided are equally likely to be it, and exchanging two of them changes
nothing that has happened so far.

An outcome that the script does not hold raises `Undecided` with all that it can be. The state is then dealt
again with one of them, so every position is a genuine one: a deal that the shuffles of `Script.orders` give.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, TypeAlias

from upcard.engine.api import Limits, Place
from upcard.engine.reference.evaluator import Evaluator
from upcard.engine.reference.game import ReferenceGame
from upcard.engine.reference.state import ReferenceState
from upcard.engine.rng import GAME, Stream
from upcard.engine.shared.alternatives import Picked
from upcard.engine.shared.table import Table
from upcard.recycle import program as p
from upcard.recycle.diagnostics import Refused
from upcard.recycle.kinds import Kind

MAX_OUTCOMES = 10_000
"""Outcomes of one draw."""


class NotEnumerable(Refused):
    """A game whose tree cannot be listed: it can fail, its moves depend on draws, or its seats forget.

    >>> issubclass(upcard.solve.NotEnumerable, upcard.Refused)
    True
    """

    is_answer = True


@dataclass(frozen=True)
class Exchange:
    """Two anonymous cards that changed places in the outcome of a shuffle."""

    shuffle: int
    card: int
    other: int

    def apply(self, pick: Picked) -> Picked:
        """A pick as it is after the exchange."""
        if pick.kind is Kind.CARD:
            return pick._replace(element=self._card(pick.element))
        if pick.kind is Kind.CARDS and type(pick.element) is tuple:
            return pick._replace(element=tuple(self._card(card) for card in pick.element))
        return pick

    def _card(self, card: Any) -> Any:
        return self.other if card == self.card else self.card if card == self.other else card


@dataclass(frozen=True)
class Script:
    """What chance has decided so far."""

    orders: tuple[tuple[int, ...], ...] = ()
    """For each shuffle which of the cards before it lies where, bottom to top."""
    decided: tuple[frozenset[int], ...] = ()
    """For each shuffle the positions whose card is decided."""
    draws: tuple[int, ...] = ()
    """Every other draw."""

    def order(self, shuffle: int, size: int) -> tuple[int, ...]:
        return self.orders[shuffle] if shuffle < len(self.orders) else tuple(range(size))

    def is_decided(self, shuffle: int, position: int) -> bool:
        return shuffle < len(self.decided) and position in self.decided[shuffle]

    def decide(self, shuffle: int, sizes: list[int], position: int, other: int) -> Script:
        """The script with a position decided, by the card that lay at another until now."""
        orders = [self.order(number, size) for number, size in enumerate(sizes)]
        decided = [*self.decided, *[frozenset[int]()] * (len(sizes) - len(self.decided))]
        order = list(orders[shuffle])
        order[position], order[other] = order[other], order[position]
        orders[shuffle] = tuple(order)
        decided[shuffle] |= {position}
        return replace(self, orders=tuple(orders), decided=tuple(decided))


@dataclass(frozen=True)
class Outcome:
    """One way in which chance can go on."""

    weight: int
    script: Script
    exchange: Exchange | None = None


class Undecided(Exception):
    """Chance has more than one way to go on from here, with probabilities in proportion to their weights."""

    def __init__(self, outcomes: list[Outcome]) -> None:
        super().__init__("chance is to decide")
        self.outcomes = outcomes


Layer: TypeAlias = tuple[int, int]
"""A shuffle, and a position in its outcome."""


@dataclass
class _Progress:
    """How far the script has been followed."""

    draws: int = 0
    sizes: list[int] = field(default_factory=list)
    """Cards of each shuffle so far."""
    lists: list[tuple[int, ...]] = field(default_factory=list)
    """The cards that each shuffle found, in their order before it."""
    layers: dict[int, tuple[Layer, ...]] = field(default_factory=dict)
    """For each card the shuffles that it went through, and where each left it."""

    def copy(self) -> _Progress:
        return _Progress(self.draws, list(self.sizes), list(self.lists), dict(self.layers))


class ScriptedChance(Stream):
    """A stream that draws what its script says."""

    __slots__ = ("progress", "script")

    def __init__(self, script: Script) -> None:
        super().__init__((0, 0, GAME))
        self.script = script
        self.progress = _Progress()

    def copy(self) -> ScriptedChance:
        other = ScriptedChance(self.script)
        other.progress = self.progress.copy()
        return other

    def next(self) -> int:
        raise AssertionError("scripted chance has no bits, only outcomes")

    def below(self, n: int) -> int:
        if n == 1:
            return 0
        done, draws = self.progress, self.script.draws
        if done.draws == len(draws):
            if n > MAX_OUTCOMES:
                raise NotEnumerable(
                    f"a draw of this game has {n:,} outcomes, and solving tries each of at most "
                    f"{MAX_OUTCOMES:,}; narrow the range in (random ...)"
                )
            raise Undecided([Outcome(1, replace(self.script, draws=(*draws, one))) for one in range(n)])
        done.draws += 1
        return draws[done.draws - 1]

    def shuffle(self, items: Any) -> None:
        if len(items) < 2:
            return
        done, number = self.progress, len(self.progress.sizes)
        before = tuple(items)
        done.sizes.append(len(before))
        done.lists.append(before)
        for position, index in enumerate(self.script.order(number, len(before))):
            card = items[position] = before[index]
            done.layers[card] = (*done.layers.get(card, ()), (number, position))

    def reveal(self, card: int) -> None:
        """Somebody reads the face of a card: it must be decided."""
        layers = self.progress.layers.get(card)
        if layers is None:
            return
        for layer in reversed(layers):
            if not self.script.is_decided(*layer) and self._is_open(layer[0]):
                self._decide(card, layer)
        del self.progress.layers[card]

    def _is_open(self, shuffle: int) -> bool:
        """Whether a shuffle left more than one card undecided; the last one is known."""
        decided = self.script.decided
        return shuffle >= len(decided) or len(decided[shuffle]) < self.progress.sizes[shuffle] - 1

    def _decide(self, card: int, layer: Layer) -> None:
        """Raises `Undecided`: any card that the shuffle left undecided may be this one."""
        number, position = layer
        script, done = self.script, self.progress
        sizes, before = done.sizes, done.lists[number]
        order = script.order(number, len(before))
        groups: dict[object, list[int]] = defaultdict(list)
        for other, index in enumerate(order):
            if not script.is_decided(number, other):
                groups[self._pool_before(before[index], number)].append(other)
        outcomes = []
        for group in groups.values():
            # cards that are anonymous from before, in the same way, give the same game: one stands for all
            chosen = position if position in group else group[0]
            exchange = Exchange(number, card, before[order[chosen]])
            outcomes.append(Outcome(len(group), script.decide(number, sizes, position, chosen), exchange))
        raise Undecided(outcomes)

    def _pool_before(self, card: int, number: int) -> object:
        """The shuffle before this one that left a card undecided, or the card itself."""
        for shuffle, position in reversed(self.progress.layers.get(card, ())):
            if shuffle < number and not self.script.is_decided(shuffle, position):
                return ("shuffle", shuffle)
        return card


class _ListingStream(Stream):
    """What a listing draws from: nothing, as long as it lists."""

    listing = True

    def next(self) -> int:
        if self.listing:
            raise NotEnumerable(
                "the moves of this game depend on draws that are made while they are listed, and these are "
                "no part of its tree; draw before the choice instead"
            )
        return super().next()


@cache
def _is_seen(place: Place, seats: int) -> bool:
    return any(place.seen_by(seat) for seat in range(seats))


class ScriptedEvaluator(Evaluator):
    """Evaluates a program, and decides each card whose face is read."""

    chance: ScriptedChance
    _listing: _ListingStream | None

    @property
    def stream(self) -> Stream:
        if self._listing_words is None:
            return self.chance
        if self._listing is None:
            self._listing = _ListingStream(self._listing_words)
        return self._listing

    def end_listing(self) -> None:
        if self._listing is not None:
            self._listing.listing = False
        super().end_listing()

    def look(self, card: int) -> None:
        self.chance.reveal(card)
        super().look(card)

    def locate(self, node: p.Expr, card: int) -> Place:
        if self.origins.in_memory(node):
            self.chance.reveal(card)
        return super().locate(node, card)

    def did(self, *effect: Any) -> None:
        super().did(*effect)
        if self.listing:
            return  # it is only tried
        what = effect[0]
        if what == "move":
            self._show(effect[1])
        elif what == "exchange":
            self._show(effect[1])
            self._show(effect[4])
        elif what == "remember":
            self.chance.reveal(effect[1])
        elif what == "swap":
            for place in effect[1:3]:
                for card in self.table.at(place):
                    self._show(card)
        elif what == "shuffle":
            # a computed collection is decided at once: its cards may lie in several places
            for card in effect[2]:
                if effect[1] is None:
                    self.chance.reveal(card)
                else:
                    self._show(card)

    def _show(self, card: int) -> None:
        """Decides a card that lies where a seat sees it."""
        if _is_seen(self.table.where[card], self.table.seats):
            self.chance.reveal(card)


class ScriptedState(ReferenceState):
    """A state whose chance follows a script; where it ends, dealing or playing raises `Undecided`."""

    machine: ScriptedEvaluator

    def __init__(self, game: ReferenceGame, script: Script, limits: Limits) -> None:
        self._script = script
        super().__init__(game, 0, 0, (), limits, recording=True)

    def _evaluator(self, table: Table, chance: Stream) -> Evaluator:
        program = self.game.program
        return ScriptedEvaluator(table, program.base, ScriptedChance(self._script), self.game.facts)

    @property
    def shuffles(self) -> int:
        """The number of shuffles so far."""
        return len(self.machine.chance.progress.sizes)
