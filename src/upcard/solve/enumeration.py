"""Enumerates a game's tree with scripted chance: every position that differs for somebody, once.

Forced moves are played without a node. Branches of chance whose trees are alike, down to the information
sets, are one branch with the sum of their probabilities, and chance that decides only what is paid at an end
is replaced by its mean.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TypeAlias

from upcard.engine.api import Limits
from upcard.engine.native.game import NativeGame
from upcard.engine.reference.game import ReferenceGame
from upcard.engine.shared.game import LoadedGame
from upcard.parallel.cores import cores
from upcard.parallel.pool import in_order
from upcard.recycle.diagnostics import Refused
from upcard.solve.chance_script import NotEnumerable, Outcome, Script, ScriptedState, Undecided
from upcard.solve.game_tree import CHANCE, END, GameTree
from upcard.solve.listed_sets import ListedSets
from upcard.solve.node_list import NodeList, Payoff, flatten
from upcard.solve.replayed_position import Position, Step, exchanged, step_of
from upcard.solve.seat_choices import Choice, choices_of, information_set, knowledge_digest
from upcard.solve.tree_size import about, estimate_size

MAX_NODES = 200_000
"""Unless a caller says otherwise: some minutes of listing."""
MANY_ALIKE = 20
"""How many times the limit may be found, counting trees that are like others, and may be estimated."""
PROGRESS = 100
SMALL = 20_000
"""Nodes up to which starting other processes takes longer than it saves."""


class TooManyNodes(Refused):
    """A game whose tree is larger than the limit.

    >>> try:
    ...     upcard.solve.run("euchre")
    ... except upcard.solve.TooManyNodes:
    ...     print("too many nodes")
    too many nodes
    """

    is_answer = True


@dataclass
class Listing:
    """A game's tree, with a position of each information set."""

    game: ReferenceGame
    tree: GameTree
    positions: list[Position]


def enumerate_game(
    game: LoadedGame,
    max_nodes: int = MAX_NODES,
    limits: Limits | None = None,
    on_progress: Callable[[int], None] | None = None,
    workers: int | None = None,
) -> Listing:
    """The tree of a game, listed by several processes. Raises `TooManyNodes` and `NotEnumerable`.

    `on_progress` is called with the number of nodes found since it was last called.
    """
    made, limits = reference_of(game), limits or Limits()
    estimate = estimate_size(made, limits)
    if estimate > MANY_ALIKE * max_nodes:
        raise TooManyNodes(
            f"the tree of {made.name} has {about(estimate)} nodes, and --max-nodes allows {max_nodes:,}; "
            "make the game smaller with --rule or --set, or play it with a search player"
        )
    walk = TreeWalk(made, max_nodes, limits, on_progress)
    return walk.listing(1 if estimate < SMALL else cores() if workers is None else workers)


def estimate_nodes(game: LoadedGame, limits: Limits | None = None) -> float:
    """About how many nodes the tree of a game has: the mean over random games (Knuth's estimate)."""
    return estimate_size(reference_of(game), limits or Limits())


