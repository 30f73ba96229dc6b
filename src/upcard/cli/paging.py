"""`upcard page` and `upcard site`: games on pages for a browser."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from upcard.cli.console import MISUSE, NO, Stop, base_of, engine_of, pairs, sentences, tell_note
from upcard.cli.options import (
    SEARCH_PLAYERS_HELP,
    Base,
    EngineName,
    Game,
    Given,
    Patience,
    Rules,
    Seed,
    Trusted,
    Workers,
    at_least,
)
from upcard.cli.progress import progress
from upcard.output import say

if TYPE_CHECKING:
    from upcard.site.page_data import Asked, Made

Games: TypeAlias = Annotated[
    int, typer.Option("--games", callback=at_least(1), help="How many games of random players.")
]
Players: TypeAlias = Annotated[
    str, typer.Option("--players", metavar="NAME[,NAME]", help=f"{SEARCH_PLAYERS_HELP} Or none.")
]
SearchGames: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--search-games",
        callback=at_least(1),
        help="How many games of searching players; by how much there is to choose if left out.",
    ),
]


def page(
    game: Game,
    to: Path = typer.Option(None, "-o", "--output", metavar="FILE", help="Where to; NAME.html if left out."),
    games: Games = 2000,
    players: Players = "published",
    search_games: SearchGames = None,
    seed: Seed = 0,
    patience: Patience = 10.0,
    trusted: Trusted = False,
    given: Given = None,
    rules: Rules = None,
    base: Base = None,
    engine: EngineName = "native",
    workers: Workers = None,
) -> None:
    """Put a game on a page: rules, table, figures and program in one file that needs nothing else."""
    _check(search_games, players)
    with sentences():
        from upcard.site.page_data import Asked

        asked = Asked(
            game,
            tuple(pairs(given, "--set").items()),
            tuple(pairs(rules, "--rule").items()),
            base_of(base),
            engine_of(engine),
            games,
            players,
            search_games,
            seed,
            patience,
            trusted,
        )
        made, to = _made(asked, to, workers)
        failed = sum(one.scores is None for played in made.study.games.values() for one in played)
    say(f"{made.title}: written to {to}")
    if failed:
        raise Stop(NO, f"{failed} of {made.study.done} games failed; the page says where")


def _made(asked: Asked, to: Path | None, workers: int | None) -> tuple[Made, Path]:
    from upcard.files.bounded import read_stream
    from upcard.library import find
    from upcard.match.match_play import MatchOver
    from upcard.players.external.external_player import end_all
    from upcard.site.game_page import game_page
    from upcard.site.page_data import begin
    from upcard.storage.atomic_write import write_text
    from upcard.study.figures.figure_style import need_matplotlib

    found = find(asked.path)
    to = to or Path(f"{found.name}.html")
    if to.is_dir() or not to.parent.is_dir():
        raise Stop(MISUSE, f"{to} is no file that can be written; -o wants a file, as in {found.name}.html")
    # what was played when somebody stops is beside the page until it is made
    text = json.dumps([str(asked), read_stream(found.rules).decode("utf-8", "replace")])
    digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
    kept = to.with_name(f".{to.name}.games") / digest[:16]
    try:
        made = begin(asked, kept)
        need_matplotlib()  # what is wrong with the program is told first, and before anything is played
        tell_note(made.game)
        with progress("playing", made.study.total, least=20) as advance:
            advance(made.study.resumed)
            for count in made.play(workers):
                advance(count)
    except MatchOver as error:
        raise Stop(NO, f"{error}; so no page was made") from None
    except KeyboardInterrupt:
        raise Stop(
            130, "interrupted; what was played is kept, and the same command goes on with it"
        ) from None
    finally:
        end_all()
    write_text(to, game_page(made))
    shutil.rmtree(kept.parent, ignore_errors=True)
    return made, to


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
    _check(search_games, players)
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


def _check(search_games: int | None, players: str) -> None:
    if search_games is not None and players == "none":
        raise Stop(MISUSE, "--search-games are games of a searching player; name one with --players")
