"""Deals with given hands and upcard; the other cards are dealt at random.

Seats are the program's: 0 is left of the dealer, 3 deals. Cards are read as people write them: JS, 10h, A♣.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from typing import Any

from upcard.engine.api import Limits, Move, Observation
from upcard.engine.shared.game import LoadedGame
from upcard.engine.shared.state import BaseState
from upcard.euchre.euchre_cards import RANKS, STANDARD, SUITS, Card
from upcard.euchre.observed_hand import Meaning, ObservedHand
from upcard.library.sheet import MatchRules
from upcard.recycle.diagnostics import Refused

SEATS, HAND_SIZE = 4, 5
LETTERS = {**dict(zip("SHCD", SUITS, strict=True)), **dict(zip("♠♥♣♦", SUITS, strict=True))}
SIGNS = {**dict(zip(("9", "10", "J", "Q", "K", "A"), RANKS, strict=True)), "T": "TEN"}
SHORT = {rank: sign for sign, rank in SIGNS.items() if sign != "T"}


class BadDeal(Refused):
    """Unknown cards, or an impossible deal."""


def parse_card(text: str) -> Card:
    """A card from its rank and suit."""
    rank, suit = SIGNS.get(text[:-1].upper()), LETTERS.get(text[-1:].upper())
    if rank is None or suit is None:
        raise BadDeal(
            f"{text[:20]} is not a card of the pack; write rank and suit, as "
            "in JS or 10H (9 to A; S, H, C, D)"
        )
    return Card(rank, suit)


def parse_cards(text: str) -> tuple[Card, ...]:
    """Cards with commas or spaces between them."""
    return tuple(parse_card(word) for word in re.split(r"[,\s]+", text) if word)


def card_code(card: Card) -> str:
    """The card as it is typed: 10h."""
    return SHORT[card.rank] + card.suit[0].lower()


def deal(
    game: LoadedGame,
    hands: Mapping[int, Sequence[Card]],
    up: Card,
    fill: int = 0,
    limits: Limits | None = None,
) -> BaseState:
    """A deal with given hands and upcard; `fill` is the seed of the rest."""
    known = [card for hand in hands.values() for card in hand] + [up]
    repeated = next((card for card in known if known.count(card) > 1), None)
    if repeated is not None:
        raise BadDeal(f"the {repeated.text} is named twice, but each card is in the pack only once")
    for hand in hands.values():
        if len(hand) != HAND_SIZE:
            raise BadDeal(f"a hand has five cards, not {len(hand)}; name all five, as in JS,JC,AS,KS,9H")
    rest = [card for card in STANDARD if card not in known]
    random.Random(fill).shuffle(rest)
    from_top: list[Card] = []
    for seat in range(SEATS):
        from_top += hands[seat] if seat in hands else [rest.pop() for _ in range(HAND_SIZE)]
    from_top += [up, *rest]
    ids = {Card.of(attributes): card for card, attributes in game.deal(0, 0).faces.items()}
    return game.deal(fill, 0, stacked=[[ids[card] for card in reversed(from_top)]], limits=limits)


def match_around(game: LoadedGame, seat: int, own: int, others: int, to: int | None = None) -> dict[str, Any]:
    """The match around a deal, as an observation carries it: the score of a seat's side, and the others'."""
    sheet = game.narrator.sheet
    rules = sheet.match if sheet else MatchRules()
    return {
        "deal": 0,
        "scores": [own if one % 2 == seat % 2 else others for one in range(SEATS)],
        "to": rules.to if to is None else to,
        "deals": rules.deals,
        "ties": rules.ties,
        "down": rules.down,
        "highest": game.program.scoring.highest,
        "names": [game.narrator.seat(one) for one in range(SEATS)],
    }


def moves_by_word(observation: Observation) -> dict[str, Move]:
    """Moves by short words: pass, order, order alone, hearts, hearts alone, bury 9s, Js."""
    return {_move_word(meaning): move for meaning, move in ObservedHand(observation).moves.items()}


def _move_word(meaning: Meaning) -> str:
    if meaning.card is not None:
        return (
            card_code(meaning.card) if meaning.what == "play" else f"{meaning.what} {card_code(meaning.card)}"
        )
    if meaning.suit is not None:
        return meaning.suit.lower() + meaning.what.removeprefix("name")
    return meaning.what
