"""Collects what a page shows: the game, its study, its movement graph, a sample position.

The number of games of searching players is derived from the first random games: the more options a game has,
the fewer. So it is the same on every machine, and a page takes about a minute.
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
from upcard.parallel.workers import Workers
from upcard.players.external.external_player import PATIENCE
from upcard.players.random_player import RandomPlayer
from upcard.players.spec import PlayerSpec, resolve_player, split
from upcard.recycle.diagnostics import Refused
from upcard.site.sample_position import SamplePosition, moment
from upcard.study.convergence import lines
from upcard.study.plan import Plan
from upcard.study.study_record import secret_of
from upcard.study.study_run import Study
from upcard.study.study_summary import Summed

GAMES = 2000
SEARCHER = "published"
NOBODY = "none"
"""The value of --players for random players only."""
PROBED = 50
"""Random games whose options are counted."""
CHOICES = 5000
"""Options that searching players value on a page, about."""
MIN_GAMES, MAX_GAMES = 4, 75


@dataclass(frozen=True)
class PageOptions:
    """The options of a page. `what` is the game as the commands on the page name it."""

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
    def game_path(self) -> str | Path:
        """A path if it looks like one, even if a library game has the same name."""
        return Path(self.what) if "/" in self.what or self.what.endswith(".rcy") else self.what

    def command(self, name: str, *options: str, to: str = "") -> str:
        """A command line for this game with these rules."""
        words = ["upcard", name, self.what, *options]
        for option, pairs in (("--set", self.set), ("--rule", self.rules)):
            for key, value in pairs:
                words += [option, f"{key}={value}"]
        words += [] if self.base is None else ["--base", str(self.base)]
        words += [] if self.engine == "native" else ["--engine", self.engine]
        words += ["--seed", str(self.seed), *(["-o", to] if to else [])]
        return shlex.join(words)


@dataclass(frozen=True)
class PageData:
    """Everything on a page, computed on first use."""

    options: PageOptions
    game: LoadedGame
    files: GameFiles
    sheet: Sheet | None
    study: Study
    why_unsearched: str = ""
    """Why no searching player played, unless the options asked for none."""

    def play(self, workers: Workers = None) -> Iterator[int]:
        """Play all games; yields how many were just finished."""
        return self.study.play(workers)

    @property
    def title(self) -> str:
        return self.sheet.title if self.sheet else self.game.name

    @lazy_property
    def summary(self) -> Summed:
        return Summed(self.study)

    @lazy_property
    def movement(self) -> Movement:
        return movement(self.game, 1, self.options.seed)

    @lazy_property
    def moment(self) -> SamplePosition | None:
        return moment(self.game, self.options.seed)

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
        state = self.game.deal(self.options.seed, deal)
        players = [RandomPlayer(self.options.seed, deal, seat) for seat in range(self.game.seats)]
        while (seat := state.to_move) is not None:
            state.play(players[seat].pick(state.choices))
        assert state.outcome is not None
        assert state.outcome.failure is not None, "the same deal fails again"
        return deal, state.outcome.failure

    def study_command(self, searching: bool = True) -> str:
        """The command of a study with the same figures."""
        plan = self.study.plan
        options = ["--games", str(plan.games)]
        if searching and plan.players:
            options += ["--players", self.options.players, "--search-games", str(plan.search_games)]
        return self.options.command("study", *options, to=self.files.name)

    def page_command(self) -> str:
        plan = self.study.plan
        options = ["--games", str(plan.games), "--players", self.options.players if plan.players else NOBODY]
        options += ["--search-games", str(plan.search_games)] if plan.players else []
        return self.options.command("page", *options, to=f"{self.files.name}.html")


def load_page_data(options: PageOptions, folder: Path | None = None) -> PageData:
    """Load the game and plan the study. With a folder, games are recorded there."""
    files = find(options.game_path)
    sheet = read_sheet(files.sheet) if files.sheet else None
    base = options.base
    assert base in (None, 0, 1)
    game = load(
        options.game_path,
        set=dict(options.set),
        rules=dict(options.rules),
        base=base,  # type: ignore[arg-type]
        engine=options.engine,
    )
    players, why = _players(options, game)
    search_games_planned = 0
    if players:
        why, search_games_planned = plan_search_games(game, options.seed, sheet)
        search_games_planned = options.search_games or search_games_planned
    plan = Plan.of(
        game, options.games, options.seed, [] if why else players, search_games_planned, secret_of(folder)
    )
    return PageData(options, game, files, sheet, Study(plan, folder), why)


def _players(options: PageOptions, game: LoadedGame) -> tuple[list[PlayerSpec], str]:
    """The players, or the reason why the default one cannot play this game."""
    if options.players == NOBODY:
        return [], ""
    try:
        return [
            resolve_player(name, game, options.patience, options.trusted) for name in split(options.players)
        ], ""
    except Refused as error:
        if options.players != SEARCHER:
            raise
        return [], str(error)


def plan_search_games(game: LoadedGame, seed: int, sheet: Sheet | None) -> tuple[str, int]:
    """Why this game is not searched, or how many games of searching players the page has."""
    probed = list(lines(game, PROBED, seed, Limits()))
    failed = sum(line.scores is None for line in probed)
    unfinished = sum(line.ending in ("stuck", "cut_off") for line in probed)
    if failed:
        return "some of its games fail, so searching players did not play it", 0
    if 2 * unfinished > len(probed):
        return "its games do not end by themselves, so searching players did not play it", 0
    if sheet is not None and sheet.searching is not None:
        return "", sheet.searching
    return "", search_games([line.choices for line in probed])


def search_games(played: Sequence[Sequence[int]]) -> int:
    """The number of games with about `CHOICES` options in all."""
    replay_saved = sum(number for choices in played for number in choices if number > 1)
    each = replay_saved / max(1, len(played))
    return max(MIN_GAMES, min(MAX_GAMES, int(CHOICES / max(1.0, each))))
