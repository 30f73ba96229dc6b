"""Estimates: means, their 95 % intervals, and weights that are evened out."""

from __future__ import annotations

import random

import pytest

from upcard.advice.estimate import Estimate, apart, effective_size, evened, mean, student

PUBLISHED = {1: 12.706, 2: 4.303, 3: 3.182, 5: 2.571, 10: 2.228, 20: 2.086, 60: 2.0, 1000: 1.962}
"""Student's distribution, 97.5 %, from a table."""


@pytest.mark.parametrize(("freedom", "point"), PUBLISHED.items())
def test_student(freedom: int, point: float) -> None:
    assert student(freedom) == pytest.approx(point, rel=0.03)


@pytest.mark.parametrize("uneven", [False, True])
def test_intervals_hold_what_they_promise(uneven: bool) -> None:
    chance = random.Random(5)
    inside = 0
    for _ in range(600):
        values = [chance.choice((-2, 1, 1, 1, 2)) for _ in range(40)]
        weights = [chance.choice((1.0, 1.0, 3.0)) if uneven else 1.0 for _ in values]
        found = mean(values, weights, 4)
        inside += found.low <= 0.6 <= found.high
    assert 0.95 * 600 <= inside <= 0.99 * 600


def test_equal_results_are_not_certain() -> None:
    found = mean([1.0] * 50, [1.0] * 50, 3.0)
    assert found.value == 1
    assert 0.05 < found.half < 0.2
    assert not found.certain
    assert Estimate.of_certain(1.0).certain


def test_many_worlds_leave_the_systematic_error() -> None:
    values = [(-1.0, 1.0)[n % 2] for n in range(20_000)]
    assert mean(values, [1.0] * len(values), 2.0).half == pytest.approx(1.96 * 0.06, rel=0.05)


def test_one_world_tells_nothing() -> None:
    assert mean([1.0, 0.0], [1.0, 0.0], 1.0).half == float("inf")


def test_weights_are_evened_no_further_than_needed() -> None:
    even = [1.0, 2.0, 1.0, 2.0]
    assert evened(even) == pytest.approx([0.5, 1.0, 0.5, 1.0])
    steep = [2.0**n for n in range(40)]
    assert effective_size(steep) < 4
    found = evened(steep)
    assert effective_size(found) == pytest.approx(10, rel=0.01)
    assert found == sorted(found)
    assert evened([0.0, 0.0]) == [1.0, 1.0]
    assert evened([0.0, 3.0])[0] == 0.0


def test_a_difference_of_independent_values() -> None:
    found = apart(Estimate(3, 0, 6), Estimate(1, -3, 5))
    assert (found.value, found.half) == (2, 5)
