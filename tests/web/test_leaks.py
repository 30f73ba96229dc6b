"""A seat gets the same bytes through its socket for two deals that it cannot tell apart."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.web.leaks import Compared, compare

from upcard.engine.loader import load


@pytest.mark.parametrize("game", ["euchre", "oh-hell", "go-fish", "golf-six"])
def test_exchanged_cards_change_no_byte(game: str, tmp_path: Path) -> None:
    found = Compared()
    compare(load(game), 1, 1, 1, found, tmp_path)
    assert not found.leaks
    assert found.pairs
    assert found.messages
