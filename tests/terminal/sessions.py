"""Sittings for tests: games set up in this process, answers from a script, and a player that gives values."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import upcard
from upcard.engine.api import Observation, Record
from upcard.engine.shared.game import LoadedGame
from upcard.library.sheet import MatchRules
from upcard.match.match_play import Participant, Table
from upcard.players import RandomPlayer
from upcard.terminal.answers import Command
from upcard.terminal.opponent_levels import Seated
from upcard.terminal.plain_ui import PlainUi
from upcard.terminal.saves import MatchLog
from upcard.terminal.seat_view import Option, Trick, View
from upcard.terminal.session import Preferences, Session
from upcard.terminal.table_setup import PERSON


@cache
def loaded(name: str) -> LoadedGame:
    return upcard.load(name, engine="reference")


def table_of(name: str, person: int = 0, rules: MatchRules | None = None) -> Table:
    game = loaded(name)
    participants = [
        Participant(
            game.narrator.seat(seat),
            PERSON if seat == person else "random",
            None if seat == person else RandomPlayer,
        )
        for seat in range(game.seats)
    ]
    return Table.of(game, participants, rules, note={"person": person, "salt": "salt"})


RANDOM = Seated("random", RandomPlayer)


class Spy(PlainUi):
    """Line mode that checks after every step that no card was printed which the seat has not seen."""

    def __init__(self, answers: str) -> None:
        self.output = io.StringIO()
        super().__init__(False, io.StringIO(answers), self.output)
        self.checked = 0

    def show(self, view: View, sentences: Sequence[str], taken: Trick | None) -> None:
        start = self.output.tell()
        super().show(view, sentences, taken)
        self._check(view, start)

    def ask(self, view: View) -> Option | Command:
        start = self.output.tell()
        found = super().ask(view)
        self._check(view, start)
        return found

    def _check(self, view: View, start: int) -> None:
        self.checked += check_faces(self.output.getvalue()[start:], view)


def check_faces(text: str, view: View) -> int:
    """How many cards are named in a text; each must be one that the seat has seen."""
    observation = view.observation
    faces = {card: view.card(card) for card in observation.cards}
    marked = {ui for ui in faces.values() if not ui.isascii()}
    if not marked:  # ranks alone cannot be told from other words
        return 0
    known = {faces[card] for card in seen_cards(observation)}
    named = set(re.findall("|".join(map(re.escape, sorted(marked, key=len, reverse=True))), text))
    assert named <= known, f"{sorted(named - known)} printed for a seat that has not seen them:\n{text}"
    return len(named)


def seen_cards(observation: Observation) -> set[str]:
    """What the observation shows, found without the code under test."""
    found: set[str] = set()

    def gather(data: object) -> None:
        if isinstance(data, str) and data in observation.cards:
            found.add(data)
        elif isinstance(data, dict):
            for value in data.values():
                gather(value)
        elif isinstance(data, list | tuple):
            for value in data:
                gather(value)

    gather(observation.places)
    gather(observation.records)
    gather([move.to_json() for move in observation.moves])
    return found


def program_names(game: LoadedGame) -> set[str]:
    """Every name of a place, storage or string that the program uses."""
    text = re.sub(r";;.*", "", game.program.source.text)
    kinds = r"\b(?:vloc|iloc|hloc|oloc|mem|sto|str|points)\s+([A-Z][A-Z0-9]+)"
    return set(re.findall(kinds, text))


def no_program_names(text: str, game: LoadedGame) -> None:
    for name in program_names(game):
        assert not re.search(rf"\b{name}\b", text), f"{name} of the program is on the screen"


@contextmanager
def sitting(
    table: Table,
    ui: PlainUi,
    path: Path,
    adviser: Seated = RANDOM,
    autolast: bool = False,
    lines: list[Record] | None = None,
) -> Iterator[Session]:
    person = next(i for i, p in enumerate(table.participants) if p.kind == PERSON)
    log = MatchLog(path, lines)
    try:
        yield Session(table, person, ui, log, adviser, Preferences(False, autolast))
    finally:
        log.close()
