"""Commits to the seed with a fingerprint before the first deal and reveals it after the last."""

from __future__ import annotations

import hashlib
import secrets


def new_seed() -> int:
    """A seed that cannot be guessed and is short enough to type."""
    return secrets.randbits(48)


def new_salt() -> str:
    """A random salt, so that the seed cannot be found from its fingerprint by trial."""
    return secrets.token_hex(16)


def hashed_text(seed: int, salt: str) -> str:
    """The text that the fingerprint is the hash of."""
    return f"{salt}:{seed}"


def fingerprint(seed: int, salt: str) -> str:
    return hashlib.sha256(hashed_text(seed, salt).encode("ascii")).hexdigest()


EXPLANATION = (
    "It fixes every deal before the first card; after the match you see the seed, and that it has this mark."
)


def opening_line(mark: str) -> str:
    return f"Fingerprint of the seed: {mark}"


def closing_lines(seed: int, salt: str, file: str) -> list[str]:
    """How to verify that all deals were fixed before the first one."""
    return [
        f"The seed was {seed} and its salt {salt}.",
        f"Fingerprint: {fingerprint(seed, salt)}",
        f"(the SHA-256 of the text {hashed_text(seed, salt)})",
        f"Check every deal and move: upcard replay {file} --check",
    ]
