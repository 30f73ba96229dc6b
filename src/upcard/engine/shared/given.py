"""Storages that a match gives a value before a deal: checked, and as the keys of a table."""

from __future__ import annotations

import re

from upcard.arguments import BadArgument
from upcard.engine.api import TABLE, Given
from upcard.recycle.arithmetic import GREATEST, LEAST

_STORAGE = re.compile(r"(table|seat([0-9]{1,4}))\.([A-Z]+)")


def given_storages(given: Given, seats: int = 10_000) -> dict[tuple[int, str], int]:
    """The storages by owner and name. Raises `BadArgument` for anything else."""
    storages = {}
    for text, value in given.items():
        parts = _STORAGE.fullmatch(text)
        if parts is None or int(parts[2] or 0) >= seats:
            raise BadArgument(f"{text!r:.60} is not a storage; write table.NAME or seat0.NAME")
        if isinstance(value, bool) or not isinstance(value, int) or not LEAST <= value <= GREATEST:
            raise BadArgument(f"{text} must be a whole number of 64 bits, not {value!r:.60}")
        storages[TABLE if parts[1] == "table" else int(parts[2]), parts[3]] = value
    return storages
