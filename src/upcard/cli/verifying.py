"""`upcard verify`: both engines side by side."""

from __future__ import annotations

import sys

import typer

from upcard.cli.progress import progress
from upcard.cli.speaking import BASE_HELP, MISUSE, NO, RULE_HELP, SET_HELP, Stop, load, sentences


def verify(
    game: str = typer.Argument(..., metavar="GAME_OR_FILE", help="A library game by name, or a program."),
    games: int = typer.Option(100, "--games", help="How many games."),
    seed: int = typer.Option(0, "--seed", help="The same seed gives the same games."),
    given: list[str] = typer.Option([], "--set", metavar="NAME=VALUE", help=SET_HELP),
    rules: list[str] = typer.Option([], "--rule", metavar="NAME=VALUE", help=RULE_HELP),
    base: int = typer.Option(None, "--base", help=BASE_HELP),
    workers: int = typer.Option(None, "--workers", help="Processes; all cores when left out."),
) -> None:
    """Play both engines side by side and compare everything at every decision. Exit 1 at a difference."""
    import os

    from upcard.analysis.verifying import PIECE
    from upcard.analysis.verifying import verify as compare
    from upcard.engine.native.game import NativeGame

    if games < 1:
        raise Stop(MISUSE, f"--games is at least 1, not {games}")
    if workers is not None and workers < 1:
        raise Stop(MISUSE, f"--workers is at least 1, not {workers}")
    workers = workers or (os.cpu_count() or 1 if games > 4 * PIECE else 1)
    done = 0
    with sentences():
        loaded = load(game, given, rules, base)
        assert isinstance(loaded, NativeGame)
        loaded.stepping, loaded.playing  # noqa: B018  (compiled once here, found in the cache by every worker)
        try:
            with progress("comparing", games, least=2 * PIECE) as advance:
                for differences in compare(loaded, games, seed, workers):
                    if differences:
                        break
                    size = min(PIECE, games - done)
                    done += size
                    advance(size)
                else:
                    print(f"{loaded.name}: {games:,} games, no difference")
                    return
        except KeyboardInterrupt:
            print(f"upcard: interrupted after {done} of {games} games without a difference", file=sys.stderr)
            raise typer.Exit(130) from None
    first = differences[0]
    typer.echo(str(first))
    line = loaded.program.source.text.split("\n")[first.line - 1]
    typer.echo(f"  {first.line:>4} | {line}")
    raise typer.Exit(NO)
