"""Positions of Euchre from what a player knows: the hidden cards are filled in as all of it allows."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from upcard.engine.api import Observation
from upcard.engine.shared.game import LoadedGame
from upcard.euchre.euchre_cards import STANDARD, Card, with_led
from upcard.euchre.stacked_deals import (
    SEATS,
    card_code,
    deal,
    match_around,
    moves_by_word,
    parse_card,
    parse_cards,
)

DEALER = SEATS - 1


@dataclass(frozen=True)
class Position:
    """What a seat was dealt, and all that the table saw since."""

    seat: int
    """0 is left of the dealer, 3 deals."""
    hand: str
    """The five cards dealt."""
    up: str
    bids: str = ""
    """Everybody's calls in order, commas between them, as `moves_of` has them."""
    plays: str = ""
    """The cards played in order, tricks one after the other."""
    buried: str = ""
    """What the seat laid away, if it deals and the card was ordered up."""
    score: tuple[int, int] = (0, 0)
    """One's own side first."""

    def observation(self, game: LoadedGame, fill: int = 0) -> Observation:
        """Another `fill` puts other cards where the seat cannot see them."""
        state = deal(game, self._hands(fill), parse_card(self.up), fill)
        for word in self._words(fill):
            assert state.to_move is not None
            state.play(moves_by_word(state.observe(state.to_move))[word])
        assert state.to_move == self.seat, f"seat {state.to_move} is to move, not {self.seat}"
        return state.observe(self.seat, match_around(game, self.seat, *self.score))

    @property
    def _calls(self) -> list[str]:
        return [call.strip() for call in self.bids.split(",") if call.strip()]

    @property
    def _ordered(self) -> bool:
        return any(call.startswith("order") for call in self._calls)

    def _words(self, fill: int) -> list[str]:
        buried = [f"bury {self._buried(fill)}"] if self._ordered and self.plays_begin else []
        return [*self._calls, *buried, *self.plays.split()]

    @property
    def plays_begin(self) -> bool:
        """Whether the dealer has laid a card away: not when that is the question."""
        return bool(self.plays) or self.seat != DEALER or bool(self.buried)

    def _buried(self, fill: int) -> str:
        return self.buried or card_code(self._lie(fill)[1])

    def _hands(self, fill: int) -> dict[int, Sequence[Card]]:
        return self._lie(fill)[0]

    def _lie(self, fill: int) -> tuple[dict[int, Sequence[Card]], Card]:
        """Everybody's five cards, and what the dealer lays away, as all that was played allows."""
        own, up, chance = parse_cards(self.hand), parse_card(self.up), random.Random(fill)
        played, voids = self._played()
        known = {card for cards in played.values() for card in cards}
        for _ in range(10_000):
            rest = [card for card in STANDARD if card not in known and card not in own and card != up]
            chance.shuffle(rest)
            hands: dict[int, Sequence[Card]] = {self.seat: own}
            buried, fits = rest[0], True
            for seat in range(SEATS):
                if seat == self.seat:
                    continue
                shown = [card for card in played[seat] if card != up]
                takes_up = seat == DEALER and self._ordered
                hand = [*shown, *(rest.pop() for _ in range(5 - len(shown)))]
                if takes_up:
                    kept = [card for card in hand if card not in shown]
                    buried = kept[0] if kept else up
                left = [c for c in hand if c not in shown and not (takes_up and c == buried)]
                if takes_up and up not in played[seat] and buried != up:
                    left.append(up)
                fits = fits and not any(c.suit_under(self._trump) in voids[seat] for c in left)
                hands[seat] = hand
            if fits:
                return hands, buried
        raise AssertionError("no deal shows what this position says")

    @property
    def _trump(self) -> str:
        last = self._calls[-1].split()[0] if self._calls else "pass"
        if last in ("pass", "order"):
            return parse_card(self.up).suit
        return last.upper()

    def _played(self) -> tuple[dict[int, list[Card]], dict[int, set[str]]]:
        """What everybody played, and the suits that each has shown to be out of."""
        played: dict[int, list[Card]] = {seat: [] for seat in range(SEATS)}
        voids: dict[int, set[str]] = {seat: set() for seat in range(SEATS)}
        cards = parse_cards(self.plays)
        if not cards:
            return played, voids
        maker = (len(self._calls) - 1) % SEATS
        out = (maker + 2) % SEATS if self._calls[-1].endswith("alone") else None
        seat = 0
        while cards:
            if seat == out:
                seat = (seat + 1) % SEATS
            size = 4 if out is None else 3
            trick, cards = cards[:size], cards[size:]
            led = trick[0].suit_under(self._trump)
            seats = [(seat + turn) % SEATS for turn in range(SEATS) if (seat + turn) % SEATS != out]
            for who, card in zip(seats, trick, strict=False):
                played[who].append(card)
                if card.suit_under(self._trump) != led:
                    voids[who].add(led)
            best = max(zip(trick, seats, strict=False), key=lambda pair: with_led(pair[0], self._trump, led))
            seat = best[1]
        return played, voids
