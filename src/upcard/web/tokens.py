"""Secret tokens of seats, and the short codes of tables."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping

LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Without 0, 1, I and O, which are misread."""
_CODE = re.compile(f"[{LETTERS}]{{4}}-[{LETTERS}]{{4}}")


def new_token() -> str:
    """128 random bits; the browser keeps it, the server only its digest."""
    return secrets.token_urlsafe(16)


def digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def holder(token: str, digests: Mapping[int, bytes]) -> int | None:
    """The person whose token this is. Every digest is compared, in constant time."""
    given, found = digest(token), None
    for person, known in digests.items():
        if hmac.compare_digest(given, known):
            found = person
    return found


def new_code() -> str:
    """The name of a table in its address: 40 random bits, not guessed at the rate that the server answers."""
    letters = "".join(secrets.choice(LETTERS) for _ in range(8))
    return f"{letters[:4]}-{letters[4:]}"


def tidy_code(text: str) -> str | None:
    """The code that a person typed, with or without the dash, in any case; None if it cannot be one."""
    letters = re.sub(r"[\s-]", "", text[:40]).upper()
    code = f"{letters[:4]}-{letters[4:]}"
    return code if _CODE.fullmatch(code) else None
