"""The state of a table, and the document of it that a viewer may see."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from msgspec import UNSET, UnsetType

from upcard.engine.shared.game import LoadedGame
from upcard.library.match_text import describe_match
from upcard.match.seats import names_of_sides
from upcard.terminal.opponent_levels import Seated, player_of_level
from upcard.terminal.seat_view import View
from upcard.terminal_text import visible
from upcard.web import messages
from upcard.web.bots import BotSeat
from upcard.web.card_names import card_name
from upcard.web.database import StoredTable
from upcard.web.deal_document import DealLog, deal_part, result_part, view_for
from upcard.web.live_match import LiveMatch
from upcard.web.messages import Document, PersonPart, ResultPart, TablePart
from upcard.web.rate_limit import Bucket, Rate

OPEN = "open"
SPECTATOR = -1
"""The viewer who has no seat."""
USUAL_LEVEL = "steady"
PHRASES = Rate(burst=4, per_second=0.25)
"""How often a person may say something."""


@dataclass(frozen=True)
class Tempo:
    """How long things take at every table of a server, in seconds."""

    slow: float = 2.0
    normal: float = 1.0
    fast: float = 0.4
    absent: float = 30.0
    """How long a bot waits before it plays for a person who is away."""
    result: float = 20.0
    """How long bots wait for people who read the result of a deal."""

    def of(self, pace: str) -> float:
        return {"slow": self.slow, "normal": self.normal, "fast": self.fast}[pace]


@dataclass
class Seat:
    """A person's chair. Somebody holds it if there is a token."""

    name: str
    level: str
    """Of the bot that plays while nobody does."""
    offered: bool
    """Whether a guest may sit here."""
    token: bytes = b""
    """Its digest."""
    here: bool = False
    away_since: float = 0.0
    said: tuple[int, str] = (0, "")
    phrases: Bucket = field(default_factory=lambda: Bucket(PHRASES))
    bots: dict[tuple[int, int], BotSeat] = field(default_factory=dict)
    """The bot of the deal in progress, by match and deal."""


@dataclass
class Told:
    """What a viewer was told before, so that it is not worked out again."""

    log: DealLog = field(default_factory=DealLog)
    result: tuple[tuple[object, ...], ResultPart] | None = None


class Denied(Exception):
    """Something that a browser asked for cannot be done; the message is a sentence for the person."""


