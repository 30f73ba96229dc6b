"""The web application: pages, tables over HTTP and sockets, and the headers that keep browsers safe."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

from upcard.web import messages, tokens
from upcard.web.card_symbols import symbols
from upcard.web.database import Database, DatabaseError
from upcard.web.hints import Hints
from upcard.web.messages import BadMessage, encode
from upcard.web.origin import is_own_host, is_own_origin
from upcard.web.rate_limit import Rate, RateLimit
from upcard.web.room import Room
from upcard.web.room_state import Denied, Tempo
from upcard.web.table_list import TableList
from upcard.web.table_socket import TableSocket

STATIC = Path(__file__).resolve().parent / "static"
MAX_BODY = 16_384
"""Bytes of a request."""
NEW_TABLES = Rate(burst=20, per_second=0.1)
REQUESTS = Rate(burst=120, per_second=10)
"""Guessing the code of a table takes thousands of years at this rate."""
MESSAGES = Rate(burst=40, per_second=10)
TIDY_EVERY = 300.0
"""Seconds between looks at tables that nobody uses."""
NO_TABLE = "there is no table with this code; check the link, or make a new table"
TOO_MANY = "too many requests; wait a minute and try again"

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}


@dataclass(frozen=True)
class VisitorLimits:
    """How much one visitor may ask for: the first two count for an address, the last for a connection."""

    tables: Rate = NEW_TABLES
    """New tables."""
    requests: Rate = REQUESTS
    """Everything else, connections included."""
    messages: Rate = MESSAGES
    """What is sent through a connection."""


@dataclass
class TableServer:
    """Handlers of all requests."""

    database: Database
    tables: TableList
    hosts: frozenset[str]
    limits: VisitorLimits = field(default_factory=VisitorLimits)
    hints: Hints = field(default_factory=Hints)

    def __post_init__(self) -> None:
        self._new_tables = RateLimit(self.limits.tables)
        self._requests = RateLimit(self.limits.requests)

    def app(self) -> Callable[..., Awaitable[None]]:
        routes = [
            Route("/", self._page("lobby.html")),
            Route("/table/{code}", self._page("table.html")),
            Route("/api/lobby", self.lobby),
            Route("/api/tables", self.make, methods=["POST"]),
            Route("/api/tables/{code}", self.look),
            Route("/api/tables/{code}/cards.svg", self.cards),
            Route("/api/tables/{code}/record", self.record),
            WebSocketRoute("/api/tables/{code}/socket", self.socket),
            Mount("/static", StaticFiles(directory=STATIC)),
        ]
        return Guard(Starlette(routes=routes, lifespan=self._lifespan), self.hosts)

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        tidying = asyncio.create_task(self._tidy())
        try:
            yield
        finally:
            tidying.cancel()
            self.tables.close()
            self.hints.close()
            self.database.close()

    async def _tidy(self) -> None:
        while True:
            await asyncio.sleep(TIDY_EVERY)
            try:
                await self.tables.tidy()
            except DatabaseError:
                continue  # people are told when they play

    def _page(self, name: str) -> Callable[[Request], Awaitable[Response]]:
        async def page(request: Request) -> Response:
            return FileResponse(STATIC / name, media_type="text/html; charset=utf-8")

        return page

    # --- requests ------------------------------------------------------------------------------

    async def lobby(self, request: Request) -> Response:
        if not self._requests.allows(_address(request)):
            return _refusal(TOO_MANY, 429)
        return _json(messages.encode(self.tables.lobby()))

    async def make(self, request: Request) -> Response:
        if not self._new_tables.allows(_address(request)):
            return _refusal(TOO_MANY, 429)
        try:
            body = await _body(request)
            return _json(encode(await self.tables.make(messages.parse_settings(body))), 201)
        except (BadMessage, Denied) as error:
            return _refusal(str(error), 400)
        except DatabaseError as error:
            return _refusal(str(error), 503)

    async def look(self, request: Request) -> Response:
        """Whether there is a table, for a code that was typed."""
        room = await self._room(request)
        return (
            room
            if isinstance(room, Response)
            else _json(encode({"code": room.code, "title": room.game.title}))
        )

    async def cards(self, request: Request) -> Response:
        room = await self._room(request)
        if isinstance(room, Response):
            return room
        return Response(symbols(room.faces), media_type="image/svg+xml")

    async def record(self, request: Request) -> Response:
        room = await self._room(request)
        if isinstance(room, Response):
            return room
        lines = await self.tables.record(room)
        if lines is None:
            return _refusal("the record can be read when the match is over", 409)
        name = f'attachment; filename="{room.game.name}-{room.code}.jsonl"'
        text = "".join(f"{line}\n" for line in lines)
        return Response(text, media_type="application/jsonl", headers={"Content-Disposition": name})

    async def _room(self, request: Request | WebSocket) -> Room | Response:
        if not self._requests.allows(_address(request)):
            return _refusal(TOO_MANY, 429)
        code = tokens.tidy_code(request.path_params["code"])
        try:
            room = await self.tables.find(code) if code else None
        except (Denied, DatabaseError) as error:
            return _refusal(str(error), 503)
        return room or _refusal(NO_TABLE, 404)

    async def socket(self, websocket: WebSocket) -> None:
        room = await self._room(websocket)
        await websocket.accept()
        if isinstance(room, Response):
            await websocket.send_text(bytes(room.body).decode())
            await websocket.close(4000 + room.status_code)
            return
        await TableSocket(websocket, room, self.hints, self.limits.messages).run()


class Guard:
    """Refuses requests for other hosts and from other pages, and adds the headers to every answer."""

    def __init__(self, app: Any, hosts: frozenset[str]) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        acts = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if not is_own_host(headers, self._hosts) or (acts and not is_own_origin(headers)):
            await self._refuse(scope, receive, send)
            return

        async def send_guarded(message: Any) -> None:
            if message["type"] == "http.response.start":
                answer = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    answer[name] = value
            await send(message)

        await self._app(scope, receive, send_guarded)

    async def _refuse(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        why = "this server does not answer to that address; start it with --public ADDRESS"
        await _refusal(why, 403)(scope, receive, send)


async def _body(request: Request) -> bytes:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY:
            raise BadMessage("this request is too long")
    return body


def _json(data: bytes, status: int = 200) -> Response:
    return Response(data, status, media_type="application/json")


def _refusal(why: str, status: int) -> Response:
    return _json(encode(messages.Refused(why)), status)


def _address(request: Request | WebSocket) -> str:
    return request.client.host if request.client else ""


def server(
    database: Database,
    hosts: frozenset[str],
    files: Sequence[str | Path] = (),
    tempo: Tempo | None = None,
    limits: VisitorLimits | None = None,
) -> TableServer:
    return TableServer(database, TableList(database, files, tempo), hosts, limits or VisitorLimits())
