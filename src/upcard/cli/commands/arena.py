"""`upcard arena`: measures players on duplicate deals."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import typer

from upcard.cli import options
from upcard.cli.cluster_workers import open_workers
from upcard.cli.console import FAILURE, MISUSE, Stop, load_game, print_engine_note, report_errors
from upcard.cli.progress import play_with_progress
from upcard.cli.trust import check_secret, read_secret_file
from upcard.output import say

if TYPE_CHECKING:
    from upcard.arena.contest_run import Run
    from upcard.arena.ratings import Rating
    from upcard.engine.shared.game import LoadedGame
    from upcard.players.spec import PlayerSpec

DEALS = 100
SPRT_HELP = (
    "Stop as soon as it is clear whether the first player's lead is LOW or HIGH: in points per deal (0 is "
    "even), or with --matches as a share of matches won (0.5 is even)."
)


def arena(
    game: options.Game,
    players: options.NamedPlayers = None,
    ladder: bool = typer.Option(
        False, "--ladder", help="Compare the levels of play instead, each with the next."
    ),
    deals: int = typer.Option(
        None,
        "--deals",
        metavar="N",
        callback=options.at_least(1),
        help="Number of deals, each played until every player has sat in every seat.",
        show_default="100",
    ),
    matches: options.ArenaMatches = None,
    to: options.Target = None,
    sprt: str = typer.Option(None, "--sprt", metavar="LOW,HIGH", help=SPRT_HELP),
    record: options.Record = None,
    parquet: options.ParquetFile = None,
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
    """Compare players on duplicate deals.

    All players play the same deals from all seats, so luck with the cards cancels out. Give --players two
    players or more. With --matches they play whole matches instead of single deals. A contest with --record
    can be interrupted; the same command resumes it.

    Examples:
        upcard arena euchre --players casual,random --deals 10
        upcard arena euchre --players casual,random --matches 1 --to 5
        upcard arena kuhn-poker --ladder --deals 10
    """
    from upcard.arena.contest import Contest
    from upcard.arena.contest_header import record_secret
    from upcard.arena.contest_rows import contest_table
    from upcard.arena.contest_run import Run
    from upcard.players.external.external_player import end_all
    from upcard.stats.sprt import bounds
    from upcard.storage.arrow_table import write_parquet

    if (players is None) != ladder:
        raise Stop(MISUSE, "give either --players A,B or --ladder")
    if matches is not None and deals is not None:
        raise Stop(MISUSE, "give either --deals or --matches")
    if to is not None and matches is None:
        raise Stop(MISUSE, "--to is the target of a match; add --matches")
    count = matches or deals or DEALS
    with report_errors():
        options.check_parquet(parquet)
        loaded = load_game(game, overrides, rules, base, engine)
        try:
            specs = _parse_players(players, loaded, patience, trusted)
            check_secret(secret, specs, trusted)
            run = Run(
                Contest.of(
                    loaded,
                    specs,
                    count,
                    seed,
                    matches=matches is not None,
                    to=to,
                    ladder=ladder,
                    patience=patience,
                    sprt=None if sprt is None else bounds(sprt),
                    secret=read_secret_file(secret) or record_secret(record, "arena"),
                ),
                record,
            )
            print_engine_note(loaded)
            with open_workers(workers, cluster) as opened:
                started = time.perf_counter()
                games = (1 for _ in run.play(opened))
                stopped = play_with_progress(
                    games, run.contest.games, run.resumed, workers=opened, note=lambda: _note(run)
                )
                seconds = time.perf_counter() - started
            ratings, why_unrated = _compute_ratings(run)
        finally:
            end_all()
    if as_json:
        about = _about(run, seconds)
        rated = None if ratings is None else [rating.to_json(run.contest.names) for rating in ratings]
        say(json.dumps({**about, **run.results.to_json(), "ratings": rated}))
    else:
        from upcard.cli.arena_report import print_report

        print_report(run, seconds, ratings, why_unrated, ladder, record is not None)
    if parquet is not None:
        with report_errors():
            write_parquet(contest_table(run.results, "games"), parquet)
    if stopped is not None:
        code, why = stopped
        kept = f"; {record} keeps them, and the same command resumes" if record is not None else ""
        done = f"after {run.results.deals} of {count} {'deals' if matches is None else 'matches'}"
        raise Stop(code, f"{why} {done}; the figures cover what was played{kept if code != FAILURE else ''}")


def _parse_players(players: str | None, game: LoadedGame, patience: float, trusted: bool) -> list[PlayerSpec]:
    """The players named, or the levels of play for a ladder."""
    from upcard.players.levels import LEVELS
    from upcard.players.spec import levels, resolve_player

    if players is not None:
        return options.parse_players(players, game, patience, trusted)
    available = levels()
    if len(available) < 2:
        there = f"only {available[0]}" if available else "none"
        raise Stop(FAILURE, f"a ladder needs two of the levels {', '.join(LEVELS)}, and there is {there}")
    return [resolve_player(name, game, patience) for name in available]


def _note(run: Run) -> str:
    """The lead of the first player over the second as it is known so far."""
    from upcard.stats.interval_text import told

    pair = next(iter(run.results.pairs()), None)
    return "" if pair is None else f"ahead {told(pair.ahead)}"


def _compute_ratings(run: Run) -> tuple[list[Rating] | None, str]:
    """Ratings of three or more players; None and the reason where openskill is not installed."""
    from upcard.arena.ratings import ratings
    from upcard.extras import NotInstalled

    if len(run.contest.players) < 3 or not run.results.games:
        return None, ""
    try:
        return ratings(run.results), ""
    except NotInstalled as error:
        return None, str(error)


def _about(run: Run, seconds: float) -> dict[str, object]:
    contest = run.contest
    return {
        "game": contest.table.game.name,
        "seed": contest.seed,
        "matches" if contest.matches else "deals": contest.deals,
        "sprt": None if run.stopping is None else run.stopping.to_json(),
        **contest.table.trust,
        "resumed": run.resumed,
        "seconds": seconds,
    }
