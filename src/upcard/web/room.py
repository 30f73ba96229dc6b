"""A table in the server: what people and bots do at it, and what each browser is sent."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

from upcard.engine.api import Move
from upcard.engine.shared.game import LoadedGame
from upcard.terminal import fingerprint
from upcard.terminal.seat_view import View
from upcard.web import messages, tokens
from upcard.web.bots import Bots, BotSeat, wait_until
from upcard.web.database import Database, DatabaseError, StoredTable
from upcard.web.hints import FinishedRecord
from upcard.web.live_match import LiveMatch, Problem
from upcard.web.merge_patch import difference
from upcard.web.messages import encode, plain
from upcard.web.room_state import SPECTATOR, Denied, RoomState, Tempo, Told

RETRY = 2.0
"""Seconds until a bot tries again to write a move."""
MAX_BROWSERS = 64
"""At one table."""


class Browser(Protocol):
    """A connection of a browser to a table."""

    person: int | None

    def send(self, message: bytes) -> None:
        """Send when the network allows it; never waits."""


@dataclass
class Sent:
    """What the browsers of one viewer have, and its number."""

    number: int
    document: dict[str, Any]
    told: Told


class Room(RoomState):
    def __init__(
        self,
        code: str,
        settings: messages.Settings,
        game: LoadedGame,
        database: Database,
        bots: Bots,
        tempo: Tempo,
    ) -> None:
        super().__init__(code, settings, game, tempo)
        self.browsers: set[Browser] = set()
        self.used = time.monotonic()
        self._lock = asyncio.Lock()
        """Held while anything changes and until it is written, so what could be lost is not shown."""
        self._database = database
        self._bots = bots
        self._sent: dict[int, Sent] = {}
        self._result_read: set[int] = set()
        self._result_since = 0.0
        self._moved_at = time.monotonic()
        self._changed = asyncio.Event()
        self._driver: asyncio.Task[None] | None = None

    def restore(self, stored: StoredTable) -> None:
        """The people and the match as they are on disk."""
        self.restore_seats(stored)
        if stored.lines:
            self.live = LiveMatch(self.game, self._database, self.code, stored.match)
            self.live.go_on(stored.lines)

    def close(self) -> None:
        if self._driver is not None:
            self._driver.cancel()

    # --- browsers ------------------------------------------------------------------------------

    async def enter(self, browser: Browser, token: str) -> None:
        """A browser with or without a seat: it gets the whole document, and from then on differences."""
        async with self._lock:
            if len(self.browsers) >= MAX_BROWSERS:
                raise Denied("too many people watch this table; try again later")
            known = {person: seat.token for person, seat in enumerate(self.seats) if seat.token}
            browser.person = tokens.holder(token, known) if token else None
            self.browsers.add(browser)
            self._publish()
            self._welcome(browser)

    async def exit(self, browser: Browser) -> None:
        async with self._lock:
            self.browsers.discard(browser)
            self.used = time.monotonic()
            self._publish()

    def _welcome(self, browser: Browser) -> None:
        sent = self._sent[_viewer(browser)]
        welcome = {"type": "welcome", "number": sent.number, "document": sent.document, "cards": self.cards}
        browser.send(encode(welcome))

    # --- what people do ------------------------------------------------------------------------

    async def sit(self, browser: Browser, person: int, name: str) -> None:
        async with self._lock:
            if browser.person is not None:
                raise Denied("you have a seat already; leave it first")
            if person >= len(self.seats) or not self.seats[person].offered:
                raise Denied("this seat is not open; choose another one")
            seat = self.seats[person]
            if seat.token:
                raise Denied(f"{seat.name} sits there; choose another seat")
            shown, token = self.name_for(person, name), tokens.new_token()
            await self._database.sit(self.code, person, shown, tokens.digest(token))
            seat.name, seat.token = shown, tokens.digest(token)
            browser.person = person
            browser.send(encode(messages.Seated(person, token)))
            self._publish()
            self._welcome(browser)

    async def leave(self, browser: Browser) -> None:
        async with self._lock:
            person = self._person(browser)
            await self._database.leave(self.code, person)
            seat = self.seats[person]
            seat.name, seat.token = self.game.narrator.seat(person), b""
            standing = [other for other in self.browsers if other.person == person]
            for other in standing:
                other.person = None
            self._publish()
            for other in standing:
                self._welcome(other)

    async def start(self, browser: Browser) -> None:
        async with self._lock:
            if self._person(browser) != 0:
                raise Denied(f"only {self.seats[0].name} can start the match")
            if self.live is not None:
                raise Denied("the match has begun already")
            await self._begin(0)

    async def rematch(self, browser: Browser) -> None:
        async with self._lock:
            self._person(browser)
            if self.live is None or not (self.live.over or self.live.problem):
                raise Denied("the match is not over yet")
            await self._begin(self.live.number + 1)

    async def _begin(self, number: int) -> None:
        people = [(seat.name, "person" if seat.token else seat.level) for seat in self.seats]
        live = LiveMatch(self.game, self._database, self.code, number)
        try:
            await live.begin(people, self.settings.to, fingerprint.new_seed(), fingerprint.new_salt())
        except Problem as error:
            raise Denied(str(error)) from None
        self.live = live
        self._moved_at = self.used = time.monotonic()
        self._result_since = 0.0
        self._publish()

    async def play(self, browser: Browser, turn: str, option: int) -> None:
        async with self._lock:
            view = self._own_turn(browser, turn)
            if option > len(view.options):
                raise Denied("this is not one of your choices; choose again")
            await self._decide(view.options[option - 1].move)

    async def hint_view(self, browser: Browser, turn: str) -> View:
        """What a hint is made from: the view of the person whose turn it is."""
        async with self._lock:
            return self._own_turn(browser, turn)

    async def finished_record(self, browser: Browser, deal: int) -> FinishedRecord:
        """What a review is made from."""
        async with self._lock:
            person, live = self._person(browser), self.live
            if live is None or live.finished is None or deal > live.finished.number:
                raise Denied("this deal is not over yet")
            return FinishedRecord(live.match.table, live.lines, deal, person)

    async def read_result(self, browser: Browser, deal: int) -> None:
        """A person has put the result of a deal away; bots wait for all who are here."""
        async with self._lock:
            person, live = self._person(browser), self.live
            if live is not None and live.finished is not None and live.finished.number == deal:
                self._result_read.add(person)
                self._changed.set()

    async def say(self, browser: Browser, phrase: str) -> None:
        """What somebody said is shown for a moment and not kept."""
        async with self._lock:
            seat = self.seats[self._person(browser)]
            if not seat.phrases.take():
                raise Denied("you said a lot already; wait a moment")
            seat.said = seat.said[0] + 1, phrase
            self._publish()

    def _own_turn(self, browser: Browser, turn: str) -> View:
        person, live = self._person(browser), self.live
        if live is None or live.to_move is None:
            raise Denied("no match is being played at this table")
        if turn != live.turn or live.to_move != person:
            raise Denied("it is not your turn any more")
        view = self.view(person)
        assert view is not None, "somebody is to move"
        return view

    def _person(self, browser: Browser) -> int:
        if browser.person is None:
            raise Denied("you are watching; take a seat first")
        return browser.person

    async def _decide(self, move: Move) -> None:
        live = self.live
        assert live is not None
        before = live.finished
        await live.decide(move)
        self._moved_at = self.used = time.monotonic()
        if live.finished is not before:
            self._result_read.clear()
            self._result_since = time.monotonic()
        self._publish()

    # --- bots ----------------------------------------------------------------------------------

    def _drive(self) -> None:
        """Wakes the task that plays for bots, as long as somebody is there to see it."""
        self._changed.set()
        if self.browsers and (self._driver is None or self._driver.done()):
            self._driver = asyncio.get_running_loop().create_task(self._play_bots())

    async def _play_bots(self) -> None:
        while self.browsers:
            self._changed.clear()
            wait = self._bot_wait()
            if wait is None or wait > 0:
                with suppress(TimeoutError):
                    async with asyncio.timeout(wait):
                        await self._changed.wait()
                continue
            assert self.live is not None
            await self._play_bot(self.live)

    def _bot_wait(self) -> float | None:
        """Seconds until a bot may think; None while no bot is to move."""
        live = self.live
        person = None if live is None else live.to_move
        if live is None or person is None:
            return None
        seat, now = self.seats[person], time.monotonic()
        if seat.token and seat.here:
            return None
        wait = self.tempo.absent - self.away(person) if seat.token else 0.0
        reading = {browser.person for browser in self.browsers} - {None} - self._result_read
        if self._result_since and reading:
            wait = max(wait, self._result_since + self.tempo.result - now)
        return max(wait, 0.0)

    async def _play_bot(self, live: LiveMatch) -> None:
        """One decision of a bot, shown on a beat of the pace: its time says nothing about its cards."""
        async with self._lock:
            person, turn = live.to_move, live.turn
            position = live.position(self.names)
            if self.live is not live or person is None or position is None:
                return
            observation = position.observe(person)
            bot = self._bot(live, person)
        pace = self.tempo.of(self.settings.pace)
        started = max(self._moved_at, time.monotonic() - pace / 2)
        move = await self._bots.choose(bot, observation)
        await asyncio.sleep(wait_until(started, time.monotonic(), pace))
        try:
            await asyncio.shield(self._play_for(live, person, turn, move))
        except DatabaseError as error:
            for browser in self.browsers:
                browser.send(encode(messages.Refused(str(error))))
            await asyncio.sleep(RETRY)

    async def _play_for(self, live: LiveMatch, person: int, turn: str, move: Move) -> None:
        """Play a bot's move, unless the person came back while it thought."""
        async with self._lock:
            seat = self.seats[person]
            if self.live is live and live.turn == turn and not (seat.token and seat.here):
                await self._decide(move)

    def _bot(self, live: LiveMatch, person: int) -> BotSeat:
        seat, deal = self.seats[person], (live.number, live.match.board.deals)
        if deal not in seat.bots:
            seat.bots.clear()
            seat.bots[deal] = BotSeat(self.bot_of(seat.level), live.bot_seeds(person))
        return seat.bots[deal]

    # --- showing -------------------------------------------------------------------------------

    def _publish(self) -> None:
        """Send every browser what has changed for it, and let bots go on."""
        viewers = {_viewer(browser) for browser in self.browsers}
        self._note_who_is_here(viewers)
        for viewer in sorted(viewers):
            self._publish_to(viewer)
        for viewer in [viewer for viewer in self._sent if viewer not in viewers]:
            del self._sent[viewer]
        self._drive()

    def _note_who_is_here(self, viewers: set[int]) -> None:
        self.watching = sum(browser.person is None for browser in self.browsers)
        for person, seat in enumerate(self.seats):
            if seat.here and person not in viewers:
                seat.away_since = time.monotonic()
            seat.here = person in viewers

    def _publish_to(self, viewer: int) -> None:
        sent = self._sent.get(viewer)
        told = Told() if sent is None else sent.told
        document = plain(self.document(None if viewer == SPECTATOR else viewer, told))
        if sent is None:
            self._sent[viewer] = Sent(1, document, told)
            return
        patch = difference(sent.document, document)
        if not patch:
            return
        self._sent[viewer] = Sent(sent.number + 1, document, told)
        message = encode(messages.Change(sent.number + 1, patch))
        for browser in self.browsers:
            if _viewer(browser) == viewer:
                browser.send(message)


def _viewer(browser: Browser) -> int:
    return SPECTATOR if browser.person is None else browser.person
