"""Fully known endings solved: what every alternative leads to when all play their best.

Every card is known to the solver, so what it says of one imagined world is true of that world only. Where
exactly two sides play, both play for the difference of their scores, or for what a table says the two scores
are worth; everywhere else each seat plays for its own score and takes the first of what is equally good
(max-n). An ending in which chance still has a part is not solved, nor one that is not reached within bounds.
Decisions are not limited otherwise: a game that a limit would cut off is played on.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Sequence
from dataclasses import dataclass

from upcard.engine.contract import Limits
from upcard.engine.native import cache
from upcard.engine.native.backends.choosing import choose_backend, object_key
from upcard.engine.native.block import Block
from upcard.engine.native.chance_kernels import GOLDEN, mix
from upcard.engine.native.compiled import Workspace
from upcard.engine.native.futures import Futures, Relevant
from upcard.engine.native.game import NativeGame
from upcard.engine.native.kernels import compile_kernels
from upcard.engine.native.lower.runtime import AT
from upcard.engine.native.memory import Memory
from upcard.engine.native.subset import signed
from upcard.players import solving_kernels as k
from upcard.recycle.limits import MOST

INT, PTR = ctypes.c_int64, ctypes.c_void_p

DEPTH = 200
"""Choices one after the other in one line of play; decisions with one alternative do not count."""
TABLE_BYTES = 4 << 20
MOST_WORTH = 64
"""Scores of a side that a table can tell apart."""

REASONS = {
    k.TOO_MANY_NODES: "the ending has more decisions than were to be looked at",
    k.TOO_DEEP: "the ending is too long",
    k.CHANCE_TO_COME: "chance still has a part in it",
    k.GAME_FAILED: "the game can fail",
    k.NO_WORTH: "a score is not in the table of what scores are worth, or too great",
    k.PARTNERS_DIFFER: "partners can end with different scores",
    k.TEAMS_CHANGED: "the teams change",
}


@dataclass(frozen=True)
class Worth:
    """What the end of a deal is worth to side 0, by the scores of both; to side 1 it is worth as much less."""

    low: int
    """The score that row 0 and column 0 are for."""
    rows: Sequence[Sequence[int]]
    """`rows[a - low][b - low]` for side 0 having a and side 1 having b."""


@dataclass(frozen=True)
class Solved:
    values: tuple[int, ...]
    """Of each alternative, for the side or seat to move, more is better: the worth, the difference of scores,
    or the seat's own score (with the other sign where the lowest score wins)."""
    scores: tuple[tuple[int, ...], ...]
    """Of each alternative the scores it leads to, where every seat plays for itself; otherwise empty."""
    nodes: int
    """Decisions and ends that were looked at."""
    complete: bool
    """Whether it was solved. If not, there are no values."""
    why: str = ""
    """If not: why."""


