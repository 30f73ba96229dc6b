"""Published figures of games, and ours beside them.

    python benchmarks/published.py [--search-games 200] [--seed 1] [--workers 2] [-o FOLDER] [LABEL ...]

Each row is a study with a player of the published ones: four figures of the Hearts variants with `published`,
and for the others the first seat's share of wins, everybody random, and with a searching player there:
`published`, and `published-newer`, since it is not said which of the two the figures are of.
Published cells rest on 100 games. With a folder, games are kept there and gone on with.
`docs/explanation/published-figures.md` has a table made by it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import upcard
from upcard.players.spec import resolve_player
from upcard.stats.intervals import Interval
from upcard.study.plan import Part, Plan
from upcard.study.study_run import Study
from upcard.study.study_summary import Summed

TOLERANCES = {"spread": 0.015, "drama": 0.04, "security": 0.09, "order": 0.13}
SHARE = 0.10
"""Twice the error of a share of 100 games."""
RANDOM_GAMES = 10_000
PLAYERS = ("published", "published-newer")
STUDIED = {"pass": "no", "opening": "eldest", "clean": "no", "open": "yes"}
"""The published Hearts: no passing, the eldest leads what they like. Tricks lie open, as in the published
Whist and Euchre: it matters to players that forget."""


@dataclass(frozen=True)
class Row:
    label: str
    game: str
    published: Mapping[str, float]
    rules: Mapping[str, str]

    @property
    def studies(self) -> Iterator[tuple[Sequence[str], str, Sequence[Part]]]:
        """Figures, whose they are, and the parts of a study that they need."""
        if "random" not in self.published:
            yield tuple(self.published), PLAYERS[0], ("searching", "order")
            return
        yield ("random", "searching"), PLAYERS[0], ("random", "order")
        yield ("searching",), PLAYERS[1], ("order",)


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
        {"open": "yes"},
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
    print("| game | figure | player | published | ours | |")
    print("| --- | --- | --- | --- | --- | --- |")
    for row in ROWS:
        if given.labels and row.label not in given.labels:
            continue
        folder = None if given.output is None else given.output / row.label.replace(" ", "-")
        for figures, player, parts in row.studies:
            kept = None if folder is None else folder / player
            found = _studied(row, player, parts, given.search_games, given.seed, given.workers, kept)
            for line in _lines(row, figures, player, found):
                print(line, flush=True)


def _studied(
    row: Row,
    player: str,
    parts: Sequence[Part],
    games: int,
    seed: int,
    workers: int | None,
    folder: Path | None,
) -> Summed:
    game = upcard.load(row.game, rules=row.rules)
    study = Study(Plan.of(game, RANDOM_GAMES, seed, [resolve_player(player, game)], games), folder)
    for _ in study.play(workers, parts):
        pass
    return Summed(study)


def _lines(row: Row, figures: Sequence[str], player: str, found: Summed) -> Iterator[str]:
    for figure in figures:
        published, ours = row.published[figure], _figure(found, figure)
        apart = abs((ours.mean or 0.0) - published)
        inside = "inside" if apart <= TOLERANCES.get(figure, SHARE) else f"{apart:.3f} apart"
        interval = f"{ours.mean:.3f} ({ours.low:.3f} to {ours.high:.3f})"
        who = "" if figure == "random" else f"`{player}`"
        yield f"| {row.label} | {figure} | {who} | {published:.3f} | {interval} | {inside} |"


def _figure(found: Summed, figure: str) -> Interval:
    """One of the profile, or a share of wins: whoever ties for the first place has won, as in order."""
    if figure == "random":
        assert found.random is not None
        return found.random.won(found.random.first_side)
    assert found.ordered is not None
    if figure == "searching":
        return found.ordered.won(found.ordered.first_side)
    if figure == "order":
        return found.ordered.order
    assert found.searching is not None
    ours: Interval = getattr(found.searching, figure)  # spread, drama or security
    return ours


if __name__ == "__main__":
    main()
