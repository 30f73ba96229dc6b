"""`upcard simulate`: plays many random games and prints their statistics."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from upcard.cli import completion_values as complete
from upcard.cli import options
from upcard.cli.cluster_workers import open_workers
from upcard.cli.console import FAILURE, INTERRUPTED, Stop, load_game, report_errors
from upcard.cli.progress import progress
from upcard.cli.simulation_report import interval, print_statistics
from upcard.output import say

if TYPE_CHECKING:
    from upcard.engine.api import Limits
    from upcard.engine.shared.game import LoadedGame
    from upcard.parallel.workers import Workers
    from upcard.simulate.random_games import RandomGames
    from upcard.simulate.row_run import RowRun
    from upcard.simulate.summary import Row, Summary


def simulate(
    game: options.Game,
    games: options.Games = 1000,
    max_decisions: int = typer.Option(
        500,
        "--max-decisions",
        metavar="N",
        callback=options.at_least(0),
        help="Cut a game off after this many decisions.",
    ),
    seed: options.Seed = 0,
    overrides: options.Overrides = None,
    rules: options.Rules = None,
    base: options.Base = None,
    engine: options.EngineName = "native",
    workers: options.Workers = None,
    cluster: options.Cluster = None,
    rows: Path = typer.Option(
        None,
        "--rows",
        metavar="FOLDER",
        help="Write a row for each game into parquet files, and keep those that are there.",
        autocompletion=complete.files,
    ),
    as_json: options.AsJson = False,
) -> None:
    """Play many random games and print statistics.

    Random players choose every legal move with the same probability. Numbers after ± are 95 % intervals. With
    --rows the same command goes on after an interruption, and upcard rows prints the statistics again. The
    exit code is 1 if a game failed.

    Examples:
        upcard simulate euchre
        upcard simulate euchre --games 20000 --seed 7 --rule stick=no
        upcard simulate whist --games 20000 --rows hands
    """
    from upcard.engine.api import Limits
    from upcard.simulate.random_games import RandomGames
    from upcard.simulate.summary import Summary
    from upcard.simulate.sums_detail import Sums

    interrupted = False
    with report_errors():
        loaded = load_game(game, overrides, rules, base, engine)
        limits = Limits(decisions=max_decisions)
        writer = None if rows is None else _row_run(loaded, games, rows, seed, limits)
        run = RandomGames(loaded, Sums(), seed, limits) if writer is None else writer.random_games
        if run.note:
            say(f"upcard: {run.note}", error=True)
        summary = Summary(loaded.seats)
        with open_workers(workers, cluster) as opened:
            started = time.perf_counter()
            with progress("playing", games, workers=opened, note=lambda: interval(summary)) as advance:
                try:
                    for part in _parts(run, writer, games, opened, advance):
                        summary.merge(part)
                except KeyboardInterrupt:
                    interrupted = True
            seconds = time.perf_counter() - started
    kept = 0 if writer is None else writer.kept
    if as_json:
        say(json.dumps(_as_json(loaded, run.engine, seed, seconds, kept, summary)))
    elif summary.games:
        say(_first_line(loaded.title, summary.games, kept, seconds))
        print_statistics(summary, [loaded.narrator.seat(seat) for seat in range(loaded.seats)])
    if interrupted:
        what = "the figures cover what was played"
        if writer is not None:
            what = f"run the same command again to go on from the rows in {rows}"
        raise Stop(INTERRUPTED, f"interrupted after {summary.games} of {games} games; {what}")
    raise typer.Exit(FAILURE if summary.ends["failed"] else 0)


def _row_run(game: LoadedGame, games: int, folder: Path, seed: int, limits: Limits) -> RowRun:
    from upcard.simulate.row_run import RowRun

    return RowRun(game, games, folder, seed, limits)


def _parts(
    run: RandomGames[Row, Summary],
    writer: RowRun | None,
    games: int,
    workers: Workers,
    advance: Callable[[int], None],
) -> Iterator[Summary]:
    """Summaries of games that were played; of games with rows, when these are written."""
    if writer is not None:
        yield from writer.play(workers, advance)
        return
    for part in run.sums(0, games, workers):
        yield part
        advance(part.games)


def _as_json(
    game: LoadedGame, engine: str, seed: int, seconds: float, kept: int, summary: Summary
) -> dict[str, object]:
    return {
        "game": game.name,
        "engine": engine,
        "seed": seed,
        "games": summary.games,
        "seconds": seconds,
        "games_per_second": (summary.games - kept) / seconds if seconds else None,
        **summary.to_json(),
    }


def _first_line(title: str, games: int, kept: int, seconds: float) -> str:
    if kept == games:
        return f"{title}: {games:,} games, whose rows were there already"
    speed = f"{seconds:.1f} s, {(games - kept) / seconds:,.0f} a second"
    if kept:
        return f"{title}: {games:,} games, {games - kept:,} of them played now in {speed}"
    return f"{title}: {games:,} games in {speed}"
