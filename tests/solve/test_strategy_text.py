"""Strategies in words: each hand once, simple fractions, and nothing that a strategy never does."""

from __future__ import annotations

import pytest
from tests.solve.all_deals import hashed_shares
from tests.solve.tiny_games import TEXTS, listed, tiny

from upcard.solve.strategy_text import situations, tell_share, tell_shares


@pytest.mark.parametrize(
    "share, text",
    [
        (1 / 3, "1 time in 3"),
        (0.6667, "2 times in 3"),
        (0.5, "1 time in 2"),
        (0.8, "4 times in 5"),
        (0.7143, "71.4 % of the time"),
        (0.01, "1.0 % of the time"),
    ],
)
def test_a_share(share: float, text: str) -> None:
    assert tell_share(share) == text


def test_the_likeliest_action_comes_first() -> None:
    (one, *_) = listed("claim").tree.information_sets
    high, low = (action.text for action in one.actions)
    assert tell_shares(one, [0.25, 0.75]) == f"{low} 3 times in 4, {high} 1 time in 4"
    assert tell_shares(one, [0.9999, 0.0001]) == f"always {high}"


@pytest.mark.parametrize("name", sorted({*TEXTS, "kuhn-poker", "leduc-holdem"} - {"steal"}))
def test_no_two_hands_of_a_situation_read_the_same(name: str) -> None:
    """Sets that differ only in what is stored, such as a die, say so. In `steal` they differ in the order in
    which the same three cards came."""
    sets = listed(name).tree.information_sets
    strategy = [hashed_shares(one.key, one.seat, len(one.actions)) for one in sets]
    found = list(situations(sets, strategy, [1.0] * len(sets), tiny(name).narrator))
    for situation in found:
        hands = [hand for line in situation.lines for hand in line.split("  ")[0].split(", ")]
        assert len(hands) == len(set(hands)), situation
    texts = [(one.seat, one.heading, one.lines) for one in found]
    assert len(texts) == len(set(texts))


def test_a_die_is_told() -> None:
    sets = listed("turn").tree.information_sets
    strategy = [[0.5, 0.5] for _ in sets]
    found = situations(sets, strategy, [1.0] * len(sets), tiny("turn").narrator)
    last = list(found)[-1]
    assert "DIE 1" in "".join(last.lines)
    assert "DIE 2" in "".join(last.lines)


def test_what_a_seat_avoids_is_left_out() -> None:
    sets = listed("kuhn-poker").tree.information_sets
    strategy = [[0.5, 0.5] for _ in sets]
    reach = [0.0 if one.parent else 1.0 for one in sets]
    found = list(situations(sets, strategy, reach, tiny("kuhn-poker").narrator))
    assert [one.heading for one in found] == ["Ann begins", "Ann bets a chip", "Ann checks"]
