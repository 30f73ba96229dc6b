"""What a match tells the program: the score, the target and the number of the deal."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import ClassVar

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
from upcard.players.seeds import Seeds
from upcard.players.spec import resolve_player
from upcard.simulate.random_games import RandomGames
from upcard.simulate.stage_trace import staged_games
from upcard.simulate.sums_detail import Sums
from upcard.simulate.traces import trace_game
from upcard.simulate.traces_detail import Traces
from upcard.study.game_log import searching_game

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


# --- outside a match ---------------------------------------------------------------------------------

TURN = [64, 64, 64, 52]
"""Decisions of a deal of Hearts: with three cards passed by four players, and without."""


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_deals_of_a_seed_pass_cards_in_turn_as_in_a_match(engine: Engine) -> None:
    game = upcard.load("hearts", engine=engine)
    for number in (0, 1, 3, 4, 7):
        assert played(game.deal(2, number), number).decisions == TURN[number % 4]
    assert game.deal(2, 6).records[0]["given"] == {"table.ROUND": 6}
    assert played(game.deal(2, 3, given={}), 3).decisions == 64, "given by the caller: nothing"
    assert [row.decisions for row in RandomGames(game, Sums(), 2).rows(0, 8)] == TURN * 2
    assert [len(trace.seats) for trace in RandomGames(game, Traces(), 2).games(2, 6)] == [64, 52, 64, 64]


def test_bulk_deals_are_those_of_single_deals_for_any_number_of_workers() -> None:
    native, reference = upcard.load("hearts"), upcard.load("hearts", engine="reference")
    sums = native.simulate(60, seed=4, workers=1)
    assert sums.to_json() == native.simulate(60, seed=4, workers=2).to_json()
    assert sums.to_json() == reference.simulate(60, seed=4, workers=1).to_json()
    assert [trace.trace.seats for trace in staged_games(native, 4, 2, 6)] == [  # type: ignore[arg-type]
        trace_game(reference.deal(4, deal)).seats for deal in range(2, 6)
    ]


def test_a_study_passes_in_turn_with_a_secret_too() -> None:
    game = upcard.load("hearts")
    found: list[int] = []
    for seeds in (Seeds(1), Seeds(1, "ab" * 16)):
        watched = [searching_game(game, [None] * 4, seeds, deal) for deal in range(5)]
        found += [len(one.seats) for one in watched]
    assert found == [64, 64, 64, 52, 64] * 2


class Counting:
    """Counts the decisions of each deal."""

    decisions: ClassVar[Counter[int]] = Counter()

    def __init__(self, seed: int, deal: int, seat: int) -> None:
        self.deal = deal

    def choose(self, observation: upcard.Observation, budget: object) -> upcard.Decision:
        self.decisions[self.deal] += 1
        return upcard.Decision(observation.moves[0])


def test_an_arena_passes_in_turn() -> None:
    Counting.decisions.clear()
    upcard.arena.run("hearts", [Counting, "random"], deals=5, seed=1)
    shares = [Counting.decisions[deal] / Counting.decisions[0] for deal in range(5)]
    assert shares == [1, 1, 1, 52 / 64, 1]


def test_the_number_begins_again_where_a_match_would_end(tmp_path: Path) -> None:
    program = """
(game
 (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A, K, Q, J)))))
 (do ((set (game sto SEEN) (game sto ROUND))))
 (scoring max (game sto SEEN)))
"""
    (tmp_path / "rules.rcy").write_text(program, encoding="utf-8")
    for match, seen in (("deals = 3", [0, 1, 2, 0, 1]), ("to = 5", [0, 1, 2, 3, 4])):
        sheet = f'title = "X"\n[match]\n{match}\n[match.given]\nROUND = "deal"\n'
        (tmp_path / "game.toml").write_text(sheet, encoding="utf-8")
        engines: tuple[Engine, ...] = ("native", "reference")
        for engine in engines:
            game = upcard.load(tmp_path, engine=engine)
            rows = list(RandomGames(game, Sums(), 1).rows(0, 5))
            assert [row.scores[0] for row in rows if row.scores] == seen
            assert [game.deal(1, n).outcome.scores[0] for n in range(5)] == seen  # type: ignore[index, union-attr]


def test_score_and_target_stay_0() -> None:
    assert "given" not in upcard.load("cribbage").deal(1, 5).records[0]
