"""Sets up a table: seats and players for a new, resumed or replayed match."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path

from upcard.engine.api import Record
from upcard.engine.loader import Engine, load
from upcard.engine.shared.game import LoadedGame
from upcard.engine.transcript_format import TranscriptError
from upcard.library import names
from upcard.library.lookup import NoSuchGame
from upcard.library.sheet import MatchRules
from upcard.match.match_play import Match, Participant, Table
from upcard.match.match_record import resume
from upcard.match.match_record_format import MatchHeader, header_of
from upcard.match.seats import side_of
from upcard.players.spec import PlayerSpec, resolve_player, runs_code
from upcard.recycle.diagnostics import RecycleError, Refused
from upcard.terminal.fingerprint import fingerprint
from upcard.terminal.opponent_levels import player_of_level
from upcard.terminal.saves import Saved, check_rules

PERSON = "person"
"""The kind of the participant at the keyboard."""


class Unconfirmed(Refused):
    """A saved match has players that run code and were not confirmed."""


class NoSuchSeat(Refused):
    """The game has no such seat."""


def parse_seat(game: LoadedGame, given: str) -> int:
    """A seat by its number from 0 or by its name."""
    seats = [game.narrator.seat(seat) for seat in range(game.seats)]
    lowered = [name.lower() for name in seats]
    if given.lower() in lowered:
        return lowered.index(given.lower())
    if given.isascii() and given.isdigit() and int(given[:9]) < game.seats:
        return int(given)
    raise NoSuchSeat(
        f"there is no seat {given[:40]}; {game.name} has 0 to {game.seats - 1}: {', '.join(seats)}"
    )


def new_table(
    game: LoadedGame,
    person: int,
    level: str,
    to: int | None,
    seed: int,
    salt: str,
    asked: str,
    trusted: bool = False,
) -> tuple[Table, list[str]]:
    """A table with a person at it, and notes about the other players."""
    sides = game.deal(0, 0, recording=False).teams
    mine = side_of(person, sides)
    notes: list[str] = []
    participants = []
    players: list[PlayerSpec] = []
    for seat in range(game.seats):
        name = game.narrator.seat(seat)
        if seat == person:
            participants.append(Participant(name, PERSON))
            continue
        seated = player_of_level(game, "expert" if seat in sides[mine] else level, trusted)
        players += [] if seated.named is None else [seated.named]
        if seated.note and seated.note not in notes:
            notes.append(seated.note)
        participants.append(Participant(name, seated.kind, seated.make, seated.budget))
    note = {
        "person": person,
        "level": level,
        "asked": asked,
        "salt": salt,
        "fingerprint": fingerprint(seed, salt),
    }
    # the salt serves as the secret, since the fingerprint promises it before the first card
    return Table.of(game, participants, note=note).to(to).of_players(players, salt), notes


def person_at(table: Table) -> int:
    """The participant at the keyboard."""
    return next(number for number, other in enumerate(table.participants) if other.kind == PERSON)


def describe_players(table: Table, person: int) -> list[str]:
    """The other players by name and kind."""
    mine = table.sides[side_of(person, table.sides)]
    lines = []
    for seat in (seat % table.game.seats for seat in range(person + 1, person + table.game.seats)):
        other = table.participants[seat]
        partner = ", your partner" if seat in mine else ""
        lines.append(f"{other.name}{partner}: {other.kind}.")
    return [" ".join(lines)] if lines else []


def players_running_code(saved: Saved) -> list[str]:
    """The players of a saved match that run code: programs, Python files, and other packages' players."""
    kinds = (kind for kind in header_of(saved.lines).players if kind != PERSON and runs_code(kind))
    return list(dict.fromkeys(kinds))


def saved_table(saved: Saved, engine: Engine, playing: bool = True, confirmed: Collection[str] = ()) -> Table:
    """The table of a saved match; with players if it is to be continued, not just replayed.

    A file never runs code: players that do are seated only if a person `confirmed` them by name.
    """
    header = header_of(saved.lines)
    if playing and (unknown := [kind for kind in players_running_code(saved) if kind not in confirmed]):
        raise Unconfirmed(f"{saved.path} would run {unknown[0]}, which was not confirmed")
    note = saved.table if playing else saved.header.get("table")
    game = _load_game(header, engine)
    check_rules(saved, game.identity)
    header.seats(game.seats)
    if playing:
        _check_person(header)
    participants = [
        _participant(name, kind, game, header.trusted)
        if playing and kind != PERSON
        else Participant(name, kind)
        for name, kind in zip(header.names, header.players, strict=True)
    ]
    sheet = game.narrator.sheet
    rules = header.match_rules(sheet.match if sheet else MatchRules())
    table = Table.of(game, participants, rules, note=note)
    return replace(table, dealer=header.dealer, secret=header.secret or "", trusted=header.trusted)


def _check_person(header: MatchHeader) -> None:
    """Check that the person sits at the noted seat and that all others are players."""
    assert header.table is not None, "nobody goes on without a table"
    person = header.table.person
    if [kind == PERSON for kind in header.players] != [seat == person for seat in range(len(header.players))]:
        raise TranscriptError(1, f'players must have "{PERSON}" at seat {person} and nowhere else')


def _participant(name: str, kind: str, game: LoadedGame, trusted: bool) -> Participant:
    try:
        player = resolve_player(kind, game, trusted=trusted)
    except Refused as error:
        raise TranscriptError(1, f"{name} cannot be seated: {error}") from None
    return Participant(name, kind, player.make, player.budget)


def _load_game(header: MatchHeader, engine: Engine) -> LoadedGame:
    asked = (header.table and header.table.asked) or header.game
    what: str | Path = asked if asked in names() else Path(asked)
    try:
        return load(what, set=header.overrides, base=header.base, engine=engine)
    except NoSuchGame as error:
        raise TranscriptError(1, f"the game cannot be found: {error}") from None
    except RecycleError as error:
        first = error.diagnostics[0]
        if first.code != "E404":  # an error in the program itself
            raise
        raise TranscriptError(
            1, f"the overrides do not fit the game: {first.message}; {first.hint}"
        ) from None


def replay_saved(
    saved: Saved, engine: Engine, before: Callable[[Match, Record], None] | None = None
) -> Match:
    """Replay a saved match; raises at the first line that does not hold."""
    silent = saved_table(saved, engine, playing=False)
    return resume(silent, saved.lines, before=before)
