"""`upcard serve`: the table in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from upcard.cli import completion_values as complete
from upcard.cli.console import MISUSE, Stop, path_or_name, report_errors

LOOPBACK = ("127.0.0.1", "::1", "localhost")


def serve(
    games: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[GAME...]",
            help="Programs of your own, offered beside the library.",
            autocompletion=complete.games,
        ),
    ] = None,
    host: str = typer.Option("127.0.0.1", "--host", metavar="HOST", help="Network address to listen on."),
    port: int = typer.Option(8000, "--port", metavar="PORT", help="Port to listen on; 0 chooses a free one."),
    database: Path = typer.Option(
        None,
        "--database",
        metavar="FILE",
        help="File of all tables.",
        show_default="tables.db beside your saved matches",
        autocompletion=complete.files,
    ),
    public: str = typer.Option(
        None,
        "--public",
        metavar="ADDRESS",
        help="Address that others use, such as https://cards.example.org.",
    ),
    browser: bool = typer.Option(True, "--browser/--no-browser", help="Open the browser."),
) -> None:
    """Play in the browser, with friends and bots.

    The server listens on this computer only, unless --host and --public say otherwise. Every move is on disk
    before it is shown: stop the server at any time, and start it again.

    Examples:
        upcard serve
        upcard serve my-game --port 8080 --no-browser
        upcard serve --host 0.0.0.0 --public http://192.168.1.20:8000
    """
    from upcard.engine.loader import load
    from upcard.extras import need_web
    from upcard.terminal.saves import folder

    if not 0 <= port < 65536:
        raise Stop(MISUSE, f"--port is a number from 0 to 65535, not {port}")
    if host not in LOOPBACK and public is None:
        raise Stop(
            MISUSE,
            f"with --host {host} others can reach the server; say how with --public, as in "
            f"--public http://192.168.1.20:{port}",
        )
    with report_errors():
        need_web()
        from upcard.web.server import run

        own = [path_or_name(game) for game in games or ()]
        for game in own:
            load(game, engine="reference")  # a program with errors is reported before anybody can choose it
        run(host, port, database or folder() / "tables.db", public, browser, own)
