"""Positions of games whose chance is drawn, and others that a seat cannot tell from them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from upcard.engine.api import IllegalMove, Move, Observation, Outcome, Record
from upcard.engine.native.game import NativeGame
from upcard.engine.rng import Stream
from upcard.engine.state import State
from upcard.lazy import lazy_property
from upcard.players.belief.determinization import Determinizer
from upcard.players.belief.history import Inconsistent
from upcard.recycle.diagnostics import Refused
from upcard.rl.game_codes import GameCodes
from upcard.rl.seat_views import SeatViews


class NotResampled(Refused):
    """A position of which no other deal was found that shows the seat the same."""


class SampledDeals:
    """Draws deals of one game."""

    def __init__(self, codes: GameCodes, seed: int) -> None:
        """A negative seed stands for a new one."""
        self.codes = codes
        self._random = random.Random(seed if seed >= 0 else None)
        self.seed = self._random.getrandbits(31) if seed < 0 else seed

    def draw(self) -> State:
        return self.codes.game.deal(self.seed, self._random.getrandbits(31), limits=self.codes.limits)


class DealNode:
    """Before the deal: chance has one outcome, which stands for all deals."""

    seat = None
    outcome = None
    probabilities: Sequence[Fraction] = (Fraction(1),)

    def __init__(self, deals: SampledDeals) -> None:
        self._deals = deals

    def child(self, number: int) -> StateNode:
        if number != 0:
            raise IllegalMove(f"the deal has one outcome, 0, not {number}")
        return StateNode(self._deals.codes, self._deals.draw())

    def text(self, number: int) -> str:
        return "deal"

    def __deepcopy__(self, memo: object) -> DealNode:
        return self


class StateNode(SeatViews):
    """A position with a state of its own."""

    def __init__(self, codes: GameCodes, state: State, is_resampled: bool = False) -> None:
        """The record of a resampled state says that its shuffles were given; no seat is to see that."""
        super().__init__()
        self._codes, self._state, self._is_resampled = codes, state, is_resampled
        self.seat = state.to_move
        self.outcome: Outcome | None = state.outcome

    @lazy_property
    def legal(self) -> dict[int, Move]:
        """By its number, a move for each action."""
        if self.seat is None:
            return {}
        # moves that the seat cannot tell apart come in random order
        return {action: moves[0] for action, moves in self._codes.moves(self.observation(self.seat)).items()}

    def child(self, action: int) -> StateNode:
        """The position after an action. Raises `IllegalMove`."""
        if action not in self.legal:
            raise IllegalMove(f"action {action} is not possible here")
        return StateNode(self._codes, self._state.after(self.legal[action]), self._is_resampled)

    def _observe(self, seat: int) -> Observation:
        seen = self._state.observe(seat)
        if not self._is_resampled:
            return seen
        return replace(seen, records=tuple(map(_drawn, seen.records)))

    def resampled(self, seat: int, draw: Callable[[], float]) -> StateNode:
        """A position that the seat cannot tell from this one: its unknown cards are dealt anew.

        Raises `NotResampled` where none is found.
        """
        game = self._codes.game
        if not isinstance(game, NativeGame):
            raise NotResampled(f"{game.name} is played by the reference engine, which cannot deal anew")
        try:
            worlds = Determinizer(game).worlds(self.observation(seat))
        except Inconsistent as error:
            raise NotResampled(f"no other deal shows seat {seat} the same: {error}") from None
        for _ in worlds.sample(Stream((int(draw() * (1 << 31)),))):
            number, orders, indices = worlds.last_world()
            given = self.observation(seat).records[0].get("given", {})
            state = game.deal(0, number, stacked=orders, limits=self._codes.limits, given=given)
            for index in indices:
                state.play(index)
            return StateNode(self._codes, state, is_resampled=True)
        raise NotResampled(f"no other deal shows seat {seat} the same")

    def __deepcopy__(self, memo: object) -> StateNode:
        return self  # nothing plays on its state

    def __reduce__(self) -> Any:
        return StateNode, (self._codes, self._state, self._is_resampled)


def _drawn(record: Record) -> Record:
    """A line of a record as it is if shuffles are drawn."""
    if "actions" in record:
        return {**record, "actions": [_drawn(action) for action in record["actions"]]}
    if record["do"] == "shuffle":
        return {name: value for name, value in record.items() if name != "given"}
    return record
