"""Plays every move of a decision out in the same sampled worlds, everybody by the model of the hint.

A move that leads straight to another decision of the same seat, such as ordering up as dealer and then
discarding, is continued by the best second move: which that is, is found in worlds of its own, so that the
worlds that give the value do not choose it too.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from upcard.advice.estimate import MAX_UNEVEN, evened
from upcard.advice.model_play import Model
from upcard.engine.api import Observation
from upcard.engine.native.game import NativeGame
from upcard.engine.native.kernels.language import signed
from upcard.engine.native.kernels.random_numbers import name_word
from upcard.engine.native.resample_plan import sampling
from upcard.engine.native.state_memory import Memory
from upcard.engine.rng import PLAYER, Stream
from upcard.players.belief.determinization import Determinizer, Worlds
from upcard.players.belief.history import Inconsistent
from upcard.players.search.memoryless import guesses_of
from upcard.players.search.quick_player import WATCHED, QuickTable, public_homes
from upcard.players.search.search_code import machine_of
from upcard.players.search.utility import relative_points

HINT = 4
"""In the names of random streams: of hints."""
LEAST_WORLDS = 24
MAX_EVEN = 0.9
FEW_MOVES = 6
"""Moves up to which a hint takes all its worlds; with more moves it takes fewer."""
PILOT = 40
"""Worlds that show how likely the moves that were seen usually are."""
MAX_WATCHED = 16
"""The longer the history, the more exactly each of its moves must be weighed (`quick_likelihood`)."""
MAX_WATCHED_RUNS = 100_000
"""Runs of items that weighing the moves of a whole deal may take; in dearer games moves are weighed by fewer
guesses."""
DRAWS = 1 << 30
CHECKS = (24, 48, 96, 192)
"""Numbers of worlds after which moves that are clearly worse are played out no more."""
CLEARLY = 3.0
"""Standard errors of the difference by which they are worse."""
MAX_SECOND = 24
"""Pairs of a move and a second one that are tried; where there are more, the model takes its second move."""
PREPARED = 0.25
"""The share of the worlds, beside those that give values, in which second moves are chosen."""


class NoWorlds(Exception):
    """No deal of the hidden cards fits what the seat sees."""


@dataclass(frozen=True)
class Effort:
    """How much work a hint is worth."""

    worlds: int
    listed: int
    """Alternatives listed in all playouts together; then the worlds so far are enough."""
    runs: int = 6_000_000
    """Items run to list them, likewise: a run takes longer than an alternative counted as a card of a set."""

    def with_worlds(self, worlds: int) -> Effort:
        """The effort for another number of worlds: more of them may also cost more."""
        more = max(1.0, worlds / self.worlds)
        return Effort(worlds, round(self.listed * more), round(self.runs * more))


QUICK = Effort(200, 12_000_000)
"""At the table."""
THOROUGH = Effort(500, 60_000_000)
"""By the command: about a second."""


@dataclass
class Playouts:
    """The results of all moves in all worlds."""

    moves: int
    scores: list[list[tuple[int, ...] | None]] = field(default_factory=list)
    """By world, then by move: the scores of the seats; None where the game failed, or the move was clearly
    worse before."""
    weights: list[float] = field(default_factory=list)
    where: list[tuple[int, ...]] = field(default_factory=list)
    """By world: the number of each card's place."""
    settled: list[bool] = field(default_factory=list)
    """By move: whether nobody has a choice after it, and nothing is unknown."""
    guessed: bool = False
    """Whether the worlds are guesses, as nothing explains all that was seen."""
    second: dict[int, int] = field(default_factory=dict)
    """By move: the second move that continues it."""

    def results(self, move: int) -> tuple[list[tuple[int, ...]], list[float]]:
        """The scores after a move, and the weights of their worlds."""
        found = [
            (row[move], weight) for row, weight in zip(self.scores, self.weights, strict=True) if weight > 0
        ]
        kept = [(scores, weight) for scores, weight in found if scores is not None]
        return [scores for scores, _ in kept], [weight for _, weight in kept]


