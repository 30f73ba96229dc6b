"""`upcard rows`: prints the statistics of a simulation from its rows alone."""

from __future__ import annotations

import json
from pathlib import Path

import typer

from upcard.cli import completion_values as complete
from upcard.cli import options
from upcard.cli.console import FAILURE, report_errors
from upcard.cli.simulation_report import print_statistics
from upcard.output import say


def rows(
    folder: Path = typer.Argument(
        ...,
        metavar="FOLDER",
        help="The folder that a simulation writes its rows into.",
        autocompletion=complete.files,
    ),
    as_json: options.AsJson = False,
) -> None:
    """Print the statistics of a simulation from its rows.

    The figures are those of upcard simulate. The simulation may still run; then they cover the rows written
    so far. The exit code is 1 if a game failed.

    Examples:
        upcard rows hands
        upcard rows hands --json
    """
    from upcard.simulate.row_folder import summarize

    with report_errors():
        header, summary = summarize(folder)
    if as_json:
        about = {"game": header.game, "seed": header.seed, "games": summary.games}
        say(json.dumps({**about, **summary.to_json()}))
    else:
        say(f"{header.title}: {summary.games:,} games")
        print_statistics(summary, header.seats)
    raise typer.Exit(FAILURE if summary.ends["failed"] else 0)
