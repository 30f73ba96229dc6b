"""`upcard match`: plays matches to the game's target."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from upcard.cli import options
from upcard.cli.cluster_workers import open_workers
from upcard.cli.console import (
    FAILURE,
    INTERRUPTED,
    MISUSE,
    Stop,
    errors_in_file,
    load_game,
    print_engine_note,
    report_errors,
)
from upcard.cli.progress import progress
from upcard.cli.seat_options import DEALER_HELP, NAMES_HELP, parse_dealer, parse_names, players_of_seats
from upcard.cli.trust import check_secret, read_secret_file, trust_lines
from upcard.output import say, shown

if TYPE_CHECKING:
    from upcard.engine.shared.game import LoadedGame
    from upcard.match import Participant, Table
    from upcard.match.match_series import Matches
    from upcard.players.spec import PlayerSpec


def match(
    game: options.Game,
    players: options.Players = "random",
    matches: options.Matches = 1,
    to: options.Target = None,
    names: str = typer.Option(
        None, "--names", metavar="NAME,...", help=NAMES_HELP, show_default="as in the game"
    ),
    dealer: str = typer.Option(
        None, "--dealer", metavar="NAME|drawn", help=DEALER_HELP, show_default="the last seat"
    ),
    record: options.Record = None,
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
    """Play matches to the game's target score.

    Give --players one player for all seats, one for each side or one for each seat. A match with --record can
    be interrupted; the same command resumes it.

    Examples:
        upcard match euchre --players casual,random
        upcard match euchre --matches 100 --seed 3
        upcard match whist --players random --record whist.jsonl
    """
    from upcard.arena.contest_header import record_secret
    from upcard.match.match_play import MatchOver, Table
    from upcard.match.match_series import Matches, play_many

    if record is not None and matches != 1:
        raise Stop(MISUSE, "--record writes one match; leave --matches out")
    if record is not None and cluster is not None:
        raise Stop(MISUSE, "--record writes one match, which one process plays; leave --cluster out")
    with report_errors():
        loaded = load_game(game, overrides, rules, base, engine)
        specs = players_of_seats(loaded, players, patience, trusted)
        check_secret(secret, specs, trusted)
        table = Table.of(loaded, _participants(loaded, specs)).to(to)
        table = table.of_players(specs, read_secret_file(secret) or record_secret(record, "match"))
        table = _with_names(table, names, dealer)
        print_engine_note(loaded)
        results = Matches(len(table.sides))
        interrupted = False
        try:
            if record is not None:
                with errors_in_file(record):
                    results.merge(_play_recorded(table, seed, record))
            else:
                with (
                    open_workers(workers, cluster) as opened,
                    progress("playing", matches, 20, opened, lambda: _note(results)) as advance,
                ):
                    for part in play_many(table, matches, seed, opened):
                        results.merge(part)
                        advance(part.matches)
        except MatchOver as error:
            raise Stop(FAILURE, f"{error}") from None
        except KeyboardInterrupt:
            interrupted = True
    if as_json:
        from upcard.players.spec import split

        about = {"game": loaded.name, "seed": seed, "to": table.rules.to, "players": split(players)}
        about |= table.trust
        say(json.dumps({**about, **results.to_json(table)}))
    else:
        _print_text(table, results)
        for line in trust_lines(table, record is not None):
            say(f"  {line}")
    if interrupted:
        kept = (
            f"; {record} keeps the unfinished one, and the same command resumes it"
            if record is not None
            else ""
        )
        raise Stop(INTERRUPTED, f"interrupted after {results.matches} of {matches} matches{kept}")


def _with_names(table: Table, names: str | None, dealer: str | None) -> Table:
    """The table with the names and the first dealer that the options set."""
    from dataclasses import replace

    from upcard.match.seats import can_turn

    seat_names = parse_names(table.game, names)
    people = tuple(replace(p, name=name) for p, name in zip(table.participants, seat_names, strict=True))
    first = parse_dealer(seat_names, dealer, can_turn(table.game.seats, table.sides))
    return replace(table, participants=people, dealer=first)


def _participants(game: LoadedGame, players: Sequence[PlayerSpec]) -> list[Participant]:
    from upcard.match.match_play import Participant

    return [
        Participant(game.narrator.seat(seat), player.name, player.make, player.budget)
        for seat, player in enumerate(players)
    ]


def _play_recorded(table: Table, seed: int, path: Path) -> Matches:
    """Play one match and record it, or resume the record."""
    from dataclasses import replace

    from upcard.engine.transcript import TranscriptError
    from upcard.match.match_play import Match
    from upcard.match.match_record import is_begun, read, resume, writer
    from upcard.match.match_series import Matches
    from upcard.storage.jsonl import Log

    try:
        lines = read(path) if is_begun(path) else []
    except TranscriptError as error:
        raise Stop(MISUSE, f"{path}, {error}; give another file") from None
    if table.trusted and lines and "trusted" not in lines[0]:
        table = replace(table, trusted=False)  # records of before there were secrets trust everybody
    with Log(path, len(lines)) as log, table.sitting() as table:
        if lines:
            begun_with = lines[0].get("seed")
            if isinstance(begun_with, int) and begun_with != seed:
                raise Stop(MISUSE, f"{path} has seed {begun_with}; give --seed {begun_with}, or another file")
            try:
                match = resume(table, lines, writer(log))
            except TranscriptError as error:
                hint = "give the options it was recorded with, or another file"
                raise Stop(MISUSE, f"{path}, {error}; {hint}") from None
        else:
            match = Match(table, seed, on_record=writer(log))
        match.play()
    results = Matches(len(table.sides))
    results.take(match)
    return results


def _note(results: Matches) -> str:
    share, error = _share_of_wins(results, 0)
    return f"{100 * share:.1f} {shown('±')} {100 * error:.1f} % won"


def _share_of_wins(results: Matches, side: int) -> tuple[float, float]:
    """A side's share of the matches, and half of its 95 % interval."""
    share = results.wins[side] / results.matches
    return share, 1.96 * math.sqrt(share * (1 - share) / results.matches)


