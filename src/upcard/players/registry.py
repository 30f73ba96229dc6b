"""Players by name. A higher room may register more; nothing here knows of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from upcard.engine.shared.game import LoadedGame
from upcard.players.levels import LEVELS
from upcard.players.protocol import Indifferent, Player
from upcard.players.uniform import UniformPlayer
from upcard.recycle.diagnostics import Refused, suggest

Maker: TypeAlias = Callable[[int, int, int], Player | Indifferent]
"""From seed, deal and seat."""


class NoSuchPlayer(Refused):
    """A name that no player has."""


_KINDS: dict[str, Callable[[LoadedGame], Maker]] = {}


def register(name: str, kind: Callable[[LoadedGame], Maker]) -> None:
    _KINDS[name] = kind


def kinds() -> list[str]:
    return sorted(_KINDS)


def maker(name: str, game: LoadedGame) -> Maker:
    """How players of this name are made for a game."""
    if name not in _KINDS:
        meant = suggest(name, kinds())
        hint = f"did you mean {meant}?" if meant else f"there are {', '.join(kinds())}"
        raise NoSuchPlayer(f"there is no player called {name}; {hint}")
    return _KINDS[name](game)


def _random(game: LoadedGame) -> Maker:
    return UniformPlayer


def _searching(name: str) -> Callable[[LoadedGame], Maker]:
    """Players that search need machine code, which is fetched only when they are asked for."""

    def made(game: LoadedGame) -> Maker:
        from upcard.players.searchers import searcher

        return searcher(name, game)

    return made


register("random", _random)
for _name in ("pimc", "exact", "blend", "ismcts", "blind", "published", "mcts", *LEVELS):
    register(_name, _searching(_name))
