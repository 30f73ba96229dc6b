"""Takes consistent histories away, to see what players do without them."""

from __future__ import annotations

from typing import Any

import pytest

from upcard.engine.api import Observation
from upcard.players.belief.determinization import Determinizer
from upcard.players.belief.history import Inconsistent


def lose_histories(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on no player finds a consistent history."""

    def history(self: Determinizer, observation: Observation) -> Any:
        raise Inconsistent("nobody looks for one")

    monkeypatch.setattr(Determinizer, "history", history)
