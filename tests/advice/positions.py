"""Decisions for tests of hints."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import upcard
from upcard.advice.playouts import Effort
from upcard.engine.api import Observation
from upcard.engine.native.game import NativeGame
from upcard.engine.shared.state import BaseState
from upcard.euchre.hand_position import position

FEW = Effort(60, 4_000_000)
"""Deals for a hint in a test."""


@cache
def native(name: str) -> NativeGame:
    game = upcard.load(name)
    assert isinstance(game, NativeGame)
    return game


def call(**described: str) -> Observation:
    """A decision of Euchre's auction: hand, up or down, seat, score."""
    return position(native("euchre"), described)[0]


def match_of(game: NativeGame, scores: Sequence[int] | None = None) -> dict[str, Any]:
    sheet = game.narrator.sheet
    assert sheet is not None
    rules = sheet.match
    return {
        "deal": 0,
        "scores": list(scores or [0] * game.seats),
        "to": rules.to,
        "deals": rules.deals,
        "ties": rules.ties,
        "down": rules.down,
        "highest": game.program.scoring.highest,
        "names": [game.narrator.seat(seat) for seat in range(game.seats)],
    }


def choice(name: str, decisions: int, number: int = 1, scores: Sequence[int] | None = None) -> Observation:
    """A real choice of a deal, the first alternative taken each time before."""
    state: BaseState = native(name).deal(9, number)
    while state.decisions < decisions or state.choices == 1:
        state.play(0)
    assert state.to_move is not None
    return state.observe(state.to_move, match_of(native(name), scores))
