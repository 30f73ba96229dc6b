"""Some of what `python -m tests.players.protocol_fuzz` does for as long as it is asked to."""

from __future__ import annotations

from tests.players.protocol_fuzz import fuzz


def test_every_answer_is_a_move_or_forfeits() -> None:
    found = fuzz(1500, 1)
    assert sum(found.values()) >= 1500
    assert found["a move"] > 50
    assert sum(what.startswith("forfeits: ") for what in found) >= 5
    assert found["contests that went on"] >= 1
