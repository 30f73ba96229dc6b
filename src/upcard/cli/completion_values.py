"""Values that shell completion offers for arguments and options: games, players, house rules, seats.

An empty list leaves the word to the shell, which completes names of files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from upcard.library.sheet import Sheet


def words(*choices: str) -> Callable[[str], list[str]]:
    """Completes one of a few words."""

    def complete(incomplete: str) -> list[str]:
        return list(choices)

    return complete


def files(incomplete: str) -> list[str]:
    """Nothing, so that the shell completes names of files."""
    return []


def files_or(word: str) -> Callable[[str], list[str]]:
    """Completes a word, or else names of files."""

    def complete(incomplete: str) -> list[str]:
        return [word] if incomplete else []

    return complete


def games(incomplete: str) -> list[str]:
    from upcard.library.lookup import names

    return names()


def players(incomplete: str) -> list[str]:
    """Levels and registered players, after the last comma."""
    from upcard.library.sheet import LEVELS
    from upcard.players.registry import player_names

    before, comma, _ = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in dict.fromkeys([*LEVELS, *player_names()])]


def house_rules(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Each choice of each house rule of the game, with the title of the rule."""
    found = {
        f"{rule.name}={choice}": rule.title
        for sheet in _sheets(ctx)
        for rule in sheet.house_rules
        for choice in rule.choices
    }
    return list(found.items())


def declared_values(ctx: typer.Context, incomplete: str) -> list[str]:
    """The declared values of the game's program, each up to its equals sign."""
    from upcard.library import check_game

    programs = [check_game(name, lint=False).program for name in _games_named(ctx)]
    return [f"{d.binding.name}=" for program in programs if program is not None for d in program.declares]


def seats(ctx: typer.Context, incomplete: str) -> list[str]:
    return [name for sheet in _sheets(ctx) for name in sheet.seat_names]


def diagnostic_codes(incomplete: str) -> list[str]:
    from upcard.recycle.error_pages import codes

    return list(codes())


def _games_named(ctx: typer.Context) -> Iterable[str]:
    """The games that the command line names before the cursor; `completion` puts its words into `ctx.obj`."""
    words = ctx.obj[1:]
    if words and words[-1].startswith("-"):
        words = words[:-1]  # an option without its value, behind which Typer reads no arguments
    params = ctx.command.make_context(ctx.info_name, words, resilient_parsing=True).params
    given: Any = params.get("game") or params.get("games") or params.get("what") or ()
    return [given] if isinstance(given, str) else list(given)


def _sheets(ctx: typer.Context) -> Iterable[Sheet]:
    from upcard.library import find, read_sheet

    for name in _games_named(ctx):
        file = find(name).sheet
        if file is not None:
            yield read_sheet(file)
