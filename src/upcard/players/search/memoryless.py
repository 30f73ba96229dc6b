"""Players without memory: they determinize only what the seat sees now.

    blind            flat Monte Carlo as `pimc` does it, in guesses: shows what memory and legality are worth
    published        the player of the published studies (recycle.md 20.5, and 20.10 for what it records)
    published-newer  the one after it: the same guesses for all alternatives, and scores decide (20.6)
    mcts             the published tree search in one guess (20.7)

A guess needs a whole state to start from; the history of the observation (`history.py`) gives one, or the
game without one (`relaxed_history.py`), and nothing of it that the seat does not see goes into a guess.

Players that search worlds guess too where there is no history to make them from: then with memory.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from upcard.engine.api import Limits, Observation
from upcard.engine.native.game import NativeGame
from upcard.engine.native.kernels.language import signed
from upcard.engine.native.resample_plan import Plan, make_plan, sampling
from upcard.engine.native.state_memory import read_table
from upcard.engine.rng import PLAYER, Stream
from upcard.players.belief.decision_match import Deciding
from upcard.players.belief.determinization import Imagination
from upcard.players.belief.history import Inconsistent
from upcard.players.belief.relaxed_history import Recalled
from upcard.players.protocol import Budget, Decision
from upcard.players.search.flat_search import (
    PLAYOUTS,
    SLICE,
    Counts,
    cut_after,
    cut_playouts,
    decided,
    kept_utility,
    slices,
)
from upcard.players.search.mcts import StateSearch
from upcard.players.search.memoryless_rollouts import MemorylessSearch
from upcard.players.search.rollout import Utility
from upcard.players.search.search_code import SearchCode
from upcard.players.search.tree_buffer import MOST_SLOTS, TreeBuffer
from upcard.players.search.visibility import visibility_of

TESTS = 10
"""Of every alternative, by the published player."""
GUESSES = 10
"""Of the newer published player, the same for all alternatives; each is played out EACH times in each."""
EACH = 2
CUT = 200
"""Decisions after the alternative under test, then its playouts are scored as they stand."""
SIMULATIONS = 100
"""For every alternative, by the published tree search."""
LONG = 2_000
"""Decisions that any playout of the published player may have: it plays to the end, whatever limit a deal
has, and only random play that does not end is cut off."""
NO_LIMIT = 1 << 62
ENTRIES_A_SIMULATION = 4


NO_BUDGET = Budget()


@dataclass
class Guesses:
    """What the guesses of one decision are made of."""

    machine: SearchCode
    plan: Plan
    pc: int
    """The step of the decision."""
    limits: Limits

    def search(
        self, tree: TreeBuffer, name: int, moves: int, utility: Utility | int = 0, rows: int = 0
    ) -> MemorylessSearch:
        """For kernels that guess."""
        m = self.machine
        return MemorylessSearch.pack(
            game=m.facts,
            visibility=visibility_of(m).table,
            base=self.plan.base.address,
            plan=self.plan.words,
            room=m.room.address,
            work=m.work.address,
            stream=ctypes.addressof(m.stream),
            tree=tree.tree,
            utility=utility,
            rows=rows,
            name=name,
            alternatives=moves,
            highest=int(m.game.program.scoring.highest),
        )


def guesses_of(told: Deciding, plan: Plan, stream: Stream) -> Guesses:
    """Everything set for a fresh search."""
    m = told.machine
    m.listed = None
    m.work.limits(told.limits.decisions, told.limits.steps)
    m.stream[:] = [signed(word) for word in stream.state]
    return Guesses(m, plan, told.pc, told.limits)


def search(
    guesses: Guesses, game: NativeGame, observation: Observation, budget: Budget, name: int, counts: Counts
) -> list[tuple[float, ...]]:
    """Every alternative tried once in each guess: the sums of `rollout`."""
    m, moves = guesses.machine, observation.moves
    cut_playouts(m, guesses.limits, observation, budget)
    tree = TreeBuffer(m, observation, guesses.pc, 0)
    utility = kept_utility(m, game, observation)
    words = guesses.search(tree, name, len(moves), utility)
    for first, count in slices(budget, max(1, (budget.playouts or PLAYOUTS) // len(moves)), SLICE):
        counts.worlds += m.code.search_guesses(words, first, count)
    return tree.sums()


def guessed(
    recalled: Recalled,
    game: NativeGame,
    observation: Observation,
    budget: Budget,
    stream: Stream,
    counts: Counts,
) -> Decision:
    """What a player that searches worlds does where there are none."""
    guesses = guesses_of(recalled, recalled.remembered(observation), stream)
    found = search(guesses, game, observation, budget, signed(stream.name), counts)
    return decided(observation.moves, found)


class MemorylessPlayer:
    """One seat's player for one deal."""

    immediate = True
    """A decision with one alternative is not thought about."""

    def __init__(self, game: NativeGame, seed: int, deal: int, seat: int, usual: Budget = NO_BUDGET) -> None:
        self.game = game
        self.usual = usual
        self.counts = Counts()
        self._name = (seed, deal, PLAYER, seat)
        self._imagination = Imagination(game)

    def choose(self, observation: Observation, budget: Budget) -> Decision:
        moves = observation.moves
        if budget == NO_BUDGET:
            budget = self.usual
        self.counts.decisions += 1
        self.counts.forced += len(moves) == 1
        if len(moves) == 1 and self.immediate:
            return Decision(moves[0])
        stream = Stream((*self._name, observation.decision))
        try:
            told = self._told(observation)
        except Inconsistent:
            return Decision(moves[stream.below(len(moves))])
        table = read_table(self.game.words, told.state)
        plan = make_plan(self.game.words, told.state, table, None, observation.seat)
        return self.think(guesses_of(told, plan, stream), observation, budget, signed(stream.name))

    def _told(self, observation: Observation) -> Deciding:
        """A game that leads to what is seen now."""
        try:
            return self._imagination.history(observation)
        except Inconsistent:
            self.counts.lost += 1
            recalled = self._imagination.recalled(observation)
            self.counts.guessed += 1
            return recalled

    def think(self, guesses: Guesses, observation: Observation, budget: Budget, name: int) -> Decision:
        raise NotImplementedError("a kind of guesser thinks in its own way")


