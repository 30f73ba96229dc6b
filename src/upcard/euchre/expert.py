"""The Euchre expert: values calls over sampled hands at the current score, and plays cards as `blend` does.

For a call the unseen cards are dealt many times. Each deal is weighted by the probability that the players
who passed would pass with it. In each deal a call has the expected value of its contract, and a pass that of
the contract which the rest of the auction leads to.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from upcard.engine.api import Observation
from upcard.engine.native.game import NativeGame
from upcard.engine.rng import Stream
from upcard.engine.shared.game import LoadedGame
from upcard.euchre.auction import Auction, AuctionDeal, HouseRules
from upcard.euchre.contracts import SEATS, Contract, contracts, load_weights
from upcard.euchre.euchre_cards import STANDARD, SUITS
from upcard.euchre.hands import CARD_NUMBER
from upcard.euchre.observed_hand import Meaning, ObservedHand, is_euchre
from upcard.euchre.stakes import Prices
from upcard.players.protocol import Budget, Decision
from upcard.players.search.flat_search import PLAYOUTS, USUAL, WORLDS, decided, slices
from upcard.players.search.rollout import SUMS
from upcard.players.search.search_players import Searcher, searching
from upcard.players.solver.exact import Blend
from upcard.recycle.diagnostics import Refused

PLAYOUTS_PER_DEAL = 6
"""Playouts of the budget that one deal of the unseen cards costs."""
CALLS = {"pass", "order", "order alone", "name", "name alone"}


class Bidder(Blend):
    """One seat's player for one deal."""

    def __init__(self, game: NativeGame, seed: int, deal: int, seat: int, usual: Budget = USUAL) -> None:
        super().__init__(game, seed, deal, seat, usual)
        overrides = dict(game.program.overrides)
        self._house_rules = HouseRules(overrides.get("STICK") != "FALSE", overrides.get("LONE") != "FALSE")

    def weigh(self, observation: Observation, budget: Budget, stream: Stream) -> Decision:
        observed = ObservedHand(observation)
        if not CALLS.issuperset(meaning.what for meaning in observed.moves):
            return super().weigh(observation, budget, stream)
        return self._choose_call(observation, observed, budget, stream)

    def _choose_call(
        self, observation: Observation, observed: ObservedHand, budget: Budget, stream: Stream
    ) -> Decision:
        seat = observation.seat
        turn = seat if observed.first_round else seat + SEATS
        prices = Prices(self.game, observation)
        auction = Auction(contracts(), load_weights()["passing"], self._house_rules, prices.stakes)
        up_suit = SUITS.index(observed.up_suit)
        contracts_called = [_contract(meaning, seat, up_suit) for meaning in observed.moves]
        sums = [[0.0] * SUMS for _ in contracts_called]
        squares = 0.0
        for table in _deals(observed, observation.seat, budget, stream):
            weight = math.prod(
                auction.pass_chance(table, past) for past in range(turn) if past % SEATS != seat
            )
            squares += weight**2
            self.counts.worlds += 1
            for row, contract_called in zip(sums, contracts_called, strict=True):
                contract, called = (
                    (contract_called, turn) if contract_called is not None else auction.end(table, turn + 1)
                )
                prices.add(row, weight, auction.results(table, contract, called))
        for row in sums:
            row[WORLDS] = row[0] ** 2 / squares  # effective number of deals: unlikely ones add little
        # moves with the same meaning share a row
        rows = {move.key: tuple(row) for move, row in zip(observed.moves.values(), sums, strict=True)}
        return decided(observation.moves, [rows[move.key] for move in observation.moves])


def _deals(observed: ObservedHand, seat: int, budget: Budget, stream: Stream) -> Iterator[AuctionDeal]:
    """Deals of the unseen cards, uniform during the auction."""
    own = [CARD_NUMBER[card] for card in observed.hand]
    up = CARD_NUMBER[observed.upcard]
    unseen = [number for number in range(len(STANDARD)) if number != up and number not in own]
    for _, count in slices(budget, max(1, (budget.playouts or PLAYOUTS) // PLAYOUTS_PER_DEAL), 1):
        for _ in range(count):
            stream.shuffle(unseen)
            hands = [unseen[5 * n : 5 * n + 5] for n in range(SEATS - 1)]
            hands.insert(seat, own)
            yield AuctionDeal(hands, up)


def _contract(meaning: Meaning, seat: int, up_suit: int) -> Contract | None:
    """The contract of a call; None for passing."""
    if meaning.what == "pass":
        return None
    trump = up_suit if meaning.suit is None else SUITS.index(meaning.suit)
    return Contract(seat, trump, meaning.what.endswith("alone"))


def bidder(game: LoadedGame) -> Searcher:
    """The expert player; the game must be the library's Euchre."""
    if not is_euchre(game.deal(0, 0).observe(0)):
        raise Refused(f"the bidder plays only Euchre, not {game.name}; choose another player")
    return searching(Bidder, "bidder", game)