class RoomState:
    def __init__(self, code: str, settings: messages.Settings, game: LoadedGame, tempo: Tempo) -> None:
        self.code = code
        self.settings = settings
        self.game = game
        self.tempo = tempo
        self.live: LiveMatch | None = None
        self.watching = 0
        """How many browsers have no seat."""
        self._levels: dict[str, Seated] = {}
        levels = [kind for kind in settings.seats if kind != OPEN] or [USUAL_LEVEL]
        kinds = [*settings.seats, *levels[-1:] * game.seats][: game.seats]
        self.seats = [
            Seat(game.narrator.seat(person), levels[0] if kind == OPEN else kind, kind == OPEN)
            for person, kind in enumerate(kinds)
        ]
        self.notes = list(dict.fromkeys(filter(None, (self.bot_of(seat.level).note for seat in self.seats))))
        first = game.deal(0, 0, recording=False)
        self.faces = {card: game.narrator.card(card, first.faces) for card in first.faces}
        """What is printed on each card of the game."""
        self.cards = {card: card_name(face) for card, face in self.faces.items()}
        self.sides = first.teams

    def restore_seats(self, stored: StoredTable) -> None:
        """The people as they are on disk; all of them are away."""
        for person, (name, token) in stored.seats.items():
            if person < len(self.seats):
                seat = self.seats[person]
                seat.name, seat.token, seat.away_since = name, token, time.monotonic()

    def bot_of(self, level: str) -> Seated:
        """The player behind a level at this table."""
        if level not in self._levels:
            self._levels[level] = player_of_level(self.game, level)
        return self._levels[level]

    def bot_plays(self, person: int) -> bool:
        """Whether a bot plays for a person now: nobody holds the seat, or its holder is away for long."""
        seat = self.seats[person]
        return not seat.token or (not seat.here and self.away(person) >= self.tempo.absent)

    def away(self, person: int) -> float:
        """For how many seconds a person has been away."""
        return time.monotonic() - self.seats[person].away_since

    def name_for(self, person: int, name: str) -> str:
        """A name as everybody will see it. Raises `Denied`."""
        return checked_name(name, [seat.name for at, seat in enumerate(self.seats) if at != person])

    # --- the document --------------------------------------------------------------------------

    @property
    def names(self) -> list[str]:
        return [seat.name for seat in self.seats]

    def view(self, person: int | None) -> View | None:
        position = self.live.position(self.names) if self.live is not None else None
        return None if position is None else view_for(self.game, position, person)

    def document(self, person: int | None, told: Told) -> Document:
        """What a person may see, or a spectator. `told` is what the viewer was told before."""
        document = Document(
            self._table_part(),
            SPECTATOR if person is None else person,
            {str(number): self._person_part(number) for number in range(len(self.seats))},
        )
        live, view = self.live, self.view(person)
        if live is None or view is None:
            return document
        position = live.position(self.names)
        assert position is not None
        log = told.log.go_on(view, (live.number, live.deal))
        document.deal = deal_part(view, position.seating, live.turn, log)
        document.result = self._result(live, person, told)
        return document

    def _result(self, live: LiveMatch, person: int | None, told: Told) -> ResultPart | UnsetType:
        """How the last deal ended, the same until the next one ends."""
        last, names = live.last_position(self.names), tuple(self.names)
        if last is None or live.finished is None:
            return UNSET
        key = (live.number, live.finished.number, live.over, names)
        if told.result is None or told.result[0] != key:
            end = view_for(self.game, last, person)
            sides = names_of_sides(names, self.sides)
            result = result_part(end, live.finished.number, live.finished.result, sides)
            if live.over:
                result.lines.append(self._closing_line(live))
            told.result = key, result
        return told.result[1]

    def _closing_line(self, live: LiveMatch) -> str:
        winners = [self.names[person] for side in live.match.winners for person in self.sides[side]]
        if len(live.match.winners) > 1:
            return f"{' and '.join(winners)} share the win."
        return f"{' and '.join(winners)} {'win' if len(winners) > 1 else 'wins'} the match."

    def _table_part(self) -> TablePart:
        live, sheet = self.live, self.game.narrator.sheet
        shown_seed = live is not None and live.over
        note = live.note if live is not None and not live.problem else {}
        return TablePart(
            code=self.code,
            title=self.game.title,
            state=self._state(),
            pace=self.settings.pace,
            match=0 if live is None else live.number,
            deal_word=sheet.deal_word if sheet else "deal",
            rules=self._rules(),
            notes=self.notes,
            fingerprint=str(note.get("fingerprint", "")),
            seed=str(live.match.seed) if shown_seed and live is not None else "",
            salt=str(note.get("salt", "")) if shown_seed else "",
            problem="" if live is None else live.problem,
            watching=self.watching,
        )

    def _state(self) -> Literal["waiting", "playing", "over", "stopped"]:
        if self.live is None:
            return "waiting"
        return "stopped" if self.live.problem else "over" if self.live.over else "playing"

    def _rules(self) -> list[str]:
        sheet, program = self.game.narrator.sheet, self.game.program
        if sheet is None:
            return []
        chosen = [
            f"{rule.title}: {self.settings.rules[rule.name]}."
            for rule in sheet.house_rules
            if self.settings.rules.get(rule.name, rule.default) != rule.default
        ]
        if self.settings.to:
            return [f"The match is to {self.settings.to}.", *chosen]
        return [*describe_match(sheet, program.scoring.highest, program.setup.teams is not None)[:1], *chosen]

    def _person_part(self, person: int) -> PersonPart:
        seat = self.seats[person]
        return PersonPart(
            name=seat.name,
            kind="person" if seat.token else "open" if seat.offered else "bot",
            level=seat.level,
            here=seat.here,
            bot_plays=self.bot_plays(person),
            said=seat.said,
        )


def checked_name(name: str, taken: Iterable[str]) -> str:
    """A name as everybody may see it. Raises `Denied`."""
    shown = " ".join(visible(name).split())
    if not shown:
        raise Denied("enter a name, so that the others know who you are")
    if len(shown) > messages.LONGEST_NAME:
        raise Denied(f"a name has at most {messages.LONGEST_NAME} characters; choose a shorter one")
    if shown.casefold() in {other.casefold() for other in taken}:
        raise Denied(f"somebody called {shown} sits at this table; choose another name")
    return shown
