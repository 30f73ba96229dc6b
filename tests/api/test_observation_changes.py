"""What is new since an earlier observation: enough to make the later one of the earlier one, and no more."""

from __future__ import annotations

import json
import random

import pytest

import upcard
from upcard.arguments import BadArgument
from upcard.engine.api import Limits


@pytest.mark.parametrize("name", upcard.games())
def test_changes_lead_from_any_observation_to_any_later_one(name: str) -> None:
    draw = random.Random(name)
    state = upcard.load(name).deal(seed=3, limits=Limits(decisions=12))
    seat = draw.randrange(state.game.seats)
    seen = [state.observe(seat)]
    while state.to_move is not None:
        state.play(draw.randrange(len(state.moves)))
        seen.append(state.observe(seat))
    for later in range(len(seen)):
        for earlier in {0, later // 2, max(0, later - 1)}:
            found = seen[later].changes(since=seen[earlier])
            again = seen[earlier].updated(json.loads(json.dumps(found)))
            assert again == seen[later]
            assert again.key == seen[later].key
        assert seen[later].changes(since=seen[later]) == {}


def test_changes_are_small() -> None:
    state = upcard.load("euchre").deal(seed=7)
    before = state.observe(2)
    state.play(0)
    new = state.observe(2).changes(since=before)
    assert "places" not in new, "nothing moved when the first seat passed"
    assert new["decision"] == 1
    assert len(json.dumps(new)) < len(json.dumps(before.to_json())) / 10


def test_changes_are_between_observations_of_one_seat_in_one_game() -> None:
    state, other = (upcard.load("euchre").deal(seed=seed) for seed in (7, 8))
    before = state.observe(0)
    state.play(0)
    for wrong in (state.observe(1), other.observe(0), before.to_json()):
        with pytest.raises(BadArgument):
            state.observe(0).changes(since=wrong)  # type: ignore[arg-type]
    with pytest.raises(BadArgument, match="must be an earlier observation of the same seat"):
        before.changes(since=state.observe(0))
    with pytest.raises(BadArgument, match="observations have no field 'cups'"):
        before.updated({"cups": 3})
