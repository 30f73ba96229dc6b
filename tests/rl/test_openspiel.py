"""Games in OpenSpiel: its conformance test, known values by its algorithms, the same information sets."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

pytest.importorskip("pyspiel", reason="open_spiel is not installed here")

import numpy as np
import pyspiel
from open_spiel.python import policy
from open_spiel.python.algorithms import (
    cfr,
    expected_game_score,
    exploitability,
    generate_playthrough,
    ismcts,
    mcts,
)
from tests.rl.conformance import openspiel, quiet, solution_in_openspiel

import upcard
from upcard.rl import register_openspiel
from upcard.rl.openspiel_game import OpenSpielGame


def load(name: str, **parameters: Any) -> Any:
    register_openspiel()
    return pyspiel.load_game("upcard", {"game": name, **parameters})


@pytest.mark.parametrize("name", ["kuhn-poker", "euchre"])
def test_conformance(name: str) -> None:
    with quiet():
        openspiel(name, 1)


def test_kuhn_poker_is_solved_by_openspiel() -> None:
    game = load("kuhn-poker")
    uniform = policy.UniformRandomPolicy(game)
    assert exploitability.nash_conv(game, uniform) / 2 == pytest.approx(0.458333, abs=1e-6)
    assert pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game)) / 2 == pytest.approx(0.458333, abs=1e-6)
    solver = cfr.CFRPlusSolver(game)
    for _ in range(100):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    values = expected_game_score.policy_value(game.new_initial_state(), [average, average])
    assert values[0] == pytest.approx(-1 / 18, abs=1e-3)
    assert exploitability.nash_conv(game, average) < 0.01
    assert len(average.states) == 12


def test_a_solution_of_ours_is_an_equilibrium_in_openspiel() -> None:
    """Leduc hold'em with one raise a round; `conformance --values` does the same with the whole game."""
    ours = upcard.load("leduc-holdem", rules={"raises": "one"})
    solution = upcard.solve.run(ours, target=1e-4)
    value, gained = solution_in_openspiel(load("leduc-holdem", rules="raises:one"), solution)
    assert value == pytest.approx(solution.value[0], abs=1e-6)
    assert gained == pytest.approx(2 * solution.exploitability, abs=1e-6)


def test_a_deal_that_a_seat_cannot_tell_apart() -> None:
    rng = np.random.RandomState(1)
    kuhn = load("kuhn-poker").new_initial_state()
    for action in (1, 1, 0):  # queen, king, check
        kuhn.apply_action(action)
    found = Counter(str(kuhn.resample_from_infostate(1, rng.rand)).partition(";")[0] for _ in range(100))
    assert set(found) == {"Ann: J", "Ann: Q"}
    assert min(found.values()) > 30
    euchre = load("euchre", seed=2).new_initial_state()
    hands = set()
    while not euchre.is_terminal() and euchre.move_number() < 12:
        seat = euchre.current_player()
        if seat >= 0:
            other = euchre.resample_from_infostate(seat, rng.rand)
            assert other.information_state_string(seat) == euchre.information_state_string(seat)
            assert other.information_state_tensor(seat) == euchre.information_state_tensor(seat)
            assert other.legal_actions() == euchre.legal_actions()
            hands.add(str(other) == str(euchre))
        euchre.apply_action(euchre.legal_actions()[0])
    assert False in hands


def test_search_of_openspiel_plays() -> None:
    game = load("kuhn-poker")
    state = game.new_initial_state()
    for action in (0, 1, 1):  # jack, king, bet
        state.apply_action(action)
    rollouts = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(game, rollouts, 2.0, 100, random_state=np.random.RandomState(2))
    assert state.action_to_string(1, bot.step(state)) == "call"
    searcher = mcts.MCTSBot(game, 2.0, 100, rollouts, random_state=np.random.RandomState(3))
    assert state.action_to_string(1, searcher.step(state)) == "call"


def test_a_playthrough() -> None:
    register_openspiel()
    text = generate_playthrough.playthrough("upcard(game=kuhn-poker)", [1, 1, 0, 1, 2], seed=1)
    assert 'InformationStateString(0) = "Ann: Q;' in text
    assert "Rewards() = [-1, 1]" in text
    assert "PublicObservationString" not in text  # nothing that would show a seat's own cards to all


def test_strings_are_as_fine_as_information_sets() -> None:
    game = load("kuhn-poker")
    keys: dict[str, str] = {}
    states = [game.new_initial_state()]
    while states:
        state = states.pop()
        if state.is_terminal():
            continue
        if not state.is_chance_node():
            for seat in range(2):
                text = state.information_state_string(seat)
                key = state.node.observation(seat).key
                assert keys.setdefault(text, key) == key
        states += [state.child(action) for action in state.legal_actions()]
    assert len(keys) == len(set(keys.values()))


def test_house_rules_and_rewards() -> None:
    game = load("leduc-holdem", rules="raises:one", reward="rank")
    assert isinstance(game, OpenSpielGame)
    assert (game.min_utility(), game.max_utility()) == (-1, 1)
    assert dict(game.upcard_game.program.overrides) == dict(
        upcard.load("leduc-holdem", rules={"raises": "one"}).program.overrides
    )


@pytest.mark.parametrize(
    "parameters, kind, said",
    [
        ({"game": "poker-of-mars"}, upcard.NoSuchGame, "poker-of-mars"),
        ({"game": "leduc-holdem", "rules": "raises"}, upcard.BadArgument, "rules are written as NAME:VALUE"),
        ({"game": "leduc-holdem", "rules": "raises:ten"}, upcard.RuleError, "raises"),
        ({"game": "kuhn-poker", "chance": "luck"}, upcard.BadArgument, "there is no chance 'luck'"),
        ({"game": "kuhn-poker", "reward": "money"}, upcard.BadArgument, "there is no reward 'money'"),
    ],
)
def test_bad_parameters(parameters: dict[str, str], kind: type[Exception], said: str) -> None:
    register_openspiel()
    with pytest.raises(kind, match=said):
        pyspiel.load_game("upcard", parameters)


@pytest.mark.parametrize("chance", ["explicit", "sampled"])
def test_impossible_actions(chance: str) -> None:
    state = load("kuhn-poker", chance=chance).new_initial_state()
    with pytest.raises(upcard.IllegalMove, match="outcome"):
        state.apply_action(7)
    while state.is_chance_node():
        state.apply_action(0)
    with pytest.raises(upcard.IllegalMove, match="action 3 is not possible here"):
        state.apply_action(3)
    assert state.history() == state.clone().history()
