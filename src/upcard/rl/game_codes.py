"""A game as environments see it: actions by number, observations as arrays, rewards."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from upcard.arguments import check_choice, check_whole
from upcard.engine.api import Limits, Move, Observation, Outcome
from upcard.engine.shared.game import LoadedGame
from upcard.rl.information_text import information_text, observation_text
from upcard.solve.set_description import describe
from upcard.terminal.table_narrator import TableNarrator

if TYPE_CHECKING:
    from numpy.typing import NDArray

Bytes: TypeAlias = "NDArray[np.uint8]"
Mask: TypeAlias = "NDArray[np.int8]"

REWARDS = ("margin", "points", "rank")


class GameCodes:
    """One game's."""

    def __init__(self, game: LoadedGame, reward: str = "margin", max_decisions: int | None = None) -> None:
        check_choice("reward", reward, REWARDS)
        if max_decisions is not None:
            check_whole("max_decisions", max_decisions, 1)
        self.game = game
        seats = [game.narrator.seat(seat) for seat in range(game.seats)]
        self._narrator = TableNarrator(game.narrator.sheet, game.narrator.base, seats)
        self.encoding = game.encoding
        self.reward = reward
        self.limits = Limits() if max_decisions is None else Limits(decisions=max_decisions)

    def __reduce__(self) -> tuple[type[GameCodes], tuple[LoadedGame, str, int]]:
        return GameCodes, (self.game, self.reward, self.limits.decisions)

    # --- observations --------------------------------------------------------------------------

    def observation(self, seen: Observation) -> Bytes:
        """What lies on the table, as the seat sees it."""
        return np.frombuffer(self.encoding.encode(seen), np.uint8)

    def information(self, seen: Observation) -> Bytes:
        """What the seat sees, with all that it has seen before."""
        return np.frombuffer(self.encoding.information_state(seen), np.uint8)

    @property
    def highest(self) -> Bytes:
        """The highest value of each byte of an observation."""
        highest = np.zeros(self.encoding.size, np.uint8)
        for field in self.encoding.fields:
            highest[field.offset : field.offset + field.size] = field.highest
        return highest

    def mask(self, seen: Observation) -> Mask:
        """1 for each action that the seat can take now."""
        return np.frombuffer(self.encoding.mask(seen), np.int8)

    def observation_text(self, seen: Observation) -> str:
        """What the seat sees, in words."""
        return observation_text(seen, self._narrator)

    def information_text(self, seen: Observation) -> str:
        """What the seat sees and has seen, in words and by a key."""
        return information_text(seen, self._narrator)

    def history(self, seen: Observation) -> list[tuple[int, str]]:
        """Who did what so far, as the seat saw it."""
        seats = [record["seat"] for record in seen.records if record["do"] == "decision"]
        return [*zip(seats, describe(seen, self._narrator).history, strict=True)]

    # --- actions -------------------------------------------------------------------------------

    @property
    def actions(self) -> int:
        """Number of actions."""
        return self.encoding.actions

    def move(self, action: object, seen: Observation) -> Move:
        """The move of an action. Raises `IllegalMove` for one that is not possible now."""
        if isinstance(action, np.integer):
            action = int(action)
        return self.encoding.move_of(action, seen)  # type: ignore[arg-type]

    def moves(self, seen: Observation) -> dict[int, list[Move]]:
        """By their numbers the actions that the seat can take now, each with the moves that it stands for."""
        found: dict[int, list[Move]] = {}
        for move in seen.moves:
            found.setdefault(self.encoding.action_of(move, seen), []).append(move)
        return dict(sorted(found.items()))

    # --- rewards -------------------------------------------------------------------------------

    def rewards(self, outcome: Outcome | None) -> tuple[float, ...]:
        """The reward of every seat: 0 before the end, and if the game failed."""
        if outcome is None:
            return (0.0,) * self.game.seats
        found = self.encoding.rewards(outcome)
        if self.reward == "rank":
            return found.rank
        if self.reward == "points" or len(found.points) == 1:
            return found.points
        mean = sum(found.points) / len(found.points)
        return tuple(points - mean for points in found.points)

    @property
    def bounds(self) -> tuple[float, float]:
        """Between what the rewards lie, as far as it is known."""
        return (-1.0, 1.0) if self.reward == "rank" else (-np.inf, np.inf)
