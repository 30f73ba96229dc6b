"""Every statistic of a study on games small enough to work out by hand."""

from __future__ import annotations

import math

import pytest

from upcard.stats.intervals import Interval, student
from upcard.study.game_log import Watched
from upcard.study.statistics import Seen, by_side, decisiveness_of, ratio_interval, rounds_of

ALONE = ((0,), (1,))
PARTNERS = ((0, 2), (1, 3))


def game(
    choices: tuple[int, ...] = (),
    scores: tuple[int, ...] | None = (1, 0),
    seats: tuple[int, ...] | None = None,
    spreads: tuple[float | None, ...] = (),
    leads: tuple[tuple[float, ...] | None, ...] = (),
    rounds: tuple[int, ...] = (),
) -> Watched:
    who = tuple(n % 2 for n in range(len(choices))) if seats is None else seats
    ending = "failed" if scores is None else "finished"
    return Watched(0, ending, scores, who, choices, rounds, spreads, leads)  # type: ignore[arg-type]


def around(values: list[float]) -> tuple[float, float, float]:
    """A mean and its interval, the long way."""
    n, middle = len(values), sum(values) / len(values)
    deviation = math.sqrt(sum((value - middle) ** 2 for value in values) / (n - 1))
    half = student(n - 1) * deviation / math.sqrt(n)
    return middle - half, middle, middle + half


def ends(found: Interval) -> tuple[float | None, float | None, float | None]:
    return found.low, found.mean, found.high


def test_length_choices_and_forced_moves() -> None:
    seen = Seen.of([game((4, 1)), game((3, 2, 1, 1)), game((9, 9), scores=None)], ALONE, True)
    assert seen.lengths == {2: 1, 4: 1}
    assert seen.ends == (2, 4)
    assert ends(seen.length) == pytest.approx(around([2, 4]))
    assert ends(seen.choices) == pytest.approx(around([2.5, 1.75]))
    # one of two, two of four: alike, and two numbers tell nothing of how much others would differ
    assert ends(seen.forced) == (None, 0.5, None)
    assert seen.endings == {"failed": 1, "finished": 2}


def test_convergence() -> None:
    seen = Seen.of([game((3, 2, 1)), game((2, 2, 2))], ALONE, True)
    assert ends(seen.convergence) == pytest.approx(around([1.0, 0.5]))


def test_scores_and_ties() -> None:
    games = [game(scores=(3, 1)), game(scores=(2, 2)), game(scores=(0, 4)), game(scores=(5, 4))]
    seen = Seen.of(games, ALONE, True)
    assert ends(seen.score(0)) == pytest.approx(around([3, 2, 0, 5]))
    assert seen.ties.mean == 0.25
    assert seen.first_place(0).mean == pytest.approx((1 + 0.5 + 0 + 1) / 4)
    assert Seen.of(games, ALONE, False).first_place(0).mean == pytest.approx((0 + 0.5 + 1 + 0) / 4)


def test_partners_are_one_side() -> None:
    games = [game(scores=(2, 0, 2, 0)), game(scores=(0, 1, 0, 1)), game(scores=(2, 0, 2, 0))]
    seen = Seen.of(games, PARTNERS, True)
    assert seen.ties.mean == 0
    assert seen.first_place(0).mean == pytest.approx(2 / 3)
    # two sides: 2 (1 - 2/3) / (2 - 1)
    assert seen.fairness.mean == pytest.approx(2 / 3)
    assert seen.order.mean == pytest.approx((2 / 3 - 1 / 2) / (1 / 2))


def test_a_searching_player_wins_ties() -> None:
    games = [game(scores=(3, 1)), game(scores=(2, 2)), game(scores=(2, 2)), game(scores=(0, 4))]
    seen = Seen.of(games, ALONE, True)
    assert seen.won(0).mean == 0.75
    assert seen.order.mean == pytest.approx((0.75 - 0.5) / 0.5)
    assert seen.fairness.mean == 1  # where everybody is random, those who are first together share


