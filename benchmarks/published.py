"""Published figures of games, and ours beside them.

    python benchmarks/published.py [--search-games 200] [--seed 1] [--workers 2] [-o FOLDER] [LABEL ...]

Each row is a study with the player of the published ones (`published`): four figures of the Hearts variants,
and for the others the first seat's share of wins, everybody random and with a searching player there.
Published cells rest on 100 games. With a folder, games are kept there and gone on with. `docs/study.md` has a
table made by it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import upcard
from upcard.analysis.study_plan import Plan
from upcard.analysis.study_summary import Summed
from upcard.analysis.studying import Study
from upcard.players.naming import named

TOLERANCES = {"spread": 0.015, "drama": 0.04, "security": 0.09, "order": 0.13}
SHARE = 0.10
"""Twice the error of a share of 100 games."""
RANDOM_GAMES = 10_000
STUDIED = {"pass": "no", "opening": "eldest", "clean": "no"}
"""The published Hearts: no passing, the eldest leads what they like."""


@dataclass(frozen=True)
class Row:
    label: str
    game: str
    published: Mapping[str, float]
    rules: Mapping[str, str]


def _variant(label: str, values: tuple[float, ...], **rules: str) -> Row:
    return Row(label, "hearts", dict(zip(TOLERANCES, values, strict=True)), {**STUDIED, **rules})


def _shares(game: str, random: float, searching: float, **rules: str) -> Row:
    return Row(game, game, {"random": random, "searching": searching}, rules)


ROWS = (
    _variant("Hearts", (0.134, 0.448, 0.343, 0.387)),
    _variant("Hearts without the moon", (0.137, 0.427, 0.350, 0.467), moon="no"),
    _variant("Omnibus Hearts", (0.136, 0.442, 0.479, 0.387), jack="yes"),
    _variant("Grey Lady", (0.139, 0.456, 0.359, 0.413), queen="7"),
    Row(
        "Slobberhannes",
        "slobberhannes",
        {"spread": 0.124, "drama": 0.308, "security": 0.608, "order": 0.693},
        {},
    ),
    _shares("agram", 0.31, 0.51),
    _shares("crazy-eights", 0.41, 0.43),
    _shares("euchre", 0.46, 0.61),
    _shares("goofspiel", 0.50, 0.88),
    _shares("hearts", 0.24, 0.68, **STUDIED),
    _shares("president", 0.23, 0.46),
    _shares("whist", 0.53, 0.59),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("labels", nargs="*", metavar="LABEL")
    parser.add_argument("--search-games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int)
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    print("| game | figure | published | ours | |")
    print("| --- | --- | --- | --- | --- |")
    for row in ROWS:
        if not given.labels or row.label in given.labels:
            folder = None if given.output is None else given.output / row.label.replace(" ", "-")
            for line in _lines(row, _studied(row, given.search_games, given.seed, given.workers, folder)):
                print(line, flush=True)


def _studied(row: Row, games: int, seed: int, workers: int | None, folder: Path | None) -> Mapping[str, Any]:
    game = upcard.load(row.game, rules=row.rules)
    plan = Plan.of(game, RANDOM_GAMES, seed, [named("published", game)], games)
    study = Study(plan, folder)
    wanted = sum(plan.count(part) for part in plan.parts)
    for _ in study.play(workers):
        if sum(map(study.played, plan.parts)) == wanted:
            break  # skill against luck is not among the published figures
    found: Mapping[str, Any] = Summed(study).to_json()
    return found


def _lines(row: Row, found: Mapping[str, Any]) -> Iterator[str]:
    for figure, published in row.published.items():
        if figure in TOLERANCES:
            ours, tolerance = found["profile"][figure], TOLERANCES[figure]
        else:
            part = "random" if figure == "random" else "order"
            ours, tolerance = found[part]["seats"][0]["side wins"], SHARE
        apart = abs(ours["mean"] - published)
        inside = "inside" if apart <= tolerance else f"{apart:.3f} apart"
        interval = f"{ours['mean']:.3f} ({ours['low']:.3f} to {ours['high']:.3f})"
        yield f"| {row.label} | {figure} | {published:.3f} | {interval} | {inside} |"


if __name__ == "__main__":
    main()
