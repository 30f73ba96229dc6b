"""What Euchre adds to hints: proofs that hold against every lie of the cards, and the words of players."""

from __future__ import annotations

import random

import pytest
from tests.advice.positions import call, match_of, native

import upcard
from upcard.advice.game_advice import Proof, advice_for
from upcard.engine.api import Observation
from upcard.engine.native.game import NativeGame
from upcard.euchre.euchre_advice import EuchreAdvice
from upcard.euchre.euchre_cards import STANDARD, Card
from upcard.euchre.stacked_deals import deal, moves_by_word, parse_card, parse_cards
from upcard.euchre.sure_tricks import takes_all, top_trumps, unseen_from
from upcard.players.registry import player_factory

pytestmark = pytest.mark.skipif(
    not isinstance(upcard.load("euchre"), NativeGame), reason="positions are played in machine code"
)
ADVICE = EuchreAdvice()


def proofs(seen: Observation) -> dict[str, Proof | None]:
    return {word: ADVICE.prove(seen, move) for word, move in moves_by_word(seen).items()}


def test_a_lone_march_of_the_dealer_is_proved_although_he_does_not_lead() -> None:
    found = proofs(call(hand="JS,JC,AS,KS,9H", up="TS", seat="dealer"))
    assert found["order alone"] == Proof(4, True, "It takes all five tricks, however the other cards lie.")
    assert found["order"] == Proof(2, True, "It takes all five tricks, however the other cards lie.")
    assert found["pass"] is None


@pytest.mark.parametrize(
    ("hand", "up", "seat"),
    [
        ("JS,JC,AS,KS,9H", "TS", "2"),  # the nine loses if somebody holds a higher heart
        ("JS,JC,TS,9S,9H", "QS", "1"),  # ace, king and queen may be in one hand
        ("JS,AS,KS,QS,TS", "9S", "1"),  # the left bower is missing
    ],
)
def test_what_is_not_certain_is_not_proved(hand: str, up: str, seat: str) -> None:
    found = proofs(call(hand=hand, up=up, seat=seat))
    assert all(proof is None or not proof.exact for proof in found.values())


def test_three_top_trumps_make_it() -> None:
    found = proofs(call(hand="JS,JC,AS,9H,TD", up="9S", seat="2"))["order"]
    assert found is not None
    assert (found.least, found.exact) == (1, False)
    assert proofs(call(hand="JS,JC,KS,9H,TD", up="9S", seat="2"))["order"] is None


def test_top_trumps_are_above_every_unseen_one() -> None:
    mine = parse_cards("JS,JC,KS,QS,9H")
    assert top_trumps(mine, unseen_from(mine), "SPADES") == list(parse_cards("JS,JC"))
    ace = parse_cards("AS")
    assert top_trumps(mine, unseen_from(mine, ace), "SPADES") == list(parse_cards("JS,JC,KS,QS"))


def test_hands_that_take_all_tricks_do_so_against_everybody() -> None:
    """Proved hands of the dealer are played out alone against random and searching players."""
    game, chance = native("euchre"), random.Random(3)
    trumps = [Card(rank, "SPADES") for rank in ("JACK", "ACE", "KING", "QUEEN", "TEN", "NINE")]
    trumps.append(Card("JACK", "CLUBS"))
    proved = refused = 0
    while proved < 6:
        hand = chance.sample(trumps, 4) + chance.sample([c for c in STANDARD if c not in trumps], 1)
        up = chance.choice([card for card in trumps if card not in hand])
        state = deal(game, {3: hand}, up, proved)
        for _ in range(3):
            assert state.to_move is not None
            state.play(moves_by_word(state.observe(state.to_move))["pass"])
        found = proofs(state.observe(3))["order alone"]
        if found is None or not found.exact:
            refused += 1
            continue
        proved += 1
        for kind in ("quick", "random"):
            make = player_factory(kind, game)
            for fill in range(8):
                again = deal(game, {3: hand}, up, fill)
                for _ in range(3):
                    assert again.to_move is not None
                    again.play(moves_by_word(again.observe(again.to_move))["pass"])
                again.play(moves_by_word(again.observe(3))["order alone"])
                _play_from_the_top(again, [make(fill, 0, seat) for seat in range(4)])
                assert again.outcome is not None
                assert again.outcome.scores is not None
                assert again.outcome.scores[3] == 4
    assert refused > 3


