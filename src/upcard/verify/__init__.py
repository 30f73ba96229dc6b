"""Verification: engines compared, designers' positions checked, speed measured.

Modules:
    engines    Runs both engines side by side and compares everything at every decision.
    positions  Designers' positions (`positions.toml`): reads and checks them.
    report     Verification in one call: engines compared on random games, designers' positions checked.
    speed      Measures the engines: games and rollouts per second, compile time, warm start.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.lazy import lazy_names

if TYPE_CHECKING:
    from upcard.verify.engines import Difference
    from upcard.verify.positions import Finding, Position, PositionError
    from upcard.verify.report import EngineReport, PositionReport, check_positions, compare_engines

__all__ = [
    "Difference",
    "EngineReport",
    "Finding",
    "Position",
    "PositionError",
    "PositionReport",
    "check_positions",
    "compare_engines",
]

_HOMES = {
    "Difference": "upcard.verify.engines",
    "EngineReport": "upcard.verify.report",
    "Finding": "upcard.verify.positions",
    "Position": "upcard.verify.positions",
    "PositionError": "upcard.verify.positions",
    "PositionReport": "upcard.verify.report",
    "check_positions": "upcard.verify.report",
    "compare_engines": "upcard.verify.report",
}

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
