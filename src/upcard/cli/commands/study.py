"""`upcard study`: measures what a game is like."""

from __future__ import annotations

import json
import time

import typer

from upcard.cli import options
from upcard.cli.cluster_workers import open_workers
from upcard.cli.console import FAILURE, MISUSE, Stop, load_game, print_engine_note, report_errors
from upcard.cli.progress import play_with_progress
from upcard.cli.study_files import make_folder, stopped_early, write_figures, write_files
from upcard.cli.trust import check_secret, read_secret_file, trust_lines
from upcard.output import say


def study(
    game: options.Game,
    games: options.Games = 1000,
    players: options.NamedPlayers = None,
    search_games: options.SearchGames = None,
    rows: bool = typer.Option(True, "--rows/--no-rows", help="Write a table with a row for each game."),
    decisions: bool = typer.Option(
        False, "--decisions", help="Also write a table with a row for each decision."
    ),
    figures: options.Figures = True,
    folder: options.StudyFolder = None,
    seed: options.Seed = 0,
    overrides: options.Overrides = None,
    rules: options.Rules = None,
    base: options.Base = None,
    engine: options.EngineName = "native",
    patience: options.Patience = 10.0,
    trusted: options.Trusted = False,
    secret: options.Secret = None,
    workers: options.Workers = None,
    cluster: options.Cluster = None,
    as_json: options.AsJson = False,
) -> None:
    """Measure what a game is like: length, balance, tension, skill.

    Give --players a searching player to measure skill, and a second one to compare it with. With --output the
    tables, the figures and the games are kept in a folder, and the same command resumes the study.

    Examples:
        upcard study kuhn-poker
        upcard study kuhn-poker --players pimc:20 --search-games 10
        upcard study euchre --games 5000 -o euchre-study
    """
    from upcard.players.external.external_player import end_all
    from upcard.study.plan import Plan
    from upcard.study.study_record import secret_of
    from upcard.study.study_run import Study
    from upcard.study.study_summary import Summed

    options.check_search_games(search_games, players is not None)
    if folder is None and decisions:
        raise Stop(MISUSE, "--decisions writes a table; give its folder with -o")
    if decisions and not rows:
        raise Stop(MISUSE, "--decisions and --no-rows contradict each other; leave one of them out")
    with report_errors():
        try:
            loaded = load_game(game, overrides, rules, base, engine)
            specs = options.parse_players(players, loaded, patience, trusted)
            check_secret(secret, specs, trusted)
            known_secret = read_secret_file(secret) or secret_of(folder)
            plan = Plan.of(loaded, games, seed, specs, search_games or options.SEARCH_GAMES, known_secret)
            run = Study(plan, make_folder(folder))
            with open_workers(workers, cluster) as opened:
                started = time.perf_counter()
                stopped = play_with_progress(run.play(opened), run.total, run.resumed, workers=opened)
                seconds = time.perf_counter() - started
        finally:
            end_all()
        print_engine_note(loaded)
        summed = Summed(run)
        tables = ("games",) * rows + ("decisions",) * decisions
        written = write_files(summed, folder, tables, stopped is not None)
        if figures and written and folder is not None:
            from upcard.study.figures.figure_set import draw

            written.append(write_figures(lambda place: draw(summed, place), folder))
    if as_json:
        say(json.dumps(summed.to_json()))
    else:
        from upcard.cli.study_report import print_report

        print_report(summed, seconds)
        for line in [*trust_lines(plan, folder is not None), *written]:
            say(f"  {line}")
    if stopped is not None:
        raise stopped_early(stopped, run.done, run.total, folder)
    if run.failed:
        raise Stop(FAILURE, f"{run.failed} of {run.done} games failed; upcard simulate says where")
