"""Intervals cover what they say they cover."""

from __future__ import annotations

import random

import pytest

from upcard.stats.intervals import interval, share_interval, student

# the 97.5 % points that tables print
PRINTED = {
    1: 12.7062,
    2: 4.3027,
    3: 3.1824,
    4: 2.7764,
    5: 2.5706,
    6: 2.4469,
    8: 2.3060,
    10: 2.2281,
    20: 2.0860,
}
PRINTED |= {30: 2.0423, 60: 2.0003, 120: 1.9799, 1000: 1.9623}


@pytest.mark.parametrize("freedom", PRINTED)
def test_student(freedom: int) -> None:
    assert student(freedom) == pytest.approx(PRINTED[freedom], abs=6e-4)


@pytest.mark.parametrize("size", [3, 8, 40])
def test_an_interval_covers_the_mean_19_times_in_20(size: int) -> None:
    draw, tried = random.Random(size), 4000
    hits = 0
    for _ in range(tried):
        found = interval([draw.gauss(1.5, 2.0) for _ in range(size)])
        assert found.low is not None
        assert found.high is not None
        hits += found.low <= 1.5 <= found.high
    # four standard errors of a share of 0.95 are 0.014
    assert hits / tried == pytest.approx(0.95, abs=0.014)


@pytest.mark.parametrize("ahead", [0.0, 0.3])
def test_pairs_of_whole_points(ahead: float) -> None:
    """Differences of hands of Euchre look like this: few values, most of them near nothing."""
    values, weights = [-3.0, -1.0, 0.0, 1.0, 3.0], [1 - ahead, 3 - ahead, 4, 3 + ahead, 1 + ahead]
    mean = sum(v * w for v, w in zip(values, weights, strict=True)) / sum(weights)
    draw, tried = random.Random(7), 3000
    hits = 0
    for _ in range(tried):
        found = interval(draw.choices(values, weights, k=60))
        assert found.low is not None
        assert found.high is not None
        hits += found.low <= mean <= found.high
    assert hits / tried == pytest.approx(0.95, abs=0.02)


@pytest.mark.parametrize("true, size", [(0.5, 30), (0.9, 60), (0.99, 40), (0.99, 100)])
def test_shares(true: float, size: int) -> None:
    """Where nearly all is won the spread seen is often nothing, and what is said then must still hold."""
    draw, tried = random.Random(11), 3000
    hits = 0
    for _ in range(tried):
        found = share_interval([draw.choices([1.0, 0.0], [true, 1 - true])[0] for _ in range(size)])
        assert found.low is not None
        assert found.high is not None
        assert 0 <= found.low <= found.high <= 1
        hits += found.low <= true <= found.high
    assert hits / tried > 0.90


def test_little_is_said_of_little() -> None:
    assert interval([]).mean is None
    assert (interval([3.0]).mean, interval([3.0]).low) == (3.0, None)
    assert interval([2.0] * 19).to_json() == {"mean": 2.0, "low": None, "high": None}
    assert interval([2.0] * 20).to_json() == {"mean": 2.0, "low": 2.0, "high": 2.0}
    even = share_interval([0.5] * 10)
    assert even.mean == 0.5
    assert even.low is not None
    assert even.low < 0.4
