"""Asks before a saved match runs a program or a Python file.

A saved match is a file, and a file never starts anything by itself. The players in it that run code are named
again on the command line, or the person at the terminal reads and confirms them.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from upcard.cli.console import MISUSE, NO, Stop
from upcard.output import say, write_styled

YES = ("y", "yes")


def confirmed_players(path: Path, players: Sequence[str], named: str | None) -> list[str]:
    """The players in a saved match that run code, all of them `named` with --level or confirmed now."""
    from upcard.players.spec import split

    given = [] if named is None else [named] if named in players else split(named)
    extra = [name for name in given if name not in players]
    if extra:
        raise Stop(
            MISUSE, f"{path} was not begun with {extra[0]}; leave out --level, and it goes on as begun"
        )
    unknown = [name for name in players if name not in given]
    if unknown and not _confirms(path, unknown):
        raise Stop(NO, "nothing was started; the match is as it was")
    return list(players)


def accept_any_bytes() -> None:
    """Bytes that are no text do not end a conversation in lines."""
    reconfigure = getattr(sys.stdin, "reconfigure", None)
    if reconfigure is not None and getattr(sys.stdin, "errors", None) != "replace":
        reconfigure(errors="replace")


def _confirms(path: Path, players: Sequence[str]) -> bool:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        again = shlex.quote(",".join(players))
        raise Stop(
            MISUSE,
            f"{path} would run {', '.join(players)}; if you trust that, name it again: "
            f"upcard play --resume --record {shlex.quote(str(path))} --level {again}",
        )
    say(f"{path} has players that run code with your rights:")
    for player in players:
        say(f"  {player}")
    accept_any_bytes()
    write_styled("Start them? Type yes to go on: ")
    sys.stdout.flush()
    try:
        return sys.stdin.readline().strip().lower() in YES
    finally:
        say()
