"""`upcard test`: checks the positions that a designer wrote in positions.toml."""

from __future__ import annotations

import json

import typer

from upcard.cli import options
from upcard.cli import text_layout as layout
from upcard.cli.console import FAILURE, check_engine, path_or_name, report_errors
from upcard.output import say, say_lines


def positions(
    game: options.Game,
    engine: options.EngineName = "reference",
    as_json: options.AsJson = False,
) -> None:
    """Check the positions in a game's positions.toml.

    The exit code is 1 if a position does not hold.

    Examples:
        upcard test my-game
        upcard test my-game --engine native
    """
    from upcard.verify.positions import examine, positions_of

    what, wanted = path_or_name(game), check_engine(engine)
    with report_errors():
        findings = list(examine(what, positions_of(what), wanted))
    wrong = sum(1 for finding in findings if finding.wrong)
    if as_json:
        entries = [
            {"name": f.position.name, "holds": not f.wrong, "wrong": f.wrong or None} for f in findings
        ]
        say_lines(json.dumps(entries, indent=1))
    else:
        for finding in findings:
            layout.entry("wrong" if finding.wrong else "holds", finding.position.name, 7)
            if finding.wrong:
                layout.entry("", finding.wrong, 7)
        count = f"{len(findings)} position{'s' if len(findings) != 1 else ''}"
        say(f"{count}, {wrong} wrong" if wrong else f"{count}, none wrong")
    raise typer.Exit(FAILURE if wrong else 0)
