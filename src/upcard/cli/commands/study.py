"""`upcard study`: measures what a game is like."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from upcard.cli.console import MISUSE, NO, Stop, load, sentences, tell_note
from upcard.cli.options import (
    AsJson,
    Base,
    EngineName,
    Figures,
    Folder,
    Game,
    Given,
    Patience,
    Rules,
    SearchPlayers,
    Secret,
    Seed,
    Trusted,
    Workers,
    at_least,
)
from upcard.cli.progress import progress
from upcard.cli.trust import check_secret, given_secret, trust_lines
from upcard.output import say

if TYPE_CHECKING:
    from upcard.engine.shared.game import LoadedGame
    from upcard.players.spec import PlayerSpec
    from upcard.study.study_run import Study
    from upcard.study.study_summary import Summed


def study(
    game: Game,
    games: int = typer.Option(
        1000, "--games", callback=at_least(1), help="How many games of random players."
    ),
    players: SearchPlayers = None,
    search_games: int = typer.Option(
        None,
        "--search-games",
        callback=at_least(1),
        help="How many games of searching players; 100 if left out.",
    ),
    rows: bool = typer.Option(True, "--rows/--no-rows", help="Write a table with a row a game."),
    decisions: bool = typer.Option(False, "--decisions", help="Write a row a decision as well."),
    figures: Figures = True,
    seed: Seed = 0,
    patience: Patience = 10.0,
    trusted: Trusted = False,
    secret: Secret = None,
    given: Given = None,
    rules: Rules = None,
    base: Base = None,
    engine: EngineName = "native",
    workers: Workers = None,
    folder: Folder = None,
    as_json: AsJson = False,
) -> None:
    """Study a game: how long, how fair, how tense, how much is skill; tables and figures in a folder."""
    from upcard.players.external.external_player import end_all
    from upcard.study.plan import Plan
    from upcard.study.study_record import secret_of
    from upcard.study.study_run import Study
    from upcard.study.study_summary import Summed

    check_search_games(search_games, players)
    if folder is None and decisions:
        raise Stop(MISUSE, "--decisions writes a table; say into which folder with -o")
    if decisions and not rows:
        raise Stop(MISUSE, "--decisions writes a table, and --no-rows wants none; leave one of them out")
    with sentences():
        try:
            loaded = load(game, given, rules, base, engine)
            named = named_players(players, loaded, patience, trusted)
            check_secret(secret, named, trusted)
            known = given_secret(secret) or secret_of(folder)
            plan = Plan.of(loaded, games, seed, named, search_games or SEARCH_GAMES, known)
            made = Study(plan, check_folder(folder))
            started = time.perf_counter()
            stopped = play(made, workers)
            seconds = time.perf_counter() - started
        finally:
            end_all()
        tell_note(loaded)
        summed = Summed(made)
        tables = tables_of(decisions) if rows else ()
        written = write(summed, folder, tables, figures, stopped is not None)
    if as_json:
        say(json.dumps(summed.to_json()))
    else:
        from upcard.cli.study_report import show

        show(summed, seconds)
        for line in [*trust_lines(plan, folder is not None), *written]:
            say(f"  {line}")
    if stopped is not None:
        raise ended(stopped, made.done, made.total, folder)
    if made.failed:
        raise Stop(NO, f"{made.failed} of {made.done} games failed; upcard simulate says where")


SEARCH_GAMES = 100


def check_search_games(search_games: int | None, players: str | None) -> None:
    if search_games is not None and players is None:
        raise Stop(MISUSE, "--search-games are games of a searching player; name one with --players")


def check_folder(folder: Path | None) -> Path | None:
    """Told before anything is played, not after all of it."""
    if folder is not None:
        if folder.exists() and not folder.is_dir():
            raise Stop(MISUSE, f"{folder} is a file; -o wants a folder")
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def named_players(players: str | None, game: LoadedGame, patience: float, trusted: bool) -> list[PlayerSpec]:
    from upcard.players.spec import resolve_player, split

    return (
        [] if players is None else [resolve_player(name, game, patience, trusted) for name in split(players)]
    )


def play(made: Study, workers: int | None, doing: str = "playing") -> tuple[int, str] | None:
    """Plays what is left; where it was stopped before the end, the exit code and a word why."""
    from upcard.match.match_play import MatchOver

    with progress(doing, made.total, least=20) as advance:
        advance(made.resumed)
        try:
            for count in made.play(workers):
                advance(count)
        except KeyboardInterrupt:
            return 130, "interrupted"
        except MatchOver as error:
            return NO, f"{error}; stopped"
    return None


def write_tables(study: Study, folder: Path, tables: tuple[str, ...]) -> list[str]:
    from upcard.study import study_rows

    try:
        with progress("writing", study_rows.expected(study, tables), least=SOON) as advance:
            return [path.name for path in study_rows.write(study, folder, tables, advance)]
    except KeyboardInterrupt:
        raise Stop(
            130,
            f"interrupted while tables were written; {folder} keeps the games, and the same command goes on",
        ) from None


def ended(stopped: tuple[int, str], done: int, total: int, folder: Path | None) -> Stop:
    code, why = stopped
    going_on = folder is not None and code != NO
    kept = f"; {folder} keeps them, and the same command goes on" if going_on else ""
    return Stop(code, f"{why} after {done:,} of {total:,} games; the figures are of those{kept}")


SOON = 20_000
"""Tables of no more games than this are written for whoever has interrupted a study."""


def tables_of(decisions: bool) -> tuple[str, ...]:
    return ("games", "decisions") if decisions else ("games",)


def write(
    summed: Summed, folder: Path | None, tables: tuple[str, ...], figures: bool, stopped: bool = False
) -> list[str]:
    """Tables, summary and figures into the folder; gives lines that say what was written."""
    from upcard.storage.atomic_write import write_text

    study = summed.study
    if folder is None or not study.done:
        return []
    path = folder / "summary.json"
    write_text(path, json.dumps(summed.to_json(), indent=1) + "\n")
    late = stopped and study.done > SOON
    names = [] if late else write_tables(study, folder, tables)
    written = [f"written to {folder}: {', '.join([*names, path.name])}"]
    if late and tables:
        written.append("tables are not written of so many games before all are played")
    if figures:
        from upcard.study.figures.figure_style import NoFigures

        try:
            from upcard.study.figures.figure_set import draw

            names = draw(summed, folder / "figures")
            written.append(
                f"figures in {folder / 'figures'}: {', '.join(names)} (PNG and SVG, light and dark)"
            )
        except NoFigures as error:
            written.append(str(error))
    return written
