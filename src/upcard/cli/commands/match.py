"""`upcard match`: plays matches to the game's target."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from upcard.cli.console import MISUSE, Stop, in_file, load, sentences, tell_note
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
from upcard.cli.seat_options import DEALER_HELP, NAMES_HELP, dealer_of, names_of
from upcard.cli.trust import check_secret, given_secret, trust_lines
from upcard.output import say, shown

if TYPE_CHECKING:
    from upcard.engine.shared.game import LoadedGame
    from upcard.match import Participant, Table
    from upcard.match.match_series import Matches
    from upcard.players.spec import PlayerSpec


def match(
    game: Game,
    players: str = typer.Option(
        "random", "--players", help=f"One for all, one a side, or one a seat: {PLAYERS_HELP}"
    ),
    to: Target = None,
    matches: int = typer.Option(1, "--matches", callback=at_least(1), help="How many matches."),
    seed: Seed = 0,
    given: Given = None,
    rules: Rules = None,
    base: Base = None,
    engine: EngineName = "native",
    workers: Workers = None,
    names: str = typer.Option(None, "--names", help=NAMES_HELP),
    dealer: str = typer.Option(None, "--dealer", help=DEALER_HELP),
    record: Path = typer.Option(
        None, "--record", metavar="FILE", help="Write the match to a file; go on with it if it is there."
    ),
    patience: Patience = 10.0,
    trusted: Trusted = False,
    secret: Secret = None,
    as_json: AsJson = False,
) -> None:
    """Play matches: deals that add up to a target, the deal passing round the table."""
    from upcard.arena.contest_header import record_secret
    from upcard.match.match_play import MatchOver, Table
    from upcard.match.match_series import Matches, play_many

    if record is not None and matches != 1:
        raise Stop(MISUSE, "--record writes one match; leave --matches out")
    with sentences():
        loaded = load(game, given, rules, base, engine)
        named = _named(loaded, players, patience, trusted)
        check_secret(secret, named, trusted)
        table = Table.of(loaded, _participants(loaded, named)).to(to)
        table = table.of_players(named, given_secret(secret) or record_secret(record, "match"))
        table = _seated(table, names, dealer)
        tell_note(loaded)
        found = Matches(len(table.sides))
        interrupted = False
        try:
            if record is not None:
                with in_file(record):
                    found.merge(_recorded(table, seed, record))
            else:
                with progress("playing", matches, least=20) as advance:
                    for part in play_many(table, matches, seed, workers):
                        found.merge(part)
                        advance(part.matches)
        except MatchOver as error:
            raise Stop(1, f"{error}") from None
        except KeyboardInterrupt:
            interrupted = True
    if as_json:
        from upcard.players.spec import split

        about = {"game": loaded.name, "seed": seed, "to": table.rules.to, "players": split(players)}
        about |= table.trust
        say(json.dumps({**about, **found.to_json(table)}))
    else:
        _as_text(table, found)
        for line in trust_lines(table, record is not None):
            say(f"  {line}")
    if interrupted:
        kept = f"; {record} keeps the one in hand" if record is not None else ""
        raise Stop(130, f"interrupted after {found.matches} of {matches} matches{kept}")


def _seated(table: Table, names: str | None, dealer: str | None) -> Table:
    """With the names and the first dealer that were asked for."""
    from dataclasses import replace

    from upcard.match.seats import can_turn

    called = names_of(table.game, names)
    people = tuple(replace(p, name=name) for p, name in zip(table.participants, called, strict=True))
    first = dealer_of(called, dealer, can_turn(table.game.seats, table.sides))
    return replace(table, participants=people, dealer=first)


def _named(game: LoadedGame, players: str, patience: float, trusted: bool) -> list[PlayerSpec]:
    """The player at each seat."""
    from upcard.match.seats import side_of
    from upcard.players.spec import resolve_player, split

    kinds = split(players)
    sides = game.deal(0, 0, recording=False).teams
    if len(kinds) == 1:
        seated = kinds * game.seats
    elif len(kinds) == game.seats:
        seated = kinds
    elif len(kinds) == len(sides):
        seated = [kinds[side_of(seat, sides)] for seat in range(game.seats)]
    else:
        allowed = sorted({1, len(sides), game.seats})
        raise Stop(
            MISUSE, f"{game.name} takes {' or '.join(map(str, allowed))} players, not {len(kinds)}: {players}"
        )
    made = {kind: resolve_player(kind, game, patience, trusted) for kind in dict.fromkeys(seated)}
    return [made[kind] for kind in seated]


def _participants(game: LoadedGame, players: Sequence[PlayerSpec]) -> list[Participant]:
    from upcard.match.match_play import Participant

    return [
        Participant(game.narrator.seat(seat), player.name, player.make, player.budget)
        for seat, player in enumerate(players)
    ]


def _recorded(table: Table, seed: int, path: Path) -> Matches:
    """One match with its record; a record that is there already is gone on with."""
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
        table = replace(table, trusted=False)  # until there were secrets, everybody was trusted
    with Log(path, len(lines)) as log, table.sitting() as table:
        if lines:
            begun_with = lines[0].get("seed")
            if isinstance(begun_with, int) and begun_with != seed:
                raise Stop(MISUSE, f"{path} is of seed {begun_with}; give --seed that, or another file")
            try:
                match = resume(table, lines, writer(log))
            except TranscriptError as error:
                hint = "give the options that it was begun with, or another file"
                raise Stop(MISUSE, f"{path}, {error}; {hint}") from None
        else:
            match = Match(table, seed, on_record=writer(log))
        match.play()
    found = Matches(len(table.sides))
    found.take(match)
    return found


def _as_text(table: Table, found: Matches) -> None:
    from upcard.cli.match_counts import lines
    from upcard.match.seats import names_of_sides

    sheet = table.game.narrator.sheet
    title, deal = (sheet.title, sheet.deal_word) if sheet else (table.game.name, "deal")
    deals = f"{table.rules.deals} {deal}{'' if table.rules.deals == 1 else 's'}"
    target = f"to {table.rules.to}" if table.rules.to is not None else f"of {deals}"
    say(f"{title}: {found.matches:,} match{'es' if found.matches != 1 else ''} {target}")
    if not found.matches:
        return
    length = found.lengths.spread
    say(f"  {deal}s a match  {length.mean:.1f}, {found.lengths.least} to {found.lengths.most}")
    names = names_of_sides(table.names, table.sides)
    width = max(len(name) for name in names)
    plus_minus = shown("±")
    say(f"  {'':<{width}}  {'wins':>7}  {'share':>{14 + len(plus_minus)}}  points a {deal}")
    for side, name in enumerate(names):
        share = found.wins[side] / found.matches
        error = 1.96 * math.sqrt(share * (1 - share) / found.matches)
        points = found.points[side].spread
        say(
            f"  {name:<{width}}  {found.wins[side]:>7,}  {100 * share:6.1f} {plus_minus} {100 * error:4.1f} %"
            f"  {points.mean:8.3f} {plus_minus} {1.96 * points.error:.3f}"
        )
    if sum(found.shared):
        say(f"  shared       {found.matches - sum(found.wins) - found.unfinished:,}")
    if found.unfinished:
        say(f"  unfinished   {found.unfinished:,}")
    for line in lines(table, found):
        say(line)
