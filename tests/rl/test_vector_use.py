"""How vector environments are used, and misused: memory, threads, forks, interrupts, wrong arguments."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import upcard
from upcard import EnvironmentMisuse, VectorEnvironment
from upcard.arguments import BadArgument
from upcard.engine.api import IllegalMove
from upcard.rl.thread_team import ThreadTeam

np = pytest.importorskip("numpy", reason="numpy is not installed here")

ARRAYS = (
    "actions observations masks movers choices rewards terminated truncated endings final_observations deals"
    " skipped skipped_rewards"
).split()


@pytest.fixture
def env() -> VectorEnvironment:
    return upcard.vector("kuhn-poker", 4, seed=1, final_observations=True)


# --- arrays --------------------------------------------------------------------------------------


def test_arrays_are_memory_that_machine_code_writes(env: VectorEnvironment) -> None:
    arrays = {name: getattr(env, name) for name in ARRAYS}
    shared = {name: np.from_dlpack(array) for name, array in arrays.items()}
    seen = env.observations.copy()
    env.step(env.sample())
    for name, array in arrays.items():
        assert getattr(env, name) is array
        assert np.shares_memory(array, shared[name])
        assert (array == shared[name]).all()
    assert (env.observations != seen).any()


def test_steps_give_the_arrays_of_the_environment(env: VectorEnvironment) -> None:
    step = env.step([0, 1, 0, 1])
    assert step.observations is env.observations
    assert [getattr(step, name) is getattr(env, name) for name in step._fields] == [True] * len(step)
    env.actions[:] = env.sample()
    assert env.step() is step


def test_arrays_outlive_their_environment(env: VectorEnvironment) -> None:
    observations, kept = env.observations, env.observations.tobytes()
    env.close()
    del env
    assert observations.tobytes() == kept


MEASURED = """
import numpy, resource, sys
import upcard
resident = lambda: int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize()
small = upcard.vector("euchre", 1)
small.step(small.sample())
before = resident()
env = upcard.vector("euchre", 4096, final_observations=True, threads=2)
for _ in range(60):
    env.step(env.sample())
print(resident() - before)
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
def test_memory_of_4096_environments_of_euchre() -> None:
    """Well below 64 MB, whatever they are playing."""
    run = subprocess.run([sys.executable, "-c", MEASURED], capture_output=True, text=True, check=True)
    taken = int(run.stdout)
    assert 4096 * 1000 < taken < 16 << 20


# --- wrong arguments -----------------------------------------------------------------------------

