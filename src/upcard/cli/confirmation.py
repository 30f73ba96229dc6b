"""Asks before a saved match runs a program or a Python file.

A file never starts a program by itself: players that run code must be named again on the command line, or
confirmed at the terminal.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from upcard.cli.console import FAILURE, MISUSE, Stop
from upcard.output import say, write_styled

YES = ("y", "yes")


def confirm_players(path: Path, players: Sequence[str], level: str | None) -> list[str]:
    """Return the players of a saved match that run code, once each is named by --level or confirmed."""
    from upcard.players.spec import split

    named = [] if level is None else [level] if level in players else split(level)
    extra = [name for name in named if name not in players]
    if extra:
        raise Stop(
            MISUSE,
            f"{path} was not started with {extra[0]}; leave out --level to resume it with its own players",
        )
    unnamed = [name for name in players if name not in named]
    if unnamed and not _ask(path, unnamed):
        raise Stop(FAILURE, "no player was started; the match is unchanged")
    return list(players)


def replace_undecodable_input() -> None:
    """Replace bytes on standard input that are not text, so that they do not end the session."""
    reconfigure = getattr(sys.stdin, "reconfigure", None)
    if reconfigure is not None and getattr(sys.stdin, "errors", None) != "replace":
        reconfigure(errors="replace")


def _ask(path: Path, players: Sequence[str]) -> bool:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        again = shlex.quote(",".join(players))
        raise Stop(
            MISUSE,
            f"resuming {path} would run {', '.join(players)}; if you trust that, name it in the command: "
            f"upcard play --resume --record {shlex.quote(str(path))} --level {again}",
        )
    say(f"{path} has players that run code with your rights:")
    for player in players:
        say(f"  {player}")
    replace_undecodable_input()
    write_styled("Start them? Type yes to go on: ")
    sys.stdout.flush()
    try:
        return sys.stdin.readline().strip().lower() in YES
    finally:
        say()
