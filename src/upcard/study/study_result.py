"""A study in one call, and what it showed."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from upcard.arguments import check_choice, check_path
from upcard.engine.game import Game
from upcard.engine.loader import as_game
from upcard.extras import need_arrow
from upcard.parallel.workers import Workers
from upcard.players.player_argument import PlayerLike, as_players, default_workers
from upcard.plugins import NOTEBOOK, load_entry
from upcard.stats.interval_text import told
from upcard.stats.intervals import Interval
from upcard.study.plan import Plan
from upcard.study.study_rows import TABLES, study_table
from upcard.study.study_run import Study
from upcard.study.study_summary import Summed

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, repr=False)
class StudyResult:
    """What a game is like: figures between 0 and 1, each with a 95 % confidence interval.

    >>> result = upcard.study.run("kuhn-poker", games=200, seed=1)
    >>> list(result.profile)
    ['fairness', 'convergence', 'forced', 'ties']
    """

    summary: Summed
    """Everything that was measured."""

    @property
    def games(self) -> int:
        """Number of games that were played."""
        return self.summary.study.done

    @property
    def profile(self) -> Mapping[str, Interval]:
        """The figures between 0 and 1, by name. docs/reference/study.md says what each of them means."""
        return self.summary.profile

    @property
    def notes(self) -> tuple[str, ...]:
        """What is missing from the profile, and why."""
        return tuple(self.summary.notes)

    def draw(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Draws the figures of the study into a folder that exists, and gives their files.

        Needs matplotlib (`pip install upcard[figures]`); otherwise it raises an exception that says so.

        >>> result = upcard.study.run("kuhn-poker", games=200, seed=1)
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     len(result.draw(folder)) > 3
        True
        """
        from upcard.study.figures.figure_set import draw

        check_path("a folder", folder)
        return [Path(folder, f"{name}.svg") for name in draw(self.summary, Path(folder))]

    def to_arrow(self, table: str = "games") -> pa.Table:
        """The study as columns: `games`, `decisions` or `profile`, with a row for each (of the profile, for
        each of its figures).

        polars, pandas and DuckDB take the table as it is. docs/reference/rows.md describes the columns. Needs
        pyarrow (`pip install upcard[parquet]`); otherwise it raises an exception that says so.

        >>> result = upcard.study.run("kuhn-poker", games=200, seed=1)
        >>> result.to_arrow().num_rows, result.to_arrow("profile")["figure"][0].as_py()
        (200, 'fairness')
        """
        check_choice("table", table, TABLES)
        need_arrow()
        return study_table(self.summary.study, table)

    def to_json(self) -> dict[str, Any]:
        """The results as data.

        >>> result = upcard.study.run("kuhn-poker", games=200, seed=1)
        >>> result.to_json()["title"], result.to_json()["complete"]
        ('Kuhn Poker', True)
        """
        return self.summary.to_json()

    def _repr_html_(self) -> str | None:
        """The study's figures in a notebook."""
        draw = load_entry(NOTEBOOK, "study")
        return None if draw is None else str(draw(self))

    def __repr__(self) -> str:
        figures = ", ".join(f"{name} {told(found)}" for name, found in self.profile.items())
        return f"<StudyResult of {self.summary.plan.game.name}, {self.games:,} games: {figures}>"


def run(
    game: Game | str | os.PathLike[str],
    games: int = 1000,
    *,
    seed: int = 0,
    players: Sequence[PlayerLike] = (),
    search_games: int = 100,
    folder: str | os.PathLike[str] | None = None,
    workers: Workers = None,
) -> StudyResult:
    """Studies a game: how long it is, how fair, how much choice it offers, and with players how tense
    and how skilful.

    Without `players`, random games are played. With one or two players, `search_games` games of the first
    are studied too, and it is compared with the second, by default a random player. `folder` keeps a record
    from which the same call resumes. Without `workers` all cores are used if that is quicker and all players
    are given by name; `workers` is their number, or any `concurrent.futures.Executor`, such as that of a
    cluster.

    The results depend on nothing but the arguments. More than two players raise `BadStudy`, wrong arguments
    `BadArgument`.

    >>> result = upcard.study.run("kuhn-poker", games=200, seed=1)
    >>> round(result.profile["convergence"].mean, 2)
    0.5
    """
    loaded = as_game(game)
    specs = as_players(players, loaded)
    if folder is not None:
        check_path("folder", folder)
    plan = Plan.of(loaded, games, seed, specs, search_games)
    study = Study(plan, None if folder is None else Path(folder))
    for _ in study.play(default_workers(players, workers)):
        pass
    return StudyResult(Summed(study))
