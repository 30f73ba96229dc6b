"""Solves fully known endgames: the value of every alternative under optimal play.

Every card is known to the solver, so what it says of one imagined world is true of that world only. Where
exactly two sides play, both play for the difference of their scores, or for what a table says the two scores
are worth; everywhere else each seat plays for its own score and takes the first of what is equally good
(max-n). An ending in which chance still has a part is not solved, nor one that is not reached within bounds.
Decisions are not limited otherwise: a game that a limit would cut off is played on.
"""

from __future__ import annotations

import ctypes
import struct
import weakref
from collections.abc import Sequence
from dataclasses import dataclass

from upcard.engine.api import Limits
from upcard.engine.native.backends.select import Backend, check_reach, once_per_backend
from upcard.engine.native.buffer import Buffer
from upcard.engine.native.game import NativeGame
from upcard.engine.native.kernels.language import signed
from upcard.engine.native.kernels.loaded_kernels import load_kernels
from upcard.engine.native.kernels.random_numbers import GOLDEN, mix
from upcard.engine.native.liveness import Liveness, LiveWords
from upcard.engine.native.lower.runtime import AT, MASK_WORDS, MASKS_AT
from upcard.engine.native.state_memory import Memory
from upcard.engine.native.workspace import Workspace
from upcard.players.solver import alpha_beta as k
from upcard.players.solver import transposition_table as t
from upcard.recycle.diagnostics import Refused

INT, PTR = ctypes.c_int64, ctypes.c_void_p

DEPTH = 200
"""Choices one after the other in one line of play; decisions with one alternative do not count."""
TABLE_BYTES = 16 << 20
"""Short solutions touch little of it."""
MAX_BYTES = 1 << 30
"""Room for states at every depth and for what is known of them, but for the table."""
MAX_WORTH = 64
"""Scores of a side that a table can tell apart."""

STATE_FIELDS = ("pc", "ending", "choices", "name", "decisions", "seat_index", "team_of", "scores")
"""Words of a state that have one name in its layout and in the head of a solver."""

REASONS = {
    k.TOO_MANY_NODES: "the ending has more decisions than the limit",
    k.TOO_DEEP: "the ending is too long",
    k.CHANCE_TO_COME: "chance still plays a part",
    k.GAME_FAILED: "the game can fail",
    k.NO_WORTH: "a score is missing from the table of utilities, or too large",
    k.PARTNERS_DIFFER: "partners can end with different scores",
    k.TEAMS_CHANGED: "the teams change",
}


class TooLarge(Refused):
    """A game whose states take more room than there is."""


