"""Variance split by hand, and by games that are all skill, all luck, or neither."""

from __future__ import annotations

import random

import pytest

from upcard.study.skill import Shares, shares, skill


def test_all_skill() -> None:
    assert shares([(3, -3)] * 5) == Shares(1.0, 0.0, 0.0)


def test_all_luck() -> None:
    assert shares([(2, 2), (-2, -2), (1, 1)]) == Shares(0.0, 1.0, 0.0)


def test_nothing_to_explain() -> None:
    assert shares([(1, 1)] * 4) is None
    assert shares([(1, 2)]) is None
    assert skill([]) is None


def test_by_hand() -> None:
    """Results 5 1 and 3 -3: differences 4 and 6, sums 6 and 0.

    Between deals: (3² + 3²) / 2 / 1 = 9. Within: (1² + 1²) / 2 / 1 = 1. Between line-ups: 2 * 5² / 2 = 25.
    Line-up (25 - 1) / 4 = 6, deal (9 - 1) / 2 = 4, the rest 1.
    """
    found = shares([(5, 1), (3, -3)])
    assert found is not None
    assert (found.line_up, found.deal, found.rest) == pytest.approx((6 / 11, 4 / 11, 1 / 11))


def test_known_parts_are_found_again() -> None:
    """Line-up ± 1 (variance 1), deal of deviation 2 (4), noise of deviation 1 (1): a sixth, four, a sixth."""
    chance = random.Random(5)
    pairs = []
    for _ in range(4000):
        deal = chance.gauss(0, 2)
        pairs.append((deal + 1 + chance.gauss(0, 1), deal - 1 + chance.gauss(0, 1)))
    found = shares(pairs)
    assert found is not None
    assert (found.line_up, found.deal, found.rest) == pytest.approx((1 / 6, 4 / 6, 1 / 6), abs=0.02)


def test_noise_alone_is_credited_to_nobody() -> None:
    chance = random.Random(8)
    found = shares([(chance.gauss(0, 1), chance.gauss(0, 1)) for _ in range(4000)])
    assert found is not None
    assert found.rest > 0.95


def test_intervals_hold_the_value_and_come_out_the_same_every_time() -> None:
    pairs = [(5.0, 1.0), (3.0, -3.0), (4.0, 2.0), (-1.0, 0.0), (6.0, -2.0)]
    found, again = skill(pairs, 3), skill(pairs, 3)
    assert found == again
    assert found is not None
    for part in (found.line_up, found.deal, found.rest):
        assert part.low is not None
        assert part.mean is not None
        assert part.high is not None
        assert 0 <= part.low <= part.mean <= part.high <= 1
    assert found.line_up != found.deal
