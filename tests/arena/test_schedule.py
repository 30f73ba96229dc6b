"""Who sits where: everybody everywhere, equally often."""

from __future__ import annotations

from collections import Counter

import pytest

from upcard.arena.schedule import Schedule


@pytest.mark.parametrize("places", [1, 2, 3, 4])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_everybody_sits_everywhere_equally_often(players: int, places: int) -> None:
    schedule = Schedule.everybody(players, places)
    seats = Counter((place, who) for s in schedule.sittings for place, who in enumerate(s.players))
    assert set(seats) == {(place, who) for place in range(places) for who in range(players)}
    assert len(set(seats.values())) == 1
    together = Counter(frozenset((a, b)) for group in schedule.groups for a in group for b in group if a < b)
    assert places == 1 or len(together) == players * (players - 1) // 2
    assert len(set(together.values())) <= 1


def test_two_players_exchange_their_sides() -> None:
    assert [s.players for s in Schedule.everybody(2, 2).sittings] == [(0, 1), (1, 0)]


def test_three_players_at_two_sides_meet_in_pairs() -> None:
    assert [s.players for s in Schedule.everybody(3, 2).sittings] == [
        (0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1),
    ]  # fmt: skip


def test_four_at_four_seats_move_round() -> None:
    turns = [s.players for s in Schedule.everybody(4, 4).sittings]
    assert turns == [(0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2)]


def test_two_at_three_seats_take_turns_at_sitting_twice() -> None:
    assert [s.players for s in Schedule.everybody(2, 3).sittings] == [(0, 1, 0), (1, 0, 1)]


def test_a_ladder_is_each_against_the_next() -> None:
    schedule = Schedule.neighbours(3, 2)
    assert schedule.groups == ((0, 1), (1, 2))
    assert schedule.game(6) == (1, schedule.sittings[2])
    assert [s.group for s in schedule.sittings] == [0, 0, 1, 1]
