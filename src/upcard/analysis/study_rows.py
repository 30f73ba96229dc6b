"""The raw rows of a study as tables for other tools: a row a game, and a row a decision.

CSV always; parquet as well where pyarrow is installed. The columns are the same in both.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from upcard.analysis.convergence import convergence
from upcard.analysis.heuristics import Played, drama_of, mean, security_of
from upcard.analysis.study_plan import Plan
from upcard.analysis.study_statistics import decisiveness_of
from upcard.analysis.studying import Study

PLACES = 6
"""Digits behind the point."""

Row = list[Any]


def game_columns(plan: Plan) -> list[str]:
    seats = range(1, plan.game.seats + 1)
    return [
        *("part", "deal", "ending", "decisions", "choices", "forced", "convergence"),
        *("spread", "drama", "security", "decisiveness"),
        *(f"score {seat}" for seat in seats),
        *(f"rank {seat}" for seat in seats),
    ]


def game_rows(study: Study) -> Iterator[Row]:
    """Ranks count from 1, those who tie share the better one; what there is not is empty."""
    plan = study.plan
    nothing = [None] * plan.game.seats
    for part, games in study.games.items():
        for game in games:
            choices = game.choices
            ranks = None if game.scores is None else game.ranks(plan.highest)
            told = [one for one in game.spreads if one is not None]
            leads = [lead for lead in game.leads if lead is not None]
            played = (
                Played(leads, ranks) if leads and ranks and len(ranks) > 1 and part == "searching" else None
            )
            yield [
                *(part, game.deal, game.ending, len(choices), _number(mean(choices))),
                *(choices.count(1), _number(convergence(choices))),
                _number(mean(told)) if told else None,
                _number(drama_of(played)) if played else None,
                _number(security_of(played)) if played else None,
                _number(decisiveness_of(game, plan.highest)) if played else None,
                *(nothing if game.scores is None else game.scores),
                *(nothing if ranks is None else (rank + 1 for rank in ranks)),
            ]


def decision_columns(plan: Plan) -> list[str]:
    seats = range(1, plan.game.seats + 1)
    columns = ["part", "deal", "decision", "seat", "choices", "round", "leads", "spread"]
    return [*columns, *(f"lead {seat}" for seat in seats)]


def decision_rows(study: Study) -> Iterator[Row]:
    """Decisions, seats and rounds count from 1. `leads` is 1 for whoever decides first in a round, 0 for who
    follows, empty outside of rounds and where nobody looked."""
    nothing = [None] * study.plan.game.seats
    for part, games in study.games.items():
        for game in games:
            begun = set[int]()
            for n, (seat, choices) in enumerate(zip(game.seats, game.choices, strict=True)):
                number = game.rounds[n] if game.rounds else 0
                lead = game.leads[n] if game.leads else None
                yield [
                    *(part, game.deal, n + 1, seat + 1, choices),
                    *((number, int(number not in begun)) if number else (None, None)),
                    _number(game.spreads[n]) if game.spreads else None,
                    *(nothing if lead is None else lead),
                ]
                begun.add(number)


def write(study: Study, folder: Path, decisions: bool) -> list[Path]:
    """Writes the tables and gives their paths."""
    tables = [("games", game_columns(study.plan), game_rows)]
    if decisions:
        tables.append(("decisions", decision_columns(study.plan), decision_rows))
    written = []
    for name, columns, rows in tables:
        path = folder / f"{name}.csv"
        aside = path.with_suffix(".csv.part")
        with aside.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(columns)
            writer.writerows(rows(study))
        os.replace(aside, path)
        written.append(path)
        written += _parquet(folder / f"{name}.parquet", columns, list(rows(study)))
    return written


def _parquet(path: Path, columns: Sequence[str], rows: Sequence[Row]) -> list[Path]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        return []
    words, wholes = ("part", "ending"), ("deal", "decisions", "decision", "seat", "round", "leads", "forced")
    kept = {}
    for n, name in enumerate(columns):
        whole = name in wholes or name.startswith(("score ", "rank "))
        whole = whole or (name == "choices" and "decision" in columns)
        kind = pa.string() if name in words else pa.int64() if whole else pa.float64()
        kept[name] = pa.array([row[n] for row in rows], kind)
    pq.write_table(pa.table(kept), path)
    return [path]


def _number(value: float | None) -> float | None:
    return None if value is None else round(value, PLACES)
