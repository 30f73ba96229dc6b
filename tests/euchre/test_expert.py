"""The Euchre expert's calls: what was learned fits together, and calls fit the score and the house."""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest
from tests.euchre.positions import Position

import upcard
from upcard.engine.api import Observation
from upcard.engine.native.game import NativeGame
from upcard.euchre import contracts as learned_of
from upcard.euchre.auction import LAST, Auction, AuctionDeal, HouseRules
from upcard.euchre.contracts import DEALER, POINTS, Contract, contracts, load_weights, upcard_fate
from upcard.euchre.euchre_cards import STANDARD, SUITS
from upcard.euchre.hands import CARD_NUMBER, FEATURES, TRUMPS, Weights, features
from upcard.euchre.stacked_deals import moves_by_word, parse_cards
from upcard.euchre.stakes import Prices
from upcard.players.protocol import Budget, Decision, Player
from upcard.players.spec import resolve_player
from upcard.recycle.diagnostics import Refused

SPADES = SUITS.index("SPADES")
STRONG, WEAK = "Js Jc As Ks Ah", "9h 10h Qd 9d 10c"


def numbers(text: str) -> list[int]:
    return [CARD_NUMBER[card] for card in parse_cards(text)]


def table(eldest: str, up: str, seed: int = 0) -> AuctionDeal:
    own, turned = numbers(eldest), numbers(up)[0]
    rest = [card for card in range(len(STANDARD)) if card != turned and card not in own]
    random.Random(seed).shuffle(rest)
    return AuctionDeal([own, rest[:5], rest[5:10], rest[10:15]], turned)


def sensible(house_rules: HouseRules | None = None) -> Auction:
    return Auction(contracts(), load_weights()["passing"], house_rules or HouseRules())


def asked(game: NativeGame, seen: Observation, budget: int = 400, seed: int = 0) -> Decision:
    player = resolve_player("bidder", game).make(seed, 0, seen.seat)
    assert isinstance(player, Player)
    return player.choose(seen, Budget(budget))


def called(game: NativeGame, position: Position, budget: int = 400) -> str:
    seen = position.observation(game)
    words = {move.key: word for word, move in moves_by_word(seen).items()}
    return words[asked(game, seen, budget).move.key]


# --- what hands are judged by --------------------------------------------------------------------


def test_features_of_a_hand() -> None:
    told = features(numbers("Js Jc 9s Ah Kh"), SPADES)
    expected = {0: 1, 1: 1, 6: 1, TRUMPS: 1, TRUMPS + 1: 1, TRUMPS + 2 + 3: 1, TRUMPS + 2 + 6 + 2: 1}
    assert {n: value for n, value in enumerate(told) if value} == expected, (
        "both bowers and the nine; an ace; a king; three trumps; two side suits missing, as the jack is none"
    )


def test_tabulated_scores_equal_the_weighted_features() -> None:
    rng = random.Random(5)
    given = [rng.uniform(-1, 1) for _ in range(FEATURES)]
    weights = Weights(given)
    for _ in range(300):
        hand, trump = rng.sample(range(len(STANDARD)), 5), rng.randrange(4)
        told = sum(a * b for a, b in zip(given, features(hand, trump), strict=True))
        assert weights.score(hand, trump) == pytest.approx(told)


def test_the_fate_of_the_upcard() -> None:
    jack, nine = numbers("Js 9s")
    assert upcard_fate(Contract(DEALER, SPADES, False), jack, True) is None, "it is in the maker's hand"
    assert upcard_fate(Contract(1, SPADES, False), nine, True) == (learned_of.PARTNER_TAKES, 6)
    assert upcard_fate(Contract(0, SPADES, False), jack, True) == (learned_of.OPPONENT_TAKES, 0)
    clubs = SUITS.index("CLUBS")
    assert upcard_fate(Contract(0, clubs, False), jack, False) == (learned_of.TURNED_DOWN, 1), (
        "the left is dead"
    )
    assert upcard_fate(Contract(0, clubs, False), nine, False) is None


def test_who_leads() -> None:
    assert [Contract(maker, 0, True).leader for maker in range(4)] == [0, 0, 1, 0]
    assert {Contract(maker, 0, False).leader for maker in range(4)} == {0}


def test_better_hands_have_better_odds() -> None:
    judge = contracts()
    hands = ["9s 10s 9h 9d 9c", "As Ks 9h 9d 9c", "Js As Ks 9d 9c", "Js Jc As Ks Ah"]
    found = [
        judge.odds_from_hand(numbers(hand), numbers("9c")[0], False, Contract(0, 0, False)) for hand in hands
    ]
    assert [odds.made for odds in found] == sorted(odds.made for odds in found)
    assert found[0].made < 0.6 < found[2].made < 0.97 < found[3].made
    assert all(odds.marched <= odds.made for odds in found)


def test_values_of_results() -> None:
    odds = learned_of.Odds(0.8, 0.3)
    assert odds.worth(False, POINTS) == pytest.approx(-2 * 0.2 + 0.5 + 2 * 0.3)
    assert odds.worth(True, POINTS) == pytest.approx(-2 * 0.2 + 0.5 + 4 * 0.3)


