"""Verification in one call: engines compared on random games, designers' positions checked."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from upcard.arguments import BadArgument, check_path, check_whole, check_workers
from upcard.engine.game import Game
from upcard.engine.loader import Engine, as_game
from upcard.engine.native.game import NativeGame
from upcard.parallel.workers import Workers
from upcard.verify.engines import Difference, verify
from upcard.verify.positions import Finding, examine, positions_of


@dataclass(frozen=True)
class EngineReport:
    """A comparison of the engines.

    >>> upcard.verify.compare_engines("kuhn-poker", games=20).agree
    True
    """

    game: str
    """The game's name."""
    games: int
    """Number of games that were compared."""
    differences: tuple[Difference, ...] = ()
    """The first difference of each game that has one."""

    @property
    def agree(self) -> bool:
        """Whether there is no difference."""
        return not self.differences

    def to_json(self) -> dict[str, Any]:
        """The report as data.

        >>> upcard.verify.compare_engines("kuhn-poker", games=20).to_json()
        {'game': 'kuhn-poker', 'games': 20, 'differences': []}
        """
        return {
            "game": self.game,
            "games": self.games,
            "differences": [str(difference) for difference in self.differences],
        }


@dataclass(frozen=True)
class PositionReport:
    """The designer's positions of a game (`positions.toml`), played.

    >>> import pathlib
    >>> starter = pathlib.Path(upcard.__file__).parent / "library" / "starter"
    >>> upcard.verify.check_positions(starter).hold
    True
    """

    game: str
    """The game's name or path."""
    findings: tuple[Finding, ...]
    """Every position, in order, with what is wrong with it."""

    @property
    def hold(self) -> bool:
        """Whether every position holds."""
        return not any(finding.wrong for finding in self.findings)

    def to_json(self) -> dict[str, Any]:
        """The report as data.

        >>> import pathlib
        >>> starter = pathlib.Path(upcard.__file__).parent / "library" / "starter"
        >>> report = upcard.verify.check_positions(starter).to_json()
        >>> report["positions"][0]["wrong"]
        ''
        """
        positions = [{"name": one.position.name, "wrong": one.wrong} for one in self.findings]
        return {"game": self.game, "positions": positions}


def compare_engines(
    game: Game | str | os.PathLike[str], games: int = 100, *, seed: int = 0, workers: Workers = None
) -> EngineReport:
    """Plays random games with both engines and compares everything at every decision.

    `game` is a loaded game, a name or a path. Without `workers` one process compares. Wrong arguments
    raise `BadArgument`.

    >>> upcard.verify.compare_engines("kuhn-poker", games=20, seed=3)
    EngineReport(game='kuhn-poker', games=20, differences=())
    """
    check_whole("games", games, 0)
    check_whole("a seed", seed)
    check_workers(workers)
    loaded = as_game(game)
    if not isinstance(loaded, NativeGame):
        raise BadArgument(f"{loaded.name} was loaded for the reference engine; load it without engine=")
    found = [difference for part in verify(loaded, games, seed, workers or 1) for difference in part]
    return EngineReport(loaded.name, games, tuple(found))


def check_positions(game: str | os.PathLike[str], *, engine: Engine = "reference") -> PositionReport:
    """Plays the positions that a designer wrote beside a game, as `upcard test` does.

    `game` is a name or a path. A game without positions raises `PositionError`.

    >>> import pathlib
    >>> starter = pathlib.Path(upcard.__file__).parent / "library" / "starter"
    >>> report = upcard.verify.check_positions(starter)
    >>> report.hold, len(report.findings) > 1
    (True, True)
    """
    check_path("a game", game)
    what = game if isinstance(game, str) else Path(game)
    return PositionReport(str(what), tuple(examine(what, positions_of(what), engine)))
