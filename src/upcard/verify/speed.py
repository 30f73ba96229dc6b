"""Measures the engines: games and rollouts per second, compile time, warm start.

Everything is CPU time of this process, on one core, from one run: what the work costs, not how busy the
machine is. A rate is the best of several tries of a fraction of a second each, every try on other deals,
since a processor soon knows a few deals by heart. Machine code is called in slices, so Ctrl-C never waits
long.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

from upcard.engine.api import Limits
from upcard.engine.loader import load
from upcard.engine.native import machine_memory
from upcard.engine.native.lower import NotLowered
from upcard.engine.shared.game import LoadedGame
from upcard.simulate.random_games import play_out

TRIES = 5
SECONDS = 0.25
"""CPU seconds of a try."""

COMPILES = 2


@dataclass(frozen=True)
class Measured:
    """The speed of one game. Figures of machine code are None if the native engine cannot compile the
    program."""

    native_per_second: float | None
    reference_per_second: float
    ratio: float | None
    compile_seconds: float | None
    cached_start_seconds: float | None
    state_bytes: int | None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def rate(work: Callable[[int, int], None], slice_of: int) -> float:
    """The rate per second. `work(first, count)` does `count` units, starting at a number that was not used
    before."""
    best, first = 0.0, 0
    for _ in range(TRIES):
        done, started = 0, time.process_time()
        while (spent := time.process_time() - started) < SECONDS:
            work(first, slice_of)
            first += slice_of
            done += slice_of
        best = max(best, done / spent)
    return best


class Native:
    """A compiled program, with memory to play in."""

    def __init__(self, game: LoadedGame) -> None:
        from upcard.engine.native.buffer import STATE_INSET, Buffer
        from upcard.engine.native.kernels.playout import row_bytes
        from upcard.engine.native.stepping_code import Compiled
        from upcard.engine.native.workspace import Workspace

        self.compiled = Compiled(game.program, game.facts, logging=False)
        self.row_words = row_bytes(game.seats) // 8
        self.seats = game.seats
        self._memory = Buffer(self.compiled.size, STATE_INSET)
        self.state = self._memory.address
        """Placed as in batches."""
        self.work = Workspace(self.compiled.lowered.work, self.compiled.backend)
        limits = Limits()
        self.work.limits(limits.decisions, limits.steps)

    def rows(self, seed: int, first: int, count: int) -> Any:
        """Rows of random games, as `batch` reads them."""
        out = machine_memory.words(count * self.row_words)
        self.compiled.playouts.random_games(self.state, self.work.address, seed, first, count, out)
        return out

    def games_per_second(self) -> float:
        slice_of = self._slice(lambda count: self.rows(0, 0, count))
        out = machine_memory.words(slice_of * self.row_words)
        play = self.compiled.playouts.random_games

        def work(first: int, count: int) -> None:
            play(self.state, self.work.address, 1, first, count, out)

        return rate(work, slice_of)

    def rollouts_per_second(self, seed: int = 1, deal: int = 0) -> float:
        """Random playouts from one dealt state to the end of the game."""
        start = machine_memory.words(self.compiled.size // 8)
        self.compiled.deal(start, self.work.address, seed, deal)
        sums = machine_memory.words(self.seats)
        play = self.compiled.rollouts

        def work(first: int, count: int) -> None:
            play(self.state, self.work.address, start, first, count, sums)

        return rate(work, self._slice(lambda count: work(0, count)))

    def _slice(self, play: Callable[[int], object]) -> int:
        """A number that takes about a fiftieth of a second."""
        count = 16
        while count < 1 << 20:
            started = time.process_time()
            play(count)
            if time.process_time() - started > 0.01:
                break
            count *= 2
        return count


def measure(name: str) -> Measured:
    """A game of the library, or a program by path."""
    reference = reference_per_second(load(name, engine="reference"))
    try:
        compiling, native = compile_seconds(name)
    except NotLowered:
        return Measured(None, reference, None, None, None, None)
    games = native.games_per_second()
    return Measured(
        games, reference, games / reference, compiling, cached_start_seconds(name), native.compiled.size
    )


def reference_per_second(game: LoadedGame) -> float:
    def work(first: int, count: int) -> None:
        for deal in range(first, first + count):
            play_out(game, 1, deal, Limits())

    return rate(work, 1)


def compile_seconds(name: str) -> tuple[float, Native]:
    """The time from the text to running code, without the cache; the backend itself is loaded beforehand."""
    from upcard.engine.native.backends import llvm

    llvm.machine()
    best = float("inf")
    with _cache("off"):
        for _ in range(COMPILES):
            started = time.process_time()
            native = Native(load(name))
            best = min(best, time.process_time() - started)
    return best, native


def cached_start_seconds(name: str) -> float:
    """The same time with the object in the cache."""
    best = float("inf")
    with tempfile.TemporaryDirectory() as folder, _cache(folder):
        Native(load(name))
        for _ in range(3):
            started = time.process_time()
            Native(load(name))
            best = min(best, time.process_time() - started)
    return best


@contextmanager
def _cache(place: str) -> Iterator[None]:
    before = os.environ.get("UPCARD_CACHE")
    os.environ["UPCARD_CACHE"] = place
    try:
        yield
    finally:
        if before is None:
            del os.environ["UPCARD_CACHE"]
        else:
            os.environ["UPCARD_CACHE"] = before


def open_spiel() -> dict[str, float] | None:
    """OpenSpiel's Euchre with its own C++ players, next to ours; None if it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game("euchre")
    bots = [pyspiel.make_uniform_random_bot(seat, 7 + seat) for seat in range(game.num_players())]

    def hands(first: int, count: int) -> None:
        for number in range(first, first + count):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, number)

    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    many = 2000
    evaluator = pyspiel.RandomRolloutEvaluator(many, 7)
    searcher = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 100, False, 7, False)

    def rollouts(first: int, count: int) -> None:
        for _ in range(count // many):
            searcher.step(state)

    bots_rate, rollouts_rate = rate(hands, 50), rate(rollouts, many)
    ours = compile_seconds("euchre")[1]
    return {
        "euchre_bots_per_second": bots_rate,
        "euchre_rollouts_per_second": rollouts_rate,
        "ratio_bots": ours.games_per_second() / bots_rate,
        "ratio_rollouts": ours.rollouts_per_second() / rollouts_rate,
    }
