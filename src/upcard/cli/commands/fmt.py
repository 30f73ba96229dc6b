"""`upcard fmt`: formats programs."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from upcard.cli import completion_values as complete
from upcard.cli.console import FAILURE, report_errors
from upcard.output import say, write_document


def fmt(
    files: list[str] = typer.Argument(
        ...,
        metavar="FILE...",
        help="Program files; - formats standard input.",
        autocompletion=complete.files,
    ),
    only_check: bool = typer.Option(
        False, "--check", help="Change nothing; exit with 1 if a file would change."
    ),
) -> None:
    """Format programs in place.

    Examples:
        upcard fmt my-game/rules.rcy
        upcard fmt --check my-game/rules.rcy
    """
    from upcard.files.bounded import read_stream
    from upcard.recycle.formatter import format_source
    from upcard.recycle.reader import decode
    from upcard.recycle.source import Source
    from upcard.storage.atomic_write import write_text

    changed = []
    with report_errors():
        for file in files:
            data = sys.stdin.buffer.read() if file == "-" else read_stream(Path(file))
            text, finding = decode(data)
            if finding is not None:
                from upcard.recycle.diagnostics import RecycleError

                raise RecycleError(Source(file, text), [finding])
            formatted = format_source(Source(file, text))
            if file == "-":
                write_document(formatted)
            elif formatted.encode() != data:
                changed.append(file)
                if not only_check:
                    write_text(Path(file), formatted)
    for file in changed:
        say(f"{file}: {'would be formatted' if only_check else 'formatted'}")
    raise typer.Exit(FAILURE if only_check and changed else 0)