class TreeWalk:
    """Lists a tree depth first."""

    def __init__(
        self,
        game: ReferenceGame,
        max_nodes: int,
        limits: Limits,
        on_progress: Callable[[int], None] | None = None,
    ) -> None:
        self._game = game
        self._max_nodes = max_nodes
        self._limits = limits
        self._on_progress = on_progress
        self._nodes = NodeList()
        self._found = 0
        """Nodes so far, with those that were like others."""
        self._sets = ListedSets(self._game.name)

    # --- the whole tree ------------------------------------------------------------------------

    def listing(self, workers: int) -> Listing:
        deals = self._deals(Script()) if workers > 1 else Script()
        scripts = list(_scripts(deals))
        if len(scripts) == 1:
            with _deep_recursion(self._limits.decisions):
                root = self._chance_from(Script(), [], _no_parents(self._game.seats))
        else:
            part = _Part(self._game, self._max_nodes, self._limits, scripts)
            root = self._graft(deals, in_order(_list_deal, part, len(scripts), 1, workers))
        tree, order = flatten(self._nodes, root, self._sets.sets, self._game.seats)
        keys = {one.key for one in tree.information_sets}
        assert len(keys) == len(tree.information_sets), "equal observations are one information set"
        return Listing(self._game, tree, [self._sets.positions[number] for number in order])

    def _deals(self, script: Script) -> _Deals:
        """The deals up to the first decision, in the branches of chance that lead to them."""
        try:
            self._deal(script, [])
        except Undecided as chance:
            return [(outcome.weight, self._deals(outcome.script)) for outcome in chance.outcomes]
        return script

    def _graft(self, deals: _Deals, parts: Iterator[_Subtree]) -> int:
        """The node of some deals, whose trees were listed by other processes in the same order."""
        if not isinstance(deals, Script):
            return self._branch([(weight, partial(self._graft, inside, parts)) for weight, inside in deals])
        part = next(parts)
        self._nodes.add_all(part.nodes, self._sets.add_all(part.sets))
        self._check_count(part.found)
        return len(self._nodes.seat) - 1

    def subtree(self, script: Script) -> _Subtree:
        with _deep_recursion(self._limits.decisions):
            self._chance_from(script, [], _no_parents(self._game.seats))
        return _Subtree(self._nodes, self._sets, self._found)

    def _chance_from(self, script: Script, path: list[Step], parents: _Parents) -> int:
        """The node of a position that is dealt again: chance goes on until there is a decision or an end."""
        try:
            state = self._deal(script, path)
        except Undecided as chance:
            return self._branch(
                [(outcome.weight, self._outcome_node(outcome, path, parents)) for outcome in chance.outcomes]
            )
        return self._node(state, script, path, parents)

    def _outcome_node(self, outcome: Outcome, path: list[Step], parents: _Parents) -> Callable[[], int]:
        return lambda: self._chance_from(outcome.script, exchanged(path, outcome.exchange), parents)

    def _branch(self, ways: list[tuple[int, Callable[[], int]]]) -> int:
        """A node at which chance goes one of several ways, or the only one that is left of them."""
        nodes = self._nodes
        total = sum(weight for weight, _ in ways)
        found: dict[bytes, int] = {}
        weights: dict[int, Fraction] = {}
        for weight, make in ways:
            mark = len(nodes.seat)
            child = make()
            known = found.setdefault(nodes.digests[child], child)
            if known != child:
                nodes.forget_from(mark)
            weights[known] = weights.get(known, Fraction(0)) + Fraction(weight, total)
        if len(weights) == 1:
            return next(iter(weights))
        payoffs = [payoff for child in weights if (payoff := nodes.payoffs[child]) is not None]
        if len(payoffs) == len(weights):  # ends alone, each of them one node
            mean = _mean(list(weights.values()), payoffs)
            nodes.forget_from(min(weights))
            return self._end(mean)
        return self._added(CHANCE, -1, "", tuple(weights), tuple(weights.values()))

    def _node(self, state: ScriptedState, script: Script, path: list[Step], parents: _Parents) -> int:
        while state.outcome is None:
            choices = choices_of(state)
            if len(choices) > 1 or len(choices[0].indices) > 1:
                break
            step = step_of(state, choices[0].indices[0])
            try:
                state.play(choices[0].indices[0])
            except Undecided as chance:
                path = [*path, step]
                return self._branch(
                    [(one.weight, self._outcome_node(one, path, parents)) for one in chance.outcomes]
                )
            path = [*path, step]
        if state.outcome is not None:
            return self._end(payoff_of(state))
        seat = state.to_move
        assert seat is not None
        if len(choices) == 1:  # cards that look alike: chance says which one it is
            return self._choice_node(state, choices[0], script, path, parents)
        digest = knowledge_digest(state, seat, choices)
        number = self._sets.number(
            digest,
            parents[seat],
            lambda: information_set(state, seat, choices, parents[seat]),
            self._position(script, path),
        )
        children = []
        for index, choice in enumerate(choices):
            after = (*parents[:seat], (number, index), *parents[seat + 1 :])
            children.append(self._choice_node(state, choice, script, path, after))
        return self._added(seat, number, digest, tuple(children))

    def _choice_node(
        self, state: ScriptedState, choice: Choice, script: Script, path: list[Step], parents: _Parents
    ) -> int:
        def played(index: int) -> Callable[[], int]:
            return lambda: self._after(state, index, script, path, parents)

        return self._branch([(1, played(index)) for index in choice.indices])

    def _after(
        self, state: ScriptedState, index: int, script: Script, path: list[Step], parents: _Parents
    ) -> int:
        path = [*path, step_of(state, index)]
        after = state.copy()
        try:
            after.play(index)
        except Undecided as chance:
            return self._branch(
                [(outcome.weight, self._outcome_node(outcome, path, parents)) for outcome in chance.outcomes]
            )
        return self._node(after, script, path, parents)

    def _added(
        self,
        seat: int,
        at: int,
        name: str,
        children: tuple[int, ...],
        weights: tuple[Fraction, ...] = (),
    ) -> int:
        self._check_count()
        return self._nodes.add(seat, at, name, children, weights)

    def _end(self, payoff: Payoff) -> int:
        self._check_count()
        return self._nodes.add(END, -1, "", payoff=payoff)

    def _check_count(self, more: int = 1) -> None:
        before = self._found // PROGRESS
        self._found += more
        if len(self._nodes.seat) >= self._max_nodes or self._found > MANY_ALIKE * self._max_nodes:
            raise TooManyNodes(
                f"the tree of {self._game.name} has more than {self._max_nodes:,} nodes; allow more with "
                "--max-nodes, or make the game smaller with --rule or --set"
            )
        if self._on_progress is not None and self._found // PROGRESS > before:
            self._on_progress((self._found // PROGRESS - before) * PROGRESS)

    # --- positions -----------------------------------------------------------------------------

    def _deal(self, script: Script, path: list[Step]) -> ScriptedState:
        return self._position(script, path).state(self._game)

    def _position(self, script: Script, path: list[Step]) -> Position:
        return Position(script, tuple(path), self._limits)


_Deals: TypeAlias = "Script | list[tuple[int, _Deals]]"
"""A deal, or the ways in which chance goes on, with their weights."""


def _scripts(deals: _Deals) -> Iterator[Script]:
    if isinstance(deals, Script):
        yield deals
    else:
        for _, inside in deals:
            yield from _scripts(inside)


@dataclass(frozen=True)
class _Part:
    """What another process needs to list the trees of some deals."""

    game: ReferenceGame
    max_nodes: int
    limits: Limits
    scripts: list[Script]


@dataclass(frozen=True)
class _Subtree:
    """The tree behind one deal; its root is the last node."""

    nodes: NodeList
    sets: ListedSets
    found: int


def _list_deal(part: _Part, start: int, end: int) -> _Subtree:
    return TreeWalk(part.game, part.max_nodes, part.limits).subtree(part.scripts[start])


_Parents: TypeAlias = "tuple[tuple[int, int] | None, ...]"
"""For each seat its last information set and action."""


def _no_parents(seats: int) -> _Parents:
    return (None,) * seats


def reference_of(game: LoadedGame) -> ReferenceGame:
    """The game as the reference engine plays it."""
    made = game.reference_game if isinstance(game, NativeGame) else game
    assert isinstance(made, ReferenceGame)
    return made


def payoff_of(state: ScriptedState) -> Payoff:
    """What every seat gets at an end: its points above the average of all seats, so that the sum is 0. A seat
    alone gets its points."""
    outcome = state.outcome
    assert outcome is not None
    if outcome.scores is None:
        raise NotEnumerable(
            f"{state.game.name} can fail, so its tree has no value: it {outcome.text}; mend it first"
        )
    scores = outcome.scores
    mean = Fraction(sum(scores), len(scores)) if len(scores) > 1 else Fraction(0)
    sign = 1 if state.game.program.scoring.highest else -1
    return tuple(sign * (score - mean) for score in scores)


def _mean(shares: list[Fraction], payoffs: list[Payoff]) -> Payoff:
    """The expected payoff of every seat."""
    return tuple(
        sum((share * one for share, one in zip(shares, column, strict=True)), Fraction(0))
        for column in zip(*payoffs, strict=True)
    )


@contextmanager
def _deep_recursion(decisions: int) -> Iterator[None]:
    """Every decision takes a few calls."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, 12 * decisions + 1000))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
