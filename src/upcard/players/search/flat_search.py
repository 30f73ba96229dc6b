"""Flat Monte Carlo search: budgets in slices, sums over worlds, values with errors."""

from __future__ import annotations

import ctypes
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass

from upcard.engine.api import Limits, Move, Observation
from upcard.engine.native import machine_memory
from upcard.engine.native.game import NativeGame
from upcard.engine.native.kernels.language import signed
from upcard.engine.rng import Stream
from upcard.players.belief.determinization import Worlds
from upcard.players.protocol import Budget, Decision, Value
from upcard.players.search import rollout as k
from upcard.players.search.search_code import SearchCode
from upcard.players.search.utility import utility_of
from upcard.players.search.world_rollouts import FlatSearch

PLAYOUTS = 1000
USUAL = Budget(PLAYOUTS)
SLICE = 64
"""Playouts of every alternative between two looks at the clock."""
BELIEVED_SLICE = 4
"""The same, where every world is weighed by what was watched."""
MAX_UTILITIES = 64
EACH = 2
"""Playouts of every alternative in a world."""
LONGEST = 500
"""Decisions that any playout may have, as many as a deal has unless somebody allows more."""
MAX_DECISIONS = 500_000
"""Decisions that all playouts of one choice may have together beyond that: where random play does not end,
they are cut off so early that a choice takes about a second."""
PLAYED, WORLDS = 7, 8
"""Which of an alternative's sums (`rollout.SUMS`) count."""


@dataclass
class Counts:
    """What happened in a player's searches."""

    decisions: int = 0
    forced: int = 0
    worlds: int = 0
    tried: int = 0
    missing: int = 0
    """Worlds that were asked for and not found."""
    walked: int = 0
    """Worlds that dealing did not find: they come from a walk, each not far from the one before."""
    lost: int = 0
    """Decisions whose record made no history, and so had no worlds."""
    guessed: int = 0
    """Those of them that were thought about in guesses instead; the others were played by chance."""

    def add_worlds(self, worlds: Worlds) -> None:
        """Add what the kernels counted while they sampled worlds."""
        tally = worlds.machine.tally
        self.tried += tally.tried
        self.missing += tally.missing
        self.walked += tally.walked


def slices(budget: Budget, wanted: int, size: int = SLICE) -> Iterator[tuple[int, int]]:
    """From which number on how many, until all that is wanted is done, or the time is up.

    With a budget in seconds the first slices are small, and none is larger than the time left allows.
    """
    if budget.seconds is None:
        yield 0, wanted
        return
    now = time.monotonic()
    until = now + budget.seconds
    done, count = 0, 1
    while done == 0 or now < until:
        yield done, count
        done += count
        before, now = now, time.monotonic()
        each = max((now - before) / count, 1e-9)
        count = max(1, min(size, 2 * count, int((until - now) / each)))


def left_of(budget: Budget, started: float, share: float = 1.0) -> Budget:
    """What is left of a budget in seconds since a moment, or a share of it; one in playouts as it is."""
    if budget.seconds is None:
        return budget
    return Budget(seconds=max(0.0, share * budget.seconds - (time.monotonic() - started)))


def cut_after(limit: int, decision: int, playouts: int, least: int = LONGEST) -> int:
    """The decision of a deal after which playouts of one choice are cut off and scored as they stand.

    `limit` is the deal's own, and `least` the decisions that every playout may have.
    """
    return min(limit, decision + 1 + max(least, MAX_DECISIONS // max(1, playouts)))


def cut_playouts(machine: SearchCode, limits: Limits, observation: Observation, budget: Budget) -> None:
    """Sets the limits of a search that plays out at random."""
    usual = PLAYOUTS if budget.seconds is None else SLICE * len(observation.moves)
    playouts = budget.playouts or usual
    machine.work.limits(cut_after(limits.decisions, observation.decision, playouts), limits.steps)


def slice_of(worlds: Worlds) -> int:
    return BELIEVED_SLICE if worlds.believes else SLICE


def kept_utility(machine: SearchCode, game: NativeGame, observation: Observation) -> k.Utility:
    """The utility of ends, kept for the next decision: it changes with the score and the seat."""
    kept, match = machine.utilities, observation.match
    score = None if match is None else (*match["scores"], match["to"], match["ties"], match.get("down"))
    key = observation.seat, observation.seats, observation.teams, score
    if key not in kept:
        if len(kept) >= MAX_UTILITIES:
            kept.clear()
        kept[key] = utility_of(game, observation)
    return kept[key]


def flat_search(
    worlds: Worlds,
    game: NativeGame,
    observation: Observation,
    budget: Budget,
    stream: Stream,
    counts: Counts,
) -> list[tuple[float, ...]]:
    """The sums of `rollout` for every alternative."""
    m = worlds.machine
    choices = len(observation.moves)
    worlds.begin(stream)
    cut_playouts(m, worlds.history.replay.limits, observation, budget)
    sums = machine_memory.floats(k.SUMS * choices)
    utility = kept_utility(m, game, observation)
    search = FlatSearch.pack(
        worlds=worlds.words,
        room=m.room.address,
        utility=utility,
        sums=ctypes.addressof(sums),
        each=EACH,
        name=signed(stream.name),
        alternatives=choices,
    )
    wanted = max(1, (budget.playouts or PLAYOUTS) // choices)
    worlds.share_weighing(-(-wanted // EACH))
    for first, count in slices(budget, wanted, slice_of(worlds)):
        counts.worlds += m.code.search_flat(search, first, count)
    counts.add_worlds(worlds)
    return [tuple(sums[k.SUMS * a : k.SUMS * (a + 1)]) for a in range(choices)]


def add_world(row: list[float], weight: float, points: float, win: float, worth: float) -> None:
    """A world to the sums of an alternative, as the kernels do it."""
    for at, more in enumerate((1.0, points, points**2, win, win**2, worth, worth**2)):
        row[at] += weight * more
    row[PLAYED] += 1
    row[WORLDS] += 1


def decided(moves: tuple[Move, ...], sums: list[tuple[float, ...]]) -> Decision:
    """The alternative worth most; the first of equals."""
    worths = [row[5] / row[0] if row[0] else -math.inf for row in sums]
    best = max(range(len(moves)), key=lambda a: (worths[a], -a))
    return Decision(moves[best], values_of(moves, sums))


def values_of(moves: tuple[Move, ...], sums: list[tuple[float, ...]]) -> tuple[Value, ...]:
    """Of every alternative, or none where one of them was never tried."""
    if not all(row[0] for row in sums):
        return ()
    return tuple(value_of(move, row) for move, row in zip(moves, sums, strict=True))


def value_of(move: Move, row: tuple[float, ...]) -> Value:
    """The sums of an alternative as means."""
    weight, points, squares, won, won_squares, _, _, visits, worlds = row
    mean, win = points / weight, won / weight
    return Value(
        move,
        mean,
        _error(squares / weight - mean * mean, worlds),
        win,
        _error(won_squares / weight - win * win, worlds),
        round(visits),
    )


def _error(variance: float, worlds: float) -> float:
    return math.sqrt(max(0.0, variance) / worlds) if worlds else math.inf
