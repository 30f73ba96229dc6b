"""Many games of random players.

Deal i of a seed is always the same game, and parts come in deal order, so what they come to depends neither
on the number of workers nor on how the deals are cut into parts; interrupted, it is that of the first deals.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING

from upcard.engine.chance import PLAYER, Stream
from upcard.engine.contract import Game, Limits
from upcard.engine.native.backends.choosing import NoMachineCode, choose_backend
from upcard.engine.native.batch import Batch, cores
from upcard.engine.native.playouts import playouts
from upcard.engine.reference.game import ReferenceGame
from upcard.engine.summary import Row, Summary

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

PIECE = 50
"""Deals that a process plays at a time: small enough that progress shows and Ctrl-C is quick."""

WORTH_WORKERS = 400
"""Fewer games than this the reference engine plays in this process: starting others would take longer."""


@dataclass(frozen=True)
class Simulation:
    """Games about to be played."""

    engine: str
    """native or reference: who plays."""
    note: str
    """What a user should be told about that, if anything."""
    parts: Iterator[Summary]


def simulate(
    game: Game, games: int, seed: int = 0, *, workers: int | None = None, limits: Limits | None = None
) -> Summary:
    """What so many games come to. In machine code if there is any here, otherwise by the reference engine."""
    summary = Summary(game.seats)
    for part in simulation(game, games, seed, workers, limits).parts:
        summary.merge(part)
    return summary


def simulation(
    game: Game,
    games: int,
    seed: int = 0,
    workers: int | None = None,
    limits: Limits | None = None,
    engine: str = "native",
) -> Simulation:
    """Sees to the engine at once; games are played as the parts are asked for."""
    limits = limits or Limits()
    note = ""
    if engine == "native":
        try:
            backend = choose_backend()
            batch = Batch(playouts(game.program, game.facts, backend), seed, limits)
            return Simulation("native", backend.note, batch.summaries(games, workers))
        except NoMachineCode as error:
            note = f"the reference engine plays: {error}"
    return Simulation("reference", note, _by_the_book(game, games, seed, limits, workers))


def play_out(game: ReferenceGame, seed: int, deal: int, limits: Limits) -> Row:
    """A deal with a random player in every seat, by the reference engine."""
    state = game.deal(seed, deal, limits=limits, recording=False)
    streams = [Stream((seed, deal, PLAYER, seat)) for seat in range(game.seats)]
    choices = forced = 0
    while (seat := state.to_move) is not None:
        choices += state.choices
        forced += state.choices == 1
        state.play(streams[seat].below(state.choices))
    outcome = state.outcome
    assert outcome is not None
    return Row(
        outcome.ending, state.decisions, choices, forced, outcome.scores, outcome.winners, outcome.failure
    )


def _by_the_book(game: Game, games: int, seed: int, limits: Limits, workers: int | None) -> Iterator[Summary]:
    if not isinstance(game, ReferenceGame):
        game = ReferenceGame(game.name, game.program, game.facts)
    workers = workers or (cores() if games >= WORTH_WORKERS else 1)
    if workers == 1:
        for deal in range(games):
            yield _summed(game, seed, limits, deal, deal + 1)
        return
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    # spawn works alike on every system and never copies a half-locked process
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, context, initializer=_start_worker, initargs=(game, seed, limits))
    try:
        yield from _in_order(pool, games, workers)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _in_order(pool: ProcessPoolExecutor, games: int, workers: int) -> Iterator[Summary]:
    """A few pieces ahead of what is being read, so that a million games need no memory."""
    waiting: list[Future[Summary]] = []
    for start in range(0, games, PIECE):
        waiting.append(pool.submit(_play_piece, start, min(start + PIECE, games)))
        if len(waiting) > 2 * workers:
            yield waiting.pop(0).result()
    while waiting:
        yield waiting.pop(0).result()


def _summed(game: ReferenceGame, seed: int, limits: Limits, start: int, end: int) -> Summary:
    summary = Summary(game.seats)
    for deal in range(start, end):
        summary.add(play_out(game, seed, deal, limits), deal)
    return summary


_work: tuple[ReferenceGame, int, Limits] | None = None


def _start_worker(game: ReferenceGame, seed: int, limits: Limits) -> None:
    import signal

    global _work
    _work = (game, seed, limits)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle


def _play_piece(start: int, end: int) -> Summary:
    assert _work is not None, "set when the worker starts"
    return _summed(*_work, start, end)
