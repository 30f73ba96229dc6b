"""Options that `upcard page` and `upcard site` share."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

from upcard.cli.console import MISUSE, Stop
from upcard.cli.options import (
    SEARCH_PLAYERS_HELP,
    at_least,
)

Games: TypeAlias = Annotated[
    int, typer.Option("--games", callback=at_least(1), help="How many games of random players.")
]


Players: TypeAlias = Annotated[
    str, typer.Option("--players", metavar="NAME[,NAME]", help=f"{SEARCH_PLAYERS_HELP} Or none.")
]


SearchGames: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--search-games",
        callback=at_least(1),
        help="How many games of searching players; by how much there is to choose if left out.",
    ),
]


def check_players(search_games: int | None, players: str) -> None:
    if search_games is not None and players == "none":
        raise Stop(MISUSE, "--search-games are games of a searching player; name one with --players")
