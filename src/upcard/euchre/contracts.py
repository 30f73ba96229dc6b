"""Probability that a contract is made or marched, from all four hands or from the maker's alone.

The weights were learned from hands that searching players played out after calls of all kinds
(`benchmarks/euchre_calls.py`). They do not depend on the score; `stakes` values results.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from upcard.euchre.call_weights import read_calls
from upcard.euchre.euchre_cards import STANDARD, SUITS
from upcard.euchre.hands import NO_TRUMP, RANKED, Hand, Weights

SEATS = 4
DEALER = SEATS - 1
SUIT_OF = [SUITS.index(card.suit) for card in STANDARD]
WEIGHTS_FILE = Path(__file__).with_name("calls.json")


class Contract(NamedTuple):
    maker: int
    trump: int
    """A suit by its number."""
    alone: bool

    @property
    def leader(self) -> int:
        """The eldest, or the next seat if the eldest sits out."""
        return 1 if self.alone and self.maker == 2 else 0


class Odds(NamedTuple):
    made: float
    """Three tricks or more."""
    marched: float
    """All five."""

    def worth(self, alone: bool, gains: Sequence[float]) -> float:
        """Expected value; `gains` are the values to the makers of losing 2 and of winning 1, 2 or 4."""
        all_five = gains[3] if alone else gains[2]
        return (1 - self.made) * gains[0] + (self.made - self.marched) * gains[1] + self.marched * all_five


POINTS = (-2.0, 1.0, 2.0, 4.0)
"""Results for the maker's side."""


def sigmoid(score: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))


@dataclass(frozen=True)
class FourHandModel:
    """Logistic model of all four hands, in order from the maker's, and of the leader."""

    hands: tuple[Weights, ...]
    leader: tuple[float, ...]

    @classmethod
    def of(cls, weights: dict[str, Any]) -> FourHandModel:
        return cls(tuple(Weights(row) for row in weights["hands"]), tuple(weights["leader"]))

    def probability(self, hands: Sequence[Hand], contract: Contract) -> float:
        maker, trump, alone = contract
        score = self.leader[(contract.leader - maker) % SEATS]
        for place, weights in enumerate(self.hands):
            if place != 2 or not alone:
                score += weights.score(hands[(maker + place) % SEATS], trump)
        return sigmoid(score)


@dataclass(frozen=True)
class MakerHandModel:
    """Logistic model of the maker's hand, the leader and the upcard."""

    hand: Weights
    leader: tuple[float, ...]
    taken: tuple[tuple[float, ...], ...]
    """Weights of the upcard by trump rank: picked up by the partner, by an opponent, turned down."""

    @classmethod
    def of(cls, weights: dict[str, Any]) -> MakerHandModel:
        return cls(Weights(weights["hand"]), tuple(weights["leader"]), tuple(map(tuple, weights["taken"])))

    def score(self, hand: Hand, contract: Contract, taken: tuple[int, int] | None) -> float:
        """`taken` is what happens to the upcard, and its trump rank; None if it is no trump."""
        score = self.hand.score(hand, contract.trump)
        score += self.leader[(contract.leader - contract.maker) % SEATS]
        return score if taken is None else score + self.taken[taken[0]][taken[1]]


PARTNER_TAKES, OPPONENT_TAKES, TURNED_DOWN = range(3)


def upcard_fate(contract: Contract, up: int, first_round: bool) -> tuple[int, int] | None:
    """What happens to the upcard, and its trump rank; None if the maker holds it or it is no trump."""
    rank = RANKED[contract.trump][up]
    if rank == NO_TRUMP or (first_round and contract.maker == DEALER):
        return None
    if not first_round:
        return TURNED_DOWN, rank
    return (PARTNER_TAKES if contract.maker == 1 else OPPONENT_TAKES), rank


class Contracts:
    """The learned models of all contracts."""

    def __init__(self, load_weights: dict[str, Any]) -> None:
        self._judges = {
            alone: (
                FourHandModel.of(load_weights[word]["made"]),
                FourHandModel.of(load_weights[word]["swept"]),
            )
            for alone, word in ((False, "together"), (True, "alone"))
        }
        self._own = {
            alone: (
                MakerHandModel.of(load_weights[word]["made"]),
                MakerHandModel.of(load_weights[word]["swept"]),
            )
            for alone, word in ((False, "own together"), (True, "own alone"))
            if word in load_weights
        }

    def odds(self, hands: Sequence[Hand], contract: Contract) -> Odds:
        """Odds if all hands are known."""
        made, marched = (judge.probability(hands, contract) for judge in self._judges[contract.alone])
        if contract.alone:  # a partner cannot hurt, whatever the weights say
            made = min(made, self._judges[False][0].probability(hands, contract._replace(alone=False)))
        return Odds(made, min(made, marched))

    def odds_from_hand(self, hand: Hand, up: int, first_round: bool, contract: Contract) -> Odds:
        """Odds from the maker's five cards and the upcard."""
        taken = upcard_fate(contract, up, first_round)
        make, sweep = self._own[contract.alone]
        made = sigmoid(make.score(hand, contract, taken))
        marched = sigmoid(sweep.score(hand, contract, taken))
        return Odds(made, min(made, marched))

    def best_suit(self, hand: Hand, up: int, maker: int) -> Contract:
        """The suit to name in the second round: the one most likely to be made."""
        turned = SUIT_OF[up]
        named = [Contract(maker, suit, False) for suit in range(len(SUITS)) if suit != turned]
        make = self._own[False][0]
        return max(named, key=lambda contract: make.score(hand, contract, upcard_fate(contract, up, False)))

    def best_five(self, six: Hand, trump: int) -> list[int]:
        """The hand after the dealer's discard: the five best cards for a maker."""
        judge = self._judges[False][0].hands[0]
        fives = ([*six[:n], *six[n + 1 :]] for n in range(len(six)))
        return max(fives, key=lambda five: judge.score(five, trump))


@cache
def load_weights() -> dict[str, Any]:
    return read_calls(WEIGHTS_FILE)


@cache
def contracts() -> Contracts:
    return Contracts(load_weights())
