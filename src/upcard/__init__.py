"""Upcard: card games written in RECYCLE, read, checked, played and studied.

    >>> import upcard
    >>> state = upcard.load("euchre").deal(seed=7)
    >>> state.to_move, [move.text for move in state.moves]
    (0, ['pass', 'order it up', 'order it up and go alone'])
"""

from upcard.engine.contract import IllegalMove, Limits, Move, Observation, Outcome
from upcard.engine.loading import load
from upcard.recycle.diagnostics import Diagnostic, RecycleError

__version__ = "0.1.0"

__all__ = [
    "Diagnostic",
    "IllegalMove",
    "Limits",
    "Move",
    "Observation",
    "Outcome",
    "RecycleError",
    "load",
]
