"""Traces of games: which seat chose among how many moves, decision by decision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from upcard.engine.api import Ending, Failure
from upcard.engine.rng import PLAYER, Stream
from upcard.engine.shared.state import BaseState
from upcard.simulate.summary import Row


class Trace(NamedTuple):
    """One game, decision by decision."""

    ending: Ending
    seats: tuple[int, ...]
    choices: tuple[int, ...]
    scores: tuple[int, ...] | None
    """None if the game failed."""
    failure: Failure | None = None

    def winners(self, highest: bool) -> tuple[int, ...]:
        return winners_of(self.scores, highest) if self.scores is not None else ()

    def row(self, highest: bool) -> Row:
        """The game without its single decisions."""
        return Row(
            self.ending,
            len(self.choices),
            sum(self.choices),
            self.choices.count(1),
            self.scores,
            self.winners(highest),
            self.failure,
            slope_of(self.choices),
        )


def trace_game(state: BaseState) -> Trace:
    """Plays a deal from its beginning with a random player in every seat."""
    streams = [Stream((state.seed, state.number, PLAYER, seat)) for seat in range(state.game.seats)]
    seats, choices = [], []
    while (seat := state.to_move) is not None:
        seats.append(seat)
        choices.append(state.choices)
        state.play(streams[seat].below(state.choices))
    outcome = state.outcome
    assert outcome is not None
    return Trace(outcome.ending, tuple(seats), tuple(choices), outcome.scores, outcome.failure)


def winners_of(scores: Sequence[int], highest: bool) -> tuple[int, ...]:
    """The seats with the best score."""
    best = max(scores) if highest else min(scores)
    return tuple(seat for seat, score in enumerate(scores) if score == best)


def slope_of(choices: Sequence[int]) -> int:
    """The slope of the least-squares line through the points (1, first), (2, second), ..., times
    `slope_scale`: a whole number."""
    weighted = sum(number * offered for number, offered in enumerate(choices, 1))
    return 12 * weighted - 6 * (len(choices) + 1) * sum(choices)


def slope_scale(decisions: int) -> int:
    """The divisor of a slope; below two points the slope is 0, whatever the divisor."""
    return decisions * (decisions * decisions - 1) if decisions > 1 else 1