def _print_text(table: Table, results: Matches) -> None:
    from upcard.cli.match_counts import count_lines
    from upcard.match.seats import names_of_sides

    sheet = table.game.narrator.sheet
    title, deal = (sheet.title, sheet.deal_word) if sheet else (table.game.name, "deal")
    deals = f"{table.rules.deals} {deal}{'' if table.rules.deals == 1 else 's'}"
    target = f"to {table.rules.to}" if table.rules.to is not None else f"of {deals}"
    say(f"{title}: {results.matches:,} match{'es' if results.matches != 1 else ''} {target}")
    if not results.matches:
        return
    length = results.lengths.spread
    say(f"  {deal}s a match  {length.mean:.1f}, {results.lengths.least} to {results.lengths.most}")
    names = names_of_sides(table.names, table.sides)
    width = max(len(name) for name in names)
    plus_minus = shown("±")
    say(f"  {'':<{width}}  {'wins':>7}  {'share':>{14 + len(plus_minus)}}  points a {deal}")
    for side, name in enumerate(names):
        share, error = _share_of_wins(results, side)
        points = results.points[side].spread
        say(
            f"  {name:<{width}}  {results.wins[side]:>7,}"
            f"  {100 * share:6.1f} {plus_minus} {100 * error:4.1f} %"
            f"  {points.mean:8.3f} {plus_minus} {1.96 * points.error:.3f}"
        )
    if sum(results.shared):
        say(f"  shared       {results.matches - sum(results.wins) - results.unfinished:,}")
    if results.unfinished:
        say(f"  unfinished   {results.unfinished:,}")
    for line in count_lines(table, results):
        say(line)