def _play_from_the_top(state: object, others: list[object]) -> None:
    """The dealer discards what is no trump and leads trumps from the top; the others play as they like."""
    from upcard.engine.shared.state import BaseState
    from upcard.euchre.euchre_cards import with_trump
    from upcard.euchre.observed_hand import ObservedHand
    from upcard.players.protocol import Budget, Indifferent, Player

    assert isinstance(state, BaseState)
    while state.to_move is not None:
        seat = state.to_move
        if seat == 3:
            seen = ObservedHand(state.observe(3))
            ranked = sorted(
                (m for m in seen.moves if m.card is not None),
                key=lambda meaning: with_trump(meaning.card, "SPADES"),  # type: ignore[arg-type]
            )
            state.play(seen.moves[ranked[0] if ranked[0].what == "bury" else ranked[-1]])
            continue
        player = others[seat]
        if isinstance(player, Indifferent):
            state.play(player.pick(state.choices))
        else:
            assert isinstance(player, Player)
            state.play(player.choose(state.observe(seat), Budget(8)).move)


def test_a_hand_that_others_lead_to_needs_the_first_trick() -> None:
    mine = parse_cards("JS,JC,AS,KS,QS")
    assert takes_all(mine, unseen_from(mine), "SPADES", leads=False)
    four = parse_cards("JS,JC,AS,KS,AH")
    known = parse_cards("QS,TS,9S")
    assert takes_all(four, unseen_from(four, known), "SPADES", leads=True)
    assert not takes_all(four, unseen_from(four), "SPADES", leads=False), "the ace may be trumped"


def test_results_and_moves_in_the_words_of_players() -> None:
    seen = call(hand="JS,JC,AS,KS,9H", up="TS", seat="dealer")
    moves = moves_by_word(seen)
    assert ADVICE.doing(seen, moves["order"]) == "picking it up"
    assert ADVICE.doing(seen, moves["order alone"]) == "picking it up alone"
    left = call(hand="JS,JC,AS,KS,9H", up="TS", seat="1")
    assert ADVICE.doing(left, moves_by_word(left)["order"]) == "ordering up"
    assert ADVICE.doing(left, moves_by_word(left)["order alone"]) == "ordering up alone"
    assert ADVICE.doing(seen, moves["pass"]) == "passing"
    told = {
        scores: ADVICE.result(seen, moves["order alone"], scores)
        for scores in ((0, 4, 0, 4), (0, 1, 0, 1), (2, 0, 2, 0))
    }
    assert list(told.values()) == ["a lone march", "made", "euchred"]
    assert ADVICE.result(seen, moves["pass"], (2, 0, 2, 0)) == "they score 2"
    down = call(hand="JS,JC,AS,KS,9H", down="TD", seat="1")
    assert ADVICE.doing(down, moves_by_word(down)["spades alone"]) == "making spades trump alone"
    ids = {Card.of(face): card for card, face in seen.cards.items()}
    assert ADVICE.card_name(seen, moves["order"], ids[parse_card("JC")]) == "the left bower"
    assert ADVICE.card_name(seen, moves["order"], ids[parse_card("JS")]) == "the right bower"
    assert ADVICE.card_name(seen, moves["pass"], ids[parse_card("JS")]) == ""


def test_a_decided_hand_is_certain() -> None:
    """Three tricks made and one lost: nothing that is played changes the score."""
    game = native("euchre")
    decided = 0
    for number in range(30):
        state = game.deal(4, number)
        while state.to_move is not None:
            seen = state.observe(state.to_move, match_of(game))
            found = [ADVICE.prove(seen, move) for move in seen.moves]
            if found[0] is not None and found[0].exact and "decide this hand" in found[0].why:
                decided += 1
                assert set(found) == {found[0]}
                seat, proof = state.to_move, found[0]
                end = state.copy()
                while end.to_move is not None:
                    end.play(end.choices - 1)
                assert end.outcome is not None
                assert end.outcome.scores is not None
                scores = end.outcome.scores
                assert scores[seat] - scores[(seat + 1) % 4] == proof.least
                break
            state.play(0)
    assert decided > 3


def test_other_games_have_no_part_in_it() -> None:
    hearts = native("hearts").deal(1, 0).observe(0)
    assert not isinstance(advice_for(hearts), EuchreAdvice)
    assert isinstance(advice_for(call(hand="9S,9H,9C,9D,TD", up="AS", seat="1")), EuchreAdvice)
