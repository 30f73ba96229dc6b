"""The tree of a small game, made as it is walked: decisions, ends, and every outcome of chance.

A node is a position, shared by all who come to it. Cards are decided when somebody reads them
(`solve.chance_script`), so a branch of chance is a card that a seat sees or that the program reads.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TypeAlias

from upcard.engine.api import IllegalMove, Limits, Move, Observation, Outcome
from upcard.engine.reference.game import ReferenceGame
from upcard.rl.action_codes import ActionCodes
from upcard.solve.chance_script import Outcome as ChanceOutcome
from upcard.solve.chance_script import Script, ScriptedState, Undecided
from upcard.solve.replayed_position import Position, Step, exchanged, step_of

KEPT_STATES = 2000
"""States that are kept; others are dealt and played again when they are needed."""

Path: TypeAlias = tuple[Step, ...]


@dataclass(frozen=True)
class Way:
    """One outcome of chance."""

    weight: int
    text: str
    """A description for people."""
    go: Callable[[], Node]


class DecisionNode:
    """A seat decides, or the game is over."""

    def __init__(self, tree: PositionTree, script: Script, path: Path, state: ScriptedState) -> None:
        self._tree = tree
        self._script, self._path = script, path
        self.seat = state.to_move
        """None at an end."""
        self.outcome: Outcome | None = state.outcome
        self.legal: dict[int, Move] = {}
        """By its number, a move for each action."""
        self._indices: dict[int, list[int]] = {}
        if self.seat is not None:
            moves = tree.codes.legal_moves(state.observe(self.seat))
            where = {move.key: index for move, index in state.shown}
            for action, alike in sorted(moves.items()):
                self.legal[action] = alike[0]
                self._indices[action] = [where[move.key] for move in alike]
        self._children: dict[int, Node] = {}
        self._observations: dict[int, Observation] = {}

    def child(self, action: int) -> Node:
        """The position after an action. Raises `IllegalMove`."""
        if action not in self._children:
            if action not in self._indices:
                raise IllegalMove(self._tree.codes.not_legal(action))
            ways = [Way(1, f"alternative {i}", partial(self._after, i)) for i in self._indices[action]]
            self._children[action] = _branch(ways)
        return self._children[action]

    def observation(self, seat: int) -> Observation:
        if seat not in self._observations:
            self._observations[seat] = self._tree.state(self._script, self._path).observe(seat)
        return self._observations[seat]

    def _after(self, index: int) -> Node:
        state = self._tree.state(self._script, self._path)
        path = (*self._path, step_of(state, index))
        after = state.copy()
        try:
            after.play(index)
        except Undecided as chance:
            return self._tree.chance(chance.outcomes, path)
        return self._tree.decision(self._script, path, after)


class ChanceNode:
    """Chance decides between outcomes, numbered from 0."""

    seat = None
    outcome = None

    def __init__(self, ways: list[Way]) -> None:
        total = sum(way.weight for way in ways)
        self.probabilities = [Fraction(way.weight, total) for way in ways]
        self._ways = ways
        self._children: dict[int, Node] = {}

    def child(self, number: int) -> Node:
        """The position after an outcome. Raises `IllegalMove`."""
        if number not in self._children:
            if not 0 <= number < len(self._ways):
                raise IllegalMove(f"chance has no outcome {number} here, only 0 to {len(self._ways) - 1}")
            self._children[number] = self._ways[number].go()
        return self._children[number]

    def text(self, number: int) -> str:
        return self._ways[number].text


Node: TypeAlias = DecisionNode | ChanceNode


class PositionTree:
    """A game, and the nodes that somebody came to."""

    def __init__(self, game: ReferenceGame, codes: ActionCodes, limits: Limits) -> None:
        self.codes = codes
        self._game, self._limits = game, limits
        self._states: OrderedDict[tuple[Script, Path], ScriptedState] = OrderedDict()
        self._faces = {card.id: card.attributes for card in game.deal().table.cards}
        self._names = [game.narrator.card(card, self._faces) for card in self._faces]
        self.root: Node = self._deal(Script(), ())

    @property
    def cards(self) -> int:
        return len(self._names)

    def state(self, script: Script, path: Path) -> ScriptedState:
        """The state of a position; it must not be played on."""
        made = self._states.get((script, path))
        if made is None:
            made = Position(script, path, self._limits).state(self._game)
            self._keep(script, path, made)
        return made

    def decision(self, script: Script, path: Path, state: ScriptedState) -> DecisionNode:
        self._keep(script, path, state)
        return DecisionNode(self, script, path, state)

    def chance(self, outcomes: list[ChanceOutcome], path: Path) -> Node:
        """The branches of a shuffle or of another draw."""
        ways = []
        for number, one in enumerate(outcomes):
            text = f"draw {number}" if one.exchange is None else self._names[one.exchange.other]
            after = partial(self._deal, one.script, tuple(exchanged([*path], one.exchange)))
            ways.append(Way(one.weight, text, after))
        return _branch(ways)

    def _deal(self, script: Script, path: Path) -> Node:
        try:
            state = Position(script, path, self._limits).state(self._game)
        except Undecided as chance:
            return self.chance(chance.outcomes, path)
        return self.decision(script, path, state)

    def _keep(self, script: Script, path: Path, state: ScriptedState) -> None:
        self._states[script, path] = state
        if len(self._states) > KEPT_STATES:
            self._states.popitem(last=False)


def _branch(ways: list[Way]) -> Node:
    """A node of chance; none where there is only one way."""
    return ways[0].go() if len(ways) == 1 else ChanceNode(ways)
