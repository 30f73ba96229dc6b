"""`upcard site`: writes pages for the whole library, with an index."""

from __future__ import annotations

import typer

from upcard.cli import completion_values as complete
from upcard.cli import options
from upcard.cli.cluster_workers import open_workers
from upcard.cli.console import INTERRUPTED, MISUSE, Stop, report_errors
from upcard.cli.progress import progress
from upcard.output import say


def site(
    only: list[str] = typer.Argument(
        None,
        metavar="[GAME...]",
        help="Games of the library.",
        show_default="all of them",
        autocompletion=complete.games,
    ),
    games: options.Games = 2000,
    players: options.Players = "published",
    search_games: options.PageSearchGames = None,
    folder: options.Folder = ...,  # type: ignore[assignment]  # Typer's sign for a required option
    seed: options.Seed = 0,
    workers: options.Workers = None,
    cluster: options.Cluster = None,
) -> None:
    """Write web pages about games of the library, with an index.

    The index can be sorted and filtered. Only pages of games that changed are written again. Give --players
    a searching player, two to compare them, or none.

    Examples:
        upcard site -o public kuhn-poker leduc-holdem
    """
    options.check_search_games(search_games, players != "none")
    with report_errors():
        from upcard.library import names
        from upcard.parallel.cores import cores
        from upcard.site.page_data import PageOptions
        from upcard.site.site_build import Site

        unknown = next((name for name in only or [] if name not in names()), None)
        if unknown is not None:
            raise Stop(MISUSE, f"the library has no game {unknown}; it has {', '.join(names())}")
        page_options = PageOptions("", games=games, players=players, search_games=search_games, seed=seed)
        site_build = Site.of(folder, page_options, sorted(dict.fromkeys(only or [])))
        site_build.open()
        outdated = site_build.outdated()
        done = 0
        with (
            open_workers(workers, cluster) as opened,
            progress("writing pages", len(outdated), 1, opened) as advance,
        ):
            try:
                for _ in site_build.make(outdated, opened or cores()):
                    done += 1
                    advance(1)
            except KeyboardInterrupt:
                done = len(outdated) - len(
                    site_build.outdated()
                )  # a worker may have finished pages that were not reported yet
                raise Stop(
                    INTERRUPTED,
                    f"interrupted after {done} of {len(outdated)} pages; the same command resumes",
                ) from None
        site_build.finish()
    unchanged = len(site_build.games) - len(outdated)
    kept = f", {unchanged} as they were" if unchanged else ""
    say(f"{done} {'page' if done == 1 else 'pages'} written{kept}: {folder / 'index.html'}")
