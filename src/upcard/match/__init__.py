"""Matches: deals of a game that add up, with names at the seats and the deal passing round the table."""

from __future__ import annotations

from upcard.match.board import Board
from upcard.match.playing import Match, MatchOver, Participant, Table
from upcard.match.seating import Seating

__all__ = ["Board", "Match", "MatchOver", "Participant", "Seating", "Table"]
