"""`upcard page` and `upcard site`: games on pages for a browser."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from upcard.cli.progress import progress
from upcard.cli.speaking import (
    BASE_HELP,
    ENGINE_HELP,
    MISUSE,
    NO,
    PATIENCE_HELP,
    RULE_HELP,
    SET_HELP,
    Stop,
    base_of,
    check_patience,
    engine_of,
    pairs,
    sentences,
    tell_note,
)
from upcard.cli.studying import STUDY_PLAYERS_HELP

if TYPE_CHECKING:
    from upcard.pages.making import Asked, Made

GAMES_HELP = "How many games of random players."
PLAYERS_HELP = f"{STUDY_PLAYERS_HELP} Or none."
SEARCH_HELP = "How many games of searching players; by how much there is to choose if left out."
SEED_HELP = "The same seed gives the same page."


def page(
    game: str = typer.Argument(..., metavar="GAME_OR_FILE", help="A library game by name, or a program."),
    to: Path = typer.Option(None, "-o", "--output", metavar="FILE", help="Where to; NAME.html if left out."),
    games: int = typer.Option(2000, "--games", help=GAMES_HELP),
    players: str = typer.Option("published", "--players", metavar="NAME[,NAME]", help=PLAYERS_HELP),
    search_games: int = typer.Option(None, "--search-games", help=SEARCH_HELP),
    seed: int = typer.Option(0, "--seed", help=SEED_HELP),
    patience: float = typer.Option(10.0, "--patience", help=PATIENCE_HELP),
    given: list[str] = typer.Option([], "--set", metavar="NAME=VALUE", help=SET_HELP),
    rules: list[str] = typer.Option([], "--rule", metavar="NAME=VALUE", help=RULE_HELP),
    base: int = typer.Option(None, "--base", help=BASE_HELP),
    engine: str = typer.Option("native", "--engine", help=ENGINE_HELP),
    workers: int = typer.Option(None, "--workers", help="Processes; all cores when left out."),
) -> None:
    """Put a game on a page: rules, table, figures and program in one file that needs nothing else."""
    _check(games, search_games, workers, players)
    check_patience(patience)
    with sentences():
        from upcard.analysis.figures_style import need_matplotlib
        from upcard.pages.making import Asked

        need_matplotlib()
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
        )
        made, to = _made(asked, to, workers)
        failed = sum(one.scores is None for played in made.study.games.values() for one in played)
    typer.echo(f"{made.title}: written to {to}")
    if failed:
        raise Stop(NO, f"{failed} of {made.study.done} games failed; the page says where")


def _made(asked: Asked, to: Path | None, workers: int | None) -> tuple[Made, Path]:
    from upcard.library import find
    from upcard.match.playing import MatchOver
    from upcard.pages.game_page import game_page
    from upcard.pages.making import begin
    from upcard.pages.site import write
    from upcard.players.outside import end_all

    found = find(asked.path)
    to = to or Path(f"{found.name}.html")
    if to.is_dir() or not to.parent.is_dir():
        raise Stop(MISUSE, f"{to} is no file that can be written; -o wants a file, as in {found.name}.html")
    # what was played when somebody stops is beside the page until it is made
    text = json.dumps([str(asked), found.rules.read_text(encoding="utf-8", errors="replace")])
    digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
    kept = to.with_name(f".{to.name}.games") / digest[:16]
    try:
        made = begin(asked, kept)
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
    write(to, game_page(made))
    shutil.rmtree(kept.parent, ignore_errors=True)
    return made, to


def site(
    folder: Path = typer.Option(..., "-o", "--output", metavar="FOLDER", help="Where the pages go."),
    only: list[str] = typer.Option(
        [], "--game", metavar="NAME", help="Only this game; may be given several times."
    ),
    games: int = typer.Option(2000, "--games", help=GAMES_HELP),
    players: str = typer.Option("published", "--players", metavar="NAME[,NAME]", help=PLAYERS_HELP),
    search_games: int = typer.Option(None, "--search-games", help=SEARCH_HELP),
    seed: int = typer.Option(0, "--seed", help=SEED_HELP),
    workers: int = typer.Option(None, "--workers", help="Processes; all cores when left out."),
) -> None:
    """Put the library on pages, with an index that sorts and filters; makes anew only what changed."""
    _check(games, search_games, workers, players)
    with sentences():
        from upcard.analysis.figures_style import need_matplotlib
        from upcard.engine.native.batch import cores
        from upcard.library import names
        from upcard.pages.making import Asked
        from upcard.pages.site import Site

        need_matplotlib()
        unknown = next((name for name in only if name not in names()), None)
        if unknown is not None:
            raise Stop(MISUSE, f"the library has no game {unknown}; it has {', '.join(names())}")
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
                _end_workers()
                done = len(stale) - len(made.stale())  # those that came before others are done too
                raise Stop(
                    130, f"interrupted after {done} of {len(stale)} pages; the same command goes on"
                ) from None
        made.finish()
    fresh = len(made.games) - len(stale)
    kept = f", {fresh} as they were" if fresh else ""
    typer.echo(f"{done} {'page' if done == 1 else 'pages'} made{kept}: {folder / 'index.html'}")


def _end_workers() -> None:
    """A page in the making can take a minute, and nothing of it is lost: nobody should wait for it."""
    import multiprocessing

    for child in multiprocessing.active_children():
        child.terminate()


def _check(games: int, search_games: int | None, workers: int | None, players: str) -> None:
    for option, number in (("--games", games), ("--search-games", search_games), ("--workers", workers)):
        if number is not None and number < 1:
            raise Stop(MISUSE, f"{option} is at least 1, not {number}")
    if search_games is not None and players == "none":
        raise Stop(MISUSE, "--search-games are games of a searching player; name one with --players")
