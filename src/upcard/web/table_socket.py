"""The connection of one browser to one table: messages in, messages out, limits on both."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from upcard.web import messages
from upcard.web.database import DatabaseError
from upcard.web.hints import Hints
from upcard.web.messages import BadMessage, encode
from upcard.web.rate_limit import Bucket, Rate
from upcard.web.room import Room
from upcard.web.room_state import Denied

MAX_WAITING = 200
"""Messages that a slow reader may be behind."""
JOIN_TIME = 10.0
"""Seconds that a connection has for its first message."""
TOO_MUCH, TOO_SLOW, NOT_A_MESSAGE = 1008, 1013, 1007
"""Codes with which a connection is closed."""


class TableSocket:
    """A browser at a table (`room.Browser`)."""

    def __init__(self, websocket: WebSocket, room: Room, hints: Hints, rate: Rate) -> None:
        self.person: int | None = None
        self._websocket = websocket
        self._room = room
        self._hints = hints
        self._outgoing: asyncio.Queue[bytes | None] = asyncio.Queue(MAX_WAITING)
        self._close_code = 1000
        self._advice: asyncio.Task[None] | None = None
        self._bucket = Bucket(rate)

    def send(self, message: bytes) -> None:
        try:
            self._outgoing.put_nowait(message)
        except asyncio.QueueFull:
            self._end(TOO_SLOW)

    def _end(self, code: int, why: str = "") -> None:
        """Drop what waits, say why, and close the connection."""
        self._close_code = code
        while not self._outgoing.empty():
            self._outgoing.get_nowait()
        if why:
            self._outgoing.put_nowait(encode(messages.Refused(why)))
        self._outgoing.put_nowait(None)

    async def run(self) -> None:
        """Until one side closes the connection."""
        reading = asyncio.create_task(self._read())
        writing = asyncio.create_task(self._write())
        try:
            await asyncio.wait((reading, writing), return_when=asyncio.FIRST_COMPLETED)
            await asyncio.wait((writing,), timeout=1)
        finally:
            for task in (reading, writing, self._advice):
                if task is not None:
                    task.cancel()
            await asyncio.gather(reading, writing, return_exceptions=True)
            await asyncio.shield(self._room.exit(self))

    async def _write(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError, OSError):
            while (message := await self._outgoing.get()) is not None:
                await self._websocket.send_text(message.decode())
            await self._websocket.close(self._close_code)

    async def _read(self) -> None:
        try:
            async with asyncio.timeout(JOIN_TIME):
                first = await self._receive()
            if not isinstance(first, messages.Join):
                raise BadMessage("the first message must be join")
            await self._room.enter(self, first.token)
            while True:
                await self._answer(await self._receive())
        except WebSocketDisconnect:
            return
        except TimeoutError:
            self._end(NOT_A_MESSAGE)
        except (BadMessage, Denied) as error:
            self._end(self._close_code if self._close_code != 1000 else NOT_A_MESSAGE, str(error))

    async def _receive(self) -> messages.FromBrowser:
        received = await self._websocket.receive()
        if received["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(received.get("code") or 1000)
        data = received.get("text") or received.get("bytes") or b""
        if len(data) > messages.LONGEST_MESSAGE:
            raise BadMessage("this message is too long")
        if not self._bucket.take():
            self._close_code = TOO_MUCH
            raise BadMessage("too many messages; wait a moment")
        return messages.parse(data)

    async def _answer(self, message: messages.FromBrowser) -> None:
        """Carry out what the person did; what cannot be done is answered with a sentence."""
        try:
            # a move that is being written is finished even if the browser goes away
            await asyncio.shield(self._carry_out(message))
        except (Denied, DatabaseError) as error:
            self.send(encode(messages.Refused(str(error))))

    def _begin(self, advice: Coroutine[Any, Any, messages.FromServer]) -> None:
        """Advice takes a while; the person may play meanwhile."""
        if self._advice is not None and not self._advice.done():
            advice.close()
            raise Denied("your advice is still being worked out")
        self._advice = asyncio.create_task(self._advise(advice))

    async def _advise(self, advice: Coroutine[Any, Any, messages.FromServer]) -> None:
        try:
            self.send(encode(await advice))
        except Denied as error:
            self.send(encode(messages.Refused(str(error))))

    async def _carry_out(self, message: messages.FromBrowser) -> None:
        room = self._room
        match message:
            case messages.Play(turn, option):
                await room.play(self, turn, option)
            case messages.Continue(deal):
                await room.read_result(self, deal)
            case messages.Sit(person, name):
                await room.sit(self, person, name)
            case messages.Start():
                await room.start(self)
            case messages.Say(phrase):
                await room.say(self, phrase)
            case messages.Rematch():
                await room.rematch(self)
            case messages.Leave():
                await room.leave(self)
            case messages.Hint(turn):
                view = await room.hint_view(self, turn)
                self._begin(self._hints.advise(view, room.game, turn))
            case messages.Review(deal):
                record = await room.finished_record(self, deal)
                self._begin(self._hints.review(room.game, record, deal))
            case messages.Join():
                raise Denied("you have joined this table already")
