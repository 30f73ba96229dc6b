"""Memoryless players: they determinize only what the seat sees now.

    blind            flat Monte Carlo as in `pimc`, in guesses: shows what memory and legality are worth
    published        the player of the published studies of RECYCLE: mean ranks of ten playouts a move
    published-newer  its successor: the same guesses for all moves, and scores decide
    mcts             the published tree search, in one guess

A guess is a memoryless determinization. It needs a full state to start from: that of a consistent history
(`history`), or else of a relaxed one (`relaxed_history`). Nothing that the seat does not see goes into a
guess.

Players that search worlds also guess, with memory, where there is no consistent history.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from upcard.engine.api import Limits, Observation
from upcard.engine.native import machine_memory
from upcard.engine.native.game import NativeGame
from upcard.engine.native.kernels.language import signed
from upcard.engine.native.resample_plan import Plan, make_plan, sampling
from upcard.engine.native.state_memory import read_table
from upcard.engine.rng import PLAYER, Stream
from upcard.players.belief.determinization import Determinizer
from upcard.players.belief.history import Inconsistent
from upcard.players.belief.history_replay import Replay
from upcard.players.belief.relaxed_history import RelaxedHistory
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
from upcard.players.search.tree_buffer import MAX_SLOTS, TreeBuffer
from upcard.players.search.visibility import visibility_of

TESTS = 10
"""Playouts of every alternative by the published player."""
GUESSES = 10
"""Guesses of the newer published player; every alternative is played out EACH times in each of them."""
EACH = 2
CUT = 200
"""Decisions after the alternative under test; longer playouts are scored as they stand."""
SIMULATIONS = 100
"""Simulations for every alternative by the published tree search."""
LONG = 2_000
"""Decisions in a playout of the published player: it plays to the end, whatever limit a deal has, and only
random play that does not end is cut off."""
NO_LIMIT = 1 << 62
ENTRIES_A_SIMULATION = 4
"""Slots of the tree."""
NO_BUDGET = Budget()


@dataclass
class Guesses:
    """The guesses of one decision."""

    machine: SearchCode
    plan: Plan
    pc: int
    """The program step of the decision."""
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


def guesses_of(replay: Replay, plan: Plan, stream: Stream) -> Guesses:
    """Guesses by a plan at the present decision, with the machine set up for a new search."""
    m = replay.machine
    m.listed = None
    replay.set_up_work()
    m.stream[:] = [signed(word) for word in stream.state]
    return Guesses(m, plan, replay.pc, replay.limits)


def search(
    guesses: Guesses, game: NativeGame, observation: Observation, budget: Budget, name: int, counts: Counts
) -> list[tuple[float, ...]]:
    """Try every alternative once in each guess; returns the sums of `rollout`."""
    m, moves = guesses.machine, observation.moves
    cut_playouts(m, guesses.limits, observation, budget)
    tree = TreeBuffer(m, observation, guesses.pc, 0)
    utility = kept_utility(m, game, observation)
    words = guesses.search(tree, name, len(moves), utility)
    for first, count in slices(budget, max(1, (budget.playouts or PLAYOUTS) // len(moves)), SLICE):
        counts.worlds += m.code.search_guesses(words, first, count)
    return tree.sums()


def guessed(
    relaxed: RelaxedHistory,
    game: NativeGame,
    observation: Observation,
    budget: Budget,
    stream: Stream,
    counts: Counts,
) -> Decision:
    """The decision of a player that searches worlds where there are none."""
    guesses = guesses_of(relaxed.replay, relaxed.remembered(observation), stream)
    found = search(guesses, game, observation, budget, signed(stream.name), counts)
    return decided(observation.moves, found)


class MemorylessPlayer:
    """One seat's player for one deal."""

    immediate = True
    """Whether a decision with one alternative is made without search."""

    def __init__(self, game: NativeGame, seed: int, deal: int, seat: int, usual: Budget = NO_BUDGET) -> None:
        self.game = game
        self.usual = usual
        self.counts = Counts()
        self._name = (seed, deal, PLAYER, seat)
        self._determinizer = Determinizer(game)

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
            replay = self._replay(observation)
        except Inconsistent:
            return Decision(moves[stream.below(len(moves))])
        table = read_table(self.game.words, replay.state)
        plan = make_plan(self.game.words, replay.state, table, None, observation.seat)
        return self.think(guesses_of(replay, plan, stream), observation, budget, signed(stream.name))

    def _replay(self, observation: Observation) -> Replay:
        """A replay at the present decision: of a consistent history, or else of a relaxed one."""
        try:
            return self._determinizer.history(observation).replay
        except Inconsistent:
            self.counts.lost += 1
            relaxed = self._determinizer.relaxed(observation)
            self.counts.guessed += 1
            return relaxed.replay

    def think(self, guesses: Guesses, observation: Observation, budget: Budget, name: int) -> Decision:
        raise NotImplementedError


