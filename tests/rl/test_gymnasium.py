"""Gymnasium environments: its own conformance test, opponents by name, and bad input."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("gymnasium", reason="gymnasium is not installed here")

import numpy as np
from tests.rl.conformance import gymnasium, quiet

import upcard
from upcard.rl import gymnasium_env, gymnasium_vector_env


@pytest.mark.parametrize("name", ["kuhn-poker", "euchre", "cribbage"])
def test_conformance(name: str) -> None:
    with quiet():
        gymnasium(name)


class First:
    """Plays the first move, and keeps what it saw."""

    seen: list[tuple[int, int]] = []  # noqa: RUF012

    def __init__(self, seat: int, deal: int) -> None:
        self.deal = deal

    def choose(self, observation: upcard.Observation, budget: upcard.Budget) -> upcard.Decision:
        self.seen.append((self.deal, observation.seat))
        return upcard.Decision(observation.moves[0])


def test_others_play_between_the_decisions_of_the_seat() -> None:
    First.seen.clear()
    env = gymnasium_env("euchre", seat=2, opponents=First)
    observation, info = env.reset(seed=3)
    game = upcard.load("euchre")
    state = game.deal(3, 0)
    ended, total = False, 0.0
    while state.to_move is not None:
        if state.to_move == 2:
            seen = state.observe(2)
            assert observation.tobytes() == game.encoding.encode(seen)
            assert bytes(info["action_mask"]) == game.encoding.mask(seen) == bytes(env.action_masks())
            action = int(info["action_mask"].argmax())
            observation, reward, ended, truncated, info = env.step(action)
            total += reward
            assert not truncated
            state.play(game.encoding.move_of(action, seen))
        else:
            state.play(state.observe(state.to_move).moves[0])
    assert ended
    assert state.outcome is not None
    scores = state.outcome.scores or ()
    assert total == scores[2] - sum(scores) / 4
    assert {deal for deal, _ in First.seen} == {0}
    assert {seat for _, seat in First.seen} == {0, 1, 3}
    env.reset()
    assert env.unwrapped._deals.number == 1  # type: ignore[attr-defined]


def test_samples_are_possible() -> None:
    """The usual loop of a Gymnasium program plays whole games."""
    env = gymnasium_env("euchre", opponents=["random", "simple", "random"])
    env.reset(seed=1)
    for _ in range(60):
        *_, terminated, truncated, _ = env.step(env.action_space.sample())
        if terminated or truncated:
            env.reset()


def test_deals_without_a_decision_are_passed_over() -> None:
    """In Euchre the partner of who goes alone may have none, if the first seat orders up at once."""

    class Alone:
        def choose(self, observation: upcard.Observation, budget: upcard.Budget) -> upcard.Decision:
            moves = observation.moves
            return upcard.Decision(next((move for move in moves if "alone" in move.text), moves[0]))

    env = gymnasium_env("euchre", seat=2, opponents={0: Alone, 1: "random", 3: "random"})
    with pytest.raises(upcard.BadArgument, match="seat 2 of euchre had nothing to decide in 100 deals"):
        env.reset(seed=1)


def test_an_impossible_action_may_cost_the_game() -> None:
    env = gymnasium_env("euchre", illegal_reward=-3)
    env.reset(seed=1)
    _, reward, terminated, truncated, _ = env.step(61)
    assert (reward, terminated, truncated) == (-3.0, True, False)
    with pytest.raises(upcard.EnvironmentMisuse, match="the game is over"):
        env.step(0)


@pytest.mark.parametrize(
    "arguments, kind, said",
    [
        ({"seat": 4}, upcard.BadArgument, "there is no seat 4; seats are numbered 0 to 3"),
        ({"opponents": "nobody"}, upcard.NoSuchPlayer, "nobody"),
        ({"opponents": ["random"]}, upcard.BadArgument, "opponents has 1 players, but 3 other seats"),
        ({"opponents": {1: "random"}}, upcard.BadArgument, "opponents must have the seats 1, 2, 3"),
        ({"opponents": 7}, upcard.BadArgument, "a player is a name"),
        ({"reward": "money"}, upcard.BadArgument, "there is no reward 'money'"),
        ({"illegal_reward": "-1"}, upcard.BadArgument, "illegal_reward is a number or None"),
        ({"max_decisions": 0}, upcard.BadArgument, "max_decisions must be at least 1"),
        ({"render_mode": "rgb_array"}, upcard.BadArgument, "there is no render mode 'rgb_array'"),
    ],
)
def test_bad_arguments(arguments: dict[str, Any], kind: type[Exception], said: str) -> None:
    with pytest.raises(kind, match=said):
        gymnasium_env("euchre", **arguments)


def test_misuse() -> None:
    env = gymnasium_env("euchre")
    with pytest.raises(upcard.EnvironmentMisuse, match=r"call reset\(\) first"):
        env.step(0)
    env.reset(seed=1)
    with pytest.raises(upcard.IllegalMove, match="is not possible here"):
        env.step(61)
    env.close()
    with pytest.raises(upcard.EnvironmentMisuse, match="this environment is closed"):
        env.reset()


def test_rendering() -> None:
    env = gymnasium_env("euchre", render_mode="ansi")
    env.reset(seed=7)
    assert "South (you)" in str(env.render())


def test_a_vector_plays_the_games_of_its_seed() -> None:
    """Each environment is compared with the deals of the engine that it says it plays."""
    env = gymnasium_vector_env("leduc-holdem", 6, seat=1, threads=1)
    game = upcard.load("leduc-holdem")
    assert env.observation_space.shape == (6, game.encoding.size)
    observations, info = env.reset(seed=3)
    assert list(info["deal"]) == [0, 1, 2, 3, 4, 5]
    ended = 0
    for _ in range(20):
        assert observations in env.observation_space
        for n in range(6):
            decoded = game.encoding.decode(observations[n].tobytes())
            assert decoded["seat"] == decoded["to_move"] == 1
            own = game.deal(3, int(info["deal"][n])).observe(1).places["seat1.iloc.HAND"]
            assert decoded["places"]["seat1.iloc.HAND"] == [*own]
        before = info["deal"]
        observations, rewards, terminated, truncated, info = env.step(env.sample())
        over = terminated | truncated
        assert (info["deal"][over] > before[over]).all()
        assert (info["deal"][~over] == before[~over]).all()
        assert (rewards[~over] == 0).all()
        if over.any():
            assert (info["_final_obs"] == over).all()
            for last in info["final_obs"][over]:
                assert game.encoding.decode(last.tobytes())["to_move"] is None
            assert rewards[over].any()
        ended += int(over.sum())
    assert ended > 20
    first, _ = env.reset(seed=3)
    again, _ = env.reset(seed=3, options={"first": 1})
    assert (first[1:] == again[:-1]).all()
    env.close()


def test_misuse_of_a_vector() -> None:
    with pytest.raises(upcard.BadArgument, match="there is no seat 2"):
        gymnasium_vector_env("kuhn-poker", 2, seat=2)
    with pytest.raises(upcard.BadArgument, match="the number of environments must be at least 1"):
        gymnasium_vector_env("kuhn-poker", 0)
    env = gymnasium_vector_env("kuhn-poker", 2)
    env.reset(seed=1)
    with pytest.raises(upcard.IllegalMove):
        env.step(np.array([9, 9]))
    env.close()
    with pytest.raises(upcard.EnvironmentMisuse):
        env.step(np.array([0, 0]))