@dataclass(frozen=True)
class Worth:
    """What the end of a deal is worth to side 0, by both scores; to side 1 it is worth as much less."""

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
        self._game = weakref.ref(game)  # `exact.solver_of` keeps it as long as its game
        self._compiled = compiled = game.playing
        self._layout = layout = compiled.layout
        self._futures = Liveness(compiled.lowered)
        self._work = Workspace(compiled.lowered.work, compiled.backend)
        # decisions are bounded by nodes: a number of decisions that mattered would be part of the future
        self._work.limits(1 << 62, Limits().steps)
        self._machine = _machine(compiled.backend)
        seats, words = layout.seats, compiled.size // 8
        steps = len(self._futures.code) + 1
        keys = words + 2 * layout.place_count + 4
        asks = len(compiled.lowered.simple_items)
        self._credits = 64 * layout.set_words
        at = -(-t.SolverHead.size // 64) * 8
        parts: dict[str, int] = {}
        for name, room in (
            ("side_at", seats),
            ("keys_at", keys),
            ("plans_at", steps + asks * (keys + 4)),
            ("value_table_at", MAX_WORTH * MAX_WORTH),
            ("values_at", k.MAX_AT_START * seats),
            ("vectors_at", (depth + 1) * seats),
            ("orders_at", (depth + 1) * t.MAX_ORDERED),
            ("credit_at", asks * self._credits),
            ("states_at", (depth + 1) * words),
        ):
            parts[name] = at
            at += -(-room // 8) * 8
        if 8 * at > MAX_BYTES:
            raise TooLarge(f"a state of {game.name} is too large to be solved")
        self._table_bytes = max(table_bytes, 16 * (4 + seats))  # a bucket at least
        self._block = Buffer(8 * at + self._table_bytes)
        named = layout.words
        head = t.SolverHead.pack(
            **{name: compiled.address(name) for name in ("advance", "apply", "relist")},
            **{name: named[name] for name in STATE_FIELDS},
            chance=named["c0"],
            state_words=words,
            seats=seats,
            seeded=AT["seeded"],
            listing=AT["l0"],
            card_shift=layout.card_bytes - 1,
            most_depth=depth,
            sign=1 if layout.program.scoring.highest else -1,
            masks_at=MASKS_AT,
            mask_words=MASK_WORDS,
            set_words=layout.set_words,
            table_at=at,
            **parts,
        )
        ctypes.memmove(self._block.address, head.address, t.SolverHead.size)
        self._head = t.SolverHead.at(self._block.address)
        for i in range(keys):
            self._block.set_word(parts["keys_at"] + i, mix(signed(GOLDEN * (i + 1))))
        self._planned = -1
        self._asked: tuple[int, int, bool, int, list[int]] | None = None
        self._worth: Worth | None = None

    @property
    def game(self) -> NativeGame:
        found = self._game()
        assert found is not None, "the game was freed while its endings are solved"
        return found

    @property
    def addresses(self) -> tuple[int, int, int]:
        """For kernels that solve many states of one decision, once it is prepared: of `solve`, of the solver
        and of its workspace, which is what `solve` is given before a state."""
        return self._machine.address, self._block.address, self._work.address

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
            raise ValueError("the game is over, so it cannot be solved")
        step, seats = words[named["pc"]], self._layout.seats
        first = named["team_of"]
        asked = (step, nodes, each, words[named["teams"]], words[first : first + seats])
        if asked != self._asked:
            self._ask(*asked)
            self._asked = asked
        if worth is not self._worth:
            self._set_worth(worth)

    def _ask(self, step: int, nodes: int, each: bool, teams: int, team_of: list[int]) -> None:
        if step != self._planned:
            self._plan(step)
        sides = 2 if teams == 2 and not each else 0
        entry = 4 if sides == 2 else 2 + len(team_of)
        buckets = 1 << (self._table_bytes // (16 * entry)).bit_length() - 1
        self._head.sides, self._head.entry_words = sides, entry
        self._head.buckets, self._head.most_nodes = buckets, nodes
        for seat, team in enumerate(team_of):
            self._block.set_word(self._head.side_at + seat, team)

    def _plan(self, step: int) -> None:
        """Which words are mixed into a key, for every decision that can follow."""
        first = self._head.plans_at
        at = first + len(self._futures.code) + 1
        credit = self._head.credit_at
        for number, relevant in self._futures.after(step).items():
            items = self._compiled.lowered.simple_items[number]
            plan = _plan_words(relevant, len(items) if all(items) else 0, credit)
            credit += self._credits
            self._block.set_word(first + number, at)
            for i, word in enumerate(plan):
                self._block.set_word(at + i, word)
            at += len(plan)
        self._head.credits = credit - self._head.credit_at
        self._planned = step

    def _set_worth(self, worth: Worth | None) -> None:
        span = 0 if worth is None else len(worth.rows)
        if worth is not None:
            if not 1 <= span <= MAX_WORTH or any(len(row) != span for row in worth.rows):
                raise ValueError(f"a table of utilities must be square, with at most {MAX_WORTH} rows")
            for i, value in enumerate(value for row in worth.rows for value in row):
                if abs(value) >= k.NEAR:
                    raise ValueError(f"{value} is too large for a utility")
                self._block.set_word(self._head.value_table_at + i, value)
            self._head.value_low = worth.low
        self._head.value_span = span
        self._worth = worth

    def _told(self, why: int, memory: Memory) -> Solved:
        nodes = self._head.nodes
        if why:
            return Solved((), (), nodes, False, REASONS[why])
        layout = self._layout
        named, first = layout.words, self._head.values_at
        choices = self._block.word(self._head.states_at + named["choices"])
        depth = self._compiled.lowered.depths[memory.words[named["pc"]]].seat
        seat = memory.words[named["seat_index"] + depth]
        if self._head.sides == 2:
            sign = 1 if memory.words[named["team_of"] + seat] == 0 else -1
            return Solved(tuple(sign * value for value in self._block.words(first, choices)), (), nodes, True)
        seats = layout.seats
        flat = self._block.words(first, choices * seats)
        scores = tuple(flat[n * seats : (n + 1) * seats] for n in range(choices))
        sign = self._head.sign
        return Solved(tuple(sign * row[seat] for row in scores), scores, nodes, True)


def _plan_words(relevant: LiveWords, items: int, credit: int) -> tuple[int, ...]:
    """The words of a `KeyPlan`. The last word of the state may come twice: that adds nothing to the key, and
    takes nothing away."""
    words = list(relevant.words)
    if len(words) % 2:
        words.append(words[-1])
    plan = t.KeyPlan.pack(
        pairs=len(words) // 2,
        lists=len(relevant.lists),
        items=items,
        credit=credit,
        words=[*words, *relevant.lists],
    )
    return struct.unpack(f"<{len(plan.bytes) // 8}q", plan.bytes)


class _Machine:
    """The kernels as machine code: one for all games."""

    def __init__(self, backend: Backend) -> None:
        check_reach(backend)
        self._loaded = load_kernels("solving", k.KERNELS, apart=[t.copy_words], backend=backend)
        self.solve = self._loaded.function("solve", INT, PTR, PTR, PTR)
        """Solver, workspace, state; gives 0 or why there is no solution."""
        self.address = self._loaded.address("solve")


_machine = once_per_backend(_Machine)
