"""`upcard site`: writes pages for the whole library, with an index."""

from __future__ import annotations

from pathlib import Path

import typer

from upcard.cli import options
from upcard.cli.console import INTERRUPTED, MISUSE, Stop, report_errors
from upcard.cli.progress import progress
from upcard.output import say


def site(
    folder: Path = typer.Option(..., "-o", "--output", metavar="FOLDER", help="Where the pages go."),
    only: list[str] = typer.Option(
        [], "--game", metavar="NAME", help="Only this game; may be given several times."
    ),
    games: options.PageGames = 2000,
    players: options.PagePlayers = "published",
    search_games: options.PageSearchGames = None,
    seed: options.Seed = 0,
    workers: options.Workers = None,
) -> None:
    """Put the library on pages, with an index that sorts and filters; makes anew only what changed."""
    options.check_search_games(search_games, players != "none")
    with report_errors():
        from upcard.library import names
        from upcard.parallel.cores import cores
        from upcard.site.page_data import PageOptions
        from upcard.site.site_build import Site
        from upcard.study.figures.figure_style import need_matplotlib

        unknown = next((name for name in only if name not in names()), None)
        if unknown is not None:
            raise Stop(MISUSE, f"the library has no game {unknown}; it has {', '.join(names())}")
        need_matplotlib()
        page_options = PageOptions("", games=games, players=players, search_games=search_games, seed=seed)
        site_build = Site.of(folder, page_options, sorted(dict.fromkeys(only)))
        site_build.open()
        outdated = site_build.outdated()
        done = 0
        with progress("making pages", len(outdated), minimum=1) as advance:
            try:
                for _ in site_build.make(outdated, workers or cores()):
                    done += 1
                    advance(1)
            except KeyboardInterrupt:
                done = len(outdated) - len(
                    site_build.outdated()
                )  # a worker may have finished pages that were not reported yet
                raise Stop(
                    INTERRUPTED,
                    f"interrupted after {done} of {len(outdated)} pages; the same command goes on",
                ) from None
        site_build.finish()
    unchanged = len(site_build.games) - len(outdated)
    kept = f", {unchanged} as they were" if unchanged else ""
    say(f"{done} {'page' if done == 1 else 'pages'} made{kept}: {folder / 'index.html'}")
