"""Opponents at the table: levels by name, with a fallback where a game lacks one."""

from __future__ import annotations

from dataclasses import dataclass

from upcard.engine.shared.game import LoadedGame
from upcard.library.sheet import SheetError
from upcard.players.levels import LEVELS
from upcard.players.protocol import Budget
from upcard.players.registry import PlayerFactory, player_factory, player_names
from upcard.players.spec import PlayerSpec, resolve_player
from upcard.recycle.diagnostics import Refused
from upcard.spec_grammar import NO_BUDGET

FALLBACKS = ("pimc", "simple", "random")
"""Players to fall back to where a game lacks a level, best first."""


@dataclass(frozen=True)
class Seated:
    """The player at a seat: its kind, how to make it, and a sentence if it replaces the requested level."""

    kind: str
    make: PlayerFactory
    note: str = ""
    budget: Budget = NO_BUDGET
    named: PlayerSpec | None = None
    """The player's spec, if it is not a level."""


def player_of_level(game: LoadedGame, level: str, trusted: bool = False) -> Seated:
    """A player by level or by any spec that the arena takes; a level that the game lacks has a fallback."""
    if level not in LEVELS:
        spec = resolve_player(level, game, trusted=trusted)
        return Seated(spec.name, spec.make, budget=spec.budget, named=spec)
    if level in player_names():
        try:
            return Seated(level, player_factory(level, game))
        except SheetError:
            raise
        except Refused:
            pass
    for kind in FALLBACKS:
        try:
            make = player_factory(kind, game)
        except Refused:
            continue
        return Seated(kind, make, f"{game.name} has no {level} player; the {kind} player replaces it.")
    raise Refused(f"no player can play {game.name}")


def adviser(game: LoadedGame) -> Seated:
    """The player that gives hints and reviews: the best available."""
    return player_of_level(game, "expert")
