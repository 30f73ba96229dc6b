"""Contests: duplicates, forfeits, workers, early stops, ratings and tables."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.arena.contests import contest, finished, timeless, told

import upcard
from upcard.arena.contest import BadContest, Contest
from upcard.arena.contest_game import Forfeit, Game
from upcard.arena.contest_rows import contest_table
from upcard.arena.ratings import ratings
from upcard.arena.results import Results
from upcard.extras import NotInstalled, need_parquet
from upcard.match.match_play import Participant, Table
from upcard.match.match_series import Matches, play_many
from upcard.parallel.workers import WorkerLost
from upcard.players.external.external_player import end_all
from upcard.players.spec import resolve_player
from upcard.storage.arrow_table import write_parquet


@pytest.mark.parametrize(
    "game, players, matches",
    [
        ("euchre", "simple,simple", False),
        ("euchre", "random,random", False),
        ("kuhn-poker", "first,first", False),
        ("hearts", "last,last,last,last", False),
        ("hearts", "first,first", False),
        ("scarto", "random,random,random", False),
        ("blackjack", "random,random,random,random", False),
        ("cribbage", "first,first", True),
        ("schwimmen", "random,random,random", True),
    ],
)
def test_alike_is_exactly_even(game: str, players: str, matches: bool) -> None:
    run = finished(contest(game, players, 3, matches=matches))
    pairs = run.results.pairs()
    assert pairs
    for pair in pairs:
        assert pair.ahead.mean == 0
        assert pair.share.mean == 0.5
    means = {run.results.standing(player).points.mean for player in range(len(run.contest.players))}
    assert len(means) == 1


def test_the_first_deals_are_the_game_s_own() -> None:
    """A contest plays deal d of its seed, whoever sits where."""
    made = contest("euchre", "first,last", 3, seed=9)
    run = finished(made)
    game = made.table.game
    assert len(run.results.games) == 6
    for played in run.results.games:
        state = game.deal(9, played.deal)
        while (seat := state.to_move) is not None:
            index = 0 if played.players[seat % 2] == 0 else -1
            state.play(state.observe(seat).moves[index])
        assert state.outcome is not None
        assert played.scores == state.outcome.scores
        assert played.points == (played.scores[0], played.scores[1])


def test_matches_are_those_of_the_match_command() -> None:
    made = contest("cribbage", "first,last", 2, seed=4, matches=True)
    run = finished(made)
    game, found = made.table.game, Matches(2)
    first, last = made.players
    people = [Participant("a", "", first.make), Participant("b", "", last.make)]
    for part in play_many(Table.of(game, people), 2, 4, workers=1):
        found.merge(part)
    as_seated = [played for played in run.results.games if played.players == (0, 1)]
    assert sum(played.shares[0] == 1 for played in as_seated) == found.wins[0]
    assert sum(played.dealt for played in as_seated) == found.lengths.total


def test_figures_by_hand() -> None:
    """Two deals, sides exchanged, and every number worked out on paper."""
    made = contest("kuhn-poker", "first,last", 2)
    results = Results(made)
    for index, points in enumerate([(2, -2), (1, -1), (-1, 1), (1, -1)]):
        results.add(game(made, index, points))
    standing = results.standing(0)
    # deal 0: 2 and -1; deal 1: -1 and -1
    assert standing.points.mean == pytest.approx((0.5 - 1) / 2)
    assert standing.share.mean == pytest.approx((0.5 + 0) / 2)
    (pair,) = results.pairs()
    assert pair.ahead.mean == pytest.approx(((0.5 - -0.5) + (-1 - 1)) / 2)
    assert pair.ahead.half == pytest.approx(12.706205 * 1.5)
    assert pair.turned.ahead.mean == pytest.approx(0.5)
    assert pair.turned.share.mean == pytest.approx(0.75)
    assert [found.mean for found in standing.at_places] == [0.5, -1.0]
    assert results.first_pair() == pytest.approx((2, -0.5, 4.5))


def game(made: Any, index: int, points: tuple[float, ...] | None, at_fault: int | None = None) -> Game:
    deal, sitting = made.schedule.game(index)
    places = len(sitting.players)
    ending: Any = "finished" if points is not None else "forfeit"
    if points is None:
        assert at_fault is not None
        forfeit = Forfeit(at_fault, 0, 0, 1, 0, "failed")
        shares = tuple(0.0 if who == at_fault else 1.0 for who in sitting.players)
    else:
        forfeit = None
        best = max(points) if made.highest else min(points)
        shares = tuple(float(more == best) for more in points)
    zeros = (0,) * places
    return Game(
        *(index, deal, sitting.group, sitting.players, points, shares, (), ending, 1),
        *(zeros, zeros, zeros, forfeit),
    )


@pytest.mark.parametrize("name, worst, best", [("kuhn-poker", -2, 2), ("hearts", 26, 0)])
def test_what_a_forfeit_is_worth(name: str, worst: float, best: float) -> None:
    made = contest(name, "first,last", 2)
    results = Results(made)
    places = len(made.places)
    between = (worst + best) / 2
    results.add(game(made, 0, None, at_fault=1))
    one_point = 1 if made.highest else -1
    mine = dict(zip(made.schedule.sittings[0].players, results.points(results.games[0]), strict=True))
    assert (mine[0] - mine[1]) == one_point  # nothing else is known yet
    results.add(game(made, 1, (worst, *[between] * (places - 2), best)))
    mine = dict(zip(made.schedule.sittings[0].players, results.points(results.games[0]), strict=True))
    assert mine == {0: best, 1: worst}
    assert results.standing(1).forfeits == 1
    assert results.first_pair()[0] == 1


def test_a_player_that_faints_forfeits_and_the_arena_goes_on() -> None:
    run = finished(contest("kuhn-poker", "first,fainting", 7))
    assert len(run.results.games) == 14
    lost = run.results.forfeits
    assert {found.deal for found in lost} == {1, 4}
    for found in lost:
        assert found.forfeit is not None
        assert found.forfeit.player == 1
        assert found.players[found.forfeit.place] == 1
        assert found.forfeit.why.startswith(f"raised RuntimeError: deal {found.deal} (contests.py line ")
        assert found.shares[found.forfeit.place] == 0
        assert sum(found.shares) == 1
    told_of = run.results.to_json()["forfeits"]
    assert [line["player"] for line in told_of] == ["fainting"] * len(lost)
    # in the other deals it plays as its twin does
    twin = finished(contest("kuhn-poker", "first,last", 7)).results.games
    for mine, other in zip(run.results.games, twin, strict=True):
        assert mine.forfeit is not None or mine.points == other.points


def test_a_forfeit_in_a_match() -> None:
    run = finished(contest("cribbage", "first,fainting", 1, matches=True))
    assert run.results.games
    for found in run.results.games:
        assert found.forfeit is not None
        assert (found.ending, found.points) == ("forfeit", None)
        assert found.forfeit.dealt == found.dealt == 2  # its second deal is the first that it fails in


def test_a_forfeit_where_a_player_sits_twice() -> None:
    run = finished(contest("hearts", "first,fainting", 2))
    assert run.results.forfeits
    for found in run.results.forfeits:
        assert all((share == 0) == (who == 1) for who, share in zip(found.players, found.shares, strict=True))
        assert sum(found.shares) == pytest.approx(1)


def test_the_number_of_workers_makes_no_difference() -> None:
    made = contest("kuhn-poker", "first,fainting,random", 5)
    one, two = finished(made, 1), finished(made, 2)
    assert timeless(one.results.games) == timeless(two.results.games)
    assert told(one) == told(two)


@pytest.mark.parametrize("trusted", [True, False])
def test_players_in_files_are_the_same_in_every_worker(trusted: bool) -> None:
    loaded = upcard.load("kuhn-poker", engine="reference")
    own = Path(__file__).resolve().parents[1] / "players" / "own.py"
    try:
        names = ("Drawing", "Raising" if trusted else "Unmade")
        players = [resolve_player(f"{own}:{name}", loaded, 60.0, trusted) for name in names]
        made = Contest.of(loaded, players, 4, 1)
        one, two = finished(made, 1), finished(made, 2)
    finally:
        end_all()
    assert timeless(one.results.games) == timeless(two.results.games)
    assert {game.deal for game in one.results.forfeits} == ({1, 3} if trusted else {0, 1, 2, 3})
    assert made.labels == [f"own.py:{name}" for name in names]


def test_a_lost_worker_is_reported_in_one_sentence() -> None:
    with pytest.raises(WorkerLost, match="ended unexpectedly"):
        finished(contest("kuhn-poker", "crashing,first", 3), 2)


def test_an_early_stop_is_the_same_for_any_number_of_workers() -> None:
    made = contest("kuhn-poker", "first,last", 400, sprt=(-0.5, 0.5))
    one, two = finished(made, 1), finished(made, 2)
    assert one.stopping is not None
    assert two.stopping is not None
    assert one.stopping.decided is not None
    assert one.stopping == two.stopping
    assert len(one.results.games) == 2 * one.stopping.after < 800
    assert timeless(one.results.games) == timeless(two.results.games)


def test_an_early_stop_of_matches_is_about_matches_won() -> None:
    run = finished(contest("kuhn-poker", "random,random", 30, matches=True, sprt=(0.5, 0.6)))
    assert run.stopping is not None
    assert (run.stopping.decided, run.stopping.after) == ("low", 20)


def test_contests_that_cannot_be() -> None:
    with pytest.raises(BadContest, match="at least two"):
        contest("kuhn-poker", "first", 5)
    with pytest.raises(BadContest, match="--sprt compares two players, not 3"):
        contest("kuhn-poker", "first,first,first", 5, sprt=(0, 1))


def test_ratings_put_the_better_first() -> None:
    pytest.importorskip("openskill")
    run = finished(contest("euchre", "random,simple,first", 6))
    rated = ratings(run.results)
    assert rated[0].player == 1
    assert rated == ratings(run.results)
    assert all(found.doubt < 25 / 3 for found in rated)


def test_forfeits_lose_ratings() -> None:
    pytest.importorskip("openskill")
    made = contest("kuhn-poker", "first,last,fainting", 4)
    results = Results(made)
    for index in range(made.games):
        players = made.schedule.game(index)[1].players
        results.add(game(made, index, None, 2) if 2 in players else game(made, index, (1, 1)))
    assert ratings(results)[-1].player == 2


def test_without_openskill_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openskill", None)
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    with pytest.raises(NotInstalled, match=r"ratings need openskill: pip install 'upcard\[arena\]'"):
        ratings(finished(contest("kuhn-poker", "first,last,random", 1)).results)


def test_without_pyarrow_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(NotInstalled, match=r"parquet files need pyarrow: pip install 'upcard\[parquet\]'"):
        need_parquet()


def test_a_table_has_a_row_a_game(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    run = finished(contest("kuhn-poker", "first,fainting", 4))
    path = tmp_path / "games.parquet"
    write_parquet(contest_table(run.results, "games"), path)
    table = parquet.read_table(path)
    rows = table.to_pylist()
    assert len(rows) == 8
    assert any(played.forfeit for played in run.results.games)
    for row, played in zip(rows, run.results.games, strict=True):
        assert (row["game"], row["deal"], row["ending"]) == (played.index, played.deal, played.ending)
        assert [row["player_0"], row["player_1"]] == [run.contest.names[who] for who in played.players]
        assert [row["points_0"], row["points_1"]] == list(run.results.points(played))
        assert [row["score_0"], row["score_1"]] == list(played.scores or [None, None])
        assert row["forfeit_player"] == (None if played.forfeit is None else "fainting")
        assert (row["forfeit_reason"] is None) == (played.forfeit is None)
    about = json.loads(table.schema.metadata[b"upcard"])
    assert (about["table"], about["game"], about["deals"]) == ("contest games", "kuhn-poker", 4)
    assert about["places"] == ["Ann", "Ben"]


@pytest.mark.parametrize("game, matches", [("euchre", False), ("euchre", True)])
def test_tables_have_the_figures_of_the_report(game: str, matches: bool) -> None:
    pytest.importorskip("pyarrow")
    results = finished(
        contest(game, "first,last,random", 2, matches=matches, to=2 if matches else None)
    ).results
    standings = contest_table(results, "standings").to_pylist()
    assert [row["player"] for row in standings] == results.contest.names
    assert [row["points_mean"] for row in standings] == [
        results.standing(player).points.mean for player in range(3)
    ]
    pairs = contest_table(results, "pairs").to_pylist()
    assert [(row["player"], row["other"]) for row in pairs] == [
        ("first", "last"),
        ("first", "random"),
        ("last", "random"),
    ]
    assert [row["ahead_low"] for row in pairs] == [pair.ahead.low for pair in results.pairs()]
    games = contest_table(results, "games")
    assert games.num_rows == len(results.games)
    assert ("score_3" in games.column_names) == (not matches)  # of a match, a score for each side
