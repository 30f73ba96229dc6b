"""Matches: deals of a game that add up, with names at the seats and the deal passing round the table."""

from __future__ import annotations

from upcard.match.match_play import Match, MatchOver, Participant, Table
from upcard.match.scoreboard import Board
from upcard.match.seats import Seating

__all__ = ["Board", "Match", "MatchOver", "Participant", "Seating", "Table"]