def test_fairness_reaches_up_to_1_where_the_due_is_inside() -> None:
    """Half the games won: fair. The interval of the share is 0.5 ± h, which is 1 - 2h on either side."""
    games = [game(scores=(1, 0)), game(scores=(0, 1))] * 8
    seen = Seen.of(games, ALONE, True)
    share = seen.first_place(0)
    assert share.half is not None
    assert ends(seen.fairness) == pytest.approx((1 - 2 * share.half, 1.0, 1.0))
    assert ends(seen.order) == pytest.approx((-2 * share.half, 0.0, 2 * share.half))


def test_fairness_of_a_seat_that_always_wins() -> None:
    """20 of 20 won: the share is at least 0.025^(1/20), and fairness 2 (1 - share) at most."""
    seen = Seen.of([game(scores=(1, 0))] * 20, ALONE, True)
    assert ends(seen.fairness) == pytest.approx((0.0, 0.0, 2 * (1 - 0.025 ** (1 / 20))))
    assert seen.order.mean == 1


def test_fairness_where_the_interval_is_on_one_side() -> None:
    seen = Seen.of([game(scores=(1, 0))] * 90 + [game(scores=(0, 1))] * 10, ALONE, True)
    share = seen.first_place(0)
    assert share.low is not None
    assert share.high is not None
    assert share.low > 0.5
    assert ends(seen.fairness) == pytest.approx((2 * (1 - share.high), 0.2, 2 * (1 - share.low)))


def test_spread_is_a_mean_over_decisions() -> None:
    """0.4, 0 and 0.2 in one game, 0.6 in another: 1.2 / 4, not the mean of 0.2 and 0.6."""
    games = [
        game((2, 1, 2), spreads=(0.4, 0.0, 0.2)),
        game((2, 2), spreads=(0.6, None)),
    ]
    found = Seen.of(games, ALONE, True).spread
    assert found.mean == pytest.approx(0.3)
    # residuals 0.6 - 0.3 * 3 and 0.6 - 0.3 * 1 over two decisions a game
    half = student(1) * math.sqrt((0.3**2 + 0.3**2) / 1 / 2) / 2
    assert ratio_interval([0.6, 0.6], [3, 1]).half == pytest.approx(half)
    # a spread lies between 0 and 1, and so does its interval
    assert half > 0.7
    assert (found.low, found.high) == (0.0, 1.0)


def test_no_interval_leaves_the_range_of_its_figure() -> None:
    behind = game((2,), scores=(1, 0), leads=((0.01, 0.99),), spreads=(0.9,))
    ahead = game((2,), scores=(1, 0), leads=((0.9, 0.1),), spreads=(0.0,))
    seen = Seen.of([behind, ahead, behind], ALONE, True)
    for found in (seen.spread, seen.drama, seen.security, seen.decisiveness, seen.ties):
        assert found.low is not None
        assert found.high is not None
        assert 0 <= found.low <= found.high <= 1


def test_a_ratio_of_nothing_is_unknown() -> None:
    assert ratio_interval([], []).mean is None
    assert ratio_interval([0.0], [0]).mean is None
    assert ends(ratio_interval([1.0], [4])) == (None, 0.25, None)


HISTORY = game(
    (2, 2, 2, 2),
    scores=(1, 0),
    leads=((0.25, 0.75), (0.5, 0.5), None, (0.9, 0.1)),
    spreads=(0.1, 0.2, 0.0, 0.4),
)


def test_drama_and_security() -> None:
    """Seat 0 wins. Below one half once, by a quarter: the root is 0.5. One of three entries is behind."""
    seen = Seen.of([HISTORY], ALONE, True)
    assert seen.drama.mean == pytest.approx(0.5)
    assert seen.security.mean == pytest.approx(2 / 3)


