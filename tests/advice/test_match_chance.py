"""The chance of winning the match from a deal's result."""

from __future__ import annotations

from dataclasses import replace
from statistics import fmean, stdev

import pytest
from tests.advice.positions import choice, match_of, native

import upcard
from upcard.advice import deal_results as results
from upcard.advice import model_play
from upcard.advice.deal_results import deal_results
from upcard.advice.estimate import Estimate
from upcard.advice.match_chance import MatchChance
from upcard.advice.model_play import RANDOM, model_of
from upcard.engine.native.game import NativeGame
from upcard.players.search.utility import race_of

pytestmark = pytest.mark.skipif(
    not isinstance(upcard.load("euchre"), NativeGame), reason="deals are played in machine code"
)


def test_the_next_deal_of_a_race_is_one_between_quick_players() -> None:
    """With 9 to 9 in Euchre it decides. The table is for stronger players, whose dealer wins more."""
    for seat in (0, 1):
        seen = replace(choice("euchre", 3, scores=(9, 9, 9, 9)), seat=seat)
        chance = MatchChance(native("euchre"), seen)
        nothing = (0, 0, 0, 0)
        # the last seat deals in what was measured, and the first one after this deal
        dealt = [float(scores[3 - seat] > scores[2 + seat]) for scores in deal_results(native("euchre"))]
        assert chance.of_scores(nothing) == pytest.approx(fmean(dealt))
        assert chance.error_of(nothing) == pytest.approx(stdev(dealt) / len(dealt) ** 0.5)
        race = race_of(native("euchre"), seen)
        assert race is not None
        assert abs(race[9][9] - fmean(dealt)) > 2 * chance.error_of(nothing)


def test_what_follows_the_next_deal_of_a_race_is_looked_up() -> None:
    for seat, mine, theirs in ((0, 6, 4), (1, 4, 6), (0, 3, 7), (1, 7, 3), (0, 0, 0), (1, 0, 0)):
        scores = (mine, theirs, mine, theirs) if seat == 0 else (theirs, mine, theirs, mine)
        seen = replace(choice("euchre", 3, scores=scores), seat=seat)
        race = race_of(native("euchre"), seen)
        assert race is not None
        chance = MatchChance(native("euchre"), seen)
        assert chance.of_scores((0, 0, 0, 0)) == pytest.approx(race[mine][theirs], abs=0.03)
        lead = tuple(2 if side % 2 == seat else 0 for side in range(4))
        assert chance.of_scores(lead) == pytest.approx(race[mine + 2][theirs], abs=0.03)
        assert 0 < chance.error_of(lead) < 0.02


def test_many_players_to_a_target() -> None:
    game = native("hearts")
    even = MatchChance(game, choice("hearts", 2))
    each = [
        MatchChance(game, choice("hearts", 2, scores=[90 if s == seat else 10 for s in range(4)]))
        for seat in range(4)
    ]
    assert even.is_match
    assert 0.15 < even.of_scores((6, 7, 6, 7)) < 0.35
    me = choice("hearts", 2).seat
    nothing = (0, 0, 0, 0)
    assert each[me].of_scores(nothing) < 0.1
    assert each[(me + 1) % 4].of_scores(nothing) > 0.25
    over = MatchChance(game, choice("hearts", 2, scores=[99 if s == me else 10 for s in range(4)]))
    assert over.of_scores(tuple(13 if s == me else 5 for s in range(4))) == 0.0


def test_fewer_points_are_better_where_the_lowest_wins() -> None:
    chance = MatchChance(native("hearts"), choice("hearts", 2))
    me = choice("hearts", 2).seat
    rows = [chance.of_scores(tuple(n if s == me else 5 for s in range(4))) for n in (0, 13, 26)]
    assert rows == sorted(rows, reverse=True)
    assert rows[0] > rows[-1]


def test_the_last_deal_of_a_fixed_number_decides() -> None:
    game = native("scarto")
    seen = choice("scarto", 1)
    match = {**match_of(game), "deal": 2, "scores": [5, 0, -5]}
    from dataclasses import replace

    chance = MatchChance(game, replace(seen, match=match))
    mine = seen.seat
    best = tuple(30 if s == mine else 0 for s in range(3))
    assert chance.of_scores(best) == 1.0
    worst = tuple(-30 if s == mine else 0 for s in range(3))
    assert chance.of_scores(worst) == 0.0
    shared = (0, 5, 10)
    assert chance.of_scores(shared) == pytest.approx(1 / 3)


def test_without_a_match_it_is_the_share_of_the_deal() -> None:
    seen = choice("german-whist", 2)
    chance = MatchChance(native("german-whist"), seen)
    assert not chance.is_match
    assert chance.of_scores((7, 6)) == float(seen.seat == 0)
    assert chance.of_scores((6, 6)) == 0.5


def test_results_of_deals_are_measured_once(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setenv("UPCARD_CACHE", str(tmp_path))
    game = native("blackjack")
    results._known.clear()
    first = deal_results(game)
    results._known.clear()

    def never(*given: object) -> None:
        raise AssertionError("measured again")

    monkeypatch.setattr(results, "measure", never)
    assert deal_results(game) == first
    assert len(first) >= results.LEAST_DEALS
    results._known.clear()


def test_games_that_take_too_long_are_played_on_at_random() -> None:
    assert model_of(native("rummy")) == RANDOM
    assert model_of(native("euchre")).name == "quick:64"
    assert model_of(native("hearts")).name == "quick:32"
    assert model_of(native("scopa")).name == "quick:16"


def test_a_model_is_measured_once(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    """A first hint in Rummy played whole deals to find out that they take too long."""
    monkeypatch.setenv("UPCARD_CACHE", str(tmp_path))
    game = native("rummy")
    monkeypatch.delitem(model_play._known, game, raising=False)
    assert model_of(game) == RANDOM
    model_play._known.pop(game)

    def never(game: object) -> None:
        raise AssertionError("measured again")

    monkeypatch.setattr(model_play, "measure", never)
    assert model_of(game) == RANDOM


@pytest.mark.parametrize("name", ["hearts", "pitch", "president"])
def test_equal_players_with_equal_scores_have_equal_chances(name: str) -> None:
    """The first seat of Hearts won 20 % of matches from 0 each, as others were luckier in 200 matches."""
    game = native(name)
    chance = MatchChance(game, choice(name, 2))
    assert chance.of_scores((0,) * game.seats) == pytest.approx(1 / game.seats)


def test_a_chance_has_the_error_of_the_matches_behind_it() -> None:
    """It was left out of intervals: 200 matches leave an error of six points in a hundred."""
    game = native("hearts")
    seen = choice("hearts", 2, scores=[30, 60, 40, 50])
    chance = MatchChance(game, seen)
    assert 0.001 < chance.error_of((5, 6, 7, 8)) < 0.05
    assert chance.error_of((80, 0, 0, 0)) == 0, "the match is over"
    assert MatchChance(game, choice("hearts", 2)).error_of((0, 0, 0, 0)) == pytest.approx(0)
    narrow = Estimate(0.3, 0.29, 0.31)
    assert narrow.widened(0.0).half == pytest.approx(0.01)
    assert narrow.widened(0.02).half == pytest.approx((0.01**2 + (1.96 * 0.02) ** 2) ** 0.5)
