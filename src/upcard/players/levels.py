"""Levels of play: player and budget behind casual, steady, strong and expert."""

from __future__ import annotations

from dataclasses import dataclass

from upcard.engine.shared.game import LoadedGame
from upcard.library.sheet import LEVELS
from upcard.players.protocol import Budget

__all__ = ["LEVELS", "USUAL", "Level", "level_of"]

USUAL = {"casual": "pimc:16", "steady": "pimc:80", "strong": "pimc:1000", "expert": "pimc:4000"}
"""Where a sheet says nothing."""


@dataclass(frozen=True)
class Level:
    kind: str
    budget: Budget


def level_of(name: str, game: LoadedGame) -> Level:
    """What a level is in a game."""
    sheet = game.narrator.sheet
    given = dict(sheet.players) if sheet is not None else {}
    kind, _, playouts = given.get(name, USUAL[name]).partition(":")
    return Level(kind, Budget(playouts=int(playouts)) if playouts else Budget())
