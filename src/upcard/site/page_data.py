"""Collects what a page shows: the game, its study, its movement graph, a sample position.

How many games searching players play is settled before anything is studied, from the first random games: the
more there is to choose in a game, the fewer of them. So it is the same on every machine, and a page takes
about a minute.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from upcard.engine.api import Failure, Limits
from upcard.engine.loader import Engine, load
from upcard.engine.shared.game import LoadedGame
from upcard.graph.movement import Movement, movement
from upcard.lazy import lazy_property
from upcard.library import find, read_sheet
from upcard.library.lookup import GameFiles
from upcard.library.sheet import Sheet
from upcard.players.external.external_player import PATIENCE
from upcard.players.random_player import RandomPlayer
from upcard.players.spec import PlayerSpec, resolve_player, split
from upcard.recycle.diagnostics import Refused
from upcard.site.sample_position import Moment, moment
from upcard.study.convergence import lines
from upcard.study.plan import Plan
from upcard.study.study_record import secret_of
from upcard.study.study_run import Study
from upcard.study.study_summary import Summed

GAMES = 2000
SEARCHER = "published"
NOBODY = "none"
"""As a player: only random ones play."""
PROBED = 50
"""Random games that are looked at to see how much there is to choose."""
CHOICES = 5000
"""In all games of searching players in every seat together, about so many alternatives are looked at."""
FEWEST, MOST = 4, 75


@dataclass(frozen=True)
class Asked:
    """What somebody wants a page of. `what` is named in the commands that a page shows."""

    what: str
    set: tuple[tuple[str, str], ...] = ()
    rules: tuple[tuple[str, str], ...] = ()
    base: int | None = None
    engine: Engine = "native"
    games: int = GAMES
    players: str = SEARCHER
    search_games: int | None = None
    seed: int = 0
    patience: float = PATIENCE
    trusted: bool = False

    @property
    def path(self) -> str | Path:
        """What looks like a path is one, even where a library game has the same name."""
        return Path(self.what) if "/" in self.what or self.what.endswith(".rcy") else self.what

    def command(self, name: str, *options: str, to: str = "") -> str:
        """A command as one would type it, with this game under these rules."""
        words = ["upcard", name, self.what, *options]
        for option, pairs in (("--set", self.set), ("--rule", self.rules)):
            for key, value in pairs:
                words += [option, f"{key}={value}"]
        words += [] if self.base is None else ["--base", str(self.base)]
        words += [] if self.engine == "native" else ["--engine", self.engine]
        words += ["--seed", str(self.seed), *(["-o", to] if to else [])]
        return shlex.join(words)


@dataclass(frozen=True)
class Made:
    """Everything on a page, worked out when it is first asked for."""

    asked: Asked
    game: LoadedGame
    found: GameFiles
    sheet: Sheet | None
    study: Study
    unsearched: str = ""
    """Why no searching player played, if that was not asked for."""

    def play(self, workers: int | None = None) -> Iterator[int]:
        """Plays what is to be played; after every piece, how many games it had."""
        return self.study.play(workers)

    @property
    def title(self) -> str:
        return self.sheet.title if self.sheet else self.game.name

    @lazy_property
    def summed(self) -> Summed:
        return Summed(self.study)

    @lazy_property
    def movement(self) -> Movement:
        return movement(self.game, 1, self.asked.seed)

    @lazy_property
    def moment(self) -> Moment | None:
        return moment(self.game, self.asked.seed)

    @property
    def program(self) -> str:
        return self.game.program.source.text

    @lazy_property
    def endings(self) -> dict[str, int]:
        """How the random games ended."""
        return self.study.counted("random").ends

    @lazy_property
    def failure(self) -> tuple[int, Failure] | None:
        """The first random game that failed, and how."""
        deal = self.study.counted("random").first_failed
        if deal is None:
            return None
        state = self.game.deal(self.asked.seed, deal)
        players = [RandomPlayer(self.asked.seed, deal, seat) for seat in range(self.game.seats)]
        while (seat := state.to_move) is not None:
            state.play(players[seat].pick(state.choices))
        assert state.outcome is not None
        assert state.outcome.failure is not None, "the same deal fails again"
        return deal, state.outcome.failure

    def study_command(self, searching: bool = True) -> str:
        """The study that has the same figures; those of random players come of a shorter one too."""
        plan = self.study.plan
        options = ["--games", str(plan.games)]
        if searching and plan.players:
            options += ["--players", self.asked.players, "--search-games", str(plan.search_games)]
        return self.asked.command("study", *options, to=self.found.name)

    def page_command(self) -> str:
        plan = self.study.plan
        options = ["--games", str(plan.games), "--players", self.asked.players if plan.players else NOBODY]
        options += ["--search-games", str(plan.search_games)] if plan.players else []
        return self.asked.command("page", *options, to=f"{self.found.name}.html")


def begin(asked: Asked, folder: Path | None = None) -> Made:
    """Loads the game and settles what is to be played. With a folder, every game played is kept there."""
    found = find(asked.path)
    sheet = read_sheet(found.sheet) if found.sheet else None
    base = asked.base
    assert base in (None, 0, 1)
    game = load(
        asked.path,
        set=dict(asked.set),
        rules=dict(asked.rules),
        base=base,  # type: ignore[arg-type]
        engine=asked.engine,
    )
    players, why = _players(asked, game)
    many = 0
    if players:
        why, many = affordable(game, asked.seed, sheet)
        many = asked.search_games or many
    plan = Plan.of(game, asked.games, asked.seed, [] if why else players, many, secret_of(folder))
    return Made(asked, game, found, sheet, Study(plan, folder), why)


def _players(asked: Asked, game: LoadedGame) -> tuple[list[PlayerSpec], str]:
    """Those named; or why there are none, where the usual one cannot play here."""
    if asked.players == NOBODY:
        return [], ""
    try:
        return [
            resolve_player(name, game, asked.patience, asked.trusted) for name in split(asked.players)
        ], ""
    except Refused as error:
        if asked.players != SEARCHER:
            raise
        return [], str(error)


def affordable(game: LoadedGame, seed: int, sheet: Sheet | None) -> tuple[str, int]:
    """Why nobody should search this game, else how many games of searching players a page has."""
    probed = list(lines(game, PROBED, seed, Limits()))
    failed = sum(line.scores is None for line in probed)
    going_on = sum(line.ending in ("stuck", "cut_off") for line in probed)
    if failed:
        return "games of it fail, so no searching player was let at it", 0
    if 2 * going_on > len(probed):
        return "games of it do not end by themselves, so no searching player was let at it", 0
    if sheet is not None and sheet.searching is not None:
        return "", sheet.searching
    return "", search_games([line.choices for line in probed])


def search_games(played: Sequence[Sequence[int]]) -> int:
    """So many that there is about the same to look at in every game."""
    looked_at = sum(number for choices in played for number in choices if number > 1)
    each = looked_at / max(1, len(played))
    return max(FEWEST, min(MOST, int(CHOICES / max(1.0, each))))
