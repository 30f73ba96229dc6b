"""Hints and reviews, computed in a thread from what the person sees or saw."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import ParamSpec, TypeVar

from upcard.engine.api import Record
from upcard.engine.shared.game import LoadedGame
from upcard.match.match_play import Table
from upcard.recycle.diagnostics import Refused
from upcard.terminal.advice import advise
from upcard.terminal.opponent_levels import adviser
from upcard.terminal.review import review
from upcard.terminal.review_walk import positions
from upcard.terminal.seat_view import View
from upcard.terminal.table_narrator import TableNarrator
from upcard.terminal.table_view import make_view
from upcard.web.messages import Advice, Reviewed
from upcard.web.room_state import Denied

ROOM = 72
"""Columns of the table of values."""
MAX_WAITING = 16


P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class FinishedRecord:
    """The record of a match, one of its finished deals, and a person in it."""

    table: Table
    lines: Sequence[Record]
    deal: int
    person: int


class Hints:
    """One hint or review at a time for the whole server; the others wait."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="hint")
        self._waiting = 0

    async def advise(self, view: View, game: LoadedGame, turn: str) -> Advice:
        return await self._work(_advise, view, game, turn)

    async def review(self, game: LoadedGame, deal: FinishedRecord, number: int) -> Reviewed:
        return await self._work(_review, game, deal, number)

    async def _work(self, work: Callable[P, T], *given: P.args, **more: P.kwargs) -> T:
        if self._waiting >= MAX_WAITING:
            raise Denied("too many people want advice at once; try again in a moment")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, partial(work, *given, **more))
        except Refused as error:
            raise Denied(f"there is no advice here: {error}") from None
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


def _review(game: LoadedGame, record: FinishedRecord, number: int) -> Reviewed:
    """Every decision of the person in the deal, from what the person saw then."""
    first = record.lines[0]
    seat = record.table.seating(int(first["seed"]), int(first["match"]), record.deal).seat(record.person)
    seen = []
    for step in positions(record.table, record.lines, record.deal):
        if step.observation.seat == seat:
            view = make_view(step.observation, TableNarrator.at(game.narrator, step.observation))
            seen.append((view, step.move))
    seated = adviser(game)
    found = review(game, seen, seated.make(0, 0, seat), seated.kind)
    return Reviewed(number, [*found.lines])
