"""What a match tells the program: the score, the target and the number of the deal."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import upcard
from upcard.arguments import BadArgument
from upcard.engine import transcript
from upcard.engine.api import Record
from upcard.engine.loader import Engine
from upcard.engine.shared.state import BaseState
from upcard.match.match_play import Match, Participant, Table
from upcard.match.match_record import resume
from upcard.match.seats import side_of
from upcard.players import RandomPlayer
from upcard.players.spec import resolve_player

CASES = [
    ("cribbage", {"seat0.BEFORE": 118, "seat1.BEFORE": 100, "table.TARGET": 121}),
    ("cribbage", {"seat0.BEFORE": 90, "seat1.BEFORE": 119, "table.TARGET": 121}),
    ("hearts", {"table.ROUND": 1}),
    ("hearts", {"table.ROUND": 3}),
]


def played(state: BaseState, seed: int) -> BaseState:
    chance = Random(seed)
    while state.to_move is not None:
        state.play(chance.randrange(state.choices))
    return state


@pytest.mark.parametrize(("name", "given"), CASES)
def test_both_engines_play_the_same_and_a_transcript_replays(
    name: str, given: dict[str, int], tmp_path: Path
) -> None:
    native, reference = upcard.load(name), upcard.load(name, engine="reference")
    for seed in range(5):
        one = played(native.deal(seed, given=given), seed)
        other = played(reference.deal(seed, given=given), seed)
        assert one.records == other.records
        assert one.table.content()[:-1] == other.table.content()[:-1], "all but variables"
        quiet = played(native.deal(seed, given=given, recording=False), seed)
        assert quiet.outcome == one.outcome
    assert one.records[0]["given"] == given
    transcript.write(one, tmp_path / "game.jsonl")
    replayed = transcript.replay(transcript.read(tmp_path / "game.jsonl"))
    assert replayed.state.records == one.records
    plain = played(native.deal(4), 4)
    assert "given" not in plain.records[0]


def test_a_searching_player_finds_worlds_that_fit_the_score() -> None:
    game = upcard.load("cribbage")
    spec = resolve_player("pimc:20", game)
    state = game.deal(1, given={"seat0.BEFORE": 118, "seat1.BEFORE": 100, "table.TARGET": 121})
    players = [spec.make(1, 0, seat) for seat in range(2)]
    while (seat := state.to_move) is not None:
        player = players[seat]
        decision = player.choose(state.observe(seat), spec.budget)  # type: ignore[union-attr]
        assert not decision.guessed
        state.play(decision.move)


@pytest.mark.parametrize("given", [{"DEAL": 1}, {"seat4.ROUND": 1}, {"table.ROUND": 1 << 70}])
def test_what_is_no_storage_or_number_is_refused(given: dict[str, int]) -> None:
    with pytest.raises(BadArgument):
        upcard.load("hearts", engine="reference").deal(given=given)


def random_match(
    name: str, engine: Engine, to: int, seed: int = 5, **rules: str
) -> tuple[Match, list[Record]]:
    game = upcard.load(name, engine=engine, rules=rules)
    people = [Participant(game.narrator.seat(seat), "random", RandomPlayer) for seat in range(game.seats)]
    lines: list[Record] = []
    match = Match(Table.of(game, people).to(to), seed, on_record=lines.append)
    match.play()
    return match, lines


def test_a_cribbage_match_ends_where_the_target_is_pegged() -> None:
    match, lines = random_match("cribbage", "native", 61)
    again, _ = random_match("cribbage", "reference", 61)
    assert match.outcomes == again.outcomes
    assert sum(total >= 61 for total in match.board.totals) == 1, "nobody counts on after the end"
    resumed = resume(match.table, lines)
    assert resumed.outcomes == match.outcomes


def test_by_house_rule_the_last_deal_is_counted_to_its_end() -> None:
    cut_short = 0
    for seed in range(6):
        at_once, _ = random_match("cribbage", "native", 31, seed)
        late, _ = random_match("cribbage", "native", 31, seed, finish="after-the-deal")
        assert late.outcomes[:-1] == at_once.outcomes[:-1], "only the last deal is cut short"
        cut_short += late.outcomes != at_once.outcomes
    assert cut_short > 0


def test_the_first_to_peg_the_last_point_wins_although_the_other_would_count_more() -> None:
    """South shows first: with three points to go it wins before North counts a better hand."""
    game = upcard.load("cribbage", engine="reference")
    before = {"seat0.BEFORE": 119, "seat1.BEFORE": 119, "table.TARGET": 121}
    early = 0
    for seed in range(30):
        scores = played(game.deal(seed, given=before), seed).outcome.scores  # type: ignore[union-attr]
        assert scores is not None
        assert sum(score >= 2 for score in scores) == 1
        whole = played(game.deal(seed), seed).outcome.scores  # type: ignore[union-attr]
        early += scores != whole
    assert early > 20


def test_hearts_are_passed_left_right_across_and_not_at_all() -> None:
    _, lines = random_match("hearts", "reference", 150)
    game = upcard.load("hearts", engine="reference")
    for number, seat in ((0, 1), (1, 3), (2, 2), (4, 1)):
        state = game.deal(7, given={"table.ROUND": number})
        mine = [move.picks[0]["card"] for move in state.moves[:3]]
        for _ in range(12):
            state.play(0)
        hands = {place: cards for place, cards in state.observe(seat).places.items() if "HAND" in place}
        assert set(mine) <= set(hands[f"seat{seat}.iloc.HAND"])
    decisions: dict[int, int] = {}
    deal = -1
    for line in lines:
        deal = line["number"] if line["do"] == "deal" else deal
        decisions[deal] = decisions.get(deal, 0) + (line["do"] == "decision")
    assert len(decisions) > 4
    assert {deal: n for deal, n in decisions.items() if deal >= 0} == {
        deal: 52 if deal % 4 == 3 else 64 for deal in decisions if deal >= 0
    }


def test_the_score_is_that_of_the_side_at_each_seat() -> None:
    game = upcard.load("cribbage", engine="reference")
    people = [Participant(game.narrator.seat(seat), "person") for seat in range(2)]
    match = Match(Table.of(game, people), 3)
    while match.board.deals < 2:
        assert match.state is not None
        match.decide(0)
    assert match.state is not None
    given = match.state.records[0]["given"]
    for seat, person in enumerate(match.seating.persons):
        assert given[f"seat{seat}.BEFORE"] == match.board.totals[side_of(person, match.table.sides)]
    assert given["table.TARGET"] == 121
