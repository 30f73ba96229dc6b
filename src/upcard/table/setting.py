"""Setting the table: who sits where, for a new match and for one that goes on or is looked at again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from upcard.engine.contract import Record
from upcard.engine.loading import Engine, load
from upcard.engine.shared.game import LoadedGame
from upcard.engine.transcript import TranscriptError, mistyped
from upcard.library import names
from upcard.library.sheet import MatchRules
from upcard.match.playing import Match, Participant, Table
from upcard.match.record import resume
from upcard.match.seating import side_of
from upcard.players.naming import named
from upcard.recycle.diagnostics import Refused
from upcard.table.fingerprint import fingerprint
from upcard.table.levels import level_player
from upcard.table.saving import Saved, checked

PERSON = "person"
"""The kind of whoever decides at the keyboard."""


class NoSuchSeat(Refused):
    """A seat that the game has not."""


def seat_of(game: LoadedGame, given: str) -> int:
    """A seat by its number from 0 or by its name."""
    seats = [game.teller.seat(seat) for seat in range(game.seats)]
    lowered = [name.lower() for name in seats]
    if given.lower() in lowered:
        return lowered.index(given.lower())
    if given.isascii() and given.isdigit() and int(given[:9]) < game.seats:
        return int(given)
    raise NoSuchSeat(
        f"there is no seat {given[:40]}; {game.name} has 0 to {game.seats - 1}: {', '.join(seats)}"
    )


def new_table(
    game: LoadedGame, person: int, level: str, to: int | None, seed: int, salt: str, asked: str
) -> tuple[Table, list[str]]:
    """A table with a person at it, and what the person should be told about who else sits there."""
    sides = game.deal(0, 0, recording=False).teams
    mine = side_of(person, sides)
    notes: list[str] = []
    participants = []
    for seat in range(game.seats):
        name = game.teller.seat(seat)
        if seat == person:
            participants.append(Participant(name, PERSON))
            continue
        seated = level_player(game, "expert" if seat in sides[mine] else level)
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
    return Table.of(game, participants, note=note).to(to), notes


def in_words(table: Table, person: int) -> list[str]:
    """Who else sits here, by the kind of player."""
    mine = table.sides[side_of(person, table.sides)]
    lines = []
    for seat in (seat % table.game.seats for seat in range(person + 1, person + table.game.seats)):
        other = table.participants[seat]
        partner = ", your partner" if seat in mine else ""
        lines.append(f"{other.name}{partner}: {other.kind}.")
    return [" ".join(lines)] if lines else []


def saved_table(saved: Saved, engine: Engine, playing: bool = True) -> Table:
    """The table of a saved match. Only looking again needs no players."""
    header = saved.header
    try:
        note = dict(saved.table) if playing else header.get("table")
        game = _game(header, note, engine)
        checked(saved, game.identity)
        rules = MatchRules(**_rules(header, game))
        kinds_seated = [str(kind) for kind in header["players"]]
        called = [str(name) for name in header["names"]]
        participants = [
            _seated(name, kind, game) if playing and kind != PERSON else Participant(name, kind)
            for name, kind in zip(called, kinds_seated, strict=True)
        ]
        table = Table.of(game, participants, rules, note=note)
        return replace(table, dealer=_dealer(header, game))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise TranscriptError(1, f"the first line {mistyped(error)}") from None


def _seated(name: str, kind: str, game: LoadedGame) -> Participant:
    player = named(kind, game)
    return Participant(name, kind, player.make, player.budget)


def _game(header: Record, note: Mapping[str, Any] | None, engine: Engine) -> LoadedGame:
    overrides = {str(name): str(value) for name, value in header["overrides"].items()}
    asked = str((note or {}).get("asked", header["game"]))
    what: str | Path = asked if asked in names() else Path(asked)
    return load(what, set=overrides, base=header["base"], engine=engine)


def _rules(header: Record, game: LoadedGame) -> dict[str, Any]:
    """How deals add up: what the record says, and what runs through the match by the sheet."""
    sheet = game.teller.sheet
    usual = sheet.match if sheet else MatchRules()
    return {**vars(replace(usual)), **header["rules"]}


def _dealer(header: Record, game: LoadedGame) -> int | Literal["drawn"] | None:
    """Who dealt first, where it was not the last seat."""
    given = header.get("dealer")
    if given is None or given == "drawn":
        return "drawn" if given else None
    if not isinstance(given, int) or not 0 <= given < game.seats:
        raise ValueError(f"dealer: {given}")
    return given


def looked_at(saved: Saved, engine: Engine, before: Callable[[Match, Record], None] | None = None) -> Match:
    """A match played again from its record; raises at the first line that does not hold."""
    silent = saved_table(saved, engine, playing=False)
    return resume(silent, saved.lines, before=before)
