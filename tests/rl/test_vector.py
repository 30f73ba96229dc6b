"""Vector environments play the deals of `Game.deal`, seen and rewarded as the reference encoding says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.rl.vector_programs import DRAWING, FAILS, GROWING, UNDECIDED, load

import upcard
from upcard.engine.state import State

np = pytest.importorskip("numpy", reason="numpy is not installed here")

COUNT = 3
SEED = 5
GAMES = {
    "euchre": "all decisions are counted from sets",
    "cuckoo": "fewest points win, five seats",
    "klaverjassen": "some decisions are listed again",
    "schwimmen": "a thousand actions, groups of cards",
    "scopa": "alternatives without numbers of their own",
    "blackjack": "deals without a decision",
}


class Stepped:
    """The same deals, played one by one through `Game.deal`."""

    def __init__(self, game: upcard.Game) -> None:
        self.game = game
        self.skipped = [0] * COUNT
        self.deals = list(range(COUNT))
        self.states = [game.deal(SEED, deal) for deal in self.deals]
        for e in range(COUNT):
            self.skip(e)

    def skip(self, e: int) -> None:
        while self.states[e].outcome is not None:
            self.skipped[e] += 1
            self.next_deal(e)

    def next_deal(self, e: int) -> None:
        self.deals[e] += COUNT
        self.states[e] = self.game.deal(SEED, self.deals[e])

    def shown(self) -> list[Any]:
        return [state.observe(mover_of(state)) for state in self.states]


def mover_of(state: State) -> int:
    assert state.to_move is not None
    return state.to_move


@pytest.mark.parametrize("name", GAMES)
def test_environments_play_the_deals_of_the_game(name: str) -> None:
    game = upcard.load(name)
    encoding = game.encoding
    both = [
        upcard.vector(game, COUNT, seed=SEED, reward="rank", threads=threads, final_observations=True)
        for threads in (1, 2)
    ]
    by_index = upcard.vector(game, COUNT, seed=SEED, reward="points", actions="index", observe=False)
    stepped, ended = Stepped(game), 0
    for _ in range(40):
        seen = stepped.shown()
        for e, observation in enumerate(seen):
            for env in both:
                assert env.observations[e].tobytes() == encoding.encode(observation)
                assert env.masks[e].tobytes() == encoding.mask(observation)
                assert env.movers[e] == observation.seat
            assert by_index.choices[e] == len(stepped.states[e].moves)
            assert by_index.deals[e] == stepped.deals[e]
            assert by_index.skipped[e] == stepped.skipped[e]
        indices = by_index.sample().copy()
        numbers = [encoding.action_of(seen[e].moves[i], seen[e]) for e, i in enumerate(indices)]
        by_index.step(indices)
        for env in both:
            assert list(env.sample()) == numbers
            env.step(numbers)
        for e, state in enumerate(stepped.states):
            state.play(int(indices[e]))
            outcome = state.outcome
            assert bool(by_index.endings[e]) == (outcome is not None)
            if outcome is None:
                assert not by_index.rewards[e].any()
                continue
            ended += 1
            rewards = encoding.rewards(outcome)
            assert tuple(by_index.rewards[e]) == rewards.points
            for env in both:
                assert tuple(env.rewards[e]) == rewards.rank
                last = encoding.encode(state.observe(seen[e].seat))
                assert env.final_observations[e].tobytes() == last
                assert env.terminated[e]
                assert not env.truncated[e]
            stepped.next_deal(e)
            stepped.skip(e)
    assert ended
    assert name != "blackjack" or any(stepped.skipped)


def test_a_hidden_card_is_chosen_by_chance(tmp_path: Path) -> None:
    """Its number stands for all cards that the chooser cannot tell apart."""
    game = load(tmp_path, DRAWING)
    encoding, places = game.encoding, set()
    env = upcard.vector(game, 64, seed=SEED)
    states = [game.deal(SEED, deal) for deal in range(64)]
    hidden = [number for number in range(encoding.actions) if "hidden" in encoding.action_text(number)]
    for _ in range(2):
        for e, state in enumerate(states):
            assert env.masks[e].tobytes() == encoding.mask(state.observe(mover_of(state)))
        actions = env.sample().copy()
        env.step()
        for e, state in enumerate(states):
            seen = state.observe(mover_of(state))
            fitting = [i for i, move in enumerate(seen.moves) if encoding.action_of(move, seen) == actions[e]]
            assert (len(fitting) == 4) == (actions[e] in hidden)
            for index in fitting:
                after = state.copy()
                after.play(index)
                if encoding.encode(after.observe(mover_of(after))) == env.observations[e].tobytes():
                    places.update([index] if actions[e] in hidden else [])
                    states[e] = after
                    break
            else:
                pytest.fail("the environment is in none of the states that the action can lead to")
    assert len(places) == 4


# --- random players ------------------------------------------------------------------------------


def played(name: str, deals: int, **given: Any) -> list[float]:
    """The sum of the scores of some deals that are played at random."""
    env = upcard.vector(name, 10, seed=SEED, **given)
    total = np.zeros(env.rewards.shape[1])
    while (env.deals < deals).any():
        counts = env.deals < deals
        env.step(env.sample())
        total += env.rewards[counts].sum(axis=0)
    return list(total)


@pytest.mark.parametrize("opponents", [None, "random", {0: "random", 2: "random"}])
def test_random_players_play_as_in_simulations(opponents: Any) -> None:
    """It does not matter who draws for them: their draws depend on the deal and the seat."""
    summary = upcard.load("hearts").simulate(20, seed=SEED)
    scores = [-tally.total for tally in summary.tallies]
    assert played("hearts", 20, opponents=opponents) == scores
    assert played("hearts", 20, opponents=opponents, actions="index", threads=3) == scores


def test_only_the_seats_that_are_left_are_asked() -> None:
    env = upcard.vector("euchre", 20, seed=SEED, opponents={1: "random", 3: "random"})
    ended = 0
    for _ in range(60):
        assert set(env.movers) <= {0, 2}
        env.step(env.sample())
        ended += int(env.terminated.sum())
    assert ended
    others = dict.fromkeys((0, 1, 3), "random")
    alone = upcard.vector("euchre", 20, seed=SEED, opponents=others, reward="margin")
    for _ in range(100):
        assert (alone.movers == 2).all()
        alone.step(alone.sample())
    # the partner of a seat that plays alone is not asked, so some deals pass without the caller
    assert alone.skipped.sum() > 0
    assert alone.skipped_rewards.any()
    assert abs(alone.skipped_rewards.sum()) < 1e-9


# --- results -------------------------------------------------------------------------------------


def everything(env: upcard.VectorEnvironment) -> list[bytes]:
    return [
        array.tobytes()
        for array in (
            *(env.observations, env.masks, env.rewards, env.terminated, env.truncated, env.endings),
            *(env.movers, env.choices, env.deals, env.skipped, env.skipped_rewards),
        )
    ]


@pytest.mark.parametrize("name", ["euchre", "klaverjassen"])
def test_results_do_not_depend_on_the_number_of_threads(name: str) -> None:
    environments = [upcard.vector(name, 50, seed=SEED, threads=threads) for threads in (1, 2, 7)]
    for _ in range(30):
        for env in environments:
            env.step(env.sample())
        first, *others = map(everything, environments)
        assert all(other == first for other in others)


def test_a_reset_begins_anew() -> None:
    env = upcard.vector("euchre", 30, seed=SEED, first=7)
    begun = everything(env)
    for _ in range(40):
        env.step(env.sample())
    assert everything(env) != begun
    env.reset()
    assert everything(env) == begun
    other = upcard.vector("euchre", 30, seed=9, first=2)
    env.reset(seed=9, first=2)
    assert everything(env) == everything(other)


def test_rewards_in_points_margins_and_ranks() -> None:
    environments = {
        name: upcard.vector("hearts", 5, seed=SEED, reward=name, threads=1)
        for name in ("points", "margin", "rank")
    }
    for _ in range(64):
        for env in environments.values():
            env.step(env.sample())
    points = environments["points"].rewards
    assert (points <= 0).all()
    assert points.any()
    assert np.allclose(environments["margin"].rewards, points - points.mean(axis=1, keepdims=True))
    worse = (points[:, :, None] > points[:, None, :]).sum(axis=2)
    better = (points[:, :, None] < points[:, None, :]).sum(axis=2)
    assert np.allclose(environments["rank"].rewards, (worse - better) / 3)


def test_the_number_of_the_deal_is_given_to_programs_that_ask() -> None:
    """Hearts passes to another seat in every deal."""
    env = upcard.vector("hearts", 8, seed=SEED, first=2)
    state = upcard.load("hearts").deal(SEED, 5)
    assert env.observations[3].tobytes() == state.game.encoding.encode(state.observe(mover_of(state)))


def test_a_game_that_reaches_a_limit_is_truncated() -> None:
    env = upcard.vector("euchre", 4, seed=SEED, limits=upcard.Limits(decisions=3))
    for _ in range(2):
        env.step(env.sample())
        assert not env.truncated.any()
    env.step(env.sample())
    assert env.truncated.all()
    assert not env.terminated.any()
    assert set(env.endings) == {3}
    assert list(env.deals) == [4, 5, 6, 7]


def test_a_game_that_fails_is_flagged_and_not_rewarded(tmp_path: Path) -> None:
    game = load(tmp_path, FAILS)
    env = upcard.vector(game, 4)
    flagged = 0
    for _ in range(30):
        env.step(env.sample())
        failed = env.endings == 4
        assert (env.truncated == failed).all()
        assert not env.rewards[failed].any()
        flagged += int(failed.sum())
    assert flagged > 10


def test_a_program_without_an_encoding_is_stepped_by_index(tmp_path: Path) -> None:
    game = load(tmp_path, GROWING)
    with pytest.raises(upcard.Refused, match="no encoding of fixed size"):
        upcard.vector(game, 2)
    env = upcard.vector(game, 2, actions="index")
    assert env.observations.shape == (2, 0)
    for _ in range(4):
        assert not env.terminated.any()
        env.step(env.sample())
    assert env.terminated.all()
    assert (env.rewards == [0, 1]).all()


def test_a_game_without_decisions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(upcard.Refused, match="10,000 deals"):
        upcard.vector(load(tmp_path, UNDECIDED), 2)
