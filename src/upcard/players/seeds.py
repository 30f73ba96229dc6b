"""Seeds of deals and players, derived from the seed or, with external players, from a secret.

A player could find a small seed by dealing every seed until its own hand comes up. Where players from files
or programs take part, every deal and every player therefore has its own seed, derived from a secret with a
keyed hash, so that one seed reveals nothing about another. The record keeps the secret, so that the contest
can be repeated.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from dataclasses import dataclass
from pathlib import Path

from upcard.files.json_text import NotJson, parse_json
from upcard.recycle.diagnostics import Refused
from upcard.storage import jsonl

BITS = 64
"""Of a derived seed: the generator uses no more."""
_SECRET = re.compile(r"(?:[0-9a-f]{2}){16,64}")


class NoSecret(Refused):
    """A file without a contest's secret."""


def new_secret() -> str:
    return secrets.token_hex(32)


def is_secret(text: object) -> bool:
    """Whether a text has the form of a secret: 32 to 128 hexadecimal digits."""
    return isinstance(text, str) and _SECRET.fullmatch(text) is not None


@dataclass(frozen=True)
class Seeds:
    """The seeds of a contest, of a match or of a study."""

    seed: int
    secret: str = ""
    """Empty: everything depends on the seed alone."""

    def deal(self, number: int) -> tuple[int, int]:
        """Seed and number to deal with."""
        return (self._derive("deal", number), 0) if self.secret else (self.seed, number)

    def player(self, number: int, seat: int) -> tuple[int, int, int]:
        """Seed, deal and seat to make a player with."""
        return (self._derive("player", number, seat), 0, seat) if self.secret else (self.seed, number, seat)

    def _derive(self, purpose: str, *words: int) -> int:
        text = " ".join(map(str, (purpose, self.seed, *words)))
        key = bytes.fromhex(self.secret)
        digest = hashlib.blake2b(text.encode(), digest_size=BITS // 8, key=key).digest()
        return int.from_bytes(digest, "big")


def read_secret(path: Path) -> str:
    """The secret in the first line of a record, or in a file of its own."""
    there = jsonl.read(path)
    for text in there.lines[:1] or [there.torn.decode("utf-8", "replace")]:
        if is_secret(text.strip()):
            return text.strip()
        try:
            line = parse_json(text)
        except NotJson:
            continue
        if isinstance(line, dict) and is_secret(line.get("secret")):
            return str(line["secret"])
    raise NoSecret(
        f"{path} holds no secret; --secret takes the record of a contest with players from files or "
        "programs, or a file with the secret alone"
    )