class Blind(MemorylessPlayer):
    """Flat Monte Carlo: every alternative once in each guess."""

    def think(self, guesses: Guesses, observation: Observation, budget: Budget, name: int) -> Decision:
        return decided(observation.moves, search(guesses, self.game, observation, budget, name, self.counts))


class Recording(MemorylessPlayer):
    """A published player: it sums ranks for every alternative and records them. So it searches even where
    there is one alternative."""

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
        """A row for every alternative: the ranks of all seats, the number of playouts, and what else the
        kernel sums. `parts`: the first number and the count of each slice; `given`: further arguments of the
        kernel."""
        m, choices = guesses.machine, len(observation.moves)
        tree = TreeBuffer(m, observation, guesses.pc, 0)
        sums = machine_memory.words(width * choices)
        search = guesses.search(tree, name, choices, rows=ctypes.addressof(sums))
        for first, count in parts:
            self.counts.missing += kernel(search, first, count, *given)
        return [sums[width * a : width * (a + 1)] for a in range(choices)]


class Published(Recording):
    """Ten playouts of every alternative, each in a new guess; chooses the least mean rank, the first of
    equals.

    A budget of playouts is divided among the alternatives instead.
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
    """Ten guesses, two playouts of every alternative in each; chooses the best mean score, the first of
    equals.

    It records ranks like `Published` although it chooses by scores. A playout is cut 200 decisions after its
    alternative. A budget of playouts is divided among the alternatives, two in a guess.
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
    """The mean of an alternative's playouts; `never` where it has none, which ranks it behind all others."""
    return total / played if played else never


def _leads(rows: list[list[int]], seats: int) -> tuple[tuple[float, ...], ...]:
    """Normalised mean ranks by alternative and seat; empty if an alternative was never played out."""
    if not all(row[seats] for row in rows):
        return ()
    return tuple(tuple(_normalised(rank / row[seats], seats) for rank in row[:seats]) for row in rows)


def _normalised(mean: float, seats: int) -> float:
    return 1.0 if seats == 1 else (seats - 1 - mean) / (seats - 1)


class Mcts(MemorylessPlayer):
    """Tree search with a hundred simulations for every alternative, all in one guess with open cards.

    The published one keeps its tree from decision to decision. This one does not: a node is a full state,
    and the next decision's guess has other hidden cards, so hardly any node would be reached again; and a
    choice would no longer depend on the observation alone.
    """

    def think(self, guesses: Guesses, observation: Observation, budget: Budget, name: int) -> Decision:
        m, moves = guesses.machine, observation.moves
        wanted = budget.playouts or SIMULATIONS * len(moves)
        room = MAX_SLOTS if budget.seconds is not None else ENTRIES_A_SIMULATION * wanted
        cut_playouts(m, guesses.limits, observation, Budget(wanted, budget.seconds))
        tree = TreeBuffer(m, observation, guesses.pc, min(room, MAX_SLOTS))
        stream = ctypes.addressof(m.stream)
        start, state = m.room.address, m.room.address + m.layout.size
        sampling(m.compiled.backend).resample(start, guesses.plan.base.address, guesses.plan.address, stream)
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
