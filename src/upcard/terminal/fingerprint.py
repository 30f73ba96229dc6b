"""Commits to the seed with a fingerprint before the first deal and reveals it after the last."""

from __future__ import annotations

import hashlib
import secrets


def new_seed() -> int:
    """A seed that nobody can guess, and that can still be typed."""
    return secrets.randbits(48)


def new_salt() -> str:
    """Without it short seeds could be found from their fingerprint by trying them all."""
    return secrets.token_hex(16)


def promised(seed: int, salt: str) -> str:
    """What is hashed."""
    return f"{salt}:{seed}"


def fingerprint(seed: int, salt: str) -> str:
    return hashlib.sha256(promised(seed, salt).encode("ascii")).hexdigest()


def before(mark: str) -> str:
    return f"Fingerprint of the seed: {mark}"


def after(seed: int, salt: str, file: str) -> list[str]:
    """How anybody can see that the deals were fixed before the first of them."""
    return [
        f"The seed was {seed}, its salt {salt}.",
        f"Fingerprint: {fingerprint(seed, salt)}",
        f"(the SHA-256 of the text {promised(seed, salt)})",
        f"Check every deal and move: upcard replay {file}",
    ]
