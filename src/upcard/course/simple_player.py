"""The course's Simple player: a few fixed rules, no memory, no partner."""

from __future__ import annotations

from upcard.engine.api import Move, Observation
from upcard.engine.shared.game import LoadedGame
from upcard.euchre.euchre_cards import RANKS, TWIN, Card, plain, with_led, with_trump
from upcard.euchre.observed_hand import ORDER, PASS, Meaning, ObservedHand, is_euchre
from upcard.players.protocol import Budget, Decision
from upcard.players.registry import PlayerFactory
from upcard.recycle.diagnostics import Refused


class SimplePlayer:
    """Looks at its hand, the upcard, whether it deals, the round, the suit led and trump; at nothing else.

    It goes alone only if a house rule forces it to.
    """

    def __init__(self, seed: int = 0, deal: int = 0, seat: int = 0) -> None:
        """Deterministic: seed, deal and seat are ignored."""

    def choose(self, observation: Observation, budget: Budget) -> Decision:
        return Decision(_chosen(ObservedHand(observation), observation.moves[0]))


def honours(hand: list[Card], trump: str) -> int:
    """Both bowers, and queen, king and ace of the suit."""
    return sum(card.suit_under(trump) == trump and RANKS.index(card.rank) >= 2 for card in hand)


def _chosen(observed: ObservedHand, otherwise: Move) -> Move:
    for meaning in _wishes(observed):
        if meaning in observed.moves:
            return observed.moves[meaning]
    return otherwise


def _wishes(observed: ObservedHand) -> list[Meaning]:
    """Preferred moves, best first; only a house rule can forbid the first."""
    if observed.can("play"):
        return [Meaning("play", card=_card_to_play(observed))]
    if observed.can("bury"):
        may = observed.cards("bury")
        return [Meaning("bury", card=min(may, key=lambda card: with_trump(card, observed.up_suit)))]
    if observed.first_round:
        wants = honours(observed.hand, observed.up_suit) >= 2
        return [ORDER, Meaning("order alone")] if wants else [PASS]
    suit = TWIN[observed.up_suit]
    wants = observed.deals or honours(observed.hand, suit) >= 1
    return [Meaning("name", suit), Meaning("name alone", suit)] if wants else [PASS]


def _card_to_play(observed: ObservedHand) -> Card:
    trump, led = observed.trump, observed.led
    if led is None:
        others = [card for card in observed.hand if card.suit_under(trump) != trump]
        return (
            max(others, key=plain) if others else max(observed.hand, key=lambda card: with_trump(card, trump))
        )
    following = [card for card in observed.hand if card.suit_under(trump) == led]
    if following:
        return max(following, key=lambda card: with_led(card, trump, led))
    return min(observed.hand, key=lambda card: with_trump(card, trump))


def simple(game: LoadedGame) -> PlayerFactory:
    """Simple players for a game, which must be Euchre."""
    if not is_euchre(game.deal(0, 0).observe(0)):
        raise Refused(f"the simple player plays only Euchre, not {game.name}; choose another player")
    return SimplePlayer
