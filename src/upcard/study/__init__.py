"""Studies: what a game is like, measured from random and search play.

Modules:
    choice_columns  How many choices there were at each decision: means, true quantiles and shares, as
                    they happened.
    convergence     Convergence: how the number of choices shrinks during a game.
    dealer_edge     The edge of a seat: what dealing is worth, and why a match takes it away again.
    game_log        Plays and logs games for a study: choices, evaluations, results.
    heuristics      Heuristics that describe a game, computed from its logged games alone.
    leads           Normalised ranks of a search player's evaluations: 1 is surely first, 0 surely last.
    plan            Plan of a study: everything that its games depend on.
    skill           Skill and luck: how much of a result is due to the players and how much to the cards.
    statistics      Statistics of a study, each with a 95 % interval over games.
    study_record    Record of a study: one file per part, with a header and one line per game.
    study_result    A study in one call, and what it showed.
    study_rows      Exports the games, the decisions and the profile of a study as tables.
    study_run       Runs a study on all cores or a cluster, in order, recorded and resumable.
    study_summary   Summary of a study as data; printing, JSON and comparisons all use it.
    figures/        Figures of studies, drawn with matplotlib.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.lazy import lazy_names

if TYPE_CHECKING:
    from upcard.study.plan import BadStudy
    from upcard.study.study_result import StudyResult, run

__all__ = ["BadStudy", "StudyResult", "run"]

_HOMES = {
    "BadStudy": "upcard.study.plan",
    "StudyResult": "upcard.study.study_result",
    "run": "upcard.study.study_result",
}

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
