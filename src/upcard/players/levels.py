"""Levels of play: player and budget behind casual, steady, strong and expert."""

from __future__ import annotations

from upcard.engine.shared.game import LoadedGame
from upcard.library.sheet import LEVELS
from upcard.spec_grammar import RegisteredPlayer, parse

__all__ = ["LEVELS", "USUAL", "level_of"]

USUAL = {"casual": "pimc:16", "steady": "pimc:80", "strong": "pimc:1000", "expert": "pimc:4000"}
"""Levels of games whose sheet does not name them."""


def level_of(name: str, game: LoadedGame) -> RegisteredPlayer:
    """The player behind a level in a game: the sheet's, or the usual one."""
    sheet = game.narrator.sheet
    given = dict(sheet.players) if sheet is not None else {}
    spec = parse(given.get(name, USUAL[name]))
    assert isinstance(spec, RegisteredPlayer), "a sheet cannot name files or programs"
    return spec
