"""Arguments that the class of a player may take: any of game, seed and seat by name, and deal if trusted."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

GIVEN = ("game", "seed", "seat")
"""Keyword arguments that a player's class may take."""
TRUSTED = ("deal",)
"""Keyword arguments that a trusted class may take as well."""


class Unusable(Exception):
    """A file or class that cannot be used as a player; the message is a clause that follows its name."""


def wanted_arguments(cls: Callable[..., Any], trusted: bool) -> list[str]:
    """The names of the arguments that a class or function takes. Raises `Unusable`."""
    try:
        parameters = inspect.signature(cls).parameters.values()
    except (TypeError, ValueError):
        return []
    offered = (*GIVEN, *TRUSTED) if trusted else GIVEN
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return list(offered)
    for p in parameters:
        by_keyword = p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
        if p.default is p.empty and p.kind is not p.VAR_POSITIONAL and not (by_keyword and p.name in offered):
            if p.name in TRUSTED:
                raise Unusable(f"needs {p.name}, which only trusted players get; add --trusted")
            raise Unusable(f"needs an argument {p.name}, but a player can only get {', '.join(offered)}")
    return [p.name for p in parameters if p.name in offered]
