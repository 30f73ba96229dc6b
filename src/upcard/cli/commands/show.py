"""`upcard show`: prints a game's program."""

from __future__ import annotations

from upcard.cli.console import colourful, path_or_name, sentences
from upcard.cli.options import Game
from upcard.output import write_document, write_styled
from upcard.terminal_text import visible


def show(
    game: Game,
) -> None:
    """Show a game's program: in colour on a terminal, as it is in a pipe."""
    from upcard.files.bounded import read_stream
    from upcard.library import find
    from upcard.recycle.reader import decode

    with sentences():
        text, _ = decode(read_stream(find(path_or_name(game)).rules))
    if colourful():
        from upcard.cli.highlight import in_colour

        write_styled(in_colour(visible(text, lines=True)))
    else:
        write_document(text if text.endswith("\n") else f"{text}\n")
