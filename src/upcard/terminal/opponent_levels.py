"""Opponents at the table: levels by name, with a fallback where a game lacks one."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from upcard.engine.shared.game import LoadedGame
from upcard.library.sheet import SheetError
from upcard.players.levels import LEVELS
from upcard.players.protocol import Budget
from upcard.players.registry import PlayerFactory, player_factory, player_names
from upcard.players.spec import PlayerSpec, resolve_player
from upcard.recycle.diagnostics import Refused
from upcard.spec_grammar import NO_BUDGET

STAND_INS = ("pimc", "simple", "random")
"""Who plays where a level is not to be had, best first."""


@dataclass(frozen=True)
class Seated:
    """The kind of player that really sits there, how it is made, and a sentence if it is a stand-in."""

    kind: str
    make: PlayerFactory
    note: str = ""
    budget: Budget = NO_BUDGET
    named: PlayerSpec | None = None
    """Where it was named as the arena names players."""


def level_player(game: LoadedGame, level: str, trusted: bool = False) -> Seated:
    """A player of a level, or by any name that the arena takes; a level that this game has not gets a
    stand-in."""
    if level not in LEVELS:
        found = resolve_player(level, game, trusted=trusted)
        return Seated(found.name, found.make, budget=found.budget, named=found)
    if level in player_names():
        try:
            return Seated(level, player_factory(level, game))
        except SheetError:
            raise
        except Refused:
            pass
    for kind in STAND_INS:
        try:
            made = player_factory(kind, game)
        except Refused:
            continue
        return Seated(
            kind, made, f"No {level} player is to be had for {game.name}; the {kind} player sits in."
        )
    raise Refused(f"there is nobody to play {game.name} with")


EVERYDAY = ("simple", "casual")
"""Whose choices are nothing to praise."""


def everyday(game: LoadedGame) -> Seated | None:
    """A player that does what anybody would; None where there is none."""
    for kind in EVERYDAY:
        with suppress(Refused):
            return Seated(kind, player_factory(kind, game))
    return None


def adviser(game: LoadedGame) -> Seated:
    """Who gives hints and reviews: the best there is."""
    return level_player(game, "expert")
