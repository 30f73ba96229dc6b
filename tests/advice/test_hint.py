"""Hints: values that hold, that agree with each other, and reasons that name the right move."""

from __future__ import annotations

import re

import pytest
from tests.advice.positions import FEW, call, choice, match_of, native

import upcard
from upcard.advice import hint
from upcard.advice.hint import Hint, compare
from upcard.advice.model_play import model_of
from upcard.advice.move_value import MoveValue
from upcard.advice.playouts import LEAST_WORLDS, THOROUGH, Effort, Search
from upcard.advice.words import gerund
from upcard.engine.api import Observation
from upcard.engine.native.game import NativeGame
from upcard.euchre.stacked_deals import deal, moves_by_word, parse_card, parse_cards
from upcard.players.search.quick_player import WATCHED

pytestmark = pytest.mark.skipif(
    not isinstance(upcard.load("euchre"), NativeGame), reason="hints are played out in machine code"
)


def told(seen: Observation, effort: Effort = FEW, seed: int = 0) -> Hint:
    return hint(native(str(seen.game["game"])), seen, player="pimc:30", effort=effort, seed=seed)


def named(found: Hint, text: str) -> MoveValue:
    return next(value for value in found.moves if value.text == text)


def test_the_five_top_trumps_on_lead_are_certain() -> None:
    """It was +3.66 with an error of 0.01."""
    found = told(call(hand="JD,JH,AD,KD,QD", up="9D", seat="1"))
    best = found.moves[0]
    assert best.text == "order it up and go alone"
    assert best.points.certain
    assert best.points.value == 4
    assert "however the other cards lie" in " ".join(found.reasons)
    assert not named(found, "pass").points.certain


def test_a_point_that_wins_the_match_is_certain_with_three_top_trumps() -> None:
    found = told(call(hand="JS,JC,AS,9H,TD", up="9S", seat="2", score="9-7"))
    together = named(found, "order it up")
    assert together.win.certain
    assert together.win.value == 1
    assert not together.points.certain, "a march is not certain"
    assert together.points.low >= 1


def test_a_call_is_worth_what_follows() -> None:
    """Ordering up as dealer is worth as much as the best discard after it."""
    game = native("euchre")
    seen = call(hand="JS,AS,9C,AH,9D", up="QS", seat="dealer")
    ordered = named(told(seen, Effort(300, 30_000_000)), "pick it up")
    state = deal(game, {3: parse_cards("JS,AS,9C,AH,9D")}, parse_card("QS"))
    for word in ("pass", "pass", "pass", "order"):
        assert state.to_move is not None
        state.play(moves_by_word(state.observe(state.to_move))[word])
    after = told(state.observe(3, dict(seen.match or {})), Effort(300, 30_000_000), seed=1).moves[0]
    assert (
        abs(ordered.points.value - after.points.value)
        < (ordered.points.half**2 + after.points.half**2) ** 0.5
    )
    assert ordered.second is not None


def test_a_pass_is_worth_the_mean_of_what_follows() -> None:
    """The hint for the next seat, over the hands that it may hold, agrees with the value of passing."""
    game = native("euchre")
    seen = call(hand="9S,TS,9H,TH,9D", up="KC", seat="1")
    passed = named(told(seen, Effort(400, 40_000_000)), "pass")
    search = Search(game, seen, model_of(game), 77)
    sums, worlds = 0.0, 12
    for number, _ in enumerate(search.fitting()):
        if number == worlds:
            break
        assert search.worlds is not None
        number_of_deal, outcomes, indices = search.worlds.last_world()
        state = game.deal(0, number_of_deal, stacked=outcomes)
        for index in indices:
            state.play(index)
        state.play(moves_by_word(state.observe(0))["pass"])
        next_seen = state.observe(1, dict(seen.match or {}))
        model_choice = told(next_seen, Effort(24, 1))
        sums -= max(value.points.value for value in model_choice.moves)
    # a dozen hands of the next seat have an error of about 0.3 together
    assert passed.points.value == pytest.approx(sums / worlds, abs=0.7)


def test_equal_results_in_all_deals_are_not_certain_without_proof() -> None:
    found = told(call(hand="9S,9H,9C,9D,TD", up="AS", seat="1"))
    for value in found.moves:
        assert value.proof is None
        assert value.points.half > 0.02


def test_the_same_seed_gives_the_same_hint() -> None:
    seen = call(hand="JS,QC,9H,TD,QD", up="AS", seat="2")
    assert told(seen).to_json() == told(seen).to_json()
    assert told(seen).to_json() != told(seen, seed=1).to_json()


def test_reasons_compare_with_the_next_best_move_and_count_results() -> None:
    found = told(call(hand="JS,QC,9H,TD,QD", up="AS", seat="2"))
    best, other = found.moves[:2]
    assert other.doing in found.reasons[0]
    for value in (best, other):
        assert sum(result.share for result in value.results) == pytest.approx(1)
    assert any(re.search(r"\d % (made|euchred|a march|you|they)", text) for text in found.reasons)
    worse = [value.points.value for value in found.moves[2:]]
    assert all(points <= max(best.points.value, other.points.value) for points in worse)


