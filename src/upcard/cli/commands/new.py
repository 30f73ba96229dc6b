"""`upcard new`: creates a game to start from."""

from __future__ import annotations

import shlex
from pathlib import Path

import typer

from upcard.cli.console import report_errors
from upcard.output import say_lines
from upcard.terminal_text import visible


def new(
    name: str = typer.Argument(..., help="What the game is to be called, such as high-card."),
    where: Path = typer.Option(Path(), "--dir", metavar="FOLDER", help="Where to make its folder; here."),
) -> None:
    """Make a folder with a small game to start from. It runs as it is; change it into your own."""
    from upcard.library.new_game import create_game

    with report_errors():
        folder = create_game(name, where)
    path, argument = visible(str(folder)), visible(shlex.quote(str(folder)))
    say_lines(f"""{path} is made: a duel of high cards for two, ready to play and to change.
  rules.rcy       the program: the rules for the machine
  game.toml       the words: the rules for people, names, phrases, the match
  positions.toml  positions to test: what must be true in them
Try it:
  upcard watch {argument}
  upcard simulate {argument}
  upcard rules {argument}
  upcard test {argument}
  upcard check {argument}""")
