"""Options for the secret of a contest and for trusted players, and what reports say about them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from upcard.cli.console import MISUSE, Stop

if TYPE_CHECKING:
    from upcard.match.match_play import Table
    from upcard.players.spec import PlayerSpec
    from upcard.study.plan import Plan


NOBODY_TO_TRUST = "--trusted is for players from files and programs, and there are none; leave it out"


def check_secret(secret: Path | None, players: Sequence[PlayerSpec], trusted: bool) -> None:
    """Raises where an option about external players has no meaning."""
    from upcard.players.spec import needs_secret

    external = any(player.external for player in players)
    if trusted and not external:
        raise Stop(MISUSE, NOBODY_TO_TRUST)
    if secret is not None and not needs_secret(players):
        why = "trusted players need none" if external else "the seed alone gives the same deals again"
        raise Stop(MISUSE, f"--secret is of no use here: {why}; leave it out")


def given_secret(path: Path | None) -> str | None:
    """The secret in a file. It is never given on the command line, which every process can read."""
    from upcard.players.seeds import read_secret

    return None if path is None else read_secret(path)


def trust_lines(about: Table | Plan, kept: bool) -> list[str]:
    """What a person should know about a contest with external players."""
    trust, lines = about.trust, []
    if "trusted" in trust:
        lines.append("players from files and programs are trusted: they could know the cards")
    if "secret" in trust:
        where = "is in the record" if kept else f"is {trust['secret']}"
        lines.append(f"deals are drawn with a secret, which {where}; --secret with its file repeats them")
    return lines
