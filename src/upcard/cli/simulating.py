"""`upcard simulate`: many games of random players."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import typer

from upcard.cli.speaking import BASE_HELP, ENGINE_HELP, MISUSE, NO, RULE_HELP, SET_HELP, Stop, load, sentences

if TYPE_CHECKING:
    from upcard.analysis.simulating import Row, Summary
    from upcard.engine.contract import Limits
    from upcard.engine.reference import ReferenceGame


def simulate(
    game: str = typer.Argument(..., metavar="GAME_OR_FILE", help="A library game by name, or a program."),
    games: int = typer.Option(1000, "--games", help="How many games."),
    seed: int = typer.Option(0, "--seed", help="The same seed gives the same games."),
    engine: str = typer.Option("reference", "--engine", help=ENGINE_HELP),
    given: list[str] = typer.Option([], "--set", metavar="NAME=VALUE", help=SET_HELP),
    rules: list[str] = typer.Option([], "--rule", metavar="NAME=VALUE", help=RULE_HELP),
    base: int = typer.Option(None, "--base", help=BASE_HELP),
    max_decisions: int = typer.Option(500, "--max-decisions", help="Cut a game off after so many decisions."),
    workers: int = typer.Option(None, "--workers", help="Processes; all cores when left out."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Play games with random players and sum them up. Exit 1 when a game failed."""
    from upcard.analysis.simulating import Summary
    from upcard.engine.contract import Limits

    for option, number, least in (("--games", games, 1), ("--max-decisions", max_decisions, 0)):
        if number < least:
            raise Stop(MISUSE, f"{option} is at least {least}, not {number}")
    if workers is not None and workers < 1:
        raise Stop(MISUSE, f"--workers is at least 1, not {workers}")
    with sentences():
        loaded = load(game, given, rules, base)
    if engine not in ("reference", "native"):
        raise Stop(MISUSE, f"there is no engine {engine}; there are reference and native")
    engine, played = _rows(engine, loaded, games, seed, Limits(decisions=max_decisions), workers)
    summary = Summary(loaded.seats)
    started = time.perf_counter()
    interrupted = False
    with _progress(games) as advance:
        try:
            for row in played:
                summary.add(row)
                advance()
        except KeyboardInterrupt:
            interrupted = True
    seconds = time.perf_counter() - started
    if as_json:
        typer.echo(json.dumps(_as_json(loaded, engine, seed, seconds, summary)))
    else:
        _as_text(loaded, seconds, summary)
    if interrupted:
        raise Stop(130, f"interrupted after {summary.games} of {games} games; the figures are of those")
    raise typer.Exit(NO if summary.ends["failed"] else 0)


def _rows(
    engine: str, game: ReferenceGame, games: int, seed: int, limits: Limits, workers: int | None
) -> tuple[str, Iterator[Row]]:
    """The games, and who plays them: without machine code the reference engine does, and a line says so."""
    from upcard.analysis.simulating import native_rows, rows

    if engine == "native":
        from upcard.engine.native.lower.layout import NotLowered

        try:
            return engine, native_rows(game, games, seed, limits, workers)
        except NotLowered as error:
            why = str(error)
        except ImportError:
            why = "llvmlite is not installed (pip install 'upcard[native]')"
        print(f"upcard: the reference engine plays: {why}", file=sys.stderr)
    return "reference", rows(game, games, seed, limits, workers)


def _as_json(
    game: ReferenceGame, engine: str, seed: int, seconds: float, summary: Summary
) -> dict[str, object]:
    return {
        "game": game.name,
        "engine": engine,
        "seed": seed,
        "games": summary.games,
        "seconds": seconds,
        "games_per_second": summary.games / seconds if seconds else None,
        **summary.to_json(),
    }


def _as_text(game: ReferenceGame, seconds: float, summary: Summary) -> None:
    if not summary.games:
        return
    title = game.teller.sheet.title if game.teller.sheet else game.name
    print(f"{title}: {summary.games:,} games in {seconds:.1f} s, {summary.games / seconds:,.0f} a second")
    ends = [f"{count:,} {word.replace('_', ' ')}" for word, count in summary.ends.items() if count]
    print(f"  endings    {', '.join(ends)}")
    d, b, f = summary.decisions, summary.branching, summary.forced_share
    print(f"  decisions  {d.mean:.2f} ± {d.error:.2f} a game, {d.least:.0f} to {d.most:.0f}")
    print(
        f"  choices    {b.mean:.3f} ± {b.error:.3f} a decision; {100 * f.mean:.1f} % of decisions are forced"
    )
    scored = summary.games - summary.ends["failed"]
    if scored:
        width = max(len(game.teller.seat(seat)) for seat in range(game.seats))
        print(f"  {'':<{width}}  {'score':>17}   first place")
        for seat, score in enumerate(summary.scores):
            share = 100 * summary.first_place[seat] / scored
            name = f"{game.teller.seat(seat):<{width}}"
            print(f"  {name}  {score.mean:8.3f} ± {score.error:6.3f}   {share:9.1f} %")
    for deal, failure in summary.failures:
        print(f"  deal {deal} failed at line {failure.line}: {failure.message}: {failure.form}")


class _progress:
    """A bar for work that takes long enough to wonder; silent when nobody watches."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._shown = sys.stderr.isatty() and total > 200

    def __enter__(self) -> Callable[[], None]:
        if not self._shown:
            return lambda: None
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

        self._bar = Progress(
            "playing",
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._bar.start()
        task = self._bar.add_task("", total=self._total)
        return lambda: self._bar.advance(task)

    def __exit__(self, *_: object) -> None:
        if self._shown:
            self._bar.stop()
