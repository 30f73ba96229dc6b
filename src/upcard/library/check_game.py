"""Checks a game by name or path."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from upcard.files.bounded import read_stream
from upcard.library.lookup import find
from upcard.recycle.frontend import Checked, check_bytes


def check_game(
    what: str | Path,
    overrides: Mapping[str, str] | None = None,
    base: Literal[0, 1] | None = None,
    lint: bool = True,
) -> Checked:
    """Checks the program of a game; the result has its diagnostics and, without errors, the program."""
    found = find(what)
    return check_bytes(
        read_stream(found.rules),
        str(found.rules if not found.in_library else found.name),
        overrides,
        base,
        lint,
    )
