"""Random games one by one, as rows."""

from __future__ import annotations

from collections.abc import Iterator

from upcard.engine.api import Limits
from upcard.engine.native.playout_code import playouts
from upcard.engine.shared.game import LoadedGame
from upcard.simulate.native_batch import Batch
from upcard.simulate.random_games import play_out
from upcard.simulate.summary import Row, Summary

__all__ = ["Row", "Summary", "native_rows", "play_out"]


def native_rows(
    game: LoadedGame, games: int, seed: int, limits: Limits | None = None, workers: int | None = None
) -> Iterator[Row]:
    """In deal order, from machine code. Raises `NoMachineCode` at once for what it does not take."""
    batch = Batch(playouts(game.program, game.facts), seed, limits or Limits())
    return batch.rows(games, workers)
