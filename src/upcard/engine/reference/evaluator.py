"""Evaluation context: the table, the counting base, the current random stream, a function per node."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self, TypeAlias, TypeVar

from upcard.engine.api import TABLE, Place, team_owner
from upcard.engine.reference.fault import Fault
from upcard.engine.rng import LISTING, Stream
from upcard.engine.shared.knowledge import Effect, Knowledge
from upcard.engine.shared.table import Snapshot, Table
from upcard.recycle import failures
from upcard.recycle import program as p
from upcard.recycle.facts import Facts
from upcard.recycle.kinds import Kind
from upcard.recycle.order import Origins

Evaluate: TypeAlias = Callable[["Evaluator", Any], Any]
F = TypeVar("F", bound=Evaluate)

VALUES: dict[type[p.Node], Evaluate] = {}
ACTIONS: dict[type[p.Node], Evaluate] = {}


def value_of(*nodes: type[p.Node]) -> Callable[[F], F]:
    """Registers the function that evaluates these nodes."""

    def register(function: F) -> F:
        VALUES.update(dict.fromkeys(nodes, function))
        return function

    return register


def act_of(*nodes: type[p.Node]) -> Callable[[F], F]:
    def register(function: F) -> F:
        ACTIONS.update(dict.fromkeys(nodes, function))
        return function

    return register


class Evaluator:
    def __init__(
        self,
        table: Table,
        base: int,
        chance: Stream,
        facts: Facts,
    ) -> None:
        self.table = table
        self.base = base
        self.facts = facts
        self.chance = chance
        """The game's own stream."""
        self.counts = facts.work
        """Which forms count what they do."""
        self.work = 0
        """Units of work since the last decision, or since a listing began."""
        self.blamed: p.Node | None = None
        """The item of a choice that too much work is put down to; otherwise it is the form that counts."""
        self.effects: list[Effect] = []
        """What was done since somebody last looked."""
        self.noting = True
        """Whether anybody will look; listing always does."""
        self.shuffles = 0
        self.stacked: tuple[tuple[int | str, ...] | None, ...] = ()
        self.knowledge: Knowledge | None = None
        """What the seats remember; playouts do without."""
        self.watched: frozenset[int] | None = None
        """Cards whose faces are not to be looked at while listing for somebody's eyes."""
        self.peeked: int | None = None
        """How many actions had been done when a watched face was first looked at."""
        self.origins = Origins()
        self._listing: Stream | None = None
        self._listing_words: tuple[int, ...] | None = None

    def copy(self) -> Self:
        other = type(self)(self.table.copy(), self.base, self.chance.copy(), self.facts)
        other.shuffles, other.stacked, other.noting = self.shuffles, self.stacked, self.noting
        other.knowledge = self.knowledge.copy() if self.knowledge else None
        other.origins = self.origins
        return other

    def __getstate__(self) -> dict[str, Any]:
        """All but what follows from the game: `attach` gives that to an unpickled evaluator."""
        kept = dict(self.__dict__)
        for name in ("facts", "counts", "origins", "blamed", "effects"):
            del kept[name]
        return kept

    def attach(self, facts: Facts, all_ordered: bool) -> None:
        """Completes an unpickled evaluator."""
        self.facts, self.counts = facts, facts.work
        self.origins, self.blamed, self.effects = Origins(), None, []
        self.table.attach(facts.order, all_ordered)

    # --- chance --------------------------------------------------------------------------------

    @property
    def listing(self) -> bool:
        return self._listing_words is not None

    def begin_listing(self, decision: int) -> None:
        """From here on the listing's own stream is drawn from, and everything is undone afterwards."""
        self._listing_words = (*self.chance.words, LISTING, decision)
        self.work = 0
        self._listing = None  # made when first drawn from: most listings draw nothing
        self.table.trail = []
        self.effects = []

    def end_listing(self) -> None:
        self.table.roll_back(0)
        self.table.trail = None
        self._listing = self._listing_words = None
        self.effects = []

    @property
    def stream(self) -> Stream:
        """Where draws come from now."""
        if self._listing_words is None:
            return self.chance
        if self._listing is None:
            self._listing = Stream(self._listing_words)
        return self._listing

    # --- values --------------------------------------------------------------------------------

    def value(self, node: p.Expr) -> Any:
        return VALUES[type(node)](self, node)

    def act(self, node: p.Action) -> None:
        ACTIONS[type(node)](self, node)

    def count(self, node: p.Node, times: int) -> None:
        """A form counts what it is about to do: elements, groups or runs."""
        units = self.counts.units.get(node)
        if units is not None:
            self.add_work(node, times * units)

    def count_cards(self, node: p.Node, cards: int) -> None:
        if node in self.counts.large:
            self.add_work(node, cards)

    def add_work(self, node: p.Node, units: int) -> None:
        self.work += units
        if self.work > self.counts.most:
            raise self.fault(self.blamed or node, self.counts.sentence)

    def owner(self, node: p.Owner) -> int:
        if isinstance(node, p.Table):
            return TABLE
        who: int = self.value(node)
        if node.kind is not Kind.TEAM:
            return who
        if who >= len(self.table.teams):
            raise self.fault(node, failures.TEAM_IS_GONE)
        return team_owner(who)

    def cards(self, node: p.Expr) -> list[int]:
        """The cards of a collection, bottom to top, as they are now."""
        return self.cards_in(self.value(node))

    def cards_in(self, collection: Place | Snapshot) -> list[int]:
        if isinstance(collection, Snapshot):
            return collection.cards
        return list(self.table.at(collection))

    def elements(self, node: p.Expr) -> list[Any]:
        """The elements of any collection: a list of its own, so that a loop may change what it loops over."""
        value = self.value(node)
        if isinstance(value, Snapshot):
            return list(value.cards)
        if isinstance(value, Place):
            return list(self.table.at(value))
        return list(value)

    def did(self, *effect: Any) -> None:
        """An action was done: note it, and let the seats remember what they could see of it."""
        if self.noting or self._listing_words is not None:
            self.effects.append(effect)
        if self.knowledge is not None and self._listing_words is None:
            self.knowledge.learn(effect, self.table)

    def look(self, card: int) -> None:
        """A face is looked at."""
        if self.watched is not None and self.peeked is None and card in self.watched:
            self.peeked = len(self.effects)

    def locate(self, node: p.Expr, card: int) -> Place:
        """Where the card that a form gave lies. A memory shows which card it points at, not where that card
        lies, so finding it from there is a look as well."""
        if self.watched is not None and self.origins.in_memory(node):
            self.look(card)
        return self.table.where[card]

    def fault(self, node: p.Node, sentence: str, *said: object) -> Fault:
        """A sentence of `upcard.recycle.failures`, with what it says in place of its braces."""
        return Fault(node, sentence.format(*said))
