"""The model of a hint: how everybody is taken to play on after a move.

Values mean something only with the players that they are for. A hint plays every deal out with quick players
at all seats (`players.search.quick_play`), who can be seated at a table or in an arena under the name that a
hint gives. Where even their short look ahead takes too long, everybody plays on at random.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass

from upcard.engine.native.game import NativeGame
from upcard.engine.native.state_memory import Memory
from upcard.players.search.quick_player import QuickTable, can_play_quickly
from upcard.players.search.search_code import machine_of

TRIAL, CAREFUL = 32, 64
"""Playouts of a decision, in all but the cheapest games and in those."""
TRIAL_DEALS = 3
CHEAP, DEAR = 15_000, 200_000
"""Alternatives listed in the playouts of a deal, up to which a game is cheap, and from which it is dear."""


@dataclass(frozen=True)
class Model:
    playouts: int
    """Of a decision; 0: everybody plays at random."""

    @property
    def name(self) -> str:
        """As a player is named in a command."""
        return f"quick:{self.playouts}" if self.playouts else "random"


RANDOM = Model(0)
_known: weakref.WeakKeyDictionary[NativeGame, Model] = weakref.WeakKeyDictionary()


def model_of(game: NativeGame) -> Model:
    """The model of a game, by what a deal between quick players costs."""
    if game not in _known:
        _known[game] = _measured(game)
    return _known[game]


def _measured(game: NativeGame) -> Model:
    if not can_play_quickly(game):
        return RANDOM
    table = QuickTable.of_deals(game, TRIAL)
    state = Memory(machine_of(game).layout.size)
    for number in range(TRIAL_DEALS):
        table.deal(state, 0, number)
        if table.spent > DEAR * TRIAL_DEALS:
            return RANDOM
    return Model(CAREFUL if table.spent <= CHEAP * TRIAL_DEALS else TRIAL)
