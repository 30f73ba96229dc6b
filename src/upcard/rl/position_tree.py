"""The tree of a small game, made as it is walked: decisions, ends, and every outcome of chance.

A node is a position, shared by all who come to it. Cards are decided when somebody reads them
(`solve.chance_script`), so a branch of chance is a card that a seat sees or that the program reads.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, TypeAlias

from upcard.engine.api import IllegalMove, Move, Observation, Outcome
from upcard.engine.reference.game import ReferenceGame
from upcard.rl.game_codes import GameCodes
from upcard.rl.seat_views import SeatViews
from upcard.solve.chance_script import Outcome as ChanceOutcome
from upcard.solve.chance_script import Script, ScriptedState, Undecided
from upcard.solve.enumeration import reference_of
from upcard.solve.replayed_position import Position, Step, exchanged, step_of

KEPT_STATES = 2000
"""States that are kept; others are dealt and played again when they are needed."""

Path: TypeAlias = tuple[Step, ...]
Route: TypeAlias = tuple[int, ...]
"""How to come to a node from the root: numbers of actions and of outcomes."""


@dataclass(frozen=True)
class Way:
    """One outcome of chance."""

    weight: int
    text: str
    """A description for people."""
    go: Callable[[Route], Node]


class DecisionNode(SeatViews):
    """A seat decides, or the game is over."""

    def __init__(
        self, tree: PositionTree, route: Route, script: Script, path: Path, state: ScriptedState
    ) -> None:
        super().__init__()
        self.tree, self.route = tree, route
        self._script, self._path = script, path
        self.seat = state.to_move
        """None at an end."""
        self.outcome: Outcome | None = state.outcome
        self.legal: dict[int, Move] = {}
        """By its number, a move for each action."""
        self._indices: dict[int, list[int]] = {}
        if self.seat is not None:
            where = {move.key: index for move, index in state.shown}
            seen = self._observations[self.seat] = state.observe(self.seat)
            for action, alike in tree.codes.moves(seen).items():
                self.legal[action] = alike[0]
                self._indices[action] = [where[move.key] for move in alike]
        self._children: dict[int, Node] = {}

    def child(self, action: int) -> Node:
        """The position after an action. Raises `IllegalMove`."""
        if action not in self._children:
            if action not in self._indices:
                raise IllegalMove(f"action {action} is not possible here")
            ways = [Way(1, f"alternative {i}", partial(self._after, i)) for i in self._indices[action]]
            self._children[action] = _branch(self.tree, ways, (*self.route, action))
        return self._children[action]

    def _observe(self, seat: int) -> Observation:
        return self.tree.state(self._script, self._path).observe(seat)

    def _after(self, index: int, route: Route) -> Node:
        state = self.tree.state(self._script, self._path)
        path = (*self._path, step_of(state, index))
        after = state.copy()
        try:
            after.play(index)
        except Undecided as chance:
            return self.tree.chance(chance.outcomes, path, route)
        return self.tree.decision(self._script, path, after, route)

    def __deepcopy__(self, memo: object) -> DecisionNode:
        return self

    def __reduce__(self) -> Any:
        return node_at, (self.tree.codes, self.route)


class ChanceNode:
    """Chance decides between outcomes, numbered from 0."""

    seat = None
    outcome = None

    def __init__(self, tree: PositionTree, route: Route, ways: list[Way]) -> None:
        self.tree, self.route = tree, route
        total = sum(way.weight for way in ways)
        self.probabilities = [Fraction(way.weight, total) for way in ways]
        self._ways = ways
        self._children: dict[int, Node] = {}

    def child(self, number: int) -> Node:
        """The position after an outcome. Raises `IllegalMove`."""
        if number not in self._children:
            if not 0 <= number < len(self._ways):
                raise IllegalMove(f"chance has no outcome {number} here, only 0 to {len(self._ways) - 1}")
            self._children[number] = self._ways[number].go((*self.route, number))
        return self._children[number]

    def text(self, number: int) -> str:
        return self._ways[number].text

    def __deepcopy__(self, memo: object) -> ChanceNode:
        return self

    def __reduce__(self) -> Any:
        return node_at, (self.tree.codes, self.route)


Node: TypeAlias = DecisionNode | ChanceNode


class PositionTree:
    """A game, and the nodes that somebody came to."""

    def __init__(self, codes: GameCodes) -> None:
        self.codes = codes
        self._game: ReferenceGame = reference_of(codes.game)
        self._states: OrderedDict[tuple[Script, Path], ScriptedState] = OrderedDict()
        faces = {card.id: card.attributes for card in self._game.deal().table.cards}
        self._names = [self._game.narrator.card(card, faces) for card in faces]
        self.root: Node = self._deal(Script(), (), ())

    @property
    def cards(self) -> int:
        return len(self._names)

    def at(self, route: Route) -> Node:
        node = self.root
        for number in route:
            node = node.child(number)
        return node

    def alike(self, node: DecisionNode, seat: int) -> list[tuple[Fraction, Route]]:
        """All positions that a seat cannot tell from one, and how likely chance makes each of them."""
        return list(_alike(self.root, Fraction(1), node.observation(seat), seat))

    # --- making nodes --------------------------------------------------------------------------

    def state(self, script: Script, path: Path) -> ScriptedState:
        """The state of a position; it must not be played on."""
        made = self._states.get((script, path))
        if made is None:
            made = Position(script, path, self.codes.limits).state(self._game)
            self._keep(script, path, made)
        return made

    def decision(self, script: Script, path: Path, state: ScriptedState, route: Route) -> DecisionNode:
        self._keep(script, path, state)
        return DecisionNode(self, route, script, path, state)

    def chance(self, outcomes: list[ChanceOutcome], path: Path, route: Route) -> Node:
        """The branches of a shuffle or of another draw."""
        ways = []
        for number, one in enumerate(outcomes):
            text = f"draw {number}" if one.exchange is None else self._names[one.exchange.other]
            after = partial(self._deal, one.script, tuple(exchanged([*path], one.exchange)))
            ways.append(Way(one.weight, text, after))
        return _branch(self, ways, route)

    def _deal(self, script: Script, path: Path, route: Route) -> Node:
        try:
            state = Position(script, path, self.codes.limits).state(self._game)
        except Undecided as chance:
            return self.chance(chance.outcomes, path, route)
        return self.decision(script, path, state, route)

    def _keep(self, script: Script, path: Path, state: ScriptedState) -> None:
        self._states[script, path] = state
        if len(self._states) > KEPT_STATES:
            self._states.popitem(last=False)


def node_at(codes: GameCodes, route: Route) -> Node:
    """A node that was pickled."""
    return PositionTree(codes).at(route)


def _branch(tree: PositionTree, ways: list[Way], route: Route) -> Node:
    """A node of chance; none where there is only one way."""
    return ways[0].go(route) if len(ways) == 1 else ChanceNode(tree, route, ways)


def _alike(node: Node, share: Fraction, wanted: Observation, seat: int) -> Iterator[tuple[Fraction, Route]]:
    if isinstance(node, ChanceNode):
        for number, part in enumerate(node.probabilities):
            yield from _alike(node.child(number), share * part, wanted, seat)
        return
    seen = node.observation(seat)
    length = len(seen.records)
    if seen.records != wanted.records[:length]:
        return
    if length == len(wanted.records):
        if seen.key == wanted.key:
            yield share, node.route
        return
    for action in node.legal:
        yield from _alike(node.child(action), share, wanted, seat)