def test_decisiveness() -> None:
    """Of the winner's own decisions (the first and the third) only the first is told: it is never sure."""
    assert decisiveness_of(HISTORY, ALONE, True) == 0
    leads = ((0.5, 0.5), (0.6, 0.4), (0.85, 0.15), (0.9, 0.1), (0.2, 0.8), (0.3, 0.7), (0.9, 0.1), (1.0, 0.0))
    told = game((2,) * 8, leads=leads)
    # seat 0 thinks 0.5, 0.85, 0.2, 0.9: sure at the second of four
    assert decisiveness_of(told, ALONE, True) == 0.25
    # the lowest score wins: seat 1 thinks 0.4, 0.1, 0.7, 0.0, is never sure, and has the last of four left
    assert decisiveness_of(told, ALONE, False) == 0.75
    assert decisiveness_of(game((2, 2), leads=(None, None)), ALONE, True) is None


def test_trend() -> None:
    paths = Seen.of([HISTORY], ALONE, True).paths()
    (first,), (second,) = paths
    # entries 0.25, 0.5, 0.9 and the end: at 0 %, 33 %, 67 %, 100 %
    assert (first[0], first[100], second[0], second[100]) == (0.25, 1.0, 0.75, 0.0)
    assert first[50] == pytest.approx((0.5 + 0.9) / 2)


def test_leads_of_partners_are_those_of_their_side() -> None:
    """The seats of the side behind have two seats ahead of them: 1/3 among seats, 0 among sides."""
    played = game((2,), scores=(0, 3, 0, 3), seats=(0,), leads=((0.4, 0.9, 0.4, 0.9),))
    paths = Seen.of([played], PARTNERS, True).paths()
    assert len(paths) == 2
    assert (paths[0][0][0], paths[0][0][100]) == pytest.approx((0.85, 1.0))
    assert (paths[1][0][0], paths[1][0][100]) == pytest.approx((0.1, 0))
    seen = Seen.of([played], PARTNERS, True)
    assert (seen.security.mean, seen.drama.mean) == (1, 0), "0.85 is ahead of the other side"
    assert by_side([1, 1 / 3, 1, 1 / 3], PARTNERS) == pytest.approx([1, 0])
    assert by_side([0.5, 0.25, 0.75], ((0,), (1, 2))) == pytest.approx([0.5, 0])


def test_relative_spread_is_in_parts_of_the_largest() -> None:
    found = Seen.of([HISTORY], ALONE, True).relative_spreads()
    assert (found[0], found[100]) == pytest.approx((0.25, 1.0))


def test_leads_that_tell_of_the_mover_alone() -> None:
    three = ((0,), (1,), (2,))
    told = game((2, 2), scores=(1, 0, 0), seats=(0, 1), leads=((0.5, 0.2, 0.2), (0.1, 0.8, 0.1)))
    assert Seen.of([told], three, True).made_up
    better = game((2, 2), scores=(1, 0, 0), seats=(0, 1), leads=((0.5, 0.2, 0.2), (0.1, 0.8, 0.3)))
    assert not Seen.of([told, better], three, True).made_up
    assert not Seen.of([game((2,), scores=(1, 0, 0))], three, True).made_up


def test_leading_and_following() -> None:
    """Two games of two rounds, the second of three; the third round is reached by one of two, and counts."""
    games = [
        game((5, 4, 2, 3, 1), rounds=(0, 1, 1, 2, 2)),
        game((6, 4, 2, 1, 2, 2), rounds=(1, 1, 2, 2, 3, 3)),
        game((7, 7)),
    ]
    found = rounds_of(games)
    assert found is not None
    assert found.games == 2
    assert found.leader == [5, 2.5, 2]
    assert found.followers == [3, 1, 2]
    assert found.differ


def test_games_without_recognisable_rounds() -> None:
    assert rounds_of([game((3, 3))]) is None
    assert rounds_of([game((3, 3), rounds=(1, 1))]) is None
    alike = rounds_of([game((3, 3, 2, 2), rounds=(1, 1, 2, 2))])
    assert alike is not None
    assert not alike.differ
