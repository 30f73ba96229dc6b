"""Options shared by several commands: same name, meaning, help and validation everywhere.

Options of a single command are declared there. Numbers out of range are rejected here, before the command
starts.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias, TypeVar

import typer

from upcard.cli.console import MISUSE, Stop

if TYPE_CHECKING:
    from upcard.engine.shared.game import LoadedGame
    from upcard.players.spec import PlayerSpec

SEARCH_GAMES = 100
"""Games of searching players in a study, unless --search-games says otherwise."""

Number = TypeVar("Number", int, "int | None")


def at_least(minimum: int) -> Callable[[typer.CallbackParam, Number], Number]:
    """Callback that rejects smaller numbers."""

    def check(param: typer.CallbackParam, value: Number) -> Number:
        if value is not None and value < minimum:
            raise Stop(MISUSE, f"{param.opts[-1]} is at least {minimum}, not {value}")
        return value

    return check


def _seconds(param: typer.CallbackParam, value: float) -> float:
    if not 0 < value < 1e6:
        raise Stop(
            MISUSE, f"{param.opts[-1]} is a number of seconds above 0 and below a million, not {value:g}"
        )
    return value


def check_search_games(search_games: int | None, searching: bool) -> None:
    """Reject --search-games where no searching player is named."""
    if search_games is not None and not searching:
        raise Stop(MISUSE, "--search-games are games of a searching player; name one with --players")


def parse_players(
    players: str | None, game: LoadedGame, patience: float, trusted: bool = False
) -> list[PlayerSpec]:
    """The players of a comma-separated list; none if the option is left out."""
    from upcard.players.spec import resolve_player, split

    return (
        [] if players is None else [resolve_player(name, game, patience, trusted) for name in split(players)]
    )


PLAYERS_HELP = "NAME, NAME:1000 (playouts a decision), NAME:0.5s, path/file.py:Class or cmd:PROGRAM ARGS."

SEARCH_PLAYERS_HELP = f"Who searches, or A,B: who searches and whom it is compared with: {PLAYERS_HELP}"

# --- the game -----------------------------------------------------------------------------------

Game: TypeAlias = Annotated[
    str, typer.Argument(metavar="GAME_OR_FILE", help="A library game by name, or a program.")
]
Overrides: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="A declared value of the program, as NAME=VALUE; may be given several times.",
    ),
]
Rules: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--rule",
        metavar="NAME=VALUE",
        help="A house rule in the game's own words, as stick=no; may be given several times.",
    ),
]
Base: TypeAlias = Annotated[
    int | None,
    typer.Option("--base", help="Count players from 0 or 1, whatever the program's text suggests."),
]
EngineName: TypeAlias = Annotated[
    str,
    typer.Option(
        "--engine",
        help="native: machine code, hundreds of times faster; or reference: the language by the book.",
    ),
]

# --- play ---------------------------------------------------------------------------------------

Seed: TypeAlias = Annotated[int, typer.Option("--seed", help="The same seed gives the same games.")]
Workers: TypeAlias = Annotated[
    int | None,
    typer.Option("--workers", callback=at_least(1), help="Processes; all cores when left out."),
]
Target: TypeAlias = Annotated[
    int | None,
    typer.Option("--to", callback=at_least(1), help="The target score; the game's own when left out."),
]
Patience: TypeAlias = Annotated[
    float,
    typer.Option(
        "--patience",
        callback=_seconds,
        help="Seconds that a player from a file or a program has for a decision.",
    ),
]
Trusted: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--trusted",
        help="Trust players from files and programs: one process each, deals from the seed alone; faster.",
    ),
]
Secret: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--secret",
        metavar="FILE",
        help="Repeat the deals of a contest with players from files or programs: its record, or its secret.",
    ),
]
SearchPlayers: TypeAlias = Annotated[
    str | None, typer.Option("--players", metavar="NAME[,NAME]", help=SEARCH_PLAYERS_HELP)
]
PagePlayers: TypeAlias = Annotated[
    str, typer.Option("--players", metavar="NAME[,NAME]", help=f"{SEARCH_PLAYERS_HELP} Or none.")
]
PageGames: TypeAlias = Annotated[
    int, typer.Option("--games", callback=at_least(1), help="How many games of random players.")
]
PageSearchGames: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--search-games",
        callback=at_least(1),
        help="How many games of searching players; by how much there is to choose if left out.",
    ),
]

# --- output -------------------------------------------------------------------------------------

AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Ascii: TypeAlias = Annotated[bool, typer.Option("--ascii", help="Plain letters for suits.")]
Figures: TypeAlias = Annotated[
    bool, typer.Option("--figures/--no-figures", help="Draw figures into the folder.")
]
Folder: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        metavar="FOLDER",
        help="Where tables, figures and the record go; the same command goes on with what is there.",
    ),
]