WRONG: dict[str, tuple[Callable[[], Any], str]] = {
    "none": (lambda: upcard.vector("euchre", 0), "the number of environments must be at least 1, not 0"),
    "too many": (lambda: upcard.vector("euchre", 1 << 40), "must be at most 16,777,216"),
    "half": (lambda: upcard.vector("euchre", 1.5), "must be a whole number, not 1.5"),  # type: ignore[arg-type]
    "seed": (lambda: upcard.vector("euchre", 1, seed="a"), "a seed must be a whole number"),  # type: ignore[arg-type]
    "first": (lambda: upcard.vector("euchre", 1, first=-1), "the first deal must be at least 0"),
    "threads": (lambda: upcard.vector("euchre", 1, threads=0), "threads must be at least 1"),
    "reward": (lambda: upcard.vector("euchre", 1, reward="money"), "reward must be points, margin or rank"),  # type: ignore[arg-type]
    "actions": (lambda: upcard.vector("euchre", 1, actions="words"), "actions must be ids or index"),  # type: ignore[arg-type]
    "limits": (lambda: upcard.vector("euchre", 1, limits=5), "limits must be of type Limits"),  # type: ignore[arg-type]
    "a game": (lambda: upcard.vector(7, 1), "a game is a name, a path or a loaded game"),  # type: ignore[arg-type]
    "player": (
        lambda: upcard.vector("euchre", 1, opponents={1: "flat"}),
        "inside an environment seats play at random, not as 'flat'",
    ),
    "seat": (lambda: upcard.vector("euchre", 1, opponents={4: "random"}), "there is no seat 4"),
    "nobody": (
        lambda: upcard.vector("kuhn-poker", 1, opponents={0: "random", 1: "random"}),
        "leave one of them to yourself",
    ),
    "opponents": (
        lambda: upcard.vector("euchre", 1, opponents="best"),
        'opponents are "random" or a dictionary',
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_argument_is_one_sentence(case: str) -> None:
    make, sentence = WRONG[case]
    with pytest.raises(BadArgument) as caught:
        make()
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("given", [[0, 0, 0], [[0], [0], [0], [0]], [0.0] * 4, ["pass"] * 4, [True] * 4])
def test_actions_of_another_shape_or_type_are_refused(env: VectorEnvironment, given: Any) -> None:
    with pytest.raises(BadArgument, match="actions are 4 whole numbers, one for each environment"):
        env.step(given)


@pytest.mark.parametrize("actions", ["ids", "index"])
@pytest.mark.parametrize("wrong", [-1, 4, 5, 1 << 40, -(1 << 63)])
def test_an_illegal_action_plays_nothing(actions: Any, wrong: int) -> None:
    env = upcard.vector("euchre", 4, seed=1, actions=actions)
    before = [getattr(env, name).tobytes() for name in ARRAYS[1:]]
    with pytest.raises(
        IllegalMove, match=f"^{wrong} is not an action of environment 2, whose actions are 0, "
    ):
        env.step([0, 0, wrong, 0])
    assert [getattr(env, name).tobytes() for name in ARRAYS[1:]] == before
    env.step([0, 0, 0, 0])


def test_every_action_outside_the_mask_is_illegal() -> None:
    for name in ("euchre", "klaverjassen", "scopa"):
        env = upcard.vector(name, 1, seed=1)
        for _ in range(12):
            for action in np.flatnonzero(~env.masks[0]):
                with pytest.raises(IllegalMove):
                    env.step([action])
            env.step(env.sample())


def test_masks_are_not_believed() -> None:
    """What the caller writes into them makes no action legal."""
    counted = upcard.vector("euchre", 2, seed=1)
    counted.masks[:] = True
    with pytest.raises(IllegalMove):
        counted.step([5, 0])
    listed = upcard.vector("leduc-holdem", 2, seed=1)
    illegal = int(np.flatnonzero(~listed.masks[0])[0])
    listed.masks[:] = True
    with pytest.raises(EnvironmentMisuse, match="the masks were written into"):
        listed.step([illegal, 0])
    listed.reset()
    listed.step(listed.sample())


def test_a_game_without_machine_code_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UPCARD_BACKEND", "reference")
    with pytest.raises(upcard.Refused, match="a vector environment needs machine code: UPCARD_BACKEND is"):
        upcard.vector(upcard.load("agram", rules={}), 2)


def test_without_numpy_it_says_what_to_install() -> None:
    code = "import sys; sys.modules['numpy'] = None; import upcard\ntry: upcard.vector('euchre', 1)\n"
    code += "except upcard.Refused as error: print(error)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "vector environments need numpy: pip install 'upcard[rl]'\n"


def test_it_is_not_pickled(env: VectorEnvironment) -> None:
    with pytest.raises(TypeError, match="cannot be pickled; make one in each process"):
        pickle.dumps(env)


# --- closing, threads, interrupts ----------------------------------------------------------------


def test_a_closed_environment_is_not_stepped(env: VectorEnvironment) -> None:
    with env:
        env.step(env.sample())
    for use in (env.step, env.sample, env.reset, env.close):
        with pytest.raises(EnvironmentMisuse, match="this environment is closed"):
            use()


def test_two_threads_do_not_share_an_environment() -> None:
    """One that steps while another is inside gets an exception; nothing is played twice."""
    env = upcard.vector("rummy", 2000, seed=1, observe=False, threads=1)
    env.sample()
    refused, stepped = [], []

    def step() -> None:
        try:
            env.step()
            stepped.append(1)
        except (EnvironmentMisuse, IllegalMove) as error:
            refused.append(error)

    while not any(isinstance(error, EnvironmentMisuse) for error in refused):
        threads = [threading.Thread(target=step) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        env.sample()
    (shared, *_) = [error for error in refused if isinstance(error, EnvironmentMisuse)]
    assert (
        str(shared)
        == "another thread is stepping this environment; give each thread an environment of its own"
    )


def test_an_interrupted_team_has_finished_all_calls() -> None:
    started, stopped, ended = threading.Event(), threading.Event(), []

    def long_call(number: int) -> int:
        started.set()
        assert stopped.wait(60)
        ended.append(number)
        return number

    def interrupted() -> int:
        assert started.wait(60)
        raise KeyboardInterrupt

    team = ThreadTeam()
    with pytest.raises(KeyboardInterrupt):
        team.run([(interrupted, ()), (long_call, (1,)), (long_call, (2,))], stopped.set)
    assert sorted(ended) == [1, 2]
    assert team.run([(abs, (-1,)), (abs, (-2,)), (abs, (-3,))], stopped.set) == 6
    team.dismiss()


INTERRUPTED = """
import os, signal, threading
import upcard
env = upcard.vector("rummy", 3000, seed=1, threads=2)
begun = env.observations.tobytes()
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    while True:
        env.step(env.sample())
except KeyboardInterrupt:
    print("interrupted")
try:
    env.step(env.sample())
except upcard.EnvironmentMisuse as error:
    assert str(error) == "a step of this environment was interrupted; call reset()", error
env.reset()
assert env.observations.tobytes() == begun
env.step(env.sample())
print("goes on")
"""


@pytest.mark.skipif(os.name == "nt", reason="a process sends itself no Ctrl-C there")
def test_ctrl_c_is_heard() -> None:
    run = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=100)
    assert (run.stdout, run.stderr) == ("interrupted\ngoes on\n", "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_steps_a_copy() -> None:
    def rest(env: VectorEnvironment) -> bytes:
        for _ in range(30):
            env.step(env.sample())
        return b"".join(getattr(env, name).tobytes() for name in ARRAYS)

    env = upcard.vector("euchre", 50, seed=1, threads=2)
    env.step(env.sample())
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.write(writing, rest(env))
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        from_child = pipe.read()
    os.waitpid(pid, 0)
    assert from_child == rest(env)
