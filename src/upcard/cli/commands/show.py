"""`upcard show`: prints a game's program."""

from __future__ import annotations

from upcard.cli import options
from upcard.cli.console import path_or_name, report_errors, use_colour
from upcard.output import write_document, write_styled
from upcard.terminal_text import visible


def show(
    game: options.Game,
) -> None:
    """Print the program of a game.

    The program is coloured on a terminal, and copied byte for byte into a pipe or a file.

    Examples:
        upcard show kuhn-poker
        upcard show euchre > euchre.rcy
    """
    from upcard.files.bounded import read_stream
    from upcard.library import find
    from upcard.recycle.reader import decode

    with report_errors():
        text, _ = decode(read_stream(find(path_or_name(game)).rules))
    if use_colour():
        from upcard.cli.highlight import highlight_program

        write_styled(highlight_program(visible(text, lines=True)))
    else:
        write_document(text if text.endswith("\n") else f"{text}\n")
