"""`upcard compare`: compares variants of a game, or several games, figure by figure."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from upcard.cli import text_layout as page
from upcard.cli.commands import study as studying
from upcard.cli.console import MISUSE, NO, Stop, load, sentences, tell_note
from upcard.cli.options import (
    AsJson,
    Base,
    EngineName,
    Figures,
    Folder,
    Patience,
    SearchPlayers,
    Secret,
    Seed,
    Trusted,
    Workers,
    at_least,
)
from upcard.cli.trust import check_secret, given_secret, trust_lines
from upcard.output import say, shown

if TYPE_CHECKING:
    from upcard.study.study_summary import Summed

EACH_HELP = "makes a variant; may be given several times. Commas join what belongs to one variant."


@dataclass(frozen=True)
class Variant:
    game: str
    given: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return " ".join([self.game, *self.given, *self.rules])

    @property
    def folder(self) -> str:
        return re.sub(r"[^A-Za-z0-9_=.-]+", "-", self.name).strip("-.")


def compare(
    games: list[str] = typer.Argument(..., metavar="GAME_OR_FILE...", help="Library games, or programs."),
    rules: list[str] = typer.Option(
        [], "--rule", metavar="NAME=VALUE[,..]", help=f"A house rule that {EACH_HELP}"
    ),
    given: list[str] = typer.Option(
        [], "--set", metavar="NAME=VALUE[,..]", help=f"A declared value that {EACH_HELP}"
    ),
    number: int = typer.Option(
        1000, "--games", callback=at_least(1), help="How many games of random players, of each variant."
    ),
    players: SearchPlayers = None,
    search_games: int = typer.Option(
        None,
        "--search-games",
        callback=at_least(1),
        help="How many games of searching players, of each variant; 100 if left out.",
    ),
    figures: Figures = True,
    seed: Seed = 0,
    patience: Patience = 10.0,
    trusted: Trusted = False,
    secret: Secret = None,
    base: Base = None,
    engine: EngineName = "native",
    workers: Workers = None,
    folder: Folder = None,
    as_json: AsJson = False,
) -> None:
    """Study variants and set them side by side: each --rule or --set is one, each game too."""
    from upcard.players.external.external_player import end_all
    from upcard.study.plan import Plan
    from upcard.study.study_record import secret_of
    from upcard.study.study_run import Study
    from upcard.study.study_summary import Summed

    studying.check_search_games(search_games, players)
    variants = variants_of(games, given, rules)
    found: dict[str, Summed] = {}
    with sentences():
        try:
            studying.check_folder(folder)
            studies, known = [], given_secret(secret)
            for variant in variants:  # all of them are looked at before the first is played
                loaded = load(variant.game, list(variant.given), list(variant.rules), base, engine)
                named = studying.named_players(players, loaded, patience, trusted)
                check_secret(secret, named, trusted)
                place = None if folder is None else folder / variant.folder
                known = known or secret_of(place)
                plan = Plan.of(loaded, number, seed, named, search_games or studying.SEARCH_GAMES, known)
                known = plan.secret  # the same deals for all variants
                studies.append(Study(plan, studying.check_folder(place)))
            stopped = None
            for variant, study in zip(variants, studies, strict=True):
                stopped = studying.play(study, workers, variant.name)
                tell_note(study.plan.game)
                if study.done:
                    found[_short(variant, games)] = Summed(study)
                    tables = studying.tables_of(decisions=False)
                    studying.write(
                        found[_short(variant, games)], study.folder, tables, False, stopped is not None
                    )
                if stopped is not None:
                    break
        finally:
            end_all()
        written = _written(found, folder, figures)
    if as_json:
        say(json.dumps({name: summed.to_json() for name, summed in found.items()}))
    else:
        _table(found)
        for line in [*trust_lines(studies[0].plan, folder is not None), *written]:
            say(f"  {line}")
    done, total = sum(study.done for study in studies), sum(study.total for study in studies)
    if stopped is not None:
        raise studying.ended(stopped, done, total, folder)
    failed = [name for name, summed in found.items() if summed.study.failed]
    if failed:
        raise Stop(NO, f"games of {', '.join(failed)} failed; upcard simulate says where")


def variants_of(games: list[str], given: list[str], rules: list[str]) -> list[Variant]:
    """Every game under every option; a game by itself where there is none."""
    made = []
    for game in games:
        made += [Variant(game, given=_parts(text, "--set")) for text in given]
        made += [Variant(game, rules=_parts(text, "--rule")) for text in rules]
        if not given and not rules:
            made.append(Variant(game))
    if len(made) < 2:
        raise Stop(MISUSE, "there is nothing to compare: give two games, or --rule or --set twice")
    names = [variant.name for variant in made]
    for variant in made:
        if names.count(variant.name) > 1:
            raise Stop(MISUSE, f"{variant.name} is given twice; leave one out")
    return made


def _parts(text: str, option: str) -> tuple[str, ...]:
    parts = tuple(part.strip() for part in text.split(","))
    for part in parts:
        name, equals, _ = part.partition("=")
        if not equals or not name:
            raise Stop(MISUSE, f"{option} wants NAME=VALUE, not {part or text}")
    return parts


def _short(variant: Variant, games: list[str]) -> str:
    """Without the game where there is only one."""
    return variant.name if len(games) > 1 else " ".join([*variant.given, *variant.rules])


def _written(found: dict[str, Summed], folder: Path | None, figures: bool) -> list[str]:
    if folder is None or not found:
        return []
    from upcard.storage.atomic_write import write_text
    from upcard.study.figures.figure_style import NoFigures

    path = folder / "compared.json"
    data = {name: summed.to_json() for name, summed in found.items()}
    write_text(path, json.dumps(data, indent=1) + "\n")
    written = [f"written to {folder}: a folder a variant, {path.name}"]
    if not figures:
        return written
    try:
        from upcard.study.figures.comparison_figures import draw

        names = draw(found, folder / "figures")
        written.append(f"figures in {folder / 'figures'}: {', '.join(names)} (PNG and SVG, light and dark)")
    except NoFigures as error:
        written.append(str(error))
    return written


def _table(found: dict[str, Summed]) -> None:
    """A row a figure, a column a variant; where they are too many for the terminal, in blocks."""
    from upcard.stats.interval_text import between, told

    names = [shown(name) for name in found]
    cells: dict[str, list[str]] = {"games": [f"{summed.study.done:,}" for summed in found.values()]}
    for title, attribute, digits in (("decisions a game", "length", 2), ("choices a decision", "choices", 3)):
        cells[title] = [
            told(getattr(summed.random, attribute), digits) if summed.random else ""
            for summed in found.values()
        ]
    for title in dict.fromkeys(name for summed in found.values() for name in summed.profile):
        cells[title] = [
            between(summed.profile[title], "–") if title in summed.profile else ""
            for summed in found.values()
        ]
    cells = {title: [shown(value) for value in row] for title, row in cells.items()}
    first = max(len(title) for title in cells)
    widths = [
        max(len(name), *(len(row[column]) for row in cells.values())) for column, name in enumerate(names)
    ]
    start = 0
    while start < len(names):
        end, taken = start + 1, first + 4 + widths[start]
        while end < len(names) and taken + 2 + widths[end] <= page.width():
            taken += 2 + widths[end]
            end += 1
        heads = "  ".join(f"{name:>{widths[start + i]}}" for i, name in enumerate(names[start:end]))
        page.heading(f"  {'':<{first}}  {heads}")
        for title, row in cells.items():
            values = "  ".join(f"{value:>{widths[start + i]}}" for i, value in enumerate(row[start:end]))
            say(f"  {title:<{first}}  {values}")
        start = end
        if start < len(names):
            say()
    for name, summed in found.items():
        for note in summed.notes:
            if "need --players" not in note and "round" not in note:
                page.prose(f"- {name}: {note}")
