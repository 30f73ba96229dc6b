"""Options shared by several commands: same name, meaning, placeholder, help and checks everywhere.

Options of a single command are declared there. Numbers out of range are rejected here, before the command
starts. An option whose default depends on the command has one declaration for each default.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, TypeVar

import typer

from upcard.cli import completion_values as complete
from upcard.cli.console import MISUSE, Stop

if TYPE_CHECKING:
    from upcard.engine.shared.game import LoadedGame
    from upcard.players.spec import PlayerSpec

SEARCH_GAMES = 100
"""Games of searching players in a study, unless --search-games says otherwise."""

GAME_PANEL, EXTERNAL_PANEL = "Game options", "Options for players from files and programs"
"""Headings of the help; other options are under "Options"."""

Number = TypeVar("Number", int, "int | None")


def at_least(minimum: int) -> Callable[[typer.CallbackParam, Number], Number]:
    """Callback that rejects smaller numbers."""

    def check(param: typer.CallbackParam, value: Number) -> Number:
        if value is not None and value < minimum:
            raise Stop(MISUSE, f"{param.opts[-1]} must be at least {minimum}, not {value}")
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
        raise Stop(MISUSE, "--search-games needs a searching player; name one with --players")


def check_folder(path: Path | None) -> None:
    """Reject a file in a folder that does not exist, before the work."""
    if path is not None and not path.absolute().parent.is_dir():
        raise Stop(MISUSE, f"{path}: no such file or directory; check its folder and its name")


def check_parquet(path: Path | None) -> None:
    """The same for --parquet, which also needs pyarrow."""
    from upcard.extras import need_parquet

    if path is not None:
        need_parquet()
        check_folder(path)


def parse_players(
    players: str | None, game: LoadedGame, patience: float, trusted: bool = False
) -> list[PlayerSpec]:
    """The players of a comma-separated list; none if the option is left out."""
    from upcard.players.spec import resolve_player, split

    return (
        [] if players is None else [resolve_player(name, game, patience, trusted) for name in split(players)]
    )


# --- the game -----------------------------------------------------------------------------------

GAME_HELP = "A game of the library, or a program file."
GAMES_HELP = "Games of the library, or program files."

Game: TypeAlias = Annotated[
    str, typer.Argument(metavar="GAME", help=GAME_HELP, autocompletion=complete.games)
]
Overrides: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Set a declared value of the program; repeatable.",
        rich_help_panel=GAME_PANEL,
        autocompletion=complete.declared_values,
    ),
]
Rules: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--rule",
        metavar="NAME=VALUE",
        help="Choose a house rule, such as stick=no; repeatable.",
        rich_help_panel=GAME_PANEL,
        autocompletion=complete.house_rules,
    ),
]
Base: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--base",
        metavar="0|1",
        help="Number of the first player in the program.",
        show_default="as in the program",
        rich_help_panel=GAME_PANEL,
        autocompletion=complete.words("0", "1"),
    ),
]
EngineName: TypeAlias = Annotated[
    str,
    typer.Option(
        "--engine",
        metavar="native|reference",
        help="native is machine code and fast; reference defines the language and is slow.",
        rich_help_panel=GAME_PANEL,
        autocompletion=complete.words("native", "reference"),
    ),
]

# --- play ---------------------------------------------------------------------------------------

PLAYERS_HELP = (
    "Players, separated by commas. A player is NAME, NAME:1000 (playouts per decision), NAME:0.5s, "
    "FILE.py:Class or 'cmd:PROGRAM ARGUMENTS'; names are casual, steady, strong, expert and more."
)


def _games(default: bool | str = True) -> Any:
    return typer.Option(
        "--games",
        metavar="N",
        callback=at_least(1),
        help="Number of games of random players.",
        show_default=default,
    )


def _search_games(default: str) -> Any:
    return typer.Option(
        "--search-games",
        metavar="N",
        callback=at_least(1),
        help="Number of games of searching players.",
        show_default=default,
    )


def _matches(default: bool | str = True) -> Any:
    return typer.Option(
        "--matches", metavar="N", callback=at_least(1), help="Number of matches.", show_default=default
    )


def _seed(default: bool | str = True) -> Any:
    return typer.Option(
        "--seed",
        metavar="N",
        help="Random seed; the same seed gives the same result.",
        show_default=default,
    )


def _players(default: bool | str = True) -> Any:
    return typer.Option(
        "--players",
        metavar="PLAYER,...",
        help=PLAYERS_HELP,
        show_default=default,
        autocompletion=complete.players,
    )


Games: TypeAlias = Annotated[int, _games()]
OneGame: TypeAlias = Annotated[int | None, _games("1")]
VerifiedGames: TypeAlias = Annotated[int | None, _games("100, or 5 for each set of house rules")]
SearchGames: TypeAlias = Annotated[int | None, _search_games(str(SEARCH_GAMES))]
PageSearchGames: TypeAlias = Annotated[int | None, _search_games("more for games with fewer decisions")]
Matches: TypeAlias = Annotated[int, _matches()]
ArenaMatches: TypeAlias = Annotated[int | None, _matches(False)]
Seed: TypeAlias = Annotated[int, _seed()]
ZeroSeed: TypeAlias = Annotated[int | None, _seed("0")]
DrawnSeed: TypeAlias = Annotated[int | None, _seed("drawn")]
Players: TypeAlias = Annotated[str, _players()]
NamedPlayers: TypeAlias = Annotated[str | None, _players(False)]
Workers: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--workers",
        metavar="N",
        callback=at_least(1),
        help="Number of parallel workers.",
        show_default="all cores",
    ),
]
Cluster: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Work on a Dask cluster instead: host:8786, local:N, ssh:host1,host2, slurm:N or kubernetes:N.",
    ),
]
Target: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--to",
        metavar="N",
        callback=at_least(1),
        help="Target score of a match.",
        show_default="as in the game",
    ),
]
SeatName: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--seat",
        metavar="SEAT",
        help="A seat: its number, from 0, or its name.",
        autocompletion=complete.seats,
    ),
]
Record: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--record",
        metavar="FILE",
        help="File to save the games in and to resume from.",
        autocompletion=complete.files,
    ),
]

# --- players from files and programs -------------------------------------------------------------

Patience: TypeAlias = Annotated[
    float,
    typer.Option(
        "--patience",
        metavar="SECONDS",
        callback=_seconds,
        help="Time limit of a decision.",
        rich_help_panel=EXTERNAL_PANEL,
    ),
]
Trusted: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--trusted",
        help="Faster, for players you trust: one process for each player, and deals from the seed alone.",
        rich_help_panel=EXTERNAL_PANEL,
    ),
]
Secret: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--secret",
        metavar="FILE",
        help="Repeat the deals of an earlier contest: its record, or a file with its secret.",
        rich_help_panel=EXTERNAL_PANEL,
        autocompletion=complete.files,
    ),
]

# --- output -------------------------------------------------------------------------------------


def _output(metavar: str, what: str, default: bool | str = True) -> Any:
    return typer.Option(
        "-o",
        "--output",
        metavar=metavar,
        help=f"{what} to write to.",
        show_default=default,
        autocompletion=complete.files,
    )


DrawingFile: TypeAlias = Annotated[Path | None, _output("FILE", "File", "standard output")]
PageFile: TypeAlias = Annotated[Path | None, _output("FILE", "File", "NAME.html")]
Folder: TypeAlias = Annotated[Path, _output("FOLDER", "Folder")]
NewFolder: TypeAlias = Annotated[Path, _output("FOLDER", "Folder", "the current one")]
StrategyFile: TypeAlias = Annotated[Path | None, _output("FILE", "File", False)]
ParquetFile: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--parquet",
        metavar="FILE",
        help="Also write the results as columns, into a parquet file.",
        autocompletion=complete.files,
    ),
]
StudyFolder: TypeAlias = Annotated[Path | None, _output("FOLDER", "Folder", False)]

AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Ascii: TypeAlias = Annotated[bool, typer.Option("--ascii", help="Use ASCII characters only.")]
Figures: TypeAlias = Annotated[
    bool, typer.Option("--figures/--no-figures", help="Draw figures into the folder.")
]
