"""`upcard fmt`: formats programs."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from upcard.cli.console import NO, sentences
from upcard.output import say, write_document


def fmt(
    files: list[str] = typer.Argument(..., metavar="FILE...", help="Programs; - reads standard input."),
    only_check: bool = typer.Option(False, "--check", help="Change nothing; exit 1 if a file would change."),
) -> None:
    """Lay programs out the way an author would, in place."""
    from upcard.files.bounded import read_stream
    from upcard.recycle.formatter import format_source
    from upcard.recycle.reader import decode
    from upcard.recycle.source import Source
    from upcard.storage.atomic_write import write_text

    changed = []
    with sentences():
        for file in files:
            data = sys.stdin.buffer.read() if file == "-" else read_stream(Path(file))
            text, finding = decode(data)
            if finding is not None:
                from upcard.recycle.diagnostics import RecycleError

                raise RecycleError(Source(file, text), [finding])
            laid_out = format_source(Source(file, text))
            if file == "-":
                write_document(laid_out)
            elif laid_out.encode() != data:
                changed.append(file)
                if not only_check:
                    write_text(Path(file), laid_out)
    for file in changed:
        say(f"{file}: {'would change' if only_check else 'laid out'}")
    raise typer.Exit(NO if only_check and changed else 0)
