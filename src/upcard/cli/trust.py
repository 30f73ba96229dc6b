"""Checks the options about external players (secret, trust) and words what reports say about them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from upcard.cli.console import MISUSE, Stop

if TYPE_CHECKING:
    from upcard.match.match_play import Table
    from upcard.players.spec import PlayerSpec
    from upcard.study.plan import Plan


NO_EXTERNAL_PLAYERS = "--trusted is for players from files and programs, and there are none; leave it out"


def check_secret(secret: Path | None, players: Sequence[PlayerSpec], trusted: bool) -> None:
    """Reject options about external players that have no effect here."""
    from upcard.players.spec import needs_secret

    external = any(player.external for player in players)
    if trusted and not external:
        raise Stop(MISUSE, NO_EXTERNAL_PLAYERS)
    if secret is not None and not needs_secret(players):
        why = "trusted players need none" if external else "the seed alone repeats the deals"
        raise Stop(MISUSE, f"--secret has no effect here: {why}; leave it out")


def read_secret_file(path: Path | None) -> str | None:
    """Read the secret from a file. Never on the command line: other processes can read that."""
    from upcard.players.seeds import read_secret

    return None if path is None else read_secret(path)


def trust_lines(source: Table | Plan, recorded: bool) -> list[str]:
    """Sentences about how a contest treats external players."""
    trust, lines = source.trust, []
    if "trusted" in trust:
        lines.append("players from files and programs are trusted: they could know the cards")
    if "secret" in trust:
        if recorded:
            lines.append(
                "Deals come from the secret in the record; pass the record to --secret to repeat them"
            )
        else:
            how = "save it to a file and pass --secret FILE to repeat them"
            lines.append(f"Deals come from the secret {trust['secret']}; {how}")
    return lines
