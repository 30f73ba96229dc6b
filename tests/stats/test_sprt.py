"""The sequential test errs as seldom as it says, and saves deals."""

from __future__ import annotations

import math
import random

import pytest

from upcard.recycle.diagnostics import Refused
from upcard.stats.sprt import BOUND, FIRST_LOOK, SequentialTest, bounds

VALUES = [-4.0, -1.5, -0.5, 0.0, 0.5, 1.5, 4.0]
WEIGHTS = [1.0, 3.0, 5.0, 8.0, 5.0, 3.0, 1.0]


def decide(true: float, draw: random.Random, low: float = 0.0, high: float = 0.4) -> SequentialTest:
    test, n, total, squares = SequentialTest(low, high), 0, 0.0, 0.0
    while test.decided is None:
        value = draw.choices(VALUES, WEIGHTS)[0] + true
        n, total, squares = n + 1, total + value, squares + value * value
        mean = total / n
        test.judge(n, mean, (squares - n * mean * mean) / (n - 1) if n > 1 else 0.0)
    return test


@pytest.mark.parametrize("true, right", [(0.0, "low"), (0.4, "high")])
def test_it_errs_one_time_in_twenty(true: float, right: str) -> None:
    draw = random.Random(3)
    found = [decide(true, draw) for _ in range(600)]
    wrong = sum(test.decided != right for test in found) / len(found)
    assert wrong < 0.05 + 3 * math.sqrt(0.05 * 0.95 / 600)
    # a fixed number of deals with the same risks would need (2 z / 0.4)² times the variance
    variance = sum(w * v * v for v, w in zip(VALUES, WEIGHTS, strict=True)) / sum(WEIGHTS)
    fixed = (2 * 1.6449 / 0.4) ** 2 * variance
    assert sum(test.after for test in found) / len(found) < 0.75 * fixed


def test_beyond_the_claims_it_is_surer_still() -> None:
    draw = random.Random(5)
    assert {decide(1.0, draw).decided for _ in range(100)} == {"high"}
    assert {decide(-0.6, draw).decided for _ in range(100)} == {"low"}


def test_it_is_the_ratio_of_likelihoods_of_normal_numbers() -> None:
    draw = random.Random(9)
    seen = [draw.gauss(0.1, 1.0) for _ in range(50)]
    mean = sum(seen) / 50
    variance = sum((x - mean) ** 2 for x in seen) / 49
    test = SequentialTest(0.0, 0.2)
    test.judge(50, mean, variance)
    by_hand = sum(((x - 0.0) ** 2 - (x - 0.2) ** 2) / (2 * variance) for x in seen)
    assert test.llr == pytest.approx(by_hand)
    assert test.decided is None
    assert abs(test.llr) < BOUND


def test_nothing_is_judged_early_and_nothing_is_taken_back() -> None:
    test = SequentialTest(0.0, 0.2)
    test.judge(FIRST_LOOK - 1, 5.0, 0.1)
    assert test.decided is None
    test.judge(FIRST_LOOK, 5.0, 0.1)
    assert test.decided == "high"
    test.judge(FIRST_LOOK + 1, -5.0, 0.1)
    assert test.decided == "high"
    assert test.after == FIRST_LOOK


def test_players_who_are_always_even() -> None:
    test = SequentialTest(0.0, 0.2)
    test.judge(FIRST_LOOK, 0.0, 0.0)
    assert test.decided == "low"
    assert test.to_json()["llr"] is None


@pytest.mark.parametrize("text", ["", "1", "1,1", "0.2,0", "a,b", "0,nan", "0,inf", "1,2,3"])
def test_bounds_that_are_none(text: str) -> None:
    with pytest.raises(Refused, match="LOW below HIGH"):
        bounds(text)
    assert bounds("-0.1, 0.25") == (-0.1, 0.25)