class Blind(MemorylessPlayer):
    """Every alternative tried once in each guess."""

    def think(self, guesses: Guesses, observation: Observation, budget: Budget, name: int) -> Decision:
        return decided(observation.moves, search(guesses, self.game, observation, budget, name, self.counts))


class Recording(MemorylessPlayer):
    """What the published players share: sums of every alternative, and the ranks that they record (20.10).
    So they are asked even where there is one alternative."""

    immediate = False

    def rows(
        self,
        guesses: Guesses,
        observation: Observation,
        parts: Iterable[tuple[int, int]],
        kernel: Callable[..., int],
        width: int,
        name: int,
        *given: int,
    ) -> list[list[int]]:
        """Of every alternative: the ranks of all seats, how often it was played out, and what else the kernel
        adds up. `parts`: slices of the work; `given`: further arguments of the kernel."""
        m, choices = guesses.machine, len(observation.moves)
        tree = TreeBuffer(m, observation, guesses.pc, 0)
        sums = (ctypes.c_int64 * (width * choices))()
        search = guesses.search(tree, name, choices, rows=ctypes.addressof(sums))
        for first, count in parts:
            self.counts.missing += kernel(search, first, count, *given)
        return [sums[width * a : width * (a + 1)] for a in range(choices)]


class Published(Recording):
    """Ten tests of every alternative, each in a fresh guess; the least mean rank, the first of equals.

    A budget of playouts is shared by the alternatives in place of ten tests each.
    """

    def think(self, guesses: Guesses, observation: Observation, budget: Budget, name: int) -> Decision:
        m, moves, seats = guesses.machine, observation.moves, self.game.seats
        tests = TESTS if budget.playouts is None else max(1, budget.playouts // len(moves))
        cut = cut_after(NO_LIMIT, observation.decision, tests * len(moves), LONG)
        m.work.limits(cut, guesses.limits.steps)
        parts = slices(budget, tests, 1)
        rows = self.rows(guesses, observation, parts, m.code.rank_alternatives, seats + 1, name)
        own = [_mean(row[observation.seat], row[seats], float(seats)) for row in rows]
        return Decision(moves[own.index(min(own))], (), _leads(rows, seats))


class PublishedNewer(Recording):
    """Ten guesses, two playouts of every alternative in each; the best mean score, the first of equals.

    It records ranks as the older one does, though it goes by scores. A playout is cut 200 decisions after
    its alternative. A budget of playouts is shared by the alternatives, two in a guess.
    """

    def think(self, guesses: Guesses, observation: Observation, budget: Budget, name: int) -> Decision:
        m, moves, seats = guesses.machine, observation.moves, self.game.seats
        m.work.limits(observation.decision + 1 + CUT, guesses.limits.steps)
        wanted = GUESSES if budget.playouts is None else max(1, budget.playouts // (EACH * len(moves)))
        parts = slices(budget, wanted, 1)
        rows = self.rows(guesses, observation, parts, m.code.score_alternatives, 2 * seats + 1, name, EACH)
        sign = 1 if self.game.program.scoring.highest else -1
        own = [_mean(sign * row[seats + 1 + observation.seat], row[seats], -math.inf) for row in rows]
        return Decision(moves[own.index(max(own))], (), _leads(rows, seats))


def _mean(total: int, played: int, never: float) -> float:
    """Of an alternative, which ranks behind all others where it could not be played out."""
    return total / played if played else never


def _leads(rows: list[list[int]], seats: int) -> tuple[tuple[float, ...], ...]:
    """Normalised mean ranks by alternative and seat, from rows of ranks and counts; none if one has none."""
    if not all(row[seats] for row in rows):
        return ()
    return tuple(tuple(_normalised(rank / row[seats], seats) for rank in row[:seats]) for row in rows)


def _normalised(mean: float, seats: int) -> float:
    return 1.0 if seats == 1 else (seats - 1 - mean) / (seats - 1)


class Mcts(MemorylessPlayer):
    """A hundred simulations for every alternative, all in one guess, whose cards lie open.

    The published one keeps its tree from decision to decision. This one does not: a node is a whole state,
    and the next decision's guess has other hidden cards, so that hardly any node would be met again; and a
    choice would no longer depend on the observation alone.
    """

    def think(self, guesses: Guesses, observation: Observation, budget: Budget, name: int) -> Decision:
        m, moves = guesses.machine, observation.moves
        wanted = budget.playouts or SIMULATIONS * len(moves)
        room = MOST_SLOTS if budget.seconds is not None else ENTRIES_A_SIMULATION * wanted
        cut_playouts(m, guesses.limits, observation, Budget(wanted, budget.seconds))
        tree = TreeBuffer(m, observation, guesses.pc, min(room, MOST_SLOTS))
        stream = ctypes.addressof(m.stream)
        start, state = m.room.address, m.room.address + m.layout.size
        sampling().resample(start, guesses.plan.base.address, guesses.plan.address, stream)
        search = StateSearch.pack(
            game=m.facts,
            visibility=visibility_of(m).table,
            start=start,
            state=state,
            work=m.work.address,
            stream=stream,
            tree=tree.tree,
            name=name,
            highest=int(self.game.program.scoring.highest),
        )
        for first, count in slices(budget, wanted, SLICE):
            self.counts.missing += m.code.search_states(search, first, count)
        m.code.weigh_states(search, len(moves))
        means = [won / tried if tried else 0.0 for won, tried in tree.sums(2)]
        return Decision(moves[max(range(len(moves)), key=lambda a: (means[a], -a))])
