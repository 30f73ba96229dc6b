"""What deals bring: results of deals between quick players, measured once and kept on disk."""

from __future__ import annotations

import json
import weakref
from typing import TypeAlias

from upcard.advice.model_play import CODE, Model, model_of
from upcard.engine.native import cache
from upcard.engine.native.game import NativeGame
from upcard.engine.native.state_memory import Memory
from upcard.players.search.quick_player import QuickTable
from upcard.players.search.search_code import machine_of

Scores: TypeAlias = tuple[int, ...]
"""Of a deal, by seat."""

MAX_DEALS = 1000
LEAST_DEALS = 40
MAX_LISTED, MAX_RUNS = 30_000_000, 2_000_000
"""Alternatives listed and items run in all playouts together; then the deals so far are enough."""
SEED = 1

_known: weakref.WeakKeyDictionary[NativeGame, list[Scores]] = weakref.WeakKeyDictionary()


def deal_results(game: NativeGame) -> list[Scores]:
    """The scores of deals between players of the game's model. Deals that failed are left out."""
    if game not in _known:
        asked = json.dumps([game.identity, dict(game.turns)], sort_keys=True)
        key = cache.key_of("deal results", asked, cache.code_digest(*CODE))
        kept = cache.get_or_compile(key, lambda: _to_bytes(measure(game, model_of(game))))
        _known[game] = [tuple(scores) for scores in json.loads(kept)]
    return _known[game]


def _to_bytes(results: list[Scores]) -> bytes:
    return json.dumps(results).encode()


def measure(game: NativeGame, model: Model) -> list[Scores]:
    """Play deals until they are many, or have taken long."""
    table = QuickTable.of_deals(game, model.playouts)
    state = Memory(machine_of(game).layout.size)
    found = []
    for number in range(MAX_DEALS):
        table.deal(state, SEED, number)
        scores = table.scores(state)
        if scores is not None:
            found.append(scores)
        if len(found) >= LEAST_DEALS and (table.listed > MAX_LISTED or table.runs > MAX_RUNS):
            break
    return found
