"""Upcard: card games written in RECYCLE, read, checked, played and studied.

>>> import upcard
>>> state = upcard.load("euchre").deal(seed=7)
>>> state.to_move, [move.text for move in state.moves]
(0, ['pass', 'order it up', 'order it up and go alone'])
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from upcard.arguments import BadArgument
    from upcard.engine.api import IllegalMove, Limits, Move, Observation, Outcome
    from upcard.engine.loader import load
    from upcard.recycle.diagnostics import Diagnostic, RecycleError

__version__ = "0.1.0"

__all__ = [
    "BadArgument",
    "Diagnostic",
    "IllegalMove",
    "Limits",
    "Move",
    "Observation",
    "Outcome",
    "RecycleError",
    "load",
]

_MODULES = {
    "BadArgument": "upcard.arguments",
    "Diagnostic": "upcard.recycle.diagnostics",
    "RecycleError": "upcard.recycle.diagnostics",
    "load": "upcard.engine.loader",
}


def __getattr__(name: str) -> object:
    """Imports names on first use, so that the command line starts at once."""
    if name not in __all__:
        raise AttributeError(f"module 'upcard' has no attribute {name!r}")
    return getattr(import_module(_MODULES.get(name, "upcard.engine.api")), name)