class Solver:
    """For one game, and for one thread at a time. Its memory is taken once: the table, and a state for every
    depth."""

    def __init__(self, game: NativeGame, table_bytes: int = TABLE_BYTES, depth: int = DEPTH) -> None:
        self.game = game
        self._compiled = compiled = game.playing
        self._layout = layout = compiled.layout
        self._futures = Futures(compiled.lowered)
        self._work = Workspace(compiled.lowered.work_size)
        # decisions are bounded by nodes: a number of decisions that mattered would be part of the future
        self._work.limits(1 << 62, Limits().steps)
        self._machine = _machine()
        seats, words = layout.seats, compiled.size // 8
        steps = len(self._futures.code) + 1
        keys = words + 2 * layout.place_count + 4
        at = k.HEAD
        places: dict[int, int] = {}
        for name, room in (
            (k.SIDE_AT, seats),
            (k.KEYS_AT, keys),
            (k.PLANS_AT, steps * (1 + keys)),
            (k.WORTH_AT, MOST_WORTH * MOST_WORTH),
            (k.VALUES_AT, (MOST + 1) * seats),
            (k.VECTORS_AT, (depth + 1) * seats),
            (k.STATES_AT, (depth + 1) * words),
        ):
            places[name] = at
            at += -(-room // 8) * 8
        self._entry_words = 4 if seats <= 2 else 8 if seats <= 6 else 2 + seats
        buckets = 1
        while 2 * buckets * 2 * self._entry_words * 8 <= table_bytes:
            buckets *= 2
        self._block = Block(8 * at + 2 * buckets * self._entry_words * 8)
        self._places = places | {k.TABLE_AT: at}
        named = layout.words
        head = {
            k.ADVANCE: compiled.address("advance"),
            k.APPLY: compiled.address("apply"),
            k.RELIST: compiled.address("relist"),
            k.STATE_WORDS: words,
            k.SEATS: seats,
            k.PC: named["pc"],
            k.ENDING: named["ending"],
            k.CHOICES: named["choices"],
            k.CHANCE: named["c0"],
            k.NAME: named["name"],
            k.DECISIONS: named["decisions"],
            k.SEAT_INDEX: named["seat_index"],
            k.TEAM_OF: named["team_of"],
            k.SCORES: named["scores"],
            k.SEEDED: AT["seeded"],
            k.LISTING: AT["l0"],
            k.CARD_SHIFT: layout.card_bytes - 1,
            k.MOST_DEPTH: depth,
            k.SIGN: 1 if layout.program.scoring.highest else -1,
            k.BUCKETS: buckets,
            k.ENTRY_WORDS: self._entry_words,
            **self._places,
        }
        for word, value in head.items():
            self._block.set_word(word, value)
        for i in range(keys):
            self._block.set_word(places[k.KEYS_AT] + i, mix(signed(GOLDEN * (i + 1))))
        self._planned = -1
        self._worth: Worth | None = None

    @property
    def address(self) -> int:
        """Of the solver, as kernels know it."""
        return self._block.address

    def solve(
        self,
        memory: Memory,
        nodes: int = 1_000_000,
        *,
        worth: Worth | None = None,
        each: bool = False,
    ) -> Solved:
        """Every alternative of a state that stands at a decision; the state stays as it is.

        `each` lets every seat play for itself even where there are two sides.
        """
        self.prepare(memory, nodes, worth=worth, each=each)
        why = self._machine.solve(self._block.address, self._work.address, memory.address)
        return self._told(why, memory)

    def prepare(
        self, memory: Memory, nodes: int = 1_000_000, *, worth: Worth | None = None, each: bool = False
    ) -> None:
        """Write down what is asked: for `solve`, or for kernels that solve many states of one decision."""
        named, words = self._layout.words, memory.words
        if words[named["ending"]]:
            raise ValueError("the game is over: there is nothing to solve")
        step = words[named["pc"]]
        if step != self._planned:
            self._plan(step)
        seats = self._layout.seats
        sides = 2 if words[named["teams"]] == 2 and not each else 0
        self._block.set_word(k.SIDES, sides)
        self._block.set_word(k.MOST_NODES, nodes)
        for seat in range(seats):
            self._block.set_word(self._places[k.SIDE_AT] + seat, words[named["team_of"] + seat])
        if worth is not self._worth:
            self._set_worth(worth)

    def _plan(self, step: int) -> None:
        """Which words are mixed into a key, for every decision that can follow."""
        first = self._places[k.PLANS_AT]
        at = first + len(self._futures.code) + 1
        for number, relevant in self._futures.after(step).items():
            plan = _plan_words(relevant)
            self._block.set_word(first + number, at)
            for i, word in enumerate(plan):
                self._block.set_word(at + i, word)
            at += len(plan)
        self._planned = step

    def _set_worth(self, worth: Worth | None) -> None:
        span = 0 if worth is None else len(worth.rows)
        if worth is not None:
            if not 1 <= span <= MOST_WORTH or any(len(row) != span for row in worth.rows):
                raise ValueError(f"a table of worth has as many columns as rows, up to {MOST_WORTH}")
            for i, value in enumerate(value for row in worth.rows for value in row):
                if abs(value) >= k.NEAR:
                    raise ValueError(f"{value} is too great for a worth")
                self._block.set_word(self._places[k.WORTH_AT] + i, value)
            self._block.set_word(k.WORTH_LOW, worth.low)
        self._block.set_word(k.WORTH_SPAN, span)
        self._worth = worth

    def _told(self, why: int, memory: Memory) -> Solved:
        nodes = self._block.word(k.NODES)
        if why:
            return Solved((), (), nodes, False, REASONS[why])
        layout = self._layout
        named, first = layout.words, self._places[k.VALUES_AT]
        choices = self._block.word(self._places[k.STATES_AT] + named["choices"])
        depth = self._compiled.lowered.depths[memory.words[named["pc"]]].seat
        seat = memory.words[named["seat_index"] + depth]
        if self._block.word(k.SIDES) == 2:
            sign = 1 if memory.words[named["team_of"] + seat] == 0 else -1
            return Solved(
                tuple(sign * value for value in self._block.words(first, choices)), (), nodes, True
            )
        seats = layout.seats
        flat = self._block.words(first, choices * seats)
        scores = tuple(flat[n * seats : (n + 1) * seats] for n in range(choices))
        sign = self._block.word(k.SIGN)
        return Solved(tuple(sign * row[seat] for row in scores), scores, nodes, True)


def _plan_words(relevant: Relevant) -> list[int]:
    """How many pairs of words and how many lists; the words; the lists. The last word may stand twice: that
    says nothing new, and takes nothing away."""
    words = list(relevant.words)
    if len(words) % 2:
        words.append(words[-1])
    return [len(words) // 2, len(relevant.lists), *words, *relevant.lists]


class _Machine:
    """The kernels as machine code: one for all games."""

    def __init__(self) -> None:
        backend = choose_backend()
        text = backend.text(compile_kernels("solving", k.KERNELS))
        self._loaded = backend.load(cache.fetch(object_key(backend, text), lambda: backend.compile(text)))
        self.solve = self._loaded.function("solve", INT, PTR, PTR, PTR)
        """Solver, workspace, state; gives 0 or why there is no solution."""


@functools.cache
def _machine() -> _Machine:
    return _Machine()
