"""`upcard solve`: computes optimal play of a small game with hidden cards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from upcard.cli import completion_values as complete
from upcard.cli import options
from upcard.cli.console import INTERRUPTED, MISUSE, Stop, load_game, report_errors
from upcard.cli.progress import progress
from upcard.output import say

if TYPE_CHECKING:
    from upcard.players.spec import PlayerSpec
    from upcard.solve.player_table import PlayerMeasured
    from upcard.solve.solve_run import SolveRun

SOLUTION = "solution"
"""Stands for the solution among the players of --expected."""
ALGORITHMS = ("pcfr+", "cfr+", "dcfr", "mccfr")


def solve(
    game: options.Game,
    algorithm: str = typer.Option(
        "pcfr+",
        "--algorithm",
        metavar="|".join(ALGORITHMS),
        help="Kind of counterfactual regret minimization; mccfr samples the tree.",
        autocompletion=complete.words(*ALGORITHMS),
    ),
    iterations: int = typer.Option(
        None,
        "--iterations",
        metavar="N",
        callback=options.at_least(1),
        help="Stop after this many iterations.",
        show_default="100000, or a million of mccfr",
    ),
    target: float = typer.Option(
        None,
        "--target",
        metavar="POINTS",
        help="Stop as soon as the seats could gain no more than this, on average.",
        show_default="0.000001, or none with --iterations or mccfr",
    ),
    max_nodes: int = typer.Option(
        200_000,
        "--max-nodes",
        metavar="N",
        callback=options.at_least(1),
        help="Refuse a game whose tree is larger; 3,000 nodes take about a second to list.",
    ),
    exploit: str = typer.Option(
        None,
        "--exploit",
        metavar="PLAYER",
        help="Also measure a player: against the solution, and against the best response to it.",
        autocompletion=complete.players,
    ),
    line_up: str = typer.Option(
        None,
        "--expected",
        metavar="PLAYER,...",
        help="Also compute what these players get, one in each seat; solution follows the solution.",
        autocompletion=complete.players,
    ),
    samples: int = typer.Option(
        None,
        "--samples",
        metavar="N",
        callback=options.at_least(1),
        help="Times that players decide in each position.",
        show_default="20",
    ),
    start: Path = typer.Option(
        None,
        "--from",
        metavar="FILE",
        help="Continue with the strategy in this file, written by --output.",
        autocompletion=complete.files,
    ),
    output: options.StrategyFile = None,
    parquet: options.ParquetFile = None,
    seed: options.Seed = 0,
    overrides: options.Overrides = None,
    rules: options.Rules = None,
    base: options.Base = None,
    workers: options.Workers = None,
    as_json: options.AsJson = False,
) -> None:
    """Compute optimal play of a small game with hidden cards.

    Lists every deal and every line of play, and improves the strategies of all seats against each other until
    nobody can gain much by playing otherwise. Ctrl-C stops early and keeps the strategy so far.

    Examples:
        upcard solve kuhn-poker
        upcard solve leduc-holdem --target 0.001 -o leduc.json
        upcard solve kuhn-poker --exploit random --expected solution,random
    """
    from upcard.cli.solve_report import print_report, report_json
    from upcard.players.external.external_player import end_all
    from upcard.players.spec import resolve_player
    from upcard.solve.solve_run import SolveRun
    from upcard.solve.strategy_rows import strategy_table
    from upcard.storage.arrow_table import write_parquet

    if algorithm not in ALGORITHMS:
        raise Stop(
            MISUSE, f"--algorithm is {', '.join(ALGORITHMS[:-1])} or {ALGORITHMS[-1]}, not {algorithm}"
        )
    if target is not None and not 0 < target < 1e9:
        raise Stop(MISUSE, f"--target is a number of points above 0, not {target:g}")
    if samples is not None and exploit is None and line_up is None:
        raise Stop(MISUSE, "--samples needs a player; name one with --exploit or --expected")
    options.check_folder(output)
    with report_errors():
        options.check_parquet(parquet)
        run = SolveRun(load_game(game, overrides, rules, base), algorithm, seed, max_nodes, workers)
        try:
            player = None if exploit is None else resolve_player(exploit, run.game)
            seated = None if line_up is None else _seated(line_up, run)
            earlier = None if start is None else run.read(start)
            _list_tree(run)
            if earlier is not None:
                run.resume(earlier)
            interrupted = _solve(run, iterations, target)
            if output is not None:
                run.write(output)
            if parquet is not None:
                write_parquet(strategy_table(run), parquet)
            found = None if player is None or interrupted else _measure(run, player, samples)
            expected = None if seated is None or interrupted else _expect(run, seated, samples)
        finally:
            end_all()
    if as_json:
        say(json.dumps(report_json(run, found, expected)))
    else:
        print_report(run, found, expected, output)
    if interrupted:
        kept = f"; {output} keeps the strategy, and --from {output} continues" if output is not None else ""
        done = f"interrupted after {run.solver.iterations:,} iterations"
        raise Stop(INTERRUPTED, f"{done}; the figures are of the strategy so far{kept}")


def _seated(line_up: str, run: SolveRun) -> dict[str, PlayerSpec | None]:
    """The players of --expected by seat and name; None follows the solution."""
    from upcard.players.spec import resolve_player, split

    names, game = split(line_up), run.game
    if len(names) != game.seats:
        raise Stop(MISUSE, f"--expected names a player for each of the {game.seats} seats, not {len(names)}")
    specs = {name: None if name == SOLUTION else resolve_player(name, game) for name in {*names}}
    return {f"{game.narrator.seat(seat)}: {name}": specs[name] for seat, name in enumerate(names)}


def _expect(run: SolveRun, seated: dict[str, PlayerSpec | None], samples: int | None) -> dict[str, float]:
    """What each of them gets."""
    from upcard.solve.player_table import SAMPLES

    players = [*seated.values()]
    asked = len({id(one) for one in players if one is not None}) * len(run.listing.positions)
    with progress("asking", asked, minimum=20) as advance:
        values = run.expected(players, samples or SAMPLES, advance)
    return dict(zip(seated, values, strict=True))


def _list_tree(run: SolveRun) -> None:
    try:
        with progress("listing", run.estimate()) as advance:
            run.list_tree(advance)
    except KeyboardInterrupt:
        raise Stop(INTERRUPTED, "interrupted while the tree was listed; there is no strategy yet") from None


def _solve(run: SolveRun, iterations: int | None, target: float | None) -> bool:
    """Solve as far as the options say; whether Ctrl-C ended it before."""
    limit, target = run.goal(iterations, target)
    interrupted = False
    with progress("solving", limit) as advance:
        advance(min(run.solver.iterations, limit))
        try:
            for done in run.solve(limit, target):
                advance(done)
        except KeyboardInterrupt:
            interrupted = True
    run.measure()
    return interrupted


def _measure(run: SolveRun, player: PlayerSpec, samples: int | None) -> PlayerMeasured:
    from upcard.solve.player_table import SAMPLES

    with progress("asking", len(run.listing.positions), minimum=20) as advance:
        return run.measure_player(player, samples or SAMPLES, advance)
