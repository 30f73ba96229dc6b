"""A server on a free port of this machine, and scripted clients that play what they are offered."""

from __future__ import annotations

import json
import random
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import uvicorn
from websockets.sync.client import ClientConnection, connect

from upcard.web.app import VisitorLimits, server
from upcard.web.database import Database
from upcard.web.merge_patch import patched
from upcard.web.origin import own_hosts
from upcard.web.rate_limit import Rate
from upcard.web.room_state import Tempo
from upcard.web.server import listen

QUICK = Tempo(slow=0.01, normal=0.005, fast=0.002, absent=0.05, result=0.01)
MANY = VisitorLimits(Rate(1e6, 1e6), Rate(1e6, 1e6), Rate(1e6, 1e6))
WAIT = 60.0
"""Seconds after which a message is missing; a machine that is busy is slow."""


@contextmanager
def serving(
    database: Path, tempo: Tempo = QUICK, limits: VisitorLimits = MANY, files: Sequence[str | Path] = ()
) -> Iterator[str]:
    """A real server in a thread; gives its address."""
    listening = listen("127.0.0.1", 0)
    port = listening.getsockname()[1]
    app = server(Database(database), own_hosts(port, None), files, tempo, limits).app()
    config = uvicorn.Config(
        app, log_level="error", ws="websockets-sansio", timeout_graceful_shutdown=1, lifespan="on"
    )
    running = uvicorn.Server(config)
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        running.should_exit = True
        thread.join()
        listening.close()


def get(
    address: str, headers: dict[str, str] | None = None, body: bytes | None = None
) -> tuple[int, bytes, Any]:
    """Status, body and headers."""
    request = urllib.request.Request(address, data=body, headers=headers or {})
    try:
        with urllib.request.urlopen(request, timeout=WAIT) as answer:
            return answer.status, answer.read(), answer.headers
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read(), error.headers


def make_table(address: str, game: str, seats: Sequence[str] = ("open",), **more: Any) -> dict[str, str]:
    settings = {"game": game, "name": "Ann", "seats": list(seats), "pace": "fast", **more}
    status, body, _ = get(f"{address}/api/tables", body=json.dumps(settings).encode())
    answer: dict[str, str] = json.loads(body)
    assert status == 201, answer
    return answer


class Client:
    """One connection to a table. Keeps the document as a browser does."""

    def __init__(self, address: str, code: str, token: str = "") -> None:
        self.document: dict[str, Any] = {}
        self.number = 0
        self.raw: list[str] = []
        """Every message as it came."""
        self.seated: list[dict[str, Any]] = []
        self.refused: list[str] = []
        self.advice: list[dict[str, Any]] = []
        self.reviews: list[dict[str, Any]] = []
        self._stack = ExitStack()
        place = f"{address.replace('http', 'ws')}/api/tables/{code}/socket"
        self.socket: ClientConnection = self._stack.enter_context(
            connect(place, max_size=None, max_queue=None, ping_interval=None, open_timeout=WAIT)
        )
        self.send(type="join", token=token)
        self.until(lambda: self.number > 0)

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def receive(self, wait: float = WAIT) -> None:
        text = self.socket.recv(timeout=wait)
        assert isinstance(text, str)
        self.raw.append(text)
        message = json.loads(text)
        match message["type"]:
            case "welcome":
                self.document, self.number = message["document"], message["number"]
            case "change":
                if self.number:
                    assert message["number"] == self.number + 1, "differences come in order"
                    self.document = patched(self.document, message["patch"])
                    self.number = message["number"]
            case "seated":
                self.seated.append(message)
            case "advice":
                self.advice.append(message)
            case "reviewed":
                self.reviews.append(message)
            case "refused":
                self.refused.append(message["why"])

    def catch_up(self) -> None:
        """Receive what has come."""
        with suppress(TimeoutError):
            while True:
                self.receive(0.05)

    def until(self, holds: Callable[[], bool]) -> None:
        end = time.monotonic() + WAIT
        while not holds():
            self.receive(max(0.01, end - time.monotonic()))

    @property
    def deal(self) -> dict[str, Any]:
        deal: dict[str, Any] = self.document["deal"]
        return deal

    @property
    def options(self) -> list[dict[str, Any]]:
        return self.deal["options"] if "deal" in self.document else []

    def play(self, option: int) -> None:
        """Play an option and wait until the table has gone on."""
        turn = self.deal["turn"]
        self.send(type="play", turn=turn, option=option)
        self.until(lambda: self.deal["turn"] != turn or bool(self.refused))

    def play_deal(self, draw: random.Random) -> None:
        """Play to the end of the first deal whatever is offered."""
        while True:
            self.until(lambda: bool(self.options) or "result" in self.document or self.over)
            if "result" in self.document or self.over:
                return
            self.play(draw.randrange(len(self.options)) + 1)
            assert not self.refused

    @property
    def over(self) -> bool:
        return bool(self.document["table"]["state"] in ("over", "stopped"))

    def close(self) -> None:
        self._stack.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
