"""Hints for the person to move, computed in a thread from what the person sees."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from upcard.engine.shared.game import LoadedGame
from upcard.recycle.diagnostics import Refused
from upcard.terminal.advice import advise
from upcard.terminal.opponent_levels import adviser
from upcard.terminal.seat_view import View
from upcard.web.messages import Advice
from upcard.web.room_state import Denied

ROOM = 72
"""Columns of the table of values."""
MAX_WAITING = 16


class Hints:
    """One hint at a time for the whole server; the others wait."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="hint")
        self._waiting = 0

    async def advise(self, view: View, game: LoadedGame, turn: str) -> Advice:
        if self._waiting >= MAX_WAITING:
            raise Denied("too many people want a hint at once; try again in a moment")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, _advise, view, game, turn)
        except Refused as error:
            raise Denied(f"there is no hint here: {error}") from None
        finally:
            self._waiting -= 1

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)


def _advise(view: View, game: LoadedGame, turn: str) -> Advice:
    seated = adviser(game)
    # a seed of its own: the hint depends on what the person sees and on nothing else
    advice = advise(view, game, seated.make(0, 0, view.observation.seat), seated.kind)
    best = next((o.number for o in view.options if o.move.key == advice.hint.best.key), 0)
    lines = [*advice.hint.reasons, *advice.table(ROOM), advice.legend()]
    return Advice(turn, best, [line for line in lines if line])
