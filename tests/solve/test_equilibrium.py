"""Values and strategies: known ones, those of a linear program, and the same by kernels under CPython."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

pytest.importorskip("llvmlite", reason="llvmlite is not installed here")

from tests.solve.tiny_games import TEXTS, ZERO_SUM, listed

from upcard.arguments import BadArgument
from upcard.players.strategy_file import ALGORITHMS
from upcard.solve.equilibrium import COLUMNS, Equilibrium, Measured, checkpoints
from upcard.solve.game_tree import CHANCE, END, GameTree
from upcard.solve.solve_code import KernelsInPython

WHOLE = ("cfr+", "dcfr", "pcfr+")
"""Algorithms that walk the whole tree."""
LEDUC = -0.085606424078
"""Leduc hold'em: published to six digits, and to all of these by a linear program."""


def solved(
    name: str, iterations: int, algorithm: str = "pcfr+", seed: int = 0
) -> tuple[Equilibrium, Measured]:
    solver = Equilibrium(listed(name).tree, algorithm, seed)
    for _ in solver.run(iterations):
        pass
    return solver, solver.measure()


@pytest.mark.parametrize("algorithm", WHOLE)
@pytest.mark.parametrize(
    "name, value", [("kuhn-poker", -1 / 18), ("pennies", 0.0), ("odd-pennies", 1 / 5), ("claim", 4 / 5)]
)
def test_known_values(name: str, value: float, algorithm: str) -> None:
    measured = solved(name, 40_000, algorithm)[1]
    assert measured.value[0] == pytest.approx(value, abs=1e-5)
    low, high = measured.bounds or (0, 0)
    assert low - 1e-12 <= value <= high + 1e-12
    assert high - low == pytest.approx(2 * measured.exploitability, abs=1e-12)
    assert 0 <= measured.exploitability + 1e-12 < 1e-4


def test_kuhn_to_six_digits_and_its_strategy() -> None:
    solver, measured = solved("kuhn-poker", 5_000)
    assert f"{measured.value[0]:.6f}" == "-0.055556"
    shares = {
        (one.holding, one.history): strategy
        for one, strategy in zip(solver.tree.information_sets, solver.strategy(), strict=True)
    }
    bluff = shares["J", ()][1]
    assert 0 <= bluff <= 1 / 3 + 1e-6
    assert shares["K", ()][1] == pytest.approx(3 * bluff, abs=1e-4)
    assert shares["Q", ()][1] == pytest.approx(0, abs=1e-4)
    assert shares["J", ("Ann checks",)][1] == pytest.approx(1 / 3, abs=1e-4)
    assert shares["Q", ("Ann bets a chip",)][1] == pytest.approx(1 / 3, abs=1e-4)
    assert shares["K", ("Ann bets a chip",)] == pytest.approx([0, 1], abs=1e-4)


@pytest.mark.parametrize("algorithm", WHOLE)
def test_leduc(algorithm: str) -> None:
    measured = solved("leduc-holdem", 10_000, algorithm)[1]
    assert measured.exploitability < 1e-4
    assert measured.value[0] == pytest.approx(LEDUC, abs=1e-5)


def test_leduc_to_six_digits() -> None:
    low, high = solved("leduc-holdem", 66_000)[1].bounds or (0, 0)
    assert low <= LEDUC <= high
    assert f"{low:.6f}" == f"{high:.6f}" == "-0.085606"


@pytest.mark.parametrize("name", [*ZERO_SUM, "leduc-holdem"])
def test_a_linear_program_agrees(name: str) -> None:
    pytest.importorskip("scipy", reason="scipy is not installed here")
    from tests.solve.linear_program import value_of

    value = value_of(listed(name).tree)
    low, high = solved(name, 30_000)[1].bounds or (0, 0)
    assert low - 1e-9 <= value <= high + 1e-9
    assert high - low < 1e-5


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("name", ["kuhn-poker", "three", "turn"])
def test_machine_code_computes_what_python_does(name: str, algorithm: str) -> None:
    tree = listed(name).tree
    fast = Equilibrium(tree, algorithm, 5)
    slow = Equilibrium(tree, algorithm, 5, KernelsInPython())
    for solver in (fast, slow):
        assert sum(solver.run(7)) == 7
    one, other = fast.measure(), slow.measure()
    assert one.value == pytest.approx(other.value, abs=1e-12)
    assert one.best == pytest.approx(other.best, abs=1e-12)
    for seat in range(tree.seats):
        for column in COLUMNS:
            assert list(fast.columns[seat][column]) == pytest.approx(
                list(slow.columns[seat][column]), abs=1e-9
            ), column


