"""`upcard site`: writes pages for the whole library, with an index."""

from __future__ import annotations

from pathlib import Path

import typer

from upcard.cli.console import MISUSE, Stop, sentences
from upcard.cli.options import (
    Seed,
    Workers,
)
from upcard.cli.page_options import Games, Players, SearchGames, check_players
from upcard.cli.progress import progress
from upcard.output import say


def site(
    folder: Path = typer.Option(..., "-o", "--output", metavar="FOLDER", help="Where the pages go."),
    only: list[str] = typer.Option(
        [], "--game", metavar="NAME", help="Only this game; may be given several times."
    ),
    games: Games = 2000,
    players: Players = "published",
    search_games: SearchGames = None,
    seed: Seed = 0,
    workers: Workers = None,
) -> None:
    """Put the library on pages, with an index that sorts and filters; makes anew only what changed."""
    check_players(search_games, players)
    with sentences():
        from upcard.library import names
        from upcard.parallel.cores import cores
        from upcard.site.page_data import Asked
        from upcard.site.site_build import Site
        from upcard.study.figures.figure_style import need_matplotlib

        unknown = next((name for name in only if name not in names()), None)
        if unknown is not None:
            raise Stop(MISUSE, f"the library has no game {unknown}; it has {', '.join(names())}")
        need_matplotlib()
        asked = Asked("", games=games, players=players, search_games=search_games, seed=seed)
        made = Site.of(folder, asked, sorted(dict.fromkeys(only)))
        made.open()
        stale = made.stale()
        done = 0
        with progress("making pages", len(stale), least=1) as advance:
            try:
                for _ in made.make(stale, workers or cores()):
                    done += 1
                    advance(1)
            except KeyboardInterrupt:
                done = len(stale) - len(made.stale())  # those that came before others are done too
                raise Stop(
                    130, f"interrupted after {done} of {len(stale)} pages; the same command goes on"
                ) from None
        made.finish()
    fresh = len(made.games) - len(stale)
    kept = f", {fresh} as they were" if fresh else ""
    say(f"{done} {'page' if done == 1 else 'pages'} made{kept}: {folder / 'index.html'}")
