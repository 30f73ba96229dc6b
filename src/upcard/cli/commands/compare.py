"""`upcard compare`: compares variants of a game, or several games, figure by figure."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from upcard.cli import completion_values as complete
from upcard.cli import options
from upcard.cli import text_layout as layout
from upcard.cli.cluster_workers import open_workers
from upcard.cli.console import FAILURE, MISUSE, Stop, load_game, print_engine_note, report_errors
from upcard.cli.progress import play_with_progress
from upcard.cli.study_files import make_folder, stopped_early, write_figures, write_files
from upcard.cli.trust import check_secret, read_secret_file, trust_lines
from upcard.output import say, shown

if TYPE_CHECKING:
    from upcard.study.study_summary import Summed

EACH_HELP = "repeatable. Commas join settings of one variant."


@dataclass(frozen=True)
class Variant:
    game: str
    overrides: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return " ".join([self.game, *self.overrides, *self.rules])

    @property
    def folder(self) -> str:
        return re.sub(r"[^A-Za-z0-9_=.-]+", "-", self.name).strip("-.")


def compare(
    games: list[str] = typer.Argument(
        ..., metavar="GAME...", help=options.GAMES_HELP, autocompletion=complete.games
    ),
    number: options.Games = 1000,
    players: options.NamedPlayers = None,
    search_games: options.SearchGames = None,
    figures: options.Figures = True,
    folder: options.StudyFolder = None,
    seed: options.Seed = 0,
    overrides: list[str] = typer.Option(
        [],
        "--set",
        metavar="NAME=VALUE",
        help=f"Add a variant with this declared value; {EACH_HELP}",
        rich_help_panel=options.GAME_PANEL,
        autocompletion=complete.declared_values,
    ),
    rules: list[str] = typer.Option(
        [],
        "--rule",
        metavar="NAME=VALUE",
        help=f"Add a variant with this house rule; {EACH_HELP}",
        rich_help_panel=options.GAME_PANEL,
        autocompletion=complete.house_rules,
    ),
    base: options.Base = None,
    engine: options.EngineName = "native",
    patience: options.Patience = 10.0,
    trusted: options.Trusted = False,
    secret: options.Secret = None,
    workers: options.Workers = None,
    cluster: options.Cluster = None,
    as_json: options.AsJson = False,
) -> None:
    """Compare variants of a game, or several games.

    Each --rule and each --set is a variant, and each game is studied with every variant. The numbers of games
    are for each of them. With --output the results are kept in a folder, and the same command resumes.

    Examples:
        upcard compare euchre --rule stick=yes --rule stick=no
        upcard compare euchre --rule stick=no,alone=no --rule stick=yes,alone=yes
        upcard compare whist spades hearts
    """
    from upcard.players.external.external_player import end_all
    from upcard.study.plan import Plan
    from upcard.study.study_record import secret_of
    from upcard.study.study_run import Study
    from upcard.study.study_summary import Summed

    options.check_search_games(search_games, players is not None)
    variants = variants_of(games, overrides, rules)
    results: dict[str, Summed] = {}
    with report_errors():
        try:
            make_folder(folder)
            studies, known = [], read_secret_file(secret)
            for variant in variants:  # load all of them before the first is played
                loaded = load_game(variant.game, list(variant.overrides), list(variant.rules), base, engine)
                specs = options.parse_players(players, loaded, patience, trusted)
                check_secret(secret, specs, trusted)
                place = None if folder is None else folder / variant.folder
                known = known or secret_of(place)
                plan = Plan.of(loaded, number, seed, specs, search_games or options.SEARCH_GAMES, known)
                known = plan.secret  # the same deals for all variants
                studies.append(Study(plan, make_folder(place)))
            stopped = None
            with open_workers(workers, cluster) as opened:
                for variant, study in zip(variants, studies, strict=True):
                    stopped = play_with_progress(
                        study.play(opened), study.total, study.resumed, variant.name, opened
                    )
                    print_engine_note(study.plan.game)
                    if study.done:
                        summed = results[_label(variant, games)] = Summed(study)
                        write_files(summed, study.folder, ("games",), stopped is not None)
                    if stopped is not None:
                        break
        finally:
            end_all()
        written = _write_results(results, folder, figures)
    if as_json:
        say(json.dumps({name: summed.to_json() for name, summed in results.items()}))
    else:
        _print_table(results)
        for line in [*trust_lines(studies[0].plan, folder is not None), *written]:
            say(f"  {line}")
    done, total = sum(study.done for study in studies), sum(study.total for study in studies)
    if stopped is not None:
        raise stopped_early(stopped, done, total, folder)
    failed = [name for name, summed in results.items() if summed.study.failed]
    if failed:
        raise Stop(FAILURE, f"games of {', '.join(failed)} failed; upcard simulate says where")


def variants_of(games: list[str], overrides: list[str], rules: list[str]) -> list[Variant]:
    """Every game with every option, or each game by itself if there are none."""
    variants = []
    for game in games:
        variants += [Variant(game, overrides=_parts(text, "--set")) for text in overrides]
        variants += [Variant(game, rules=_parts(text, "--rule")) for text in rules]
        if not overrides and not rules:
            variants.append(Variant(game))
    if len(variants) < 2:
        raise Stop(MISUSE, "compare needs two variants: give two games, or --rule or --set twice")
    names = [variant.name for variant in variants]
    for variant in variants:
        if names.count(variant.name) > 1:
            raise Stop(MISUSE, f"{variant.name} is given twice; leave one out")
    return variants


def _parts(text: str, option: str) -> tuple[str, ...]:
    parts = tuple(part.strip() for part in text.split(","))
    for part in parts:
        name, equals, _ = part.partition("=")
        if not equals or not name:
            raise Stop(MISUSE, f"{option} needs NAME=VALUE, not {part or text}")
    return parts


def _label(variant: Variant, games: list[str]) -> str:
    """The name of a variant, without the game if all are of the same one."""
    return variant.name if len(games) > 1 else " ".join([*variant.overrides, *variant.rules])


def _write_results(results: dict[str, Summed], folder: Path | None, figures: bool) -> list[str]:
    if folder is None or not results:
        return []
    from upcard.storage.atomic_write import write_text

    path = folder / "compared.json"
    data = {name: summed.to_json() for name, summed in results.items()}
    write_text(path, json.dumps(data, indent=1) + "\n")
    written = [f"written to {folder}: one folder per variant, {path.name}"]
    if figures:
        from upcard.study.figures.comparison_figures import draw

        written.append(write_figures(lambda place: draw(results, place), folder))
    return written


def _print_table(results: dict[str, Summed]) -> None:
    """Print one row per figure and one column per variant, in blocks that fit the terminal."""
    from upcard.stats.interval_text import between, told

    names = [shown(name) for name in results]
    cells: dict[str, list[str]] = {"games": [f"{summed.study.done:,}" for summed in results.values()]}
    rows = (("decisions per game", "length", 2), ("choices per decision", "choices", 3))
    for title, attribute, digits in rows:
        cells[title] = [
            told(getattr(summed.random, attribute), digits) if summed.random else ""
            for summed in results.values()
        ]
    for title in dict.fromkeys(name for summed in results.values() for name in summed.profile):
        cells[title] = [
            between(summed.profile[title], "–") if title in summed.profile else ""
            for summed in results.values()
        ]
    cells = {title: [shown(value) for value in row] for title, row in cells.items()}
    first = max(len(title) for title in cells)
    widths = [
        max(len(name), *(len(row[column]) for row in cells.values())) for column, name in enumerate(names)
    ]
    start = 0
    while start < len(names):
        end, used = start + 1, first + 4 + widths[start]
        while end < len(names) and used + 2 + widths[end] <= layout.width():
            used += 2 + widths[end]
            end += 1
        headings = "  ".join(f"{name:>{widths[start + i]}}" for i, name in enumerate(names[start:end]))
        layout.heading(f"  {'':<{first}}  {headings}")
        for title, row in cells.items():
            values = "  ".join(f"{value:>{widths[start + i]}}" for i, value in enumerate(row[start:end]))
            say(f"  {title:<{first}}  {values}")
        start = end
        if start < len(names):
            say()
    for name, summed in results.items():
        for note in summed.notes:
            if "need --players" not in note and "round" not in note:
                layout.prose(f"- {name}: {note}")
