"""The players that search, made for a game. All of them need its machine code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from upcard.engine.native.game import NativeGame
from upcard.engine.shared.game import LoadedGame
from upcard.players.guessing import Blind, Mcts, Published
from upcard.players.ismcts import Ismcts
from upcard.players.pimc import Pimc
from upcard.players.protocol import Player
from upcard.recycle.diagnostics import Refused


class NeedsMachineCode(Refused):
    """A searching player was asked for where there is none."""


KINDS: dict[str, Callable[[NativeGame, int, int, int], Player]] = {
    "pimc": Pimc,
    "ismcts": Ismcts,
    "blind": Blind,
    "published": Published,
    "mcts": Mcts,
}


@dataclass(frozen=True)
class Searcher:
    """Makes players of one kind; goes to other processes as it is."""

    name: str
    game: NativeGame

    def __call__(self, seed: int, deal: int, seat: int) -> Player:
        return KINDS[self.name](self.game, seed, deal, seat)


def searcher(name: str, game: LoadedGame) -> Searcher:
    if not isinstance(game, NativeGame):
        raise NeedsMachineCode(
            f"{name} searches in machine code, which the reference engine lacks; play with the native engine"
        )
    return Searcher(name, game)
