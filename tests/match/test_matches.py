"""Matches played, recorded, cut short and gone on with."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import upcard
from upcard.engine.api import Observation, Record
from upcard.engine.transcript import TranscriptError
from upcard.match import Match, Participant, Table
from upcard.match.match_record import read, resume, writer
from upcard.match.match_series import Matches, play_many
from upcard.players.protocol import Budget, Decision
from upcard.players.registry import NoSuchPlayer, player_factory
from upcard.storage.jsonl import Log, to_line


class First:
    """Takes the first move and keeps what it saw."""

    seen: list[Observation]

    def __init__(self, seed: int, deal: int, seat: int) -> None:
        self.seen = []

    def choose(self, observation: Observation, budget: Budget) -> Decision:
        self.seen.append(observation)
        return Decision(observation.moves[0])


def table(name: str, kind: str = "random") -> Table:
    game = upcard.load(name)
    make = First if kind == "first" else player_factory(kind, game)
    return Table.of(game, [Participant(game.narrator.seat(i), kind, make) for i in range(game.seats)])


def merged(parts: object, sides: int) -> Matches:
    found = Matches(sides)
    for part in parts:  # type: ignore[attr-defined]
        found.merge(part)
    return found


def test_random_matches_are_the_same_with_and_without_stepping() -> None:
    euchre = table("euchre")
    quick = merged(play_many(euchre, 6, seed=5), 2)
    slow = Matches(2)
    for number in range(6):
        match = Match(euchre, 5, number)
        match.play()
        slow.take(match)
    assert quick == slow


def test_what_runs_through_a_match_is_the_same_with_and_without_stepping() -> None:
    spades = table("spades").to(60)  # whose bags are counted from deal to deal
    quick = merged(play_many(spades, 3, seed=3), 2)
    slow = Matches(2)
    for number in range(3):
        match = Match(spades, 3, number)
        match.play()
        slow.take(match)
    assert quick == slow


def test_workers_make_no_difference() -> None:

    euchre = table("euchre", "simple").to(3)
    one = merged(play_many(euchre, 2, seed=3, workers=1), 2)
    two = merged(play_many(euchre, 2, seed=3, workers=2), 2)
    assert one == two


def test_what_a_seat_observes_of_the_match() -> None:
    match = Match(table("euchre", "first"), 2)
    while match.board.deals < 1:
        match.step()
    match.step()
    player = match._players[0]
    assert isinstance(player, First)
    seen = player.seen[0].match
    assert seen is not None
    assert seen["deal"] == 1
    assert seen["to"] == 10
    assert seen["names"] == ["West", "North", "East", "South"]
    north_south, east_west = match.board.totals
    assert seen["scores"] == [east_west, north_south, east_west, north_south]
    assert Observation.from_json(player.seen[0].to_json()) == player.seen[0]


@pytest.mark.parametrize("cut", [3, 17, 40])
def test_a_match_goes_on_where_its_record_ends(tmp_path: Path, cut: int) -> None:
    whole: list[Record] = []
    euchre = table("euchre").to(4)
    Match(euchre, 8, on_record=whole.append).play()
    path = tmp_path / "match.jsonl"
    text = "".join(f"{to_line(line)}\n" for line in whole[:cut])
    path.write_text(text + '{"do":"deci')  # killed in the middle of a line
    lines = read(path)
    assert len(lines) == cut
    with Log(path, cut) as log:
        match = resume(euchre, lines, writer(log))
        match.play()
    assert read(path) == json.loads(json.dumps(whole))


def test_a_changed_record_is_found(tmp_path: Path) -> None:
    whole: list[Record] = []
    euchre = table("euchre").to(2)
    Match(euchre, 8, on_record=whole.append).play()
    result = next(i for i, line in enumerate(whole) if line["do"] == "result")
    changed = json.loads(json.dumps(whole))
    changed[result]["points"][0] += 1
    with pytest.raises(TranscriptError, match=f"line {result + 1}: result: points is"):
        resume(euchre, changed)
    assert resume(euchre, json.loads(json.dumps(whole))).over


def test_an_unknown_player_gets_the_list() -> None:
    with pytest.raises(NoSuchPlayer, match="did you mean random"):
        player_factory("randon", upcard.load("euchre"))


def test_the_first_dealer_is_named_and_then_the_deal_passes() -> None:
    euchre = replace(table("euchre").to(6), dealer=1)
    lines: list[Record] = []
    Match(euchre, 4, on_record=lines.append).play()
    dealers = [line["sits"][-1] for line in lines if line["do"] == "deal"]
    assert dealers[:6] == [1, 2, 3, 0, 1, 2][: len(dealers)]
    assert lines[0]["dealer"] == 1


def test_a_drawn_dealer_is_anybody_and_the_same_again() -> None:
    euchre = replace(table("euchre").to(1), dealer="drawn")
    first = [euchre.seating(9, number, 0).dealer for number in range(200)]
    assert first == [euchre.seating(9, number, 0).dealer for number in range(200)]
    assert all(35 <= first.count(person) <= 65 for person in range(4))
    quick, slow = merged(play_many(euchre, 6, seed=9), 2), Matches(2)
    for number in range(6):
        match = Match(euchre, 9, number)
        assert match.seating.dealer == first[number]
        match.play()
        slow.take(match)
    assert quick == slow