def expected_by_walk(tree: GameTree, strategy: list[list[float]]) -> list[float]:
    """What each seat gets: by the tree, not by sequences."""
    values = [[0.0] * tree.seats for _ in range(tree.nodes)]
    for node in reversed(range(tree.nodes)):
        seat, first = tree.seat[node], tree.first[node]
        if seat == END:
            values[node] = list(tree.payoff(node))
        for action in range(tree.count[node]):
            child = first + action
            share = tree.probability[child] if seat == CHANCE else strategy[tree.at[node]][action]
            for one in range(tree.seats):
                values[node][one] += share * values[child][one]
    return values[0]


@pytest.mark.parametrize("name", [*TEXTS, "kuhn-poker"])
def test_no_strategy_beats_the_best_response(name: str) -> None:
    """And the best response, played out, gets what was computed."""
    tree = listed(name).tree
    sets = tree.information_sets
    rng = random.Random(1)
    solver = Equilibrium(tree)

    def random_strategy() -> list[list[float]]:
        made = []
        for one in sets:
            weights = [rng.random() ** 3 for _ in one.actions]
            made.append([weight / sum(weights) for weight in weights])
        return made

    strategy = random_strategy()
    measured = solver.measure_strategy(strategy)
    assert measured.value == pytest.approx(expected_by_walk(tree, strategy), abs=1e-12)
    for seat in range(tree.seats):
        chosen = list(solver.responses[seat])
        mixed = list(strategy)
        for at, number in enumerate(solver.form.seats[seat].sets):
            mixed[number] = [float(action == chosen[at]) for action in range(len(sets[number].actions))]
        assert expected_by_walk(tree, mixed)[seat] == pytest.approx(measured.best[seat], abs=1e-12)
        for _ in range(5):
            other = random_strategy()
            mixed = [other[n] if one.seat == seat else strategy[n] for n, one in enumerate(sets)]
            assert expected_by_walk(tree, mixed)[seat] <= measured.best[seat] + 1e-12


@pytest.mark.parametrize("name", ["kuhn-poker", "claim", "again", "ties"])
def test_sampling_comes_near(name: str) -> None:
    before = solved(name, 1_000, "mccfr")[1].exploitability
    measured = solved(name, 400_000, "mccfr")[1]
    assert measured.exploitability < 0.02
    assert measured.exploitability < before


def test_sampling_depends_on_the_seed_alone() -> None:
    one, same, other = (solved("kuhn-poker", 999, "mccfr", seed)[1] for seed in (1, 1, 2))
    assert one == same
    assert one != other


def test_more_than_two_seats_have_gains_and_no_bounds() -> None:
    measured = solved("three", 20_000)[1]
    assert measured.bounds is None
    assert len(measured.gains) == 3
    assert sum(measured.value) == pytest.approx(0)
    assert measured.exploitability == pytest.approx(sum(measured.gains) / 3)
    assert measured.exploitability < 1e-4


def test_a_seat_alone_plays_optimally() -> None:
    """Alone there is nothing to exploit: the best of all ways to play is found."""
    measured = solved("alone", 2_000)[1]
    assert measured.exploitability == pytest.approx(0, abs=1e-6)
    assert measured.value[0] > 1
    with pytest.raises(BadArgument, match="mccfr samples the other seats"):
        Equilibrium(listed("alone").tree, "mccfr")


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_going_on_is_as_if_never_stopped(algorithm: str) -> None:
    tree = listed("again").tree
    whole, first, second = (Equilibrium(tree, algorithm, 3) for _ in range(3))
    for solver, count in ((whole, 300), (first, 120)):
        for _ in solver.run(count):
            pass
    second.resume(first.progress())
    for _ in second.run(180):
        pass
    assert second.iterations == 300
    assert second.measure() == whole.measure()
    assert second.strategy() == whole.strategy()


def test_progress_of_another_game_is_refused() -> None:
    progress = Equilibrium(listed("again").tree).progress()
    with pytest.raises(BadArgument, match="another game"):
        Equilibrium(listed("steal").tree).resume(progress)


def test_an_unknown_algorithm_prints_the_list() -> None:
    with pytest.raises(BadArgument, match=r"no algorithm cfr; choose from cfr\+, dcfr, pcfr\+, mccfr"):
        Equilibrium(listed("pennies").tree, "cfr")


def test_checkpoints_do_not_depend_on_where_a_run_began_long_ago() -> None:
    steps = checkpoints(0)
    first = [next(steps) for _ in range(20)]
    assert first[:10] == list(range(1, 11))
    assert all(b > a for a, b in pairwise(first))


@pytest.mark.parametrize(
    "name, exploitability", [("kuhn-poker", 0.9166666667 / 2), ("leduc-holdem", 4.7472222222 / 2)]
)
def test_random_play_is_as_exploitable_as_published(name: str, exploitability: float) -> None:
    """OpenSpiel gives NashConv, the sum of both gains: the games are the same."""
    tree = listed(name).tree
    uniform = [[1 / len(one.actions)] * len(one.actions) for one in tree.information_sets]
    measured = Equilibrium(tree).measure_strategy(uniform)
    assert measured.exploitability == pytest.approx(exploitability, abs=1e-9)