class Search:
    """The worlds of one observation, and the players in them."""

    def __init__(self, game: NativeGame, observation: Observation, model: Model, seed: int) -> None:
        self.game, self.observation, self.model = game, observation, model
        self._stream = Stream((seed, 0, PLAYER, observation.seat, observation.decision, HINT))
        self._name = signed(self._stream.name)
        self._draw = (seed, 0, PLAYER, observation.seat, observation.decision, HINT)
        self.machine = machine_of(game)
        determinizer = Determinizer(game)
        self.worlds: Worlds | None = None
        try:
            self.worlds = determinizer.worlds(observation)
            limits = self.worlds.history.replay.limits
        except Inconsistent:
            try:
                relaxed = determinizer.relaxed(observation)
            except Inconsistent:
                raise NoWorlds from None
            self._guesses = guesses_of(relaxed.replay, relaxed.remembered(observation), self._stream)
            limits = relaxed.replay.limits
        self.table = QuickTable.at(game, observation, limits, model.playouts)
        affordable = MAX_WATCHED_RUNS // max(1, model.runs)
        self.table.watched = min(MAX_WATCHED, affordable, max(WATCHED, observation.decision // 2))
        self.table.watched = max(1, self.table.watched)
        self._homes = public_homes(self.machine, observation)
        size = self.machine.layout.size
        self._after = Memory(size)
        self._before = 0, 0

    @property
    def nothing_unknown(self) -> bool:
        """Whether the seat knows where every card is; on the table also in which position."""
        return self.worlds is not None and all(
            len(known["where"]) == 1 and (known["placed"] or not known["where"][0].startswith("table"))
            for known in self.observation.memory.values()
        )

    def sample(self) -> Iterator[tuple[Memory, float]]:
        """Worlds and their weights, without end."""
        if self.worlds is not None:
            yield from self.worlds.sample(self._stream.copy())
            return
        m, plan = self.machine, self._guesses.plan
        state = Memory(m.layout.size)
        for _ in range(10_000):
            sampling(m.compiled.backend).resample(state.address, plan.base.address, plan.address, m.stream)
            yield state, 1.0

    def run(self, effort: Effort, only: Sequence[int] = (), keep: Sequence[int] = ()) -> Playouts:
        """Play every move out, or only some, in worlds until there are enough of them. Moves to `keep` are
        played out in all of them, also where they are clearly worse."""
        found = Playouts(len(self.observation.moves), guessed=self.worlds is None)
        found.settled = [self.nothing_unknown] * found.moves
        thrifty = self._prepare(found, effort)
        self._before = self.table.listed, self.table.runs
        going = list(only or range(found.moves))
        for number, (world, weight) in enumerate(self._weighted(thrifty)):
            name = name_word(self._name, number)
            found.where.append(tuple(world.where(self.machine.layout)))
            row: list[tuple[int, ...] | None] = [None] * found.moves
            for move in going:
                row[move] = self._play(found, world, move, name)
            found.scores.append(row)
            found.weights.append(weight)
            if number + 1 in CHECKS and not only:
                going = sorted({*self._still_good(found, going), *keep})
            if self._enough(number + 1, effort):
                break
        if not found.weights:
            raise NoWorlds
        # few worlds are evened out more: some error in the weights is better than one world deciding
        least = max(MAX_UNEVEN, min(MAX_EVEN, LEAST_WORLDS / len(found.weights)))
        found.weights = evened(found.weights, least)
        return found

    def _weighted(self, skip: int) -> Iterator[tuple[Memory, float]]:
        """Worlds by how likely the model makes the moves that were seen. An unlikely one is left out as often
        as its weight is smaller than usual, and has the usual weight where it is kept: on average nothing
        changes, and playouts are saved."""
        likely = self.worlds is not None and self.model.playouts > 0
        draw = Stream((*self._draw, 1))
        usual, tries = 0.0, 0
        for number, (world, weight) in enumerate(self.fitting(skip)):
            if not likely:
                yield world, weight
                continue
            tries += 1
            found = weight * self.likely(number)
            usual += (found - usual) / tries if tries <= PILOT else 0.0
            if found >= usual or draw.below(DRAWS) < DRAWS * found / usual:
                yield world, max(found, usual)

    def _enough(self, worlds: int, effort: Effort) -> bool:
        listed, runs = self._before
        spent = self.table.listed - listed > effort.listed or self.table.runs - runs > effort.runs
        most = effort.worlds * FEW_MOVES // max(FEW_MOVES, len(self.observation.moves))
        return worlds >= max(LEAST_WORLDS, most) or (worlds >= LEAST_WORLDS and spent)

    def _still_good(self, found: Playouts, going: list[int]) -> list[int]:
        """The moves that may still be the best, in points."""
        highest = self.game.program.scoring.highest
        rows = [
            [relative_points(self.observation, scores, highest) for move in going if (scores := row[move])]
            for row in found.scores
        ]
        rows = [row for row in rows if len(row) == len(going)]
        if len(rows) < 2:
            return going
        means = [sum(row[at] for row in rows) / len(rows) for at in range(len(going))]
        best = means.index(max(means))
        kept = []
        for at, move in enumerate(going):
            behind = [row[best] - row[at] for row in rows]
            mean = means[best] - means[at]
            error = math.sqrt(sum((x - mean) ** 2 for x in behind) / len(rows) / (len(rows) - 1))
            if mean <= CLEARLY * error or mean == 0:
                kept.append(move)
        return kept if len(kept) > 1 else sorted({best_of(means, going, 0), best_of(means, going, 1)})

    def fitting(self, skip: int = 0) -> Iterator[tuple[Memory, float]]:
        """Worlds in which the seat has as many moves as it sees; some are left out at the start."""
        m, missed = self.machine, 0
        for state, weight in self.sample():
            self.table.begin(self._homes)
            m.relist(state)
            if state.words[m.layout.words["choices"]] != len(self.observation.moves):
                missed += 1
                if missed > 1000:
                    return
                continue
            if skip:
                skip -= 1
                continue
            yield state, weight

    def likely(self, number: int) -> float:
        """How likely the model makes the moves that were seen, in the world that was sampled last."""
        name = name_word(self._name, number)
        if self.worlds is None or not self.model.playouts:
            return 1.0
        likely = self.table.likely(self.worlds, self.observation.seat, name_word(name, 3))
        return likely if math.isfinite(likely) else 0.0

    def _play(self, found: Playouts, world: Memory, move: int, name: int) -> tuple[int, ...] | None:
        """One playout of a move in a world, which is left as it is."""
        state, table = self._after, self.table
        _copy(state, world)
        table.begin(self._homes)
        seat = table.begin_move(state, move)
        choices = state.words[self.machine.layout.words["choices"]]
        if seat == self.observation.seat and found.second.get(move, choices) < choices:
            table.begin_move(state, found.second[move])
        before = table.chosen
        table.play(state, name_word(name, 1))
        found.settled[move] = found.settled[move] and table.chosen == before and bool(self.model.playouts)
        return table.scores(state)

    # --- second moves ---------------------------------------------------------------------------

    def _prepare(self, found: Playouts, effort: Effort) -> int:
        """Choose the second moves; gives how many worlds that took."""
        several = self._second_choices()
        if not several:
            return 0
        sums = {(move, second): 0.0 for move, count in several.items() for second in range(count)}
        worlds = 0
        share = Effort(*(round(part * PREPARED) for part in (effort.worlds, effort.listed, effort.runs)))
        for number, (world, _) in enumerate(self.fitting(0)):
            name = name_word(self._name, -1 - number)
            for move, second in sums:
                _copy(self._after, world)
                self.table.begin(self._homes)
                self.table.begin_move(self._after, move)
                self.table.begin_move(self._after, second)
                self.table.play(self._after, name)
                sums[move, second] += self._value(self._after)
            worlds += 1
            if self._enough(worlds, share):
                break
        for move, count in several.items():
            found.second[move] = max(range(count), key=lambda second: (sums[move, second], -second))
        return worlds

    def _value(self, state: Memory) -> float:
        return self.table.value(state, self.observation.seat)

    def _second_choices(self) -> dict[int, int]:
        """By move the number of second moves, where the seat moves again without having learnt anything."""
        known: list[dict[int, tuple[int, frozenset[int]]]] = []
        for world, _ in self.fitting(0):
            here = self._seen(world)
            row = {}
            for move in range(len(self.observation.moves)):
                _copy(self._after, world)
                self.table.begin(self._homes)
                seat = self.table.begin_move(self._after, move)
                choices = self._after.words[self.machine.layout.words["choices"]]
                if seat == self.observation.seat and choices > 1 and self._seen(self._after) <= here:
                    row[move] = choices, self._seen(self._after)
            known.append(row)
            if len(known) == 3:
                break
        if not known:
            raise NoWorlds
        first = known[0]
        if sum(n for n, _ in first.values()) > MAX_SECOND:
            return {}
        return {move: n for move, (n, seen) in first.items() if all(r.get(move) == (n, seen) for r in known)}

    def _seen(self, state: Memory) -> frozenset[int]:
        """The cards that the seat sees."""
        layout = self.machine.layout
        sees = self.machine.seen_by(self.observation.seat)
        return frozenset(card for card, place in enumerate(state.where(layout)) if sees[place])


def best_of(means: Sequence[float], moves: Sequence[int], place: int) -> int:
    """The move with the best mean, or the second best."""
    return moves[sorted(range(len(moves)), key=lambda at: (-means[at], at))[place]]


def _copy(target: Memory, source: Memory) -> None:
    ctypes.memmove(target.address, source.address, ctypes.sizeof(source.words))


def spread(rows: Sequence[Sequence[float]]) -> float:
    """The range of all results."""
    values = [value for row in rows for value in row]
    return max(values) - min(values) if values else 0.0
