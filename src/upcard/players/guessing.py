"""Players that guess: what they do not see now is anybody's, whatever was shown or played before.

    blind       flat Monte Carlo as `pimc` does it, in guesses: what memory and legality are worth shows by it
    published   the player of the published studies (recycle.md 20.5, and 20.10 for what it records)
    mcts        the published tree search in one guess (20.7)

A guess needs a whole state to start from; the story of the observation (`story.py`) gives one, or the game
without one (`recalling.py`), and nothing of it that the seat does not see goes into a guess.

Players that search worlds guess too where there is no story to make them from: then with memory.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

from upcard.engine.chance import PLAYER, Stream
from upcard.engine.contract import Observation
from upcard.engine.native.game import NativeGame
from upcard.engine.native.imagining import Plan, make_plan, sampling
from upcard.engine.native.memory import read_table
from upcard.engine.native.subset import signed
from upcard.players.deciding import Deciding
from upcard.players.machine import Machine
from upcard.players.protocol import Budget, Decision
from upcard.players.recalling import Recalled
from upcard.players.searching import PLAYOUTS, SLICE, Counts, decided, slices, worth_of
from upcard.players.sight import sight_of
from upcard.players.story import Inconsistent
from upcard.players.trees import MOST_SLOTS, Tree
from upcard.players.worlds import Imagination

TESTS = 10
"""Of every alternative, by the published player."""
SIMULATIONS = 100
"""For every alternative, by the published tree search."""
NO_CAP = 1_000_000
"""Decisions of a deal that the published player plays to its end: random play that goes on for longer is
scored as it stands."""
ENTRIES_A_SIMULATION = 4


NO_BUDGET = Budget()


@dataclass
class Guesses:
    """What the guesses of one decision are made of."""

    machine: Machine
    plan: Plan
    pc: int
    """The step of the decision."""

    def arguments(self) -> tuple[int, ...]:
        """What kernels take that guess."""
        m = self.machine
        return (
            m.base,
            sight_of(m).address,
            self.plan.base.address,
            self.plan.address,
            m.room.address,
            m.work.address,
            ctypes.addressof(m.stream),
        )


def guesses_of(told: Deciding, plan: Plan, stream: Stream) -> Guesses:
    """Everything set for a fresh search."""
    m = told.machine
    m.listed = None
    m.work.limits(told.limits.decisions, told.limits.steps)
    m.stream[:] = [signed(word) for word in stream.state]
    return Guesses(m, plan, told.pc)


def search(
    guesses: Guesses, game: NativeGame, observation: Observation, budget: Budget, name: int, counts: Counts
) -> list[tuple[float, ...]]:
    """Every alternative tried once in each guess: the sums of `searching_kernels`."""
    m, moves = guesses.machine, observation.moves
    tree = Tree(m, observation, guesses.pc, 0)
    worth = worth_of(m, game, observation)
    for first, count in slices(budget, max(1, (budget.playouts or PLAYOUTS) // len(moves)), SLICE):
        counts.worlds += m.code.search_guesses(
            *guesses.arguments(),
            ctypes.addressof(worth),
            tree.address,
            count,
            name,
            first,
            len(moves),
        )
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


class Guesser:
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
            return self._imagination.story(observation)
        except Inconsistent:
            self.counts.lost += 1
            recalled = self._imagination.recalled(observation)
            self.counts.guessed += 1
            return recalled

    def think(self, guesses: Guesses, observation: Observation, budget: Budget, name: int) -> Decision:
        raise NotImplementedError("a kind of guesser thinks in its own way")


class Blind(Guesser):
    """Every alternative tried once in each guess."""

    def think(self, guesses: Guesses, observation: Observation, budget: Budget, name: int) -> Decision:
        return decided(observation.moves, search(guesses, self.game, observation, budget, name, self.counts))


class Published(Guesser):
    """Ten tests of every alternative, each in a fresh guess; the least mean rank, the first of equals.

    It records what it expects of every seat (20.10), so it is asked even where there is one alternative. A
    budget of playouts is shared by the alternatives in place of ten tests each.
    """

    immediate = False

    def think(self, guesses: Guesses, observation: Observation, budget: Budget, name: int) -> Decision:
        m, moves, seats = guesses.machine, observation.moves, self.game.seats
        tree = Tree(m, observation, guesses.pc, 0)
        ranks = (ctypes.c_int64 * ((seats + 1) * len(moves)))()
        m.work.limits(NO_CAP, observation.records[0]["limits"]["steps"])
        tests = TESTS if budget.playouts is None else max(1, budget.playouts // len(moves))
        for first, count in slices(budget, tests, 1):
            self.counts.missing += m.code.rank_alternatives(
                *guesses.arguments(),
                tree.address,
                ctypes.addressof(ranks),
                count,
                name,
                first,
                len(moves),
                int(self.game.program.scoring.highest),
            )
        rows = [ranks[(seats + 1) * a : (seats + 1) * (a + 1)] for a in range(len(moves))]
        # an alternative without a test ranks behind all others
        means = [[r / row[-1] if row[-1] else float(seats) for r in row[:-1]] for row in rows]
        best = min(range(len(moves)), key=lambda a: (means[a][observation.seat], a))
        tested = all(row[-1] for row in rows)
        leads = tuple(tuple(_normalised(mean, seats) for mean in row) for row in means) if tested else ()
        return Decision(moves[best], (), leads)


def _normalised(mean: float, seats: int) -> float:
    return 1.0 if seats == 1 else (seats - 1 - mean) / (seats - 1)


class Mcts(Guesser):
    """A hundred simulations for every alternative, all in one guess, whose cards lie open.

    The published one keeps its tree from decision to decision. This one does not: a node is a whole state,
    and the next decision's guess has other hidden cards, so that hardly any node would be met again; and a
    choice would no longer depend on the observation alone.
    """

    def think(self, guesses: Guesses, observation: Observation, budget: Budget, name: int) -> Decision:
        m, moves = guesses.machine, observation.moves
        wanted = budget.playouts or SIMULATIONS * len(moves)
        room = MOST_SLOTS if budget.seconds is not None else ENTRIES_A_SIMULATION * wanted
        tree = Tree(m, observation, guesses.pc, min(room, MOST_SLOTS))
        stream = ctypes.addressof(m.stream)
        start, state = m.room.address, m.room.address + m.layout.size
        sampling().imagine(start, guesses.plan.base.address, guesses.plan.address, stream)
        for first, count in slices(budget, wanted, SLICE):
            self.counts.missing += m.code.search_states(
                m.base,
                sight_of(m).address,
                start,
                state,
                m.work.address,
                stream,
                tree.address,
                count,
                name,
                first,
                int(self.game.program.scoring.highest),
            )
        m.code.weigh_states(
            m.base, sight_of(m).address, start, m.work.address, stream, tree.address, len(moves)
        )
        means = [won / tried if tried else 0.0 for won, tried in tree.sums(2)]
        return Decision(moves[max(range(len(moves)), key=lambda a: (means[a], -a))])
