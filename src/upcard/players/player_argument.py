"""Players as arguments of the public API: a spec, a class or function that makes one, or a player itself."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from upcard.arguments import BadArgument
from upcard.engine.shared.game import LoadedGame
from upcard.parallel.workers import Workers
from upcard.players.constructor import Unusable, wanted_arguments
from upcard.players.guard import Guarded
from upcard.players.protocol import Indifferent, Player
from upcard.players.spec import PlayerSpec, resolve_player

PlayerLike: TypeAlias = str | Player | Indifferent | Callable[..., Player | Indifferent]
"""A spec such as `expert` or `mine.py:Mine:200`; a class or function that makes players from any of the
keyword arguments game, seed, seat and deal; or a player, which then decides for every seat and deal."""


@dataclass(frozen=True)
class ClassFactory:
    """Makes players with a class or function, from those arguments that it takes."""

    make: Callable[..., Player | Indifferent]
    wants: tuple[str, ...]
    game: LoadedGame

    def __call__(self, seed: int, deal: int, seat: int) -> Player | Indifferent:
        given: dict[str, Any] = {"game": self.game, "seed": seed, "deal": deal, "seat": seat}
        return self.make(**{name: given[name] for name in self.wants})


@dataclass(frozen=True)
class SamePlayer:
    """Seats one player everywhere."""

    player: Player | Indifferent

    def __call__(self, seed: int, deal: int, seat: int) -> Player | Indifferent:
        return self.player


def as_player(player: PlayerLike, game: LoadedGame) -> PlayerSpec:
    """The player with a factory for this game. Raises `BadArgument`, `NoSuchPlayer` or `BadPlayer`."""
    if isinstance(player, str):
        return resolve_player(player, game)
    if not inspect.isclass(player) and isinstance(player, Player | Indifferent):
        name = type(player).__name__
        return PlayerSpec(name, Guarded(name, SamePlayer(player)))
    if not callable(player):
        raise BadArgument(
            "a player is a name, a class with choose(observation, budget), or an object of one, "
            f"not {player!r:.60}"
        )
    make: Callable[..., Any] = player
    name = getattr(player, "__name__", type(player).__name__)
    if inspect.isclass(player) and not (hasattr(player, "choose") or hasattr(player, "pick")):
        raise BadArgument(f"the class {name} has no choose(observation, budget), so it cannot be a player")
    try:
        wants = wanted_arguments(make, trusted=True)
    except Unusable as error:
        raise BadArgument(f"the player {name} {error}") from None
    return PlayerSpec(name, Guarded(name, ClassFactory(make, tuple(wants), game)))


def as_players(players: Sequence[PlayerLike], game: LoadedGame) -> list[PlayerSpec]:
    """The players of a list, which is not a string."""
    if isinstance(players, str) or not isinstance(players, Sequence):
        raise BadArgument(f'players is a list, as in ["expert", "random"], not {players!r:.60}')
    return [as_player(player, game) for player in players]


def default_workers(players: Sequence[PlayerLike], workers: Workers) -> Workers:
    """The number of processes: one if a player is an object of this process and no number was given."""
    if workers is None and not all(isinstance(player, str) for player in players):
        return 1
    return workers
