"""`upcard page`: writes a game's page for a browser."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from upcard.cli import options
from upcard.cli.cluster_workers import open_workers
from upcard.cli.console import (
    FAILURE,
    INTERRUPTED,
    MISUSE,
    Stop,
    check_base,
    check_engine,
    parse_pairs,
    print_engine_note,
    report_errors,
)
from upcard.cli.progress import progress
from upcard.output import say

if TYPE_CHECKING:
    from upcard.parallel.workers import Workers
    from upcard.site.page_data import PageData, PageOptions


def page(
    game: options.Game,
    games: options.Games = 2000,
    players: options.Players = "published",
    search_games: options.PageSearchGames = None,
    to: options.PageFile = None,
    seed: options.Seed = 0,
    overrides: options.Overrides = None,
    rules: options.Rules = None,
    base: options.Base = None,
    engine: options.EngineName = "native",
    patience: options.Patience = 10.0,
    trusted: options.Trusted = False,
    workers: options.Workers = None,
    cluster: options.Cluster = None,
) -> None:
    """Write a web page about a game.

    The page has the rules, a replay, figures and the program in one file that needs no other. Give --players
    a searching player, two to compare them, or none.

    Examples:
        upcard page kuhn-poker
        upcard page euchre --players none --games 500 -o euchre.html
    """
    options.check_search_games(search_games, players != "none")
    with report_errors():
        from upcard.site.page_data import PageOptions

        page_options = PageOptions(
            game,
            tuple(parse_pairs(overrides, "--set").items()),
            tuple(parse_pairs(rules, "--rule").items()),
            check_base(base),
            check_engine(engine),
            games,
            players,
            search_games,
            seed,
            patience,
            trusted,
        )
        with open_workers(workers, cluster) as opened:
            data, to = _make_page(page_options, to, opened)
        failed = sum(one.scores is None for played in data.study.games.values() for one in played)
    say(f"{data.title}: written to {to}")
    if failed:
        raise Stop(FAILURE, f"{failed} of {data.study.done} games failed; the page says where")


def _make_page(page_options: PageOptions, to: Path | None, workers: Workers) -> tuple[PageData, Path]:
    from upcard.files.bounded import read_stream
    from upcard.library import find
    from upcard.match.match_play import MatchOver
    from upcard.players.external.external_player import end_all
    from upcard.site.game_page import game_page
    from upcard.site.page_data import load_page_data
    from upcard.storage.atomic_write import write_text

    files = find(page_options.game_path)
    to = to or Path(f"{files.name}.html")
    if to.is_dir() or not to.parent.is_dir():
        raise Stop(MISUSE, f"{to} cannot be written; give -o a file, such as {files.name}.html")
    # games played before an interrupt are kept beside the page until it is complete
    text = json.dumps([str(page_options), read_stream(files.rules).decode("utf-8", "replace")])
    digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
    resume_folder = to.with_name(f".{to.name}.games") / digest[:16]
    try:
        data = load_page_data(page_options, resume_folder)
        print_engine_note(data.game)
        with progress("playing", data.study.total, 20, workers) as advance:
            advance(data.study.resumed)
            for count in data.play(workers):
                advance(count)
    except MatchOver as error:
        raise Stop(FAILURE, f"{error}; so no page was written") from None
    except KeyboardInterrupt:
        raise Stop(INTERRUPTED, "interrupted; the games are kept, and the same command resumes") from None
    finally:
        end_all()
    write_text(to, game_page(data))
    shutil.rmtree(resume_folder.parent, ignore_errors=True)
    return data, to
