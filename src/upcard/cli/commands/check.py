"""`upcard check`: prints diagnostics of programs and their sheets, and facts of programs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import typer

from upcard.cli import completion_values as complete
from upcard.cli import options
from upcard.cli import text_layout as layout
from upcard.cli.console import FAILURE, check_base, parse_pairs, report_errors, use_colour
from upcard.output import say, write_styled

if TYPE_CHECKING:
    from upcard.library.sheet_check import SheetCheck
    from upcard.recycle.diagnostics import Diagnostic
    from upcard.recycle.frontend import Checked
    from upcard.recycle.source import Source


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
    """Check programs and their sheets; print errors and warnings.

    The sheet is the file game.toml beside rules.rcy; it is compared with the program. The exit code is 0 if
    there is no error, and 1 otherwise.

    Examples:
        upcard check my-game/rules.rcy
        upcard check --facts euchre
        upcard check --strict --json euchre whist
    """
    from upcard.library.sheet_check import check_with_sheet

    values, checked_base = parse_pairs(overrides, "--set"), check_base(base)
    with report_errors():
        results = [check_with_sheet(game, values, checked_base) for game in games]
    if as_json:
        layout.print_json([_as_json(*result, facts) for result in results], indent=1)
    else:
        _print_text(results, facts)
    found = [diagnostic for result in results for diagnostic, _ in _findings(*result)]
    wrong = any(strict or diagnostic.severity == "error" for diagnostic in found)
    raise typer.Exit(FAILURE if wrong else 0)


def _findings(checked: Checked, sheet: SheetCheck | None) -> Iterator[tuple[Diagnostic, Source]]:
    """Everything that was found in the program and in its sheet, with the text that it is about."""
    yield from ((diagnostic, checked.source) for diagnostic in checked.diagnostics)
    if sheet is not None:
        yield from ((diagnostic, sheet.source) for diagnostic in sheet.diagnostics)


def _as_json(checked: Checked, sheet: SheetCheck | None, facts: bool) -> dict[str, Any]:
    data: dict[str, Any] = {
        "file": checked.source.name,
        "sheet": sheet.source.name if sheet is not None else None,
        "sound": checked.program is not None,
        "diagnostics": [diagnostic.to_json(source) for diagnostic, source in _findings(checked, sheet)],
    }
    if facts and checked.facts is not None and checked.program is not None:
        data["facts"] = checked.facts.to_json(checked.program)
    return data


def _print_text(results: list[tuple[Checked, SheetCheck | None]], facts: bool) -> None:
    from upcard.recycle.diagnostic_text import render, summary

    colour = use_colour()
    for checked, sheet in results:
        for diagnostic, source in _findings(checked, sheet):
            write_styled(render(diagnostic, source, colour, sys.stdout.encoding) + "\n\n")
        if facts and checked.facts is not None and checked.program is not None:
            for line in _fact_lines(checked):
                say(line)
    say(summary(part for result in results for part in result if part is not None))


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
