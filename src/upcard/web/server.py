"""Runs the server: listens, opens the browser, stops with Ctrl-C."""

from __future__ import annotations

import os
import socket
import webbrowser
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import uvicorn

from upcard.output import say
from upcard.recycle.diagnostics import Refused
from upcard.web.app import server
from upcard.web.database import Database
from upcard.web.messages import LONGEST_MESSAGE
from upcard.web.origin import own_hosts

BACKLOG = 2048
PING = 20.0
"""Seconds between pings; a connection that does not answer one is closed."""


class CannotListen(Refused):
    """The port or the host cannot be used."""


class _Server(uvicorn.Server):
    """Says where it listens once it does."""

    def __init__(self, config: uvicorn.Config, address: str, browser: bool) -> None:
        super().__init__(config)
        self._address = address
        self._browser = browser

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        say(f"The table is open at {self._address}")
        say("Ctrl-C stops the server; every move is saved.")
        if self._browser:
            webbrowser.open(self._address)


def run(
    host: str, port: int, database: Path, public: str | None, browser: bool, files: Sequence[str | Path]
) -> None:
    """Serve until Ctrl-C. Raises `Refused` for a port or a database that cannot be used."""
    with listen(host, port) as listening:
        bound = listening.getsockname()[1]
        hosts = own_hosts(bound, public)
        shown = f"http://{'127.0.0.1' if host in ('0.0.0.0', '::') else host}:{bound}"
        store = Database(database)
        try:
            config = uvicorn.Config(
                server(store, hosts, files).app(),
                log_level="warning",
                access_log=False,
                ws="websockets-sansio",
                ws_max_size=2 * LONGEST_MESSAGE,
                ws_ping_interval=PING,
                ws_ping_timeout=PING,
                server_header=False,
                timeout_graceful_shutdown=3,
            )
            with suppress(KeyboardInterrupt):  # the usual way to stop a server
                address = (public or shown).rstrip("/") + "/"
                _Server(config, address, browser).run(sockets=[listening])
        finally:
            store.close()


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens. Raises `CannotListen`."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name == "posix":  # elsewhere it would let two servers share a port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(BACKLOG)
    except (OSError, OverflowError) as error:
        listening.close()
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise CannotListen(
            f"port {port} of {host[:80]} cannot be used: {reason}; give another one with --port or --host"
        ) from None
    return listening
