"""Registry of players by name.

Installed packages add players as entry points (`plugins.PLAYERS`): a name, and a function from a game to a
player factory. Upcard's own higher packages do the same, so that nothing here depends on them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from upcard.engine.shared.game import LoadedGame
from upcard.players.levels import LEVELS
from upcard.players.protocol import Indifferent, Player
from upcard.players.random_player import RandomPlayer
from upcard.plugins import PLAYERS, entries, load_entry
from upcard.recycle.diagnostics import Refused, suggest

PlayerFactory: TypeAlias = Callable[[int, int, int], Player | Indifferent]
"""Makes a player from seed, deal and seat."""


class NoSuchPlayer(Refused):
    """An unknown player name.

    >>> try:
    ...     upcard.Match("kuhn-poker", ["expret", "random"])
    ... except upcard.NoSuchPlayer:
    ...     print("no such player")
    no such player
    """


_FACTORIES: dict[str, Callable[[LoadedGame], PlayerFactory]] = {}
_loaded: set[str] = set()
"""Names registered by entry points."""


def register(name: str, kind: Callable[[LoadedGame], PlayerFactory]) -> None:
    _FACTORIES[name] = kind


def player_names() -> list[str]:
    return sorted({*_FACTORIES, *entries(PLAYERS)})


def is_builtin(name: str) -> bool:
    """Whether using a player imports no package but Upcard; true for unknown names."""
    if name in _FACTORIES and name not in _loaded:
        return True
    entry = entries(PLAYERS).get(name)
    return entry is None or entry.module.partition(".")[0] == "upcard"


def player_factory(name: str, game: LoadedGame) -> PlayerFactory:
    """The factory of this player for a game."""
    if name not in _FACTORIES and name in entries(PLAYERS):
        _loaded.add(name)
        register(name, load_entry(PLAYERS, name))
    if name not in _FACTORIES:
        meant = suggest(name, player_names())
        hint = f"did you mean {meant}?" if meant else f"the players are {', '.join(player_names())}"
        raise NoSuchPlayer(f"there is no player called {name}; {hint}")
    return _FACTORIES[name](game)


def _random(game: LoadedGame) -> PlayerFactory:
    return RandomPlayer


def _search_player(name: str) -> Callable[[LoadedGame], PlayerFactory]:
    """Imports the search players only when one of them is used."""

    def factory(game: LoadedGame) -> PlayerFactory:
        from upcard.players.search.search_players import searcher

        return searcher(name, game)

    return factory


register("random", _random)
for _name in (
    *("pimc", "exact", "blend", "ismcts", "reader", "blind"),
    *("published", "published-newer", "mcts", "quick"),
    *LEVELS,
):
    register(_name, _search_player(_name))
