"""How likely quick players make the moves that were seen: as often as players at a table make them."""

from __future__ import annotations

import statistics
from dataclasses import replace
from itertools import islice

import pytest

import upcard
from upcard.engine.native.game import NativeGame
from upcard.engine.rng import PLAYER, Stream
from upcard.euchre.hand_position import position
from upcard.players.belief.determinization import Determinizer, Worlds
from upcard.players.protocol import Budget, Player
from upcard.players.registry import player_factory
from upcard.players.search.quick_likelihood import BY_CHANCE
from upcard.players.search.quick_player import QuickTable

pytestmark = pytest.mark.skipif(
    not isinstance(upcard.load("euchre"), NativeGame), reason="it searches in machine code"
)
PLAYOUTS, CHOICES, ESTIMATES = 16, 300, 150


def share_of_passes(game: NativeGame, worlds: Worlds) -> float:
    """How often the eldest hand passes in the world sampled last, played at a table."""
    deal, outcomes, _ = worlds.last_world()
    state = game.deal(0, deal, stacked=outcomes)
    while state.choices == 1:
        state.play(0)
    assert state.to_move is not None
    seen = state.observe(state.to_move)
    passed = next(move for move in seen.moves if move.text.lower().startswith("pass"))
    count = 0
    for seed in range(CHOICES):
        player = player_factory("quick", game)(seed, 0, state.to_move)
        assert isinstance(player, Player)
        count += player.choose(seen, Budget(PLAYOUTS)).move.key == passed.key
    return count / CHOICES


def estimates(table: QuickTable, worlds: Worlds, seat: int) -> list[float]:
    return [table.likely(worlds, seat, name) for name in range(ESTIMATES)]


def test_moves_are_as_likely_as_they_are_played() -> None:
    game = upcard.load("euchre")
    assert isinstance(game, NativeGame)
    seen, _ = position(game, {"hand": "9H,TH,QD,KC,AS", "up": "9C", "seat": "2"})
    seen = replace(seen, match=None)  # players at a table are asked without a match, too
    worlds = Determinizer(game).worlds(seen)
    sampled = worlds.sample(Stream((1, 0, PLAYER, 0)))
    unsure = 0
    for _ in islice(sampled, 14):
        table = QuickTable.at(game, seen, worlds.history.replay.limits, PLAYOUTS)
        wanted = share_of_passes(game, worlds)
        found = estimates(table, worlds, seen.seat)
        alternatives = 3  # pass, order up, order up alone
        expected = alternatives * (BY_CHANCE / alternatives + (1 - BY_CHANCE) * wanted)
        error = (
            statistics.pstdev(found) ** 2 / ESTIMATES
            + (alternatives**2 * wanted * (1 - wanted) + 0.01) / CHOICES
        ) ** 0.5
        assert abs(statistics.mean(found) - expected) < 3.5 * error, (wanted, statistics.mean(found))
        if 0.2 < wanted < 0.8:
            unsure += 1
            whole = alternatives * (1 - BY_CHANCE) * (wanted * (1 - wanted)) ** 0.5
            # as many guesses as four choices, but steadier than the mean of four choices
            assert statistics.pstdev(found) < whole / 4**0.5
    assert unsure >= 2
