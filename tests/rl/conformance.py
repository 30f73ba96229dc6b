"""The conformance tests of PettingZoo, Gymnasium and OpenSpiel, on any game.

    python -m tests.rl.conformance                  all games of the library; some minutes
    python -m tests.rl.conformance hearts whist     these
    python -m tests.rl.conformance --values         values of solved games in OpenSpiel; ten minutes

The suite runs them on a few games.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import upcard
from upcard.rl import gymnasium_env, pettingzoo_env, pettingzoo_parallel_env, register_openspiel

KNOWN_WARNINGS = (
    # of api_test, which does not know observations with a mask, though PettingZoo's own games have them
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
    "Observation is not a NumPy array",
    # of check_env, which would rather have rewards between known numbers
    "A Box observation space",
)
ROTATING = {"agram", "goofspiel", "slobberhannes", "whist"}
"""Games in which all seats act equally often from the first decision on, as max_cycles_test assumes."""


MOST = 60
"""Decisions of a game; random_sim_test takes long for long ones."""


def pettingzoo(name: str, cycles: int) -> None:
    """Environments in turns and in parallel."""
    from pettingzoo.test import (
        api_test,
        max_cycles_test,
        parallel_api_test,
        parallel_seed_test,
        render_test,
        seed_test,
    )

    api_test(pettingzoo_env(name), cycles)
    seed_test(lambda: pettingzoo_env(name), cycles)
    render_test(lambda render_mode=None: pettingzoo_env(name, render_mode=render_mode))
    parallel_api_test(pettingzoo_parallel_env(name), cycles)
    parallel_seed_test(lambda: pettingzoo_parallel_env(name), cycles)
    if name in ROTATING:
        max_cycles_test(
            SimpleNamespace(
                env=lambda max_cycles: pettingzoo_env(name, max_cycles=max_cycles),
                parallel_env=lambda max_cycles: pettingzoo_parallel_env(name, max_cycles=max_cycles),
            )
        )


def gymnasium(name: str) -> None:
    """The first and the last seat. Actions drawn before a reset need not be possible after it."""
    from gymnasium.utils.env_checker import check_env

    for seat in {0, upcard.load(name).seats - 1}:
        env = gymnasium_env(name, seat, illegal_reward=-1.0)
        with contextlib.suppress(upcard.BadArgument):  # a seat that never decides
            env.reset(seed=1)
            check_env(env, skip_render_check=True)


def openspiel(name: str, games: int) -> None:
    """Deals drawn, and in small games every outcome of chance."""
    import pyspiel

    register_openspiel()
    for chance in ("auto", "sampled"):
        game = pyspiel.load_game("upcard", {"game": name, "chance": chance, "seed": 1, "max_decisions": MOST})
        is_explicit = game.get_type().chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
        # OpenSpiel 2.0 wants to store the stream of drawn deals, and does not let games in Python do so
        pyspiel.random_sim_test(game, num_sims=games, serialize=is_explicit, verbose=False)
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[-1])
            assert str(game.deserialize_state(state.serialize())) == str(state)


def values() -> None:
    """Published values of Kuhn poker and Leduc hold'em, by OpenSpiel's algorithms and by our solutions."""
    import pyspiel

    register_openspiel()
    for name, value, uniform, within in (
        ("kuhn-poker", -1 / 18, 0.458333, 0.001),
        ("leduc-holdem", -0.085606, 2.373611, 0.003),
    ):
        game = pyspiel.load_game("upcard", {"game": name})
        found = pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game)) / 2
        say(f"{name}: uniform play has an exploitability of {found:.6f}", abs(found - uniform) < 1e-6)
        ours, gained = solution_in_openspiel(game, upcard.solve.run(name))
        say(f"{name}: our solution has a value of {ours:.6f}", abs(ours - value) < 1e-6)
        say(f"{name}: NashConv of our solution is {gained:.1e}", gained < 4e-6)
        solver = pyspiel.CFRPlusSolver(game)
        for _ in range(400):
            solver.evaluate_and_update_policy()
        average = solver.average_policy()
        theirs = pyspiel.expected_returns(game.new_initial_state(), average, -1, True)[0]
        say(f"{name}: 400 iterations of its CFR+ give a value of {theirs:.6f}", abs(theirs - value) < within)


def solution_in_openspiel(game: Any, solution: upcard.solve.Solution) -> tuple[float, float]:
    """The value of a solution for the first seat, and its NashConv, as OpenSpiel computes them."""
    from open_spiel.python import policy
    from open_spiel.python.algorithms import expected_game_score, exploitability

    encoding = game.upcard_game.encoding
    followed = policy.TabularPolicy(game)
    assert len(followed.states) == solution.information_sets
    for state, row in zip(followed.states, followed.action_probability_array, strict=True):
        seen = state.node.observation(state.current_player())
        row[:] = 0
        for move in seen.moves:
            row[encoding.action_of(move, seen)] += solution.strategy[seen.key][move.key]
    both = [followed] * game.num_players()
    found = expected_game_score.policy_value(game.new_initial_state(), both)
    return float(found[0]), float(exploitability.nash_conv(game, followed))


def say(text: str, is_right: bool) -> None:
    print(f"{text}{'' if is_right else ': WRONG'}", flush=True)
    assert is_right, text


CHECKS: dict[str, Callable[[str], None]] = {
    "pettingzoo": lambda name: pettingzoo(name, 200),
    "gymnasium": gymnasium,
    "openspiel": lambda name: openspiel(name, 1),
}


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """What the libraries print is kept back; their warnings are errors, but for those that are known."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("error")
        for text in KNOWN_WARNINGS:
            warnings.filterwarnings("ignore", message=text)
        yield


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.rl.conformance", description=__doc__)
    parser.add_argument("games", nargs="*", default=upcard.games())
    parser.add_argument("--only", choices=CHECKS, help="the tests of one library")
    parser.add_argument("--values", action="store_true", help="known values of solved games instead")
    given: Any = parser.parse_args(arguments)
    if given.values:
        values()
        return 0
    failed = 0
    for name in given.games:
        for library, check in CHECKS.items():
            if given.only not in (None, library):
                continue
            started = time.process_time()
            try:
                with quiet():
                    check(name)
                found = "passed"
            except Exception as error:
                failed += 1
                found = f"FAILED: {type(error).__name__}: {error}"
            print(f"{name:20} {library:12} {time.process_time() - started:6.1f} s  {found}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
