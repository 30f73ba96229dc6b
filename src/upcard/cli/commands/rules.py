"""`upcard rules`: prints how a game is played, in plain words."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING, Any

from upcard.cli import options
from upcard.cli import text_layout as layout
from upcard.cli.console import FAILURE, Stop, path_or_name, report_errors
from upcard.output import say, say_lines
from upcard.terminal_text import capitalize_first

if TYPE_CHECKING:
    from upcard.library.sheet import HouseRule, Sheet
    from upcard.recycle.program import Program


def rules(
    game: options.Game,
    as_json: options.AsJson = False,
) -> None:
    """Print the rules of a game in plain words.

    The house rules and the scoring of a match are part of them.

    Examples:
        upcard rules euchre
        upcard rules my-game
    """
    from upcard.library import check_game, find, read_sheet

    what = path_or_name(game)
    with report_errors():
        files = find(what)
        if files.sheet is None:
            raise Stop(
                FAILURE,
                f"{game} has no game.toml beside its program, so there are no rules to print; "
                "upcard new writes a game.toml as an example",
            )
        sheet = read_sheet(files.sheet)
        program, _ = check_game(what, lint=False).sound()
    about = _about(files.name, sheet, program)
    if as_json:
        say_lines(json.dumps(about, indent=1))
    else:
        _print_text(game, sheet, about)


def _about(name: str, sheet: Sheet, program: Program) -> dict[str, Any]:
    from upcard.library.catalogue import catalogue, players_offered
    from upcard.library.match_text import describe_match

    partners = program.setup.teams is not None
    titles = {entry.title: entry.name for entry in catalogue() if entry.name != name}
    match = sheet.match
    return {
        "name": name,
        "title": sheet.title,
        "family": sheet.family,
        "tags": list(sheet.tags),
        "players": program.players,
        "players_offered": list(players_offered(sheet, program.players)),
        "seats": list(sheet.seat_names[: program.players]),
        "partners": partners,
        "summary": sheet.summary,
        "rules": sheet.rules,
        "variants": sheet.variants,
        "house_rules": [
            {"name": r.name, "title": r.title, "choices": list(r.choices), "default": r.default}
            for r in sheet.house_rules
        ],
        "match": {
            "to": match.to,
            "targets": list(match.targets),
            "deals": None if match.to is not None else match.deals,
            "ties": match.ties,
            "over": match.over,
            "down": match.down,
            "tallies": [{"name": t.name, "every": t.every, "points": t.points} for t in match.tallies],
            "best": "highest" if program.scoring.highest else "lowest",
            "words": " ".join(describe_match(sheet, program.scoring.highest, partners)),
        },
        "related": list(sheet.related),
        "related_in_library": [titles[title] for title in sheet.related if title in titles],
        "sources": list(sheet.sources),
    }


def _print_text(argument: str, sheet: Sheet, about: dict[str, Any]) -> None:
    layout.heading(sheet.title)
    layout.prose(_describe_players(about))
    for title, text in (
        ("", sheet.summary),
        ("How it is played", sheet.rules),
        ("Which version this is", sheet.variants),
    ):
        if text:
            _print_heading(title)
            layout.prose(text)
    if sheet.house_rules:
        _print_heading("House rules")
        _print_house_rules(argument, sheet.house_rules)
    _print_heading("The match")
    layout.prose(about["match"]["words"])
    if sheet.related:
        _print_heading("Related games")
        layout.prose(", ".join(sheet.related))
        if about["related_in_library"]:
            names = ", ".join(f"upcard rules {name}" for name in about["related_in_library"])
            layout.prose(f"In the library: {names}")
    if sheet.sources:
        _print_heading("Sources")
        layout.prose("; ".join(sheet.sources))


def _print_heading(title: str) -> None:
    say()
    if title:
        layout.heading(title)


def _describe_players(about: dict[str, Any]) -> str:
    from upcard.library.catalogue import format_span

    offered, usual = tuple(about["players_offered"]), about["players"]
    number = f"{format_span(offered)} players"
    if len(offered) > 1:
        number += f", usually {usual}"
    elif usual == 1:
        number = "1 player"
    if about["partners"]:
        number += " in partnerships"
    return "; ".join(filter(None, [capitalize_first(about["family"]), number]))


def _print_house_rules(argument: str, house_rules: tuple[HouseRule, ...]) -> None:
    column = max(len(rule.name) for rule in house_rules) + 2
    for rule in house_rules:
        layout.entry(rule.name, rule.title, column)
        choices = [f"{word} (usual)" if word == rule.default else word for word in rule.choices]
        layout.entry("", ", ".join(choices), column)
    first = house_rules[0]
    other = next((word for word in first.choices if word != first.default), first.default)
    say()
    layout.prose("Ask for another choice with --rule, for example:")
    say(f"    upcard watch {shlex.quote(argument)} --rule {shlex.quote(f'{first.name}={other}')}")
