"""Model of the two bidding rounds: what reasonable players call, and where the auction ends.

Every player judges by their own hand: a call is compared with the average result of passing with such a hand,
in auctions where all players do the same (`benchmarks/euchre_calls.py`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from upcard.euchre.contracts import DEALER, POINTS, SEATS, SUIT_OF, Contract, Contracts, Odds, sigmoid
from upcard.euchre.hands import Hand

LAST = 2 * SEATS - 1
"""The last turn: the dealer's in the second round."""
CALL_DOUBT = 0.15
"""Scale, in points, of the noise in a player's choice between a call and a pass."""
LONE_THRESHOLD = 0.75
"""A player goes alone only if the contract with a partner is made with at least this probability."""
FIRST_ROUND_FEATURES, SECOND_ROUND_FEATURES = 4, 3
"""Numbers of features of the value of passing, in the first and the second round."""


@dataclass(frozen=True)
class HouseRules:
    """The house rules that calls depend on."""

    stick: bool = True
    lone: bool = True


class Stakes(NamedTuple):
    """The value to a side of each result and of a point, at the current score."""

    gains: tuple[float, ...]
    """As makers: losing 2, winning 1, 2 and 4 (`contracts.POINTS`)."""
    nothing: float
    point: float


IN_POINTS = Stakes(POINTS, 0.0, 1.0)


def _best(calls: Sequence[tuple[Contract, Odds]], stakes: Stakes) -> tuple[Contract, float]:
    worths = [odds.worth(contract.alone, stakes.gains) for contract, odds in calls]
    best = max(range(len(calls)), key=worths.__getitem__)
    return calls[best][0], worths[best]


@dataclass(frozen=True)
class AuctionDeal:
    """The hands and the upcard of a deal."""

    hands: Sequence[Hand]
    up: int

    @property
    def up_suit(self) -> int:
        return SUIT_OF[self.up]


class Auction:
    """Calls of sensible players."""

    def __init__(
        self,
        contracts: Contracts,
        passing: Sequence[Sequence[float]],
        house_rules: HouseRules,
        stakes: Sequence[Stakes] = (IN_POINTS, IN_POINTS),
    ) -> None:
        self._contracts = contracts
        self._passing = passing
        self._house_rules = house_rules
        self._stakes = stakes
        """Of the eldest's side and of the dealer's side."""

    def calls(self, table: AuctionDeal, turn: int) -> list[tuple[Contract, Odds]]:
        """The calls that a player considers at a turn, with their odds from that hand: one suit, and the same
        alone if the odds are good."""
        seat, first = turn % SEATS, turn < SEATS
        hand = table.hands[seat]
        if not first:
            contract = self._contracts.best_suit(hand, table.up, seat)
        else:
            contract = Contract(seat, table.up_suit, False)
            if seat == DEALER:
                hand = self._contracts.best_five([*hand, table.up], table.up_suit)
        odds = self._contracts.odds_from_hand(hand, table.up, first, contract)
        calls = [(contract, odds)]
        if self._house_rules.lone and odds.made > LONE_THRESHOLD:
            alone = contract._replace(alone=True)
            calls.append((alone, self._contracts.odds_from_hand(hand, table.up, first, alone)))
        return calls

    def pass_features(
        self, table: AuctionDeal, turn: int, calls: Sequence[tuple[Contract, Odds]] | None = None
    ) -> list[float]:
        """Features of the value of passing: a constant; the value of the best call now, its negative and its
        positive part apart, since a hand too weak to call still defends; in the first round also the best
        call of the second. `calls` are those of the turn, if known."""
        now = _best(calls or self.calls(table, turn), IN_POINTS)[1]
        features = [1.0, min(now, 0.0), max(now, 0.0)]
        if turn < SEATS:
            features.append(_best(self.calls(table, turn + SEATS), IN_POINTS)[1])
        return features

    def best(self, table: AuctionDeal, turn: int) -> tuple[Contract | None, float]:
        """The player's call, None for passing, and by how many points calling is better than passing. In the
        last turn passing is impossible (stick the dealer) or ends the hand without a score."""
        stakes = self._stakes[turn % 2]
        calls = self.calls(table, turn)
        contract, worth = _best(calls, stakes)
        if turn == LAST:
            passing = -math.inf if self._house_rules.stick else 0.0
        else:
            features = self.pass_features(table, turn, calls)
            passing = sum(weight * value for weight, value in zip(self._passing[turn], features, strict=True))
        gain = (worth - stakes.nothing) / stakes.point - passing
        return (contract if gain > 0 else None), gain

    def pass_chance(self, table: AuctionDeal, turn: int) -> float:
        """The probability that a player with that hand passes."""
        return sigmoid(-self.best(table, turn)[1] / CALL_DOUBT)

    def end(self, table: AuctionDeal, turn: int) -> tuple[Contract | None, int]:
        """The contract that the auction ends in from a turn on, and its turn; None if all pass."""
        for now in range(turn, LAST + 1):
            contract, _ = self.best(table, now)
            if contract is not None:
                return contract, now
        return None, LAST

    def results(
        self, table: AuctionDeal, contract: Contract | None, turn: int
    ) -> list[tuple[int, int, float]]:
        """Possible results: the side that scores (0 is the eldest's), its points, the probability."""
        if contract is None:
            return [(0, 0, 1.0)]
        side = contract.maker % 2
        made, marched = self._contracts.odds(
            self.hands_after_discard(table, contract, turn < SEATS), contract
        )
        return [
            (1 - side, 2, 1 - made),
            (side, 1, made - marched),
            (side, 4 if contract.alone else 2, marched),
        ]

    def hands_after_discard(
        self, table: AuctionDeal, contract: Contract, first_round: bool
    ) -> Sequence[Hand]:
        """The hands as played: after ordering up, the dealer has picked up the upcard and discarded."""
        if not first_round:
            return table.hands
        best_five = self._contracts.best_five([*table.hands[DEALER], table.up], contract.trump)
        return [*table.hands[:DEALER], best_five]
