"""A space of all actions whose samples are possible now, so that programs without masks play legal moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gymnasium.spaces import Discrete

from upcard.rl.game_codes import Mask


class PossibleActions(Discrete):
    """The numbers of all actions. Without a mask, `sample` draws one of those that are possible now."""

    def __init__(self, actions: int, possible: Callable[[], Mask | None]) -> None:
        """`possible` gives the mask, or None if nobody can act."""
        super().__init__(actions)
        self._possible = possible

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        if mask is None and probability is None:
            mask = self._possible()
        return super().sample(mask, probability)

    def __deepcopy__(self, memo: object) -> PossibleActions:
        return self
