"""`upcard rules`: prints how a game is played, in plain words."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING, Any

import typer

from upcard.cli import text_layout as page
from upcard.cli.console import NO, Stop, path_or_name, sentences
from upcard.cli.options import AsJson
from upcard.output import say, say_lines

if TYPE_CHECKING:
    from upcard.library.sheet import HouseRule, Sheet
    from upcard.recycle.program import Program


def rules(
    game: str = typer.Argument(..., metavar="GAME_OR_FILE", help="A library game by name, or your own."),
    as_json: AsJson = False,
) -> None:
    """How a game is played, in plain words. With its house rules, and how a match is scored."""
    from upcard.library import check_game, find, read_sheet

    what = path_or_name(game)
    with sentences():
        found = find(what)
        if found.sheet is None:
            raise Stop(
                NO,
                f"{game} has no game.toml beside its program, so its rules are not written down in words; "
                "upcard new shows one",
            )
        sheet = read_sheet(found.sheet)
        program, _ = check_game(what, lint=False).sound()
    about = _about(found.name, sheet, program)
    if as_json:
        say_lines(json.dumps(about, indent=1))
    else:
        _as_text(game, sheet, about)


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


def _as_text(asked: str, sheet: Sheet, about: dict[str, Any]) -> None:
    page.heading(sheet.title)
    page.prose(_at_the_table(about))
    for title, text in (
        ("", sheet.summary),
        ("How it is played", sheet.rules),
        ("Which version this is", sheet.variants),
    ):
        if text:
            _part(title)
            page.prose(text)
    if sheet.house_rules:
        _part("House rules")
        _house_rules(asked, sheet.house_rules)
    _part("The match")
    page.prose(about["match"]["words"])
    if sheet.related:
        _part("Related games")
        page.prose(", ".join(sheet.related))
        if about["related_in_library"]:
            names = ", ".join(f"upcard rules {name}" for name in about["related_in_library"])
            page.prose(f"In the library: {names}")
    if sheet.sources:
        _part("Sources")
        page.prose("; ".join(sheet.sources))


def _part(title: str) -> None:
    say()
    if title:
        page.heading(title)


def _at_the_table(about: dict[str, Any]) -> str:
    from upcard.library.catalogue import format_span

    offered, usual = tuple(about["players_offered"]), about["players"]
    number = f"{format_span(offered)} players"
    if len(offered) > 1:
        number += f", usually {usual}"
    elif usual == 1:
        number = "1 player"
    if about["partners"]:
        number += " in partnerships"
    return "; ".join(filter(None, [page.capital(about["family"]), number]))


def _house_rules(asked: str, house_rules: tuple[HouseRule, ...]) -> None:
    column = max(len(rule.name) for rule in house_rules) + 2
    for rule in house_rules:
        page.entry(rule.name, rule.title, column)
        choices = [f"{word} (usual)" if word == rule.default else word for word in rule.choices]
        page.entry("", ", ".join(choices), column)
    first = house_rules[0]
    other = next((word for word in first.choices if word != first.default), first.default)
    say()
    page.prose("Ask for another choice with --rule, for example:")
    say(f"    upcard watch {shlex.quote(asked)} --rule {shlex.quote(f'{first.name}={other}')}")
