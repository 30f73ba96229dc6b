"""Arena: measures players against each other on duplicate deals."""

from __future__ import annotations

from upcard.arena.contest import Contest
from upcard.arena.contest_run import Run
from upcard.arena.schedule import Schedule

__all__ = ["Contest", "Run", "Schedule"]
