"""Probability that a contract is made or marched, from all four hands or from the maker's alone.

The weights were learned from hands that searching players played out after calls of all kinds
(`benchmarks/euchre_calls.py`). They are the same at every score: what a result is worth, others say.
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
LEARNED = Path(__file__).with_name("calls.json")


class Contract(NamedTuple):
    maker: int
    trump: int
    """A suit by its number."""
    alone: bool

    @property
    def leader(self) -> int:
        """The eldest, or the next where the eldest sits out."""
        return 1 if self.alone and self.maker == 2 else 0


class Odds(NamedTuple):
    made: float
    """Three tricks or more."""
    swept: float
    """All five."""

    def worth(self, alone: bool, gains: Sequence[float]) -> float:
        """On average; `gains` has what it is worth to the maker's side to lose 2, and to win 1, 2 or 4."""
        all_five = gains[3] if alone else gains[2]
        return (1 - self.made) * gains[0] + (self.made - self.swept) * gains[1] + self.swept * all_five


POINTS = (-2.0, 1.0, 2.0, 4.0)
"""Results for the maker's side."""


def chance(score: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))


@dataclass(frozen=True)
class Judge:
    """Four hands give a chance: each seat's by its place from the maker's on, and who leads."""

    hands: tuple[Weights, ...]
    leader: tuple[float, ...]

    @classmethod
    def of(cls, given: dict[str, Any]) -> Judge:
        return cls(tuple(Weights(row) for row in given["hands"]), tuple(given["leader"]))

    def chance(self, hands: Sequence[Hand], contract: Contract) -> float:
        maker, trump, alone = contract
        score = self.leader[(contract.leader - maker) % SEATS]
        for place, weights in enumerate(self.hands):
            if place != 2 or not alone:
                score += weights.score(hands[(maker + place) % SEATS], trump)
        return chance(score)


@dataclass(frozen=True)
class OwnJudge:
    """The maker's hand gives a chance, with who leads and what is known of the card turned up."""

    hand: Weights
    leader: tuple[float, ...]
    taken: tuple[tuple[float, ...], ...]
    """By its trump rank: the partner takes it up; an opponent does; it was turned down."""

    @classmethod
    def of(cls, given: dict[str, Any]) -> OwnJudge:
        return cls(Weights(given["hand"]), tuple(given["leader"]), tuple(map(tuple, given["taken"])))

    def score(self, hand: Hand, contract: Contract, taken: tuple[int, int] | None) -> float:
        """`taken` is what becomes of the card turned up, and its trump rank, if it is a trump at all."""
        found = self.hand.score(hand, contract.trump)
        found += self.leader[(contract.leader - contract.maker) % SEATS]
        return found if taken is None else found + self.taken[taken[0]][taken[1]]


PARTNER_TAKES, OPPONENT_TAKES, TURNED_DOWN = range(3)


def taken_up(contract: Contract, up: int, first_round: bool) -> tuple[int, int] | None:
    """What becomes of the card turned up, and its trump rank; None where it is in the maker's own hand or no
    trump."""
    rank = RANKED[contract.trump][up]
    if rank == NO_TRUMP or (first_round and contract.maker == DEALER):
        return None
    if not first_round:
        return TURNED_DOWN, rank
    return (PARTNER_TAKES if contract.maker == 1 else OPPONENT_TAKES), rank


class Contracts:
    """All that was learned about contracts."""

    def __init__(self, learned: dict[str, Any]) -> None:
        self._judges = {
            alone: (Judge.of(learned[word]["made"]), Judge.of(learned[word]["swept"]))
            for alone, word in ((False, "together"), (True, "alone"))
        }
        self._own = {
            alone: (OwnJudge.of(learned[word]["made"]), OwnJudge.of(learned[word]["swept"]))
            for alone, word in ((False, "own together"), (True, "own alone"))
            if word in learned
        }

    def odds(self, hands: Sequence[Hand], contract: Contract) -> Odds:
        """All hands being known."""
        made, swept = (judge.chance(hands, contract) for judge in self._judges[contract.alone])
        if contract.alone:  # whatever was learned: a partner cannot hurt
            made = min(made, self._judges[False][0].chance(hands, contract._replace(alone=False)))
        return Odds(made, min(made, swept))

    def own_odds(self, hand: Hand, up: int, first_round: bool, contract: Contract) -> Odds:
        """To somebody who knows the maker's five cards and the card turned up."""
        taken = taken_up(contract, up, first_round)
        make, sweep = self._own[contract.alone]
        made = chance(make.score(hand, contract, taken))
        swept = chance(sweep.score(hand, contract, taken))
        return Odds(made, min(made, swept))

    def favourite(self, hand: Hand, up: int, maker: int) -> Contract:
        """What a maker would name in the second round: the suit that is made most easily."""
        turned = SUIT_OF[up]
        named = [Contract(maker, suit, False) for suit in range(len(SUITS)) if suit != turned]
        make = self._own[False][0]
        return max(named, key=lambda contract: make.score(hand, contract, taken_up(contract, up, False)))

    def kept(self, six: Hand, trump: int) -> list[int]:
        """What the dealer keeps: the five that a maker would like best."""
        judge = self._judges[False][0].hands[0]
        fives = ([*six[:n], *six[n + 1 :]] for n in range(len(six)))
        return max(fives, key=lambda five: judge.score(five, trump))


@cache
def learned() -> dict[str, Any]:
    return read_calls(LEARNED)


@cache
def contracts() -> Contracts:
    return Contracts(learned())
