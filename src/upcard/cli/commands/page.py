"""`upcard page`: writes a game's page for a browser."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from upcard.cli.console import MISUSE, NO, Stop, base_of, engine_of, pairs, sentences, tell_note
from upcard.cli.options import (
    Base,
    EngineName,
    Game,
    Given,
    Patience,
    Rules,
    Seed,
    Trusted,
    Workers,
)
from upcard.cli.page_options import Games, Players, SearchGames, check_players
from upcard.cli.progress import progress
from upcard.output import say

if TYPE_CHECKING:
    from upcard.site.page_data import Asked, Made


def page(
    game: Game,
    to: Path = typer.Option(None, "-o", "--output", metavar="FILE", help="Where to; NAME.html if left out."),
    games: Games = 2000,
    players: Players = "published",
    search_games: SearchGames = None,
    seed: Seed = 0,
    patience: Patience = 10.0,
    trusted: Trusted = False,
    given: Given = None,
    rules: Rules = None,
    base: Base = None,
    engine: EngineName = "native",
    workers: Workers = None,
) -> None:
    """Put a game on a page: rules, table, figures and program in one file that needs nothing else."""
    check_players(search_games, players)
    with sentences():
        from upcard.site.page_data import Asked

        asked = Asked(
            game,
            tuple(pairs(given, "--set").items()),
            tuple(pairs(rules, "--rule").items()),
            base_of(base),
            engine_of(engine),
            games,
            players,
            search_games,
            seed,
            patience,
            trusted,
        )
        made, to = _made(asked, to, workers)
        failed = sum(one.scores is None for played in made.study.games.values() for one in played)
    say(f"{made.title}: written to {to}")
    if failed:
        raise Stop(NO, f"{failed} of {made.study.done} games failed; the page says where")


def _made(asked: Asked, to: Path | None, workers: int | None) -> tuple[Made, Path]:
    from upcard.files.bounded import read_stream
    from upcard.library import find
    from upcard.match.match_play import MatchOver
    from upcard.players.external.external_player import end_all
    from upcard.site.game_page import game_page
    from upcard.site.page_data import begin
    from upcard.storage.atomic_write import write_text
    from upcard.study.figures.figure_style import need_matplotlib

    found = find(asked.path)
    to = to or Path(f"{found.name}.html")
    if to.is_dir() or not to.parent.is_dir():
        raise Stop(MISUSE, f"{to} is no file that can be written; -o wants a file, as in {found.name}.html")
    # what was played when somebody stops is beside the page until it is made
    text = json.dumps([str(asked), read_stream(found.rules).decode("utf-8", "replace")])
    digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
    kept = to.with_name(f".{to.name}.games") / digest[:16]
    try:
        made = begin(asked, kept)
        need_matplotlib()  # what is wrong with the program is told first, and before anything is played
        tell_note(made.game)
        with progress("playing", made.study.total, least=20) as advance:
            advance(made.study.resumed)
            for count in made.play(workers):
                advance(count)
    except MatchOver as error:
        raise Stop(NO, f"{error}; so no page was made") from None
    except KeyboardInterrupt:
        raise Stop(
            130, "interrupted; what was played is kept, and the same command goes on with it"
        ) from None
    finally:
        end_all()
    write_text(to, game_page(made))
    shutil.rmtree(kept.parent, ignore_errors=True)
    return made, to
