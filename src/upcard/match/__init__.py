"""Matches: deals that add up to a target, with players at the seats and a rotating dealer."""

from __future__ import annotations

from upcard.match.match_play import Match, MatchOver, Participant, Table
from upcard.match.scoreboard import Board
from upcard.match.seats import Seating

__all__ = ["Board", "Match", "MatchOver", "Participant", "Seating", "Table"]
