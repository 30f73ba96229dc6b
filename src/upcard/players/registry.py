"""Registry of players by name.

Installed packages bring more, as entry points (`plugins.PLAYERS`): a name, and a function from a game to a
maker. Upcard's own higher packages bring theirs that way, so that nothing here knows of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from upcard.engine.shared.game import LoadedGame
from upcard.players.levels import LEVELS
from upcard.players.protocol import Indifferent, Player
from upcard.players.random_player import RandomPlayer
from upcard.plugins import PLAYERS, entries, loaded
from upcard.recycle.diagnostics import Refused, suggest

Maker: TypeAlias = Callable[[int, int, int], Player | Indifferent]
"""From seed, deal and seat."""


class NoSuchPlayer(Refused):
    """A name that no player has."""


_KINDS: dict[str, Callable[[LoadedGame], Maker]] = {}
_loaded: set[str] = set()
"""Those that entry points brought."""


def register(name: str, kind: Callable[[LoadedGame], Maker]) -> None:
    _KINDS[name] = kind


def kinds() -> list[str]:
    return sorted({*_KINDS, *entries(PLAYERS)})


def is_ours(name: str) -> bool:
    """Whether no other package's code is imported for a player. An unknown name is nobody's."""
    if name in _KINDS and name not in _loaded:
        return True
    brought = entries(PLAYERS).get(name)
    return brought is None or brought.module.partition(".")[0] == "upcard"


def maker(name: str, game: LoadedGame) -> Maker:
    """How players of this name are made for a game."""
    if name not in _KINDS and name in entries(PLAYERS):
        _loaded.add(name)
        register(name, loaded(PLAYERS, name))
    if name not in _KINDS:
        meant = suggest(name, kinds())
        hint = f"did you mean {meant}?" if meant else f"there are {', '.join(kinds())}"
        raise NoSuchPlayer(f"there is no player called {name}; {hint}")
    return _KINDS[name](game)


def _random(game: LoadedGame) -> Maker:
    return RandomPlayer


def _searching(name: str) -> Callable[[LoadedGame], Maker]:
    """Players that search need machine code, which is fetched only when they are asked for."""

    def made(game: LoadedGame) -> Maker:
        from upcard.players.search.search_players import searcher

        return searcher(name, game)

    return made


register("random", _random)
for _name in (
    *("pimc", "exact", "blend", "ismcts", "reader", "blind"),
    *("published", "published-newer", "mcts"),
    *LEVELS,
):
    register(_name, _searching(_name))
