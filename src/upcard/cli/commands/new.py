"""`upcard new`: creates a game to start from."""

from __future__ import annotations

import shlex
from pathlib import Path

import typer

from upcard.cli import options
from upcard.cli.console import report_errors
from upcard.output import say_lines
from upcard.terminal_text import visible


def new(
    name: str = typer.Argument(..., metavar="NAME", help="Name of the game, such as high-card."),
    where: options.NewFolder = Path(),
) -> None:
    """Create a folder with a small game to start from.

    The game is ready to play; change it into your own.

    Examples:
        upcard new high-card
    """
    from upcard.library.new_game import create_game

    with report_errors():
        folder = create_game(name, where)
    path, argument = visible(str(folder)), visible(shlex.quote(str(folder)))
    say_lines(f"""Created {path}, a duel of high cards for two, ready to play and to change.
  rules.rcy       the program: the rules for the machine
  game.toml       the words: the rules for people, names, phrases, the match
  positions.toml  positions to test: what must be true in them
Try it:
  upcard watch {argument}
  upcard simulate {argument}
  upcard rules {argument}
  upcard test {argument}
  upcard check {argument}""")
