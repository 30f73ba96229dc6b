"""Arena: measures players against each other on duplicate deals.

Modules:
    contest         Definition of a contest: the game, the players, the deals, and everything else its
                    results depend on.
    contest_game    Plays one game of a contest and makes its line of the record.
    contest_header  The first line of a contest's record. A run resumes only from a record with an equal
                    header.
    contest_record  Record of a contest: a header, then one line per game, in order.
    contest_result  A contest in one call: players by name, class or object, and what it showed.
    contest_rows    Contests as columns: a row for each game, for each player, or for each two players
                    that met.
    contest_run     Runs a contest in order, on cores or a cluster, recorded, until it is complete or the
                    SPRT decides it.
    ratings         Plackett-Luce ratings for contests of many players, computed by openskill.
    results         Statistics of a contest: standings, pairings and confidence intervals from its games.
    schedule        Pairings and seats: each deal is repeated until every player has sat in every seat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.lazy import lazy_names

if TYPE_CHECKING:
    from upcard.arena.contest import BadContest
    from upcard.arena.contest_result import ContestResult, run
    from upcard.arena.results import Pair, Standing

__all__ = ["BadContest", "ContestResult", "Pair", "Standing", "run"]

_HOMES = {
    "BadContest": "upcard.arena.contest",
    "ContestResult": "upcard.arena.contest_result",
    "Pair": "upcard.arena.results",
    "Standing": "upcard.arena.results",
    "run": "upcard.arena.contest_result",
}

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
