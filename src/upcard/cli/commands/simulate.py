"""`upcard simulate`: plays many random games and prints their statistics."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import typer

from upcard.cli import options
from upcard.cli.console import FAILURE, INTERRUPTED, Stop, load_game, report_errors
from upcard.cli.progress import progress
from upcard.output import say, shown

if TYPE_CHECKING:
    from upcard.engine.shared.game import LoadedGame
    from upcard.simulate.summary import Summary
    from upcard.stats.moments import Spread


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
    as_json: options.AsJson = False,
) -> None:
    """Play many random games and print statistics.

    Random players choose every legal move with the same probability. Numbers after ± are 95 % intervals. The
    exit code is 1 if a game failed.

    Examples:
        upcard simulate euchre
        upcard simulate euchre --games 20000 --seed 7 --rule stick=no
        upcard simulate whist --json
    """
    from upcard.engine.api import Limits
    from upcard.simulate.random_games import RandomGames
    from upcard.simulate.summary import Summary
    from upcard.simulate.sums_detail import Sums

    with report_errors():
        loaded = load_game(game, overrides, rules, base, engine)
        run = RandomGames(loaded, Sums(), seed, Limits(decisions=max_decisions))
        parts = run.sums(0, games, workers)
    if run.note:
        say(f"upcard: {run.note}", error=True)
    summary = Summary(loaded.seats)
    started = time.perf_counter()
    interrupted = False
    with progress("playing", games) as advance:
        try:
            for part in parts:
                summary.merge(part)
                advance(part.games)
        except KeyboardInterrupt:
            interrupted = True
    seconds = time.perf_counter() - started
    if as_json:
        say(json.dumps(_as_json(loaded, run.engine, seed, seconds, summary)))
    else:
        _print_text(loaded, seconds, summary)
    if interrupted:
        raise Stop(
            INTERRUPTED,
            f"interrupted after {summary.games} of {games} games; the figures cover what was played",
        )
    raise typer.Exit(FAILURE if summary.ends["failed"] else 0)


def _as_json(game: LoadedGame, engine: str, seed: int, seconds: float, summary: Summary) -> dict[str, object]:
    return {
        "game": game.name,
        "engine": engine,
        "seed": seed,
        "games": summary.games,
        "seconds": seconds,
        "games_per_second": summary.games / seconds if seconds else None,
        **summary.to_json(),
    }


def _print_text(game: LoadedGame, seconds: float, summary: Summary) -> None:
    if not summary.games:
        return
    title = game.narrator.sheet.title if game.narrator.sheet else game.name
    say(f"{title}: {summary.games:,} games in {seconds:.1f} s, {summary.games / seconds:,.0f} a second")
    ends = [f"{count:,} {word.replace('_', ' ')}" for word, count in summary.ends.items() if count]
    say(f"  endings    {', '.join(ends)}")
    d, b, f = summary.decisions, summary.branching, summary.forced_share
    say(f"  decisions  {d.mean:.2f} ± {_margin(d):.2f} a game, {d.least} to {d.most}")
    forced = f"{100 * f.mean:.1f} % are forced"
    say(f"  choices    {b.mean:.3f} ± {_margin(b):.3f} alternatives per decision; {forced}")
    if summary.games > summary.ends["failed"]:
        width = max(len(game.narrator.seat(seat)) for seat in range(game.seats))
        plus_minus = shown("±")
        say(f"  {'':<{width}}  {'score':>{16 + len(plus_minus)}}   first place")
        for seat, (score, share) in enumerate(zip(summary.scores, summary.first_place, strict=True)):
            name = f"{game.narrator.seat(seat):<{width}}"
            points = f"{score.mean:8.3f} {plus_minus} {_margin(score):6.3f}"
            say(f"  {name}  {points}   {100 * (share or 0):9.1f} %")
    for deal, failure in summary.failures:
        say(f"  deal {deal} failed at line {failure.line}: {failure.message}: {failure.form}")


def _margin(spread: Spread) -> float:
    """Half of the 95 % interval of a mean; 0 if all numbers are equal."""
    from upcard.stats.intervals import student

    return student(spread.count - 1) * spread.error if spread.count > 1 else 0.0
