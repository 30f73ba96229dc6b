"""What the seats see in one position, and what was made of it; computed on first use."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, TypeVar

from upcard.engine.api import Observation

T = TypeVar("T")


class SeatViews(ABC):
    """A position that does not change."""

    def __init__(self) -> None:
        self._observations: dict[int, Observation] = {}
        self._views: dict[Any, Any] = {}

    @abstractmethod
    def _observe(self, seat: int) -> Observation:
        """What a seat sees."""

    def observation(self, seat: int) -> Observation:
        if seat not in self._observations:
            self._observations[seat] = self._observe(seat)
        return self._observations[seat]

    def view(self, seat: int, make: Callable[[Observation], T]) -> T:
        """What a function makes of a seat's observation."""
        key = (seat, make)
        if key not in self._views:
            self._views[key] = make(self.observation(seat))
        made: T = self._views[key]
        return made
