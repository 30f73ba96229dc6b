"""All tables of a server: made, found by their code, and forgotten when nobody used them for long."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import msgspec

from upcard.engine.loader import RuleError, load
from upcard.engine.shared.game import LoadedGame
from upcard.library.catalogue import catalogue, entry_of
from upcard.library.lookup import find, names
from upcard.library.sheet import LEVELS, Sheet
from upcard.library.sheet_format import read_sheet
from upcard.narration.narrator import Narrator
from upcard.recycle.diagnostics import RecycleError, Refused
from upcard.web import messages, tokens
from upcard.web.bots import OFFERED, Bots
from upcard.web.database import Database
from upcard.web.messages import GamePart, Lobby, RulePart, Settings
from upcard.web.room import Room
from upcard.web.room_state import OPEN, Denied, Tempo, checked_name

EXPIRY = 90 * 24 * 3600.0
"""Seconds after which a table that nobody used is deleted."""
IDLE = 600.0
"""Seconds after which a table that nobody looks at leaves the memory; it stays on disk."""
MAX_LOADED = 100
"""Games in memory, each with its house rules."""


class TableList:
    def __init__(
        self, database: Database, files: Sequence[str | Path] = (), tempo: Tempo | None = None
    ) -> None:
        self._database = database
        self._bots = Bots()
        self._tempo = tempo or Tempo()
        self._games: dict[str, str | Path] = {name: name for name in names()}
        for path in files:
            self._games[find(path).name] = path
        self._own = [find(path).name for path in files]
        self._rooms: dict[str, Room] = {}
        self._loaded: dict[tuple[str, tuple[tuple[str, str], ...]], LoadedGame] = {}
        self._loading = asyncio.Lock()
        self._finding = asyncio.Lock()

    def close(self) -> None:
        for room in self._rooms.values():
            room.close()
        self._bots.close()

    def lobby(self) -> Lobby:
        """What can be chosen for a new table."""
        entries = [entry_of(find(self._games[name])) for name in self._own]
        entries += [entry for entry in catalogue() if entry.name not in self._own]
        return Lobby(
            [_game_part(self._games[entry.name], entry.family, entry.line) for entry in entries], [*LEVELS]
        )

    async def make(self, settings: Settings) -> messages.Created:
        """A new table, and the token of the person who made it. Raises `Denied` or `DatabaseError`."""
        if settings.game not in self._games:
            raise Denied("this server has no such game; choose one of the list")
        kinds = settings.seats
        if kinds[:1] != [OPEN] or any(kind not in (OPEN, *OFFERED) for kind in kinds):
            raise Denied("the first seat is yours; every other one is open or has a bot's level")
        game = await self._game(settings)
        name = checked_name(settings.name, map(game.narrator.seat, range(1, game.seats)))
        code, token = tokens.new_code(), tokens.new_token()
        text = msgspec.json.encode(settings).decode()
        await self._database.add_table(code, text, name, tokens.digest(token), time.time())
        room = Room(code, settings, game, self._database, self._bots, self._tempo)
        stored = await self._database.table(code)
        assert stored is not None, "it was just written"
        room.restore(stored)
        self._rooms[code] = room
        return messages.Created(code, token)

    async def find(self, code: str) -> Room | None:
        """The table with this code, from memory or from disk."""
        room = self._rooms.get(code)
        if room is not None:
            return room
        async with self._finding:  # two browsers must not make two rooms of one table
            if code in self._rooms:
                return self._rooms[code]
            stored = await self._database.table(code)
            if stored is None:
                return None
            settings = messages.parse_settings(stored.settings.encode())
            game = await self._game(settings)
            room = Room(code, settings, game, self._database, self._bots, self._tempo)
            room.restore(stored)
            self._rooms[code] = room
            return room

    async def record(self, room: Room) -> list[str] | None:
        """The record of the last match if it is over, in the format of `upcard replay`."""
        if room.live is None or not room.live.over:
            return None
        return await self._database.record(room.code, room.live.number)

    async def tidy(self) -> None:
        """Forget what nobody uses: from memory soon, from disk after a long time."""
        now = time.monotonic()
        for code, room in list(self._rooms.items()):
            if not room.browsers and now - room.used > IDLE:
                room.close()
                del self._rooms[code]
        for code in await self._database.forget_unused(time.time() - EXPIRY):
            self._rooms.pop(code, None)

    async def _game(self, settings: Settings) -> LoadedGame:
        """The game with its house rules, loaded once. Raises `Denied`."""
        key = (settings.game, tuple(sorted(settings.rules.items())))
        async with self._loading:
            if key not in self._loaded:
                what = self._games.get(settings.game)
                if what is None:
                    raise Denied(f"this server no longer has the game {settings.game}")
                loading = partial(_loaded, what, settings.rules)
                try:
                    self._loaded[key] = await asyncio.get_running_loop().run_in_executor(None, loading)
                except RuleError as error:
                    raise Denied(str(error)) from None
                except (Refused, RecycleError, OSError) as error:
                    raise Denied(f"{settings.game} cannot be played: {error}") from None
                while len(self._loaded) > MAX_LOADED:
                    del self._loaded[next(iter(self._loaded))]
            return self._loaded[key]


def _loaded(what: str | Path, rules: Mapping[str, str]) -> LoadedGame:
    """A game whose machine code is ready: compiling it takes a moment, in which the server should go on."""
    game = load(what, rules=rules)
    game.deal(0, 0).observe(0)
    return game


def _game_part(what: str | Path, family: str, line: str) -> GamePart:
    found = find(what)
    entry = entry_of(found)
    sheet = read_sheet(found.sheet) if found.sheet else Sheet(found.name)
    narrator = Narrator(sheet, 0)
    return GamePart(
        name=found.name,
        title=sheet.title,
        family=family,
        line=line,
        summary=" ".join(sheet.summary.split()),
        seats=[narrator.seat(seat) for seat in range(entry.players or 0)],
        rules=[RulePart(rule.name, rule.title, [*rule.choices], rule.default) for rule in sheet.house_rules],
        to=sheet.match.to or 0,
        targets=sorted({*sheet.match.targets, *([sheet.match.to] if sheet.match.to else [])}),
    )
