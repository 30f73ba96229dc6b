"""The model of a hint: how everybody is taken to play on after a move.

Values mean something only with the players that they are for. A hint plays every deal out with quick players
at all seats (`players.search.quick_play`), who can be seated at a table or in an arena under the name that a
hint gives. Where even their short look ahead takes too long, everybody plays on at random.
"""

from __future__ import annotations

import json
import weakref
from dataclasses import astuple, dataclass

from upcard.engine.native import cache
from upcard.engine.native.game import NativeGame
from upcard.engine.native.state_memory import Memory
from upcard.players.search.quick_player import QuickTable, can_play_quickly
from upcard.players.search.search_code import machine_of

TRIAL, CAREFUL, HASTY = 32, 64, 16
"""Playouts of a decision, in most games, in the cheapest ones and in the dearest."""
TRIAL_DEALS = 3
CHEAP, DEAR = 15_000, 200_000
"""Alternatives listed in the playouts of a deal, up to which a game is cheap, and from which it is dear."""
DEAR_RUNS = 50_000
"""Items run to list them, from which a game is played hastily."""


@dataclass(frozen=True)
class Model:
    playouts: int
    """Of a decision; 0: everybody plays at random."""
    runs: int = 0
    """Items that are run to list the alternatives in the playouts of a deal, about."""

    @property
    def name(self) -> str:
        """As a player is named in a command."""
        return f"quick:{self.playouts}" if self.playouts else "random"


RANDOM = Model(0)
CODE = ("players/search", "players/belief", "engine/native", "advice")
"""Folders of code that results of deals depend on."""
_known: weakref.WeakKeyDictionary[NativeGame, Model] = weakref.WeakKeyDictionary()


def model_of(game: NativeGame) -> Model:
    """The model of a game, by what deals between quick players cost; measured once and kept on disk."""
    if game not in _known:
        if not can_play_quickly(game):
            _known[game] = RANDOM
        else:
            asked = json.dumps([game.identity, dict(game.turns)], sort_keys=True)
            key = cache.key_of("model of hints", asked, cache.code_digest(*CODE))
            kept = cache.get_or_compile(key, lambda: json.dumps(astuple(measure(game))).encode())
            _known[game] = Model(*json.loads(kept))
    return _known[game]


def measure(game: NativeGame) -> Model:
    """Play a few deals, and choose by what they cost."""
    table = QuickTable.of_deals(game, TRIAL)
    state = Memory(machine_of(game).layout.size)
    for number in range(TRIAL_DEALS):
        table.deal(state, 0, number)
        if table.listed > DEAR * TRIAL_DEALS:
            return RANDOM
    playouts = CAREFUL if table.listed <= CHEAP * TRIAL_DEALS else TRIAL
    if table.runs > DEAR_RUNS * TRIAL_DEALS:
        playouts = HASTY
    return Model(playouts, table.runs * playouts // TRIAL // TRIAL_DEALS)
