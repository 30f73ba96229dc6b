"""The table in characters, as environments render it."""

from __future__ import annotations

from upcard.engine.api import Observation
from upcard.engine.shared.game import LoadedGame
from upcard.terminal.render import HEIGHT, WIDTH, Prompt
from upcard.terminal.table_narrator import TableNarrator
from upcard.terminal.table_view import drawn_view, make_view


def table_text(game: LoadedGame, seen: Observation) -> str:
    """The screen of `upcard play` for an observation, without colours."""
    view = make_view(seen, TableNarrator.at(game.narrator, seen))
    canvas = drawn_view(view, WIDTH, HEIGHT).draw(view, Prompt(open=False, keys=""), WIDTH, HEIGHT)
    return "\n".join(canvas.lines()).rstrip() + "\n"
