"""How fast vector environments step: `python benchmarks/vector.py [--count 1024] [--rounds 5] [GAME ...]`

CPU time of one core; a step is one action played in one environment. All seats play at random. The best of
some rounds counts, since whatever else the machine does only adds to it.

* observed: `env.step()`, which writes observations, masks and rewards, in millions of steps per second
* masked: the same without observations
* chosen: observed, and `env.sample()`, which chooses the actions

The last line compares with pgx on the same core, if it is installed: Leduc hold'em, where choosing an action
is part of what is compiled.
"""

from __future__ import annotations

import argparse
import time

import upcard

SECONDS = 0.2
"""Of CPU time: a round."""
LEDUC = "leduc-holdem"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--count", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    print("| game | bytes | actions | memory | observed | masked | chosen |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name in given.games or upcard.games():
        env = upcard.vector(name, given.count, seed=1, threads=1)
        bare = upcard.vector(name, given.count, seed=1, threads=1, observe=False)
        observed, chosen = rates(env, given.rounds)
        masked, _ = rates(bare, given.rounds)
        size, actions = env.observations.shape[1], env.masks.shape[1]
        cells = f"{observed / 1e6:.1f} | {masked / 1e6:.1f} | {chosen / 1e6:.1f}"
        print(f"| {name} | {size} | {actions} | {env.nbytes // given.count:,} | {cells} |", flush=True)
    theirs = pgx_leduc(given.count, given.rounds)
    if theirs is None:
        print("\npgx is not installed here: pip install pgx")
    else:
        _, ours = rates(upcard.vector(LEDUC, given.count, seed=1, threads=1), given.rounds)
        print(f"\nLeduc hold'em, actions chosen: {ours / 1e6:.1f} M steps/s, pgx {theirs / 1e6:.1f} M")


def rates(env: upcard.VectorEnvironment, rounds: int) -> tuple[float, float]:
    """Steps per second: of steps alone, and with the choice of the actions."""

    def one_round() -> tuple[float, float]:
        steps, choosing, stepping = 0, 0.0, 0.0
        while choosing + stepping < SECONDS:
            started = time.thread_time()
            env.sample()
            chosen = time.thread_time()
            env.step()
            stepping += time.thread_time() - chosen
            choosing += chosen - started
            steps += env.count
        return steps / stepping, steps / (stepping + choosing)

    one_round()  # the first steps touch memory for the first time, and all deals begin together
    found = [one_round() for _ in range(rounds)]
    return max(alone for alone, _ in found), max(both for _, both in found)


def pgx_leduc(count: int, rounds: int) -> float | None:
    """Steps per second of pgx, by CPU time of all its threads."""
    try:
        import jax
        import pgx
        from pgx.experimental.wrappers import auto_reset
    except ImportError:
        return None
    env, calls = pgx.make("leduc_holdem"), 100
    step = auto_reset(env.step, env.init)

    def go_on(carried, _):  # type: ignore[no-untyped-def]
        state, key = carried
        key, drawing, stepping = jax.random.split(key, 3)
        odds = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
        action = jax.random.categorical(drawing, odds, axis=-1)
        return (jax.vmap(step)(state, action, jax.random.split(stepping, count)), key), None

    play = jax.jit(lambda carried: jax.lax.scan(go_on, carried, None, length=calls)[0])
    key = jax.random.PRNGKey(1)
    carried = (jax.jit(jax.vmap(env.init))(jax.random.split(key, count)), key)
    carried = jax.block_until_ready(play(carried))

    def one_round() -> float:
        nonlocal carried
        started = time.process_time()
        carried = jax.block_until_ready(play(carried))
        return count * calls / (time.process_time() - started)

    return max(one_round() for _ in range(rounds))


if __name__ == "__main__":
    main()
