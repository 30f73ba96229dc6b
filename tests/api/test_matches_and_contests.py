"""Matches, contests, studies and graphs in one call, with players by name, class, function and object."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import upcard
from upcard.arena.contest import Contest
from upcard.arena.contest_run import Run
from upcard.engine.loader import load
from upcard.match import match_play
from upcard.match.match_play import Participant, Table
from upcard.players.spec import resolve_player


class Last:
    """Plays the last move, and keeps what it was made with."""

    def __init__(self, seed: int, seat: int, game: upcard.Game) -> None:
        self.made_with = (seed, seat, game.name)

    def choose(self, observation: upcard.Observation, budget: upcard.Budget) -> upcard.Decision:
        assert self.made_with[1:] == (observation.seat, observation.game["game"])
        return upcard.Decision(observation.moves[-1])


class First:
    """Plays the first move, whatever seat it is in."""

    seen = 0

    def choose(self, observation: upcard.Observation, budget: upcard.Budget) -> upcard.Decision:
        self.seen += 1
        return upcard.Decision(observation.moves[0])


class Failing:
    def choose(self, observation: upcard.Observation, budget: upcard.Budget) -> upcard.Decision:
        raise RuntimeError("no idea")


def make_first(seat: int) -> First:
    return First()


def test_a_match_is_that_of_the_command() -> None:
    """The same table, played by what the command uses."""
    game = load("euchre")
    specs = [resolve_player("simple", game), resolve_player("random", game)]
    people = [
        Participant(game.narrator.seat(seat), specs[seat % 2].name, specs[seat % 2].make) for seat in range(4)
    ]
    expected = match_play.Match(Table.of(game, people), 5)
    expected.play()
    match = upcard.Match(game, ["simple", "random"], seed=5)
    deals = list(match)
    assert match.scores == tuple(expected.board.totals)
    assert list(match.winners) == expected.winners
    assert [list(deal.scores) for deal in deals] == [line["scores"] for line in expected.outcomes]
    assert match.deals == tuple(deals)
    assert deals[-1].totals == match.scores
    assert match.over
    assert (match.state, match.to_move, match.observation) == (None, None, None)
    assert [line["do"] for line in match.records][:2] == ["match", "deal"]
    assert match.records[-1]["do"] == "over"
    assert repr(match).startswith("<Match of euchre, seed 5: over after ")


def test_a_person_decides_outside() -> None:
    match = upcard.Match("euchre", [None, "random", "simple", First()], seed=2, to=1, names=list("ABCD"))
    decided = 0
    while not match.over:
        if match.to_move == 0:
            seen = match.observation
            assert seen is not None
            assert seen.match is not None
            assert seen.match["names"][seen.seat] == "A"
            match.decide(seen.moves[-1])
            decided += 1
        else:
            match.step()
    assert decided > 0
    assert match.names == ("A", "B", "C", "D")


def test_the_state_of_a_match_is_a_copy() -> None:
    match = upcard.Match("euchre", ["random", "random"], seed=2)
    state = match.state
    assert state is not None
    state.play(0)
    assert match.state is not None
    assert match.state.decisions == 0


def test_players_by_class_function_and_object() -> None:
    same = First()
    named = upcard.Match("kuhn-poker", [First, Last], seed=3).play()
    assert upcard.Match("kuhn-poker", [make_first, Last], seed=3).play().scores == named.scores
    assert upcard.Match("kuhn-poker", [same, Last], seed=3).play().scores == named.scores
    assert same.seen > 0
    assert [line["players"] for line in named.records if line["do"] == "match"] == [["First", "Last"]]


def test_a_failing_player_is_named() -> None:
    match = upcard.Match("kuhn-poker", [Failing, "random"])
    with pytest.raises(upcard.Misbehaved, match=r"Failing raised RuntimeError: no idea \(test_matches"):
        match.play()
    result = upcard.arena.run("kuhn-poker", [Failing, First], deals=3)
    assert len(result.forfeits) == 6
    assert result.forfeits[0].startswith("Failing raised RuntimeError: no idea")


def test_a_contest_is_that_of_the_command(tmp_path: Path) -> None:
    game = load("euchre")
    specs = [resolve_player(name, game) for name in ("simple", "random")]
    run = Run(Contest.of(game, specs, 6, 4))
    assert len(list(run.play(1))) == 12
    record = tmp_path / "record.jsonl"
    result = upcard.arena.run("euchre", ["simple", "random"], deals=6, seed=4, workers=1, record=record)
    timed = "decisions_per_second"
    expected, found = run.results.to_json(), result.to_json()
    assert {**found, timed: None} == {**expected, timed: None}
    assert json.loads(json.dumps(found)) == found
    assert (result.names, result.deals, result.games) == (("simple", "random"), 6, 12)
    pair = result.pairs["simple", "random"]
    assert pair.ahead == run.results.pairs()[0].ahead
    assert result.standings["simple"].points == run.results.standing(0).points
    assert repr(result).startswith("<ContestResult of euchre, 6 deals: points per deal simple ")
    before = record.read_bytes()
    again = upcard.arena.run("euchre", ["simple", "random"], deals=6, seed=4, workers=1, record=record)
    assert again.standings["random"].points == result.standings["random"].points
    assert record.read_bytes() == before


def test_a_contest_may_be_decided_early() -> None:
    result = upcard.arena.run("euchre", ["simple", "random"], deals=200, seed=1, sprt=(0, 0.5), workers=1)
    assert result.sprt is not None
    assert result.sprt.decided == "high"
    assert result.deals < 200


def test_a_study_names_its_figures() -> None:
    result = upcard.study.run("kuhn-poker", 60, seed=1, players=[First], search_games=4)
    assert result.games >= 64
    assert "skill" in result.profile
    assert repr(result).startswith("<StudyResult of kuhn-poker, ")
    assert json.loads(json.dumps(result.to_json()))["players"] == ["First", "random"]


def test_a_graph_is_drawn(tmp_path: Path) -> None:
    graph = upcard.graph.draw("euchre", 2, seed=3)
    assert graph._repr_svg_() == graph.svg
    assert graph.sentences
    assert graph.save(tmp_path / "euchre.svg").read_text(encoding="utf-8") == graph.svg
    assert graph.save(tmp_path / "euchre.dot").read_text(encoding="utf-8") == graph.dot


def test_a_difference_of_engines_is_reported() -> None:
    report = upcard.verify.compare_engines("leduc-holdem", 5, seed=2)
    assert report.agree
    assert report.to_json() == {"game": "leduc-holdem", "games": 5, "differences": []}


def test_positions_that_do_not_hold_are_reported(tmp_path: Path) -> None:
    starter = Path(upcard.__file__).parent / "library" / "starter"
    for file in starter.iterdir():
        (tmp_path / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    assert upcard.verify.check_positions(tmp_path).hold
    positions = tmp_path / "positions.toml"
    positions.write_text('[[position]]\nname = "wrong"\nturn = "Nobody"\n', encoding="utf-8")
    report = upcard.verify.check_positions(tmp_path)
    assert not report.hold
    assert "Nobody" in report.to_json()["positions"][0]["wrong"]
