"""Simulates random games with either engine and sums them up.

Deal i of a seed is always the same game, and parts come in deal order, so what they come to depends neither
on the number of workers nor on how the deals are cut into parts; interrupted, it is that of the first deals.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from upcard.arguments import check_instance, check_whole, check_workers
from upcard.engine.api import Limits
from upcard.engine.native.backends.select import NoMachineCode, choose_backend
from upcard.engine.native.playout_code import playouts
from upcard.engine.rng import PLAYER, Stream
from upcard.engine.shared.game import LoadedGame
from upcard.parallel.cores import cores
from upcard.parallel.pool import in_order
from upcard.simulate.native_batch import Batch
from upcard.simulate.summary import Row, Summary

if TYPE_CHECKING:
    from upcard.engine.reference.game import ReferenceGame

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
    game: LoadedGame, games: int, seed: int = 0, *, workers: int | None = None, limits: Limits | None = None
) -> Summary:
    """What so many games come to, by the engine that the game was loaded for; `BadArgument` for a number of
    games or workers that makes no sense."""
    summary = Summary(game.seats)
    for part in simulation(game, games, seed, workers, limits).parts:
        summary.merge(part)
    return summary


def simulation(
    game: LoadedGame,
    games: int,
    seed: int = 0,
    workers: int | None = None,
    limits: Limits | None = None,
) -> Simulation:
    """Sees to the engine at once; games are played as the parts are asked for."""
    check_whole("games", games, 0)
    check_whole("a seed", seed)
    check_workers(workers)
    limits = Limits() if limits is None else limits
    check_instance("limits", limits, Limits)
    note = ""
    if game.engine == "native":
        try:
            backend = choose_backend()
            batch = Batch(playouts(game.program, game.facts, backend), seed, limits)
            return Simulation("native", backend.note, batch.summaries(games, workers))
        except NoMachineCode as error:
            note = f"the reference engine plays: {error}"
    return Simulation("reference", note, _parts(game, games, seed, limits, workers))


def play_out(game: LoadedGame, seed: int, deal: int, limits: Limits) -> Row:
    """A deal with a random player in every seat, a decision at a time."""
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


def _parts(game: LoadedGame, games: int, seed: int, limits: Limits, workers: int | None) -> Iterator[Summary]:
    workers = workers or (cores() if games >= WORTH_WORKERS else 1)
    task = _Task(reference_game(game), seed, limits)
    return in_order(_summed, task, games, PIECE if workers > 1 else 1, workers)


def reference_game(game: LoadedGame) -> ReferenceGame:
    """The same game, for the reference engine."""
    from upcard.engine.reference.game import ReferenceGame  # machine code does without it

    if isinstance(game, ReferenceGame):
        return game
    return ReferenceGame(game.name, game.program, game.facts)


@dataclass(frozen=True)
class _Task:
    game: ReferenceGame
    seed: int
    limits: Limits


def _summed(task: _Task, start: int, end: int) -> Summary:
    summary = Summary(task.game.seats)
    for deal in range(start, end):
        summary.add(play_out(task.game, task.seed, deal, task.limits), deal)
    return summary
