"""Environments for learning: PettingZoo, Gymnasium, OpenSpiel and RLCard on any game, and vectors of games.

Modules:
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.lazy import lazy_names

if TYPE_CHECKING:
    from upcard.rl.adapters import (
        gymnasium_env,
        pettingzoo_env,
        pettingzoo_parallel_env,
        register_openspiel,
        rlcard_env,
    )
    from upcard.rl.vector import EnvironmentMisuse

_HOMES = {
    "EnvironmentMisuse": "upcard.rl.vector",
    "gymnasium_env": "upcard.rl.adapters",
    "pettingzoo_env": "upcard.rl.adapters",
    "pettingzoo_parallel_env": "upcard.rl.adapters",
    "register_openspiel": "upcard.rl.adapters",
    "rlcard_env": "upcard.rl.adapters",
}

__all__ = [
    "EnvironmentMisuse",
    "gymnasium_env",
    "pettingzoo_env",
    "pettingzoo_parallel_env",
    "register_openspiel",
    "rlcard_env",
]

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