def test_hidden_cards_that_decide_are_named() -> None:
    """With the right bower missing, who holds it matters."""
    seen = call(hand="JC,AS,KS,9H,9D", up="9S", seat="2")
    found = told(seen, Effort(300, 30_000_000))
    text = " ".join(found.reasons)
    assert "the right bower" in text
    assert re.search(r"If (South|North|East|nobody)", text)


@pytest.mark.parametrize("name", ["hearts", "crazy-eights", "pitch"])
def test_the_chance_of_a_match_is_that_of_the_match(name: str) -> None:
    """With 94 points against 33 of the others, Hearts gave 44 %: the share of the deal."""
    game = native(name)
    highest = game.program.scoring.highest
    far_behind = [94 if not highest else 0] * game.seats
    seen = choice(name, 2)
    seat = seen.seat
    target = match_of(game)["to"]
    ahead = [33 if not highest else target - 1] * game.seats
    scores = [far_behind[s] if s == seat else ahead[s] for s in range(game.seats)]
    found = told(choice(name, 2, scores=scores), Effort(24, 1))
    assert found.match
    assert max(value.win.value for value in found.moves) < 0.2


def test_without_a_match_the_chance_is_that_of_the_deal() -> None:
    found = told(choice("german-whist", 2), Effort(24, 1))
    assert not found.match


def test_two_moves_are_compared_in_the_same_deals() -> None:
    game, seen = native("euchre"), call(hand="9S,9H,9C,9D,TD", up="AS", seat="1")
    by_text = {value.text: value.move for value in told(seen).moves}
    found = compare(game, seen, by_text["pass"], by_text["order it up and go alone"], effort=FEW)
    assert found is not None
    assert found.points.low > 0


def test_an_open_ending_without_choices_is_certain() -> None:
    """The last trick but one of German Whist: all cards are known, and after the move nobody has a choice."""
    game = native("german-whist")
    certain = 0
    for number in range(3):
        state, last = game.deal(9, number), None
        while state.to_move is not None:
            if state.choices > 1:
                last = state.observe(state.to_move, match_of(game)), state.copy()
            state.play(0)
        assert last is not None
        seen, before = last
        for value in told(seen).moves:
            if value.points.certain:
                certain += 1
                end = before.copy()
                end.play(value.move)
                while end.to_move is not None:
                    end.play(0)
                assert end.outcome is not None
                assert end.outcome.scores is not None
                mine, theirs = end.outcome.scores[seen.seat], end.outcome.scores[1 - seen.seat]
                assert value.points.value == mine - theirs
    assert certain


def test_moves_as_gerunds() -> None:
    assert gerund("play J♠") == "playing J♠"
    assert gerund("order it up and go alone") == "ordering it up and going alone"
    assert gerund("make spades trump, go alone") == "making spades trump, going alone"
    assert gerund("bid 3") == "bidding 3"
    assert gerund("lay 9♣ K♠ away") == "laying 9♣ K♠ away"
    assert gerund("with the other clubs") == "choosing with the other clubs"
    assert gerund("making clubs") == "making clubs"
    assert gerund("tie") == "tying"


def test_runs_of_items_end_a_hint_and_so_do_listed_alternatives() -> None:
    """Scopa's alternatives are groups of cards that are tried one by one: a hint took a minute, as it counted
    only those that were found."""
    game, seen = native("scopa"), choice("scopa", 6)
    for effort in (Effort(500, 10**12, 1), Effort(500, 1, 10**12)):
        search = Search(game, seen, model_of(game), 1)
        assert len(search.run(effort).weights) == LEAST_WORLDS
    assert search.table.runs > search.table.listed > 0
    counted = Search(native("whist"), choice("whist", 6), model_of(native("whist")), 1)
    counted.run(Effort(24, 1))
    assert counted.table.listed > 0
    assert counted.table.runs == 0


def test_moves_of_dear_games_are_weighed_by_fewer_guesses() -> None:
    late = choice("scopa", 20)
    dear = Search(native("scopa"), late, model_of(native("scopa")), 1).table.watched
    cheap = Search(native("hearts"), choice("hearts", 30), model_of(native("hearts")), 1).table.watched
    assert 1 <= dear < WATCHED < cheap


def test_more_worlds_may_cost_more() -> None:
    """--worlds 5000 stopped after as much work as --worlds 500."""
    more = THOROUGH.with_worlds(10 * THOROUGH.worlds)
    assert (more.listed, more.runs) == (10 * THOROUGH.listed, 10 * THOROUGH.runs)
    fewer = THOROUGH.with_worlds(30)
    assert (fewer.worlds, fewer.listed, fewer.runs) == (30, THOROUGH.listed, THOROUGH.runs)


def test_the_move_that_was_played_is_valued_to_the_end() -> None:
    """Doubling in Blackjack was dropped after 24 deals as clearly worse, and then called about as good."""
    seen = choice("blackjack", 1)
    without = told(seen, Effort(200, 10**9))
    dropped = next(value for value in without.moves if value.playouts < without.worlds)
    found = hint(native("blackjack"), seen, player="pimc:30", effort=Effort(200, 10**9), played=dropped.move)
    kept = found.value(dropped.move)
    assert kept is not None
    assert kept.playouts == found.worlds
    assert kept.points.half < dropped.points.half
