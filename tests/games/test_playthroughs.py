"""What every seat sees of one deal of each game is as it is kept, in both engines.

If the change is meant: `python -m tests.games.playthroughs --write`, and read the diff.
"""

from __future__ import annotations

import pytest
from tests.games.playthroughs import KEPT, compared, engines

from upcard.library import names


@pytest.mark.parametrize("name", names())
def test_views_are_as_kept(name: str) -> None:
    for game in engines(name):
        difference = compared(name, game)
        assert difference is None, f"{game.engine}: {difference}"


def test_there_is_a_playthrough_of_every_game_and_of_no_other() -> None:
    assert sorted(path.stem for path in KEPT.glob("*.txt")) == sorted(names())
    assert all(path.stat().st_size < 100_000 for path in KEPT.glob("*.txt"))