def test_the_dealer_discards_the_least_valuable_card() -> None:
    six = numbers("Js Ks 10s Ah 9d Kh")
    assert set(six) - set(contracts().best_five(six, SPADES)) == set(numbers("9d"))


# --- the auction ---------------------------------------------------------------------------------


def test_model_players_call_sensibly() -> None:
    auction = sensible()
    strong = table(STRONG, "9s")
    assert auction.best(strong, 0)[0] == Contract(0, SPADES, True)
    assert auction.pass_chance(strong, 0) < 0.01
    weak = table(WEAK, "9s")
    assert auction.best(weak, 0)[0] is None
    assert auction.pass_chance(weak, 0) > 0.9
    assert sensible(HouseRules(lone=False)).best(strong, 0)[0] == Contract(0, SPADES, False)


def test_a_stuck_dealer_calls_and_others_may_pass_out() -> None:
    thrown = Counter[bool]()
    for seed in range(200):
        dealt = table(WEAK, "9s", seed)
        turned = AuctionDeal([dealt.hands[3], *dealt.hands[1:3], dealt.hands[0]], dealt.up)
        contract, turn = sensible().end(turned, LAST)
        assert contract is not None
        assert turn == LAST
        thrown[sensible(HouseRules(stick=False)).end(turned, LAST)[0] is None] += 1
    assert thrown[True] == 200, "ten-high in two suits: nobody names one who need not"


def test_probabilities_of_results_sum_to_one() -> None:
    for seed in range(20):
        dealt = table(STRONG, "9s", seed)
        contract, turn = sensible().end(dealt, seed % 5)
        results = sensible().results(dealt, contract, turn)
        assert sum(chance for _, _, chance in results) == pytest.approx(1)
        assert all(chance >= 0 for _, _, chance in results)


# --- the player ----------------------------------------------------------------------------------


def test_stakes_follow_the_score(game: NativeGame) -> None:
    even = Prices(game, Position(0, STRONG, "9s").observation(game)).stakes
    near = Prices(game, Position(0, STRONG, "9s", score=(9, 6)).observation(game)).stakes
    lost, one, two, four = even[0].gains
    assert lost < one < two < four
    assert near[0].gains[1:] == (1, 1, 1), "one point wins, and four win no more"
    assert near[1].gains[0] == 0, "whoever calls against nine points and is euchred has lost"


@pytest.mark.parametrize(
    ("position", "wanted"),
    [
        (Position(0, STRONG, "9s"), "order alone"),
        (Position(0, STRONG, "9s", score=(9, 5)), "order"),
        (Position(0, WEAK, "9s"), "pass"),
        (Position(0, "Js Jc As Ks 9h", "10h", "pass,pass,pass,pass", score=(9, 5)), "spades"),
    ],
)
def test_calls(game: NativeGame, position: Position, wanted: str) -> None:
    assert called(game, position) == wanted


def test_every_call_has_a_value_with_its_error(game: NativeGame) -> None:
    seen = Position(0, "Js As 9s Kd 9h", "Qh", "pass,pass,pass,pass").observation(game)
    few, many = asked(game, seen, 200), asked(game, seen, 6400)
    for decision in (few, many):
        assert [value.move for value in decision.values] == list(seen.moves)
        assert all(-4 <= value.points <= 4 and 0 <= value.win <= 1 for value in decision.values)
    errors = zip((v.error for v in few.values), (v.error for v in many.values), strict=True)
    assert all(0 < small < large for large, small in errors), "more deals tell more"


def test_a_call_depends_on_the_observation_alone(game: NativeGame) -> None:
    position = Position(1, "Js As 9s Kd 9h", "Ks", "pass")
    one, other = (asked(game, position.observation(game, fill)) for fill in (1, 2))
    assert one == other
    again = Observation.from_json(json.loads(json.dumps(position.observation(game).to_json())))
    assert asked(game, again) == one


@pytest.mark.parametrize(
    "rules",
    [{}, {"stick": "no"}, {"alone": "no"}, {"defend": "yes"}, {"partner": "yes", "stick": "no"}],
    ids=str,
)
def test_it_plays_under_every_house_rule(rules: dict[str, str]) -> None:
    game = upcard.load("euchre", rules=rules)
    if not isinstance(game, NativeGame):
        pytest.skip("the expert searches in machine code, and there is none here")
    made = resolve_player("bidder", game)
    for deal in range(3):
        state = game.deal(4, deal)
        while state.to_move is not None:
            player = made.make(4, deal, state.to_move)
            assert isinstance(player, Player)
            state.play(player.choose(state.observe(state.to_move), Budget(16)).move)
        assert state.outcome is not None
        assert state.outcome.scores is not None


def test_it_knows_euchre_only() -> None:
    with pytest.raises(Refused, match="plays only Euchre, not whist"):
        resolve_player("bidder", upcard.load("whist"))
