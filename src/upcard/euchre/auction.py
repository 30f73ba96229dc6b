"""Model of the two bidding rounds: what reasonable players call, and where the auction ends.

Everybody judges by the own hand: a call is weighed against what passing brought on average to those with such
a hand, in auctions of players who all did the same (`benchmarks/euchre_calls.py`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from upcard.euchre.contracts import DEALER, POINTS, SEATS, SUIT_OF, Contract, Contracts, Odds, chance
from upcard.euchre.hands import Hand

LAST = 2 * SEATS - 1
"""The turn to call of a dealer to whom both rounds have come back."""
DOUBT = 0.15
"""Points: how sharply people tell a call from a pass."""
BOLD = 0.75
"""Nobody goes alone who would not make it with a partner as often as that."""
UP_WISHES, DOWN_WISHES = 4, 3
"""Numbers that tell what passing is worth, in the first round and in the second."""


@dataclass(frozen=True)
class House:
    """The rules that calls depend on."""

    stick: bool = True
    lone: bool = True


class Stakes(NamedTuple):
    """What results are worth to a side, and what a point is, as far as things stand."""

    gains: tuple[float, ...]
    """Losing 2, winning 1, 2 and 4 (`contracts.POINTS`) as makers."""
    nothing: float
    point: float


IN_POINTS = Stakes(POINTS, 0.0, 1.0)


def _best(calls: Sequence[tuple[Contract, Odds]], stakes: Stakes) -> tuple[Contract, float]:
    worths = [odds.worth(contract.alone, stakes.gains) for contract, odds in calls]
    best = max(range(len(calls)), key=worths.__getitem__)
    return calls[best][0], worths[best]


@dataclass(frozen=True)
class Table:
    """A deal as far as calls go."""

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
        house: House,
        stakes: Sequence[Stakes] = (IN_POINTS, IN_POINTS),
    ) -> None:
        self._contracts = contracts
        self._passing = passing
        self._house = house
        self._stakes = stakes
        """Of the eldest's side and of the dealer's."""

    def calls(self, table: Table, turn: int) -> list[tuple[Contract, Odds]]:
        """The calls that somebody thinks of at a turn, with what the own hand says of them: one suit, and
        that one alone too where there is hope."""
        seat, first = turn % SEATS, turn < SEATS
        hand = table.hands[seat]
        if not first:
            contract = self._contracts.favourite(hand, table.up, seat)
        else:
            contract = Contract(seat, table.up_suit, False)
            if seat == DEALER:
                hand = self._contracts.kept([*hand, table.up], table.up_suit)
        odds = self._contracts.own_odds(hand, table.up, first, contract)
        found = [(contract, odds)]
        if self._house.lone and odds.made > BOLD:
            alone = contract._replace(alone=True)
            found.append((alone, self._contracts.own_odds(hand, table.up, first, alone)))
        return found

    def prospects(
        self, table: Table, turn: int, calls: Sequence[tuple[Contract, Odds]] | None = None
    ) -> list[float]:
        """What passing is judged by: one; the best call now, what it is short of nought and what above, since
        a hand too weak to call on defends the better the stronger it is; and in the first round the best call
        of the second. `calls` are those of the turn, for whoever has them."""
        now = _best(calls or self.calls(table, turn), IN_POINTS)[1]
        told = [1.0, min(now, 0.0), max(now, 0.0)]
        if turn < SEATS:
            told.append(_best(self.calls(table, turn + SEATS), IN_POINTS)[1])
        return told

    def best(self, table: Table, turn: int) -> tuple[Contract | None, float]:
        """What the player in turn says, None for passing, and how much better (or less bad) calling is than
        passing, in points. A dealer who must call cannot pass; one who need not throws the hand in."""
        stakes = self._stakes[turn % 2]
        calls = self.calls(table, turn)
        contract, worth = _best(calls, stakes)
        if turn == LAST:
            passing = -math.inf if self._house.stick else 0.0
        else:
            told = self.prospects(table, turn, calls)
            passing = sum(weight * value for weight, value in zip(self._passing[turn], told, strict=True))
        gain = (worth - stakes.nothing) / stakes.point - passing
        return (contract if gain > 0 else None), gain

    def pass_chance(self, table: Table, turn: int) -> float:
        """How likely somebody with that hand would have passed."""
        return chance(-self.best(table, turn)[1] / DOUBT)

    def end(self, table: Table, turn: int) -> tuple[Contract | None, int]:
        """Where the auction ends from a turn on, and at which turn; None where the hand is thrown in."""
        for now in range(turn, LAST + 1):
            contract, _ = self.best(table, now)
            if contract is not None:
                return contract, now
        return None, LAST

    def results(self, table: Table, contract: Contract | None, turn: int) -> list[tuple[int, int, float]]:
        """Which side (0 the eldest's) may score how much, and how likely."""
        if contract is None:
            return [(0, 0, 1.0)]
        side = contract.maker % 2
        made, swept = self._contracts.odds(self.hands_played(table, contract, turn < SEATS), contract)
        return [
            (1 - side, 2, 1 - made),
            (side, 1, made - swept),
            (side, 4 if contract.alone else 2, swept),
        ]

    def hands_played(self, table: Table, contract: Contract, first_round: bool) -> Sequence[Hand]:
        """With the dealer's sixth card taken up and one laid away, where the turned card was ordered."""
        if not first_round:
            return table.hands
        kept = self._contracts.kept([*table.hands[DEALER], table.up], contract.trump)
        return [*table.hands[:DEALER], kept]
