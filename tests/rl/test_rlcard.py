"""RLCard-style environments: its states and methods, and nothing that a seat does not know."""

from __future__ import annotations

import random
from typing import Any

import pytest

pytest.importorskip("numpy", reason="numpy is not installed here")

import upcard
from upcard.rl import rlcard_env


class Agent:
    """As agents of RLCard are."""

    use_raw = False

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def step(self, state: dict[str, Any]) -> int:
        actions: list[int] = [*state["legal_actions"]]
        return self.rng.choice(actions)

    def eval_step(self, state: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        return self.step(state), {}


class RawAgent(Agent):
    use_raw = True

    def eval_step(self, state: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        return self.rng.choice(state["raw_legal_actions"]), {}


def test_a_game_by_agents() -> None:
    env = rlcard_env("euchre", seed=1)
    env.set_agents([Agent(1), RawAgent(2), Agent(3), Agent(4)])
    trajectories, payoffs = env.run()
    assert env.is_over()
    assert payoffs.shape == (4,)
    assert payoffs.sum() == 0
    for trajectory in trajectories:
        assert len(trajectory) % 2 == 1  # states and actions in turn, and a last state
        for state, action in zip(trajectory[:-1:2], trajectory[1::2], strict=True):
            assert action in state["legal_actions"] or action in state["raw_legal_actions"]
            assert state["obs"].shape == (env.state_shape[0][0],)
            assert len(state["raw_legal_actions"]) == len(state["legal_actions"])
    again = rlcard_env("euchre", seed=1)
    again.set_agents([Agent(1), RawAgent(2), Agent(3), Agent(4)])
    assert (again.run(is_training=False)[1] == payoffs).all()


def test_the_record_of_actions_hides_what_the_seat_does_not_see() -> None:
    env = rlcard_env("euchre", seed=1)
    env.reset()
    env.step(0)
    env.step("order it up", raw_action=True)
    state, _ = env.step(env.get_state(3)["raw_legal_actions"][0], raw_action=True)
    assert [seat for seat, _ in state["action_record"]] == [0, 1, 3]
    assert state["action_record"][1] == (1, "West orders it up")
    discarded = env.get_state(3)["action_record"][2][1]
    assert any(suit in discarded for suit in "♠♥♦♣")
    assert state["action_record"][2] == (3, "East discards a card")


def test_a_step_back_is_the_position_before() -> None:
    env = rlcard_env("leduc-holdem", seed=2, allow_step_back=True)
    before, player = env.reset()
    assert env.step_back() is None
    env.step(next(iter(before["legal_actions"])))
    found = env.step_back()
    assert found is not None
    after, again = found
    assert again == player == env.get_player_id()
    assert (after["obs"] == before["obs"]).all()
    assert after["action_record"] == before["action_record"] == []
    assert env.timestep == 0


def test_bad_input() -> None:
    env = rlcard_env("euchre", seed=1)
    with pytest.raises(upcard.EnvironmentMisuse, match="call set_agents"):
        env.run()
    with pytest.raises(upcard.BadArgument, match="euchre has 4 seats, not 1 agents"):
        env.set_agents([Agent(1)])
    env.reset()
    with pytest.raises(upcard.IllegalMove, match="'fly' is not possible here; choose from pass"):
        env.step("fly", raw_action=True)
    with pytest.raises(upcard.IllegalMove, match="is not possible here"):
        env.step(61)
    with pytest.raises(upcard.BadArgument, match="there is no seat 4"):
        env.get_state(4)
    with pytest.raises(upcard.EnvironmentMisuse, match="allow_step_back=True"):
        env.step_back()
    env.close()
    with pytest.raises(upcard.EnvironmentMisuse, match="this environment is closed"):
        env.reset()
