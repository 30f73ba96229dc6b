"""`upcard arena`: measures players on duplicate deals."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from upcard.cli.console import MISUSE, NO, Stop, load, sentences, tell_note
from upcard.cli.options import (
    PLAYERS_HELP,
    AsJson,
    Base,
    EngineName,
    Game,
    Given,
    Patience,
    Rules,
    Secret,
    Seed,
    Target,
    Trusted,
    Workers,
    at_least,
)
from upcard.cli.progress import progress
from upcard.cli.trust import check_secret, given_secret
from upcard.output import say

if TYPE_CHECKING:
    from upcard.arena.contest_run import Run
    from upcard.arena.ratings import Rating
    from upcard.engine.shared.game import LoadedGame
    from upcard.players.spec import PlayerSpec

SPRT_HELP = (
    "Stop when it is clear whether the first player's lead is LOW or HIGH: "
    "points ahead a deal (0 is even), or the share of matches won (0.5 is even)."
)


def arena(
    game: Game,
    players: str = typer.Option(None, "--players", metavar="A,B[,..]", help=f"Two or more: {PLAYERS_HELP}"),
    ladder: bool = typer.Option(False, "--ladder", help="The levels of play instead, each against the next."),
    deals: int = typer.Option(
        100,
        "--deals",
        callback=at_least(1),
        help="How many deals, or matches; each is played until everybody has sat everywhere.",
    ),
    matches: bool = typer.Option(False, "--matches", help="Play matches to the target, not single deals."),
    to: Target = None,
    seed: Seed = 0,
    sprt: str = typer.Option(None, "--sprt", metavar="LOW,HIGH", help=SPRT_HELP),
    patience: Patience = 10.0,
    trusted: Trusted = False,
    secret: Secret = None,
    given: Given = None,
    rules: Rules = None,
    base: Base = None,
    engine: EngineName = "native",
    workers: Workers = None,
    record: Path = typer.Option(
        None, "--record", metavar="FILE", help="Write every game to a file; go on with it if it is there."
    ),
    parquet: Path = typer.Option(None, "--parquet", metavar="FILE", help="Write a table, a row a game."),
    as_json: AsJson = False,
) -> None:
    """Measure players against each other: the same deals for everybody, the seats exchanged."""
    from upcard.arena.contest import Contest
    from upcard.arena.contest_header import record_secret
    from upcard.arena.contest_rows import need_parquet, write_parquet
    from upcard.arena.contest_run import Run
    from upcard.match.match_play import MatchOver
    from upcard.players.external.external_player import end_all
    from upcard.stats.sprt import bounds

    if (players is None) != ladder:
        raise Stop(MISUSE, "give either --players A,B or --ladder")
    if to is not None and not matches:
        raise Stop(MISUSE, "--to is the target of a match; add --matches")
    with sentences():
        if parquet is not None:
            need_parquet()
            if not parquet.absolute().parent.is_dir():  # told before anything is played, not after all of it
                raise Stop(MISUSE, f"{parquet}: no such file or directory")
        loaded = load(game, given, rules, base, engine)
        try:
            named = _players(players, loaded, patience, trusted)
            check_secret(secret, named, trusted)
            run = Run(
                Contest.of(
                    loaded,
                    named,
                    deals,
                    seed,
                    matches=matches,
                    to=to,
                    ladder=ladder,
                    patience=patience,
                    sprt=None if sprt is None else bounds(sprt),
                    secret=given_secret(secret) or record_secret(record, "arena"),
                ),
                record,
            )
            tell_note(loaded)
            started = time.perf_counter()
            stopped = None
            with progress("playing", run.contest.games, least=20) as advance:
                advance(run.resumed)
                try:
                    for _ in run.play(workers):
                        advance(1)
                except KeyboardInterrupt:
                    stopped = 130, "interrupted"
                except MatchOver as error:
                    stopped = NO, f"{error}; stopped"
            seconds = time.perf_counter() - started
            rated, unrated = _ratings(run)
        finally:
            end_all()
    if as_json:
        about = _about(run, seconds)
        rating = None if rated is None else [found.to_json(run.contest.names) for found in rated]
        say(json.dumps({**about, **run.results.to_json(), "ratings": rating}))
    else:
        from upcard.cli.arena_report import show

        show(run, seconds, rated, unrated, ladder, record is not None)
    if parquet is not None:
        with sentences():
            write_parquet(run.results, parquet)
    if stopped is not None:
        code, why = stopped
        kept = f"; {record} keeps them, and the same command goes on" if record is not None else ""
        done = f"after {run.results.deals} of {deals} {'matches' if matches else 'deals'}"
        raise Stop(code, f"{why} {done}; the figures are of those{kept if code != NO else ''}")


def _players(players: str | None, game: LoadedGame, patience: float, trusted: bool) -> list[PlayerSpec]:
    """As given, or the levels of play."""
    from upcard.players.levels import LEVELS
    from upcard.players.spec import levels, resolve_player, split

    if players is not None:
        return [resolve_player(name, game, patience, trusted) for name in split(players)]
    found = levels()
    if len(found) < 2:
        there = f"only {found[0]}" if found else "none"
        raise Stop(NO, f"a ladder needs two of the levels {', '.join(LEVELS)}, and there is {there}")
    return [resolve_player(name, game, patience) for name in found]


def _ratings(run: Run) -> tuple[list[Rating] | None, str]:
    """For more than two players; without openskill all else is told, and a line says what is missing."""
    from upcard.arena.ratings import NotInstalled, ratings

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
