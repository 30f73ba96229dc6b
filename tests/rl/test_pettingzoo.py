"""PettingZoo environments: its own conformance tests, and that they play the games of the engine."""

from __future__ import annotations

import random

import pytest

pytest.importorskip("pettingzoo", reason="pettingzoo is not installed here")

import numpy as np
from tests.rl.conformance import pettingzoo, quiet

import upcard
from upcard.rl import pettingzoo_env, pettingzoo_parallel_env


@pytest.mark.parametrize("name", ["kuhn-poker", "euchre", "whist"])
def test_conformance(name: str) -> None:
    with quiet():
        pettingzoo(name, 50)


def test_it_is_the_same_game() -> None:
    game, rng = upcard.load("euchre"), random.Random(1)
    env = pettingzoo_env(game)
    env.reset(seed=5, options={"deal": 3})
    state = game.deal(5, 3)
    while state.to_move is not None:
        seat = state.to_move
        assert env.agent_selection == f"player_{seat}"
        seen = state.observe(seat)
        observation, reward, termination, truncation, info = env.last()
        assert (reward, termination, truncation) == (0, False, False)
        assert observation["observation"].tobytes() == game.encoding.encode(seen)
        assert bytes(observation["action_mask"]) == game.encoding.mask(seen) == bytes(info["action_mask"])
        assert not env.observe(f"player_{(seat + 1) % 4}")["action_mask"].any()
        action = rng.choice([n for n, possible in enumerate(observation["action_mask"]) if possible])
        env.step(action)
        state.play(game.encoding.move_of(action, seen))
    assert state.outcome is not None
    scores = state.outcome.scores or ()
    mean = sum(scores) / 4
    assert env.rewards == {f"player_{seat}": score - mean for seat, score in enumerate(scores)}
    assert all(env.terminations.values())
    for _ in range(4):
        env.step(None)
    assert env.agents == []


@pytest.mark.parametrize("reward, expected", [("rank", {1.0, -1.0}), ("points", {-2.0, 2.0})])
def test_rewards(reward: str, expected: set[float]) -> None:
    env = pettingzoo_env("kuhn-poker", reward=reward)
    found = set()
    for deal in range(20):
        env.reset(seed=1, options={"deal": deal})
        while not all(env.terminations.values()):
            env.step(env.action_space(env.agent_selection).sample())
        found |= set(env.rewards.values())
    assert expected <= found


def test_deals_follow_each_other() -> None:
    first, second = pettingzoo_env("euchre"), pettingzoo_env("euchre")
    first.reset(seed=4)
    first.reset()
    second.reset(seed=4, options={"deal": 1})
    seen, same = first.last()[0], second.last()[0]
    assert (seen["observation"] == same["observation"]).all()


def test_a_game_that_is_cut_off_is_truncated() -> None:
    env = pettingzoo_env("euchre", max_cycles=1)
    env.reset(seed=1)
    for _ in range(4):
        assert not any(env.truncations.values())
        env.step(env.action_space(env.agent_selection).sample())
    assert all(env.truncations.values())
    assert not any(env.terminations.values())


def test_human_rendering_prints(capsys: pytest.CaptureFixture[str]) -> None:
    env = pettingzoo_env("euchre", render_mode="human")
    env.reset(seed=7)
    assert env.render() is None
    assert "is turned up" in capsys.readouterr().out
    assert pettingzoo_env("euchre").render() is None


def test_in_parallel_all_but_one_wait() -> None:
    env = pettingzoo_parallel_env("kuhn-poker")
    observations, _ = env.reset(seed=1)
    assert [list(seen["action_mask"]) for seen in observations.values()] == [[1, 1, 0, 0, 0], [0, 0, 0, 0, 1]]
    with pytest.raises(upcard.IllegalMove, match="player_1 is not to move and must wait: action 4"):
        env.step({"player_0": 0, "player_1": 0})
    with pytest.raises(upcard.BadArgument, match="an action of player_1 is missing"):
        env.step({"player_0": 0})
    observations, rewards, terminations, _, _ = env.step({"player_0": 0, "player_1": 4})
    assert rewards == {"player_0": 0, "player_1": 0}
    assert not any(terminations.values())
    assert [list(seen["action_mask"]) for seen in observations.values()] == [[0, 0, 0, 0, 1], [1, 1, 0, 0, 0]]


def test_bad_input() -> None:
    with pytest.raises(upcard.NoSuchGame):
        pettingzoo_env("euker")
    with pytest.raises(upcard.BadArgument, match="there is no reward 'money'; choose from margin"):
        pettingzoo_env("euchre", reward="money")
    with pytest.raises(upcard.BadArgument, match="there is no render mode 'svg'; choose from ansi, human"):
        pettingzoo_env("euchre", render_mode="svg")
    with pytest.raises(upcard.BadArgument, match="max_cycles must be at least 1, not 0"):
        pettingzoo_env("euchre", max_cycles=0)
    env = pettingzoo_env("euchre")
    with pytest.raises(upcard.EnvironmentMisuse, match=r"no game yet; call reset\(\) first"):
        env.step(0)
    env.reset(seed=1)
    with pytest.raises(upcard.IllegalMove, match="is not possible here"):
        env.step(61)
    with pytest.raises(upcard.BadArgument, match="there is no action 62"):
        env.step(62)
    with pytest.raises(upcard.BadArgument, match="there is no agent 'South'; choose from player_0"):
        env.observe("South")
    with pytest.raises(upcard.BadArgument, match="a seed must be a whole number, not 'seven'"):
        env.reset(seed="seven")  # type: ignore[arg-type]
    env.step(np.int64(0))
    env.close()
    for use in (env.reset, lambda: env.step(0), lambda: env.observe("player_0")):
        with pytest.raises(upcard.EnvironmentMisuse, match="this environment is closed"):
            use()
