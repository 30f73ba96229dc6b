"""The Euchre expert: values calls over sampled hands at the current score, and plays cards as `blend` does.

For a call the unseen cards are dealt again and again. Each deal counts by how likely those who have passed
would have passed with it. In each, every call is worth what the four hands promise, and a pass what the
auction leads to among sensible players.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from upcard.engine.api import Observation
from upcard.engine.native.game import NativeGame
from upcard.engine.rng import Stream
from upcard.engine.shared.game import LoadedGame
from upcard.euchre.auction import Auction, House, Table
from upcard.euchre.contracts import SEATS, Contract, contracts, learned
from upcard.euchre.euchre_cards import STANDARD, SUITS
from upcard.euchre.hands import NUMBER
from upcard.euchre.observed_hand import Meaning, ObservedHand, is_euchre
from upcard.euchre.stakes import Prices
from upcard.players.protocol import Budget, Decision
from upcard.players.search.flat_search import PLAYOUTS, USUAL, WORLDS, decided, slices
from upcard.players.search.rollout import SUMS
from upcard.players.search.search_players import Searcher, searching
from upcard.players.solver.exact import Blend
from upcard.recycle.diagnostics import Refused

PER_DEAL = 6
"""Playouts of a budget that a deal of the unseen cards counts for."""
CALLS = {"pass", "order", "order alone", "name", "name alone"}


class Bidder(Blend):
    """One seat's player for one deal."""

    def __init__(self, game: NativeGame, seed: int, deal: int, seat: int, usual: Budget = USUAL) -> None:
        super().__init__(game, seed, deal, seat, usual)
        given = dict(game.program.overrides)
        self._house = House(given.get("STICK") != "FALSE", given.get("LONE") != "FALSE")

    def weigh(self, observation: Observation, budget: Budget, stream: Stream) -> Decision:
        sight = ObservedHand(observation)
        if not CALLS.issuperset(meaning.what for meaning in sight.moves):
            return super().weigh(observation, budget, stream)
        return self._call(observation, sight, budget, stream)

    def _call(
        self, observation: Observation, sight: ObservedHand, budget: Budget, stream: Stream
    ) -> Decision:
        seat = observation.seat
        turn = seat if sight.first_round else seat + SEATS
        prices = Prices(self.game, observation)
        auction = Auction(contracts(), learned()["passing"], self._house, prices.stakes)
        up_suit = SUITS.index(sight.up_suit)
        ways = [_contract(meaning, seat, up_suit) for meaning in sight.moves]
        sums = [[0.0] * SUMS for _ in ways]
        squares = 0.0
        for table in _deals(sight, observation.seat, budget, stream):
            weight = math.prod(
                auction.pass_chance(table, past) for past in range(turn) if past % SEATS != seat
            )
            squares += weight**2
            self.counts.worlds += 1
            for row, way in zip(sums, ways, strict=True):
                contract, called = (way, turn) if way is not None else auction.end(table, turn + 1)
                prices.add(row, weight, auction.results(table, contract, called))
        for row in sums:
            row[WORLDS] = row[0] ** 2 / squares  # deals that count little tell little
        # moves that mean the same stand for each other
        rows = {move.key: tuple(row) for move, row in zip(sight.moves.values(), sums, strict=True)}
        return decided(observation.moves, [rows[move.key] for move in observation.moves])


def _deals(sight: ObservedHand, seat: int, budget: Budget, stream: Stream) -> Iterator[Table]:
    """The unseen cards dealt anew: while calls are made, all ways are alike."""
    own = [NUMBER[card] for card in sight.hand]
    up = NUMBER[sight.upcard]
    unseen = [number for number in range(len(STANDARD)) if number != up and number not in own]
    for _, count in slices(budget, max(1, (budget.playouts or PLAYOUTS) // PER_DEAL), 1):
        for _ in range(count):
            stream.shuffle(unseen)
            hands = [unseen[5 * n : 5 * n + 5] for n in range(SEATS - 1)]
            hands.insert(seat, own)
            yield Table(hands, up)


def _contract(meaning: Meaning, seat: int, up_suit: int) -> Contract | None:
    """What a call makes; None for passing."""
    if meaning.what == "pass":
        return None
    trump = up_suit if meaning.suit is None else SUITS.index(meaning.suit)
    return Contract(seat, trump, meaning.what.endswith("alone"))


def bidder(game: LoadedGame) -> Searcher:
    """Experts for a game, which must be our Euchre."""
    if not is_euchre(game.deal(0, 0).observe(0)):
        raise Refused(f"the bidder knows Euchre only, not {game.name}; take another player")
    return searching(Bidder, "bidder", game)
