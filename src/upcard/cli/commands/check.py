"""`upcard check`: prints diagnostics and facts of programs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import typer

from upcard.cli import completion_values as complete
from upcard.cli import options
from upcard.cli import text_layout as layout
from upcard.cli.console import FAILURE, check_base, parse_pairs, report_errors, use_colour
from upcard.output import say, write_styled

if TYPE_CHECKING:
    from upcard.recycle.frontend import Checked


def check(
    games: list[str] = typer.Argument(
        ..., metavar="GAME...", help=options.GAMES_HELP, autocompletion=complete.games
    ),
    facts: bool = typer.Option(False, "--facts", help="Also print what the checker knows about the program."),
    strict: bool = typer.Option(False, "--strict", help="Treat warnings as errors."),
    overrides: options.Overrides = None,
    base: options.Base = None,
    as_json: options.AsJson = False,
) -> None:
    """Check programs and print their errors and warnings.

    The exit code is 0 if no program has an error, and 1 otherwise.

    Examples:
        upcard check my-game/rules.rcy
        upcard check --facts euchre
        upcard check --strict --json euchre whist
    """
    from upcard.library import check_game

    values, checked_base = parse_pairs(overrides, "--set"), check_base(base)
    with report_errors():
        results = [check_game(game, values, checked_base) for game in games]
    if as_json:
        layout.print_json([_as_json(result, facts) for result in results], indent=1)
    else:
        _print_text(results, facts)
    wrong = any(result.errors or (strict and result.warnings) for result in results)
    raise typer.Exit(FAILURE if wrong else 0)


def _as_json(checked: Checked, facts: bool) -> dict[str, Any]:
    data: dict[str, Any] = {
        "file": checked.source.name,
        "sound": checked.program is not None,
        "diagnostics": [d.to_json(checked.source) for d in checked.diagnostics],
    }
    if facts and checked.facts is not None and checked.program is not None:
        data["facts"] = checked.facts.to_json(checked.program)
    return data


def _print_text(results: list[Checked], facts: bool) -> None:
    from upcard.recycle.diagnostic_text import render, summary

    colour = use_colour()
    for checked in results:
        for diagnostic in checked.diagnostics:
            write_styled(render(diagnostic, checked.source, colour, sys.stdout.encoding) + "\n\n")
        if facts and checked.facts is not None and checked.program is not None:
            for line in _fact_lines(checked):
                say(line)
    say(summary(results))


def _fact_lines(checked: Checked) -> list[str]:
    assert checked.facts is not None
    assert checked.program is not None
    data = checked.facts.to_json(checked.program)
    cards = "decided by chance" if data["cards"] is None else str(data["cards"])
    lines = [
        f"{checked.source.name}",
        f"  players    {data['players']}, counted from {data['base']}",
        f"  cards      {cards}; backs {', '.join(data['backs']) or 'computed'}",
    ]
    lines += [f"    {key:<8} {' '.join(values)}" for key, values in data["keys"].items()]
    lines.append("  locations")
    width = max((len(_location(entry)) for entry in data["locations"]), default=0)
    for entry in data["locations"]:
        kept = "ordered" if entry["ordered"] else "no order"
        why = entry["why"] + (f" (line {entry['line']})" if entry["line"] else "")
        lines.append(f"    {_location(entry):<{width}}  {kept:<8}  {why}")
    for kind, names in data["storages"].items():
        if names:
            lines.append(f"  {kind:<10} {', '.join(names)}")
    lines.append(f"  strings    {len(data['strings'])}, the empty one included")
    chance = [
        f"{c['what']} (line {c['line']}{', in a choice' if c['in_choice'] else ''})" for c in data["chance"]
    ]
    lines.append(f"  chance     {', '.join(chance) or 'none'}")
    lines.append("  bounds     " + ", ".join(f"{k.replace('_', ' ')} {v}" for k, v in data["bounds"].items()))
    lines.append("")
    return lines


def _location(entry: dict[str, Any]) -> str:
    number = " [n]" if entry["numbered"] else ""
    return f"{entry['owner']} {entry['class']} {entry['name'] or '*'}{number}"
