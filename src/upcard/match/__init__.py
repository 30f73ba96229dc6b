"""Matches: deals that add up to a target, with players at the seats and a rotating dealer.

Modules:
    deal_counts          Counts events that a sheet names, from storages at the end of each deal.
    match_play           A match in progress: deal after deal, decision after decision, every line
                         recorded.
    match_record         Record of a match: JSON lines from which it resumes or is replayed.
    match_record_format  Typed definitions of the lines of a match record.
    match_series         Plays many matches and sums them up, equally for any number of workers.
    scoreboard           Scoreboard of a match: totals, the end, and the winners.
    seated_match         A match between players given by name, class or object, deal after deal.
    seats                Seats of a match: players keep partners and neighbours, and the deal rotates to
                         the left.
"""

from __future__ import annotations

from upcard.match.match_play import Match, MatchOver, Participant, Table
from upcard.match.scoreboard import Board
from upcard.match.seats import Seating

__all__ = ["Board", "Match", "MatchOver", "Participant", "Seating", "Table"]
