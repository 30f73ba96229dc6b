"""`upcard games`: lists the library."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from upcard.cli import options
from upcard.cli import text_layout as layout
from upcard.cli.console import report_errors
from upcard.output import say, say_lines
from upcard.terminal_text import capitalize_first

if TYPE_CHECKING:
    from upcard.library.catalogue import Entry


def games(as_json: options.AsJson = False) -> None:
    """List the games of the library.

    Each game is shown with its number of players and a line about it.

    Examples:
        upcard games
        upcard games --json
    """
    from upcard.library.catalogue import catalogue

    with report_errors():
        entries = catalogue()
    if as_json:
        say_lines(json.dumps([entry.to_json() for entry in entries], indent=1))
        return
    names = max(len(entry.name) for entry in entries)
    seats = max(len(entry.seats) for entry in entries)
    room = layout.width() - names - seats - 6
    family = None
    for entry in entries:
        if entry.family != family:
            if family is not None:
                say()
            family = entry.family
            layout.heading(capitalize_first(family) or "Others")
        line = (
            f"  {entry.name:<{names}}  {entry.seats:>{seats}}  {layout.shorten(_without_title(entry), room)}"
        )
        say(line.rstrip())
    say()
    say("The numbers are players. upcard rules NAME prints the rules of a game.")


def _without_title(entry: Entry) -> str:
    """The line without `Euchre is` or `Pitch, or Setback, is`, since the list names the game already."""
    start = re.match(rf"{re.escape(entry.title)}(?:, [^.:;]*?,)? is ", entry.line, re.IGNORECASE)
    return (capitalize_first(entry.line[start.end() :]) if start else entry.line).removesuffix(".")
