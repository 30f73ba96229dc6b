"""A hand laid down takes every trick, however the unseen cards lie: against every lie and every defence."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import combinations

import upcard
from upcard.engine.api import Observation
from upcard.euchre.euchre_cards import STANDARD, Card, with_led
from upcard.euchre.lay_down import prove_laydown, unseen, winning_order
from upcard.players import RandomPlayer


def lies(cards: Sequence[Card], hands: int, size: int) -> Iterator[list[tuple[Card, ...]]]:
    """Every way to give so many hands of a size; the rest is out of play."""
    if hands == 0:
        yield []
        return
    for hand in combinations(cards, size):
        rest = [card for card in cards if card not in hand]
        for others in lies(rest, hands - 1, size):
            yield [hand, *others]


def can_be_stopped(order: Sequence[Card], others: Sequence[tuple[Card, ...]], trump: str) -> bool:
    """Whether the other hands together can take a trick when these cards are led in this order."""
    if not order:
        return False
    led, *rest = order
    suit = led.suit_under(trump)

    def after(seat: int, left: list[tuple[Card, ...]]) -> bool:
        if seat == len(others):
            return can_be_stopped(rest, left, trump)
        hand = others[seat]
        following = [card for card in hand if card.suit_under(trump) == suit] or list(hand)
        for card in following:
            if with_led(card, trump, suit) > with_led(led, trump, suit) and card.suit_under(trump) in (
                suit,
                trump,
            ):
                return True
            if after(seat + 1, [*left, tuple(c for c in hand if c != card)]):
                return True
        return False

    return after(0, [])


def test_granted_hands_cannot_be_stopped() -> None:
    chance = random.Random(7)
    granted = refused = needless = 0
    while granted < 120:
        trump = chance.choice(["SPADES", "HEARTS"])
        size, others = chance.choice([(1, 3), (2, 2), (2, 3), (3, 2)])
        # few suits and few cards out, so that both answers come up
        cards = chance.sample(STANDARD, size * (others + 1) + chance.randint(0, 1))
        cards.sort(key=lambda card: with_led(card, trump, trump), reverse=chance.random() < 0.7)
        mine, out = cards[:size], cards[size:]
        if chance.random() < 0.5:
            out += mine[:1]
            mine[0] = out.pop(0)
        order = winning_order(mine, out, trump)
        if order is None:
            refused += 1
            if refused <= 60:
                orders = [sorted(mine, key=lambda card: with_led(card, trump, trump), reverse=True)]
                needless += not any(can_be_stopped(orders[0], lie, trump) for lie in lies(out, others, size))
            continue
        granted += 1
        assert sorted(order) == sorted(mine)
        for lie in lies(out, others, size):
            assert not can_be_stopped(order, lie, trump), (trump, order, lie)
    assert refused > 20
    assert needless < 12, "the proof misses too many hands that win from the top"


def test_the_five_top_trumps_and_nothing_less() -> None:
    top = [
        Card("JACK", "HEARTS"),
        Card("JACK", "DIAMONDS"),
        *(Card(r, "HEARTS") for r in ("ACE", "KING", "QUEEN")),
    ]
    rest = [card for card in STANDARD if card not in top]
    assert winning_order(top, rest, "HEARTS") == top
    ten, side = Card("TEN", "HEARTS"), Card("ACE", "SPADES")
    out = [card for card in [*rest, top[4]] if card != ten]
    assert winning_order([*top[:4], ten], out, "HEARTS") == [*top[:4], ten], (
        "two leads draw the two trumps out"
    )
    out = [card for card in [*rest, top[4]] if card != side]
    assert winning_order([*top[:4], side], out, "HEARTS") == [*top[:4], side]
    assert winning_order([*top[:2], side], out, "HEARTS") is None, "three trumps are out, and two are led"
    assert winning_order([side], [Card("NINE", "HEARTS")], "HEARTS") is None, "it may be ruffed"
    assert winning_order([side], [Card("KING", "SPADES")], "HEARTS") == [side]


def observations() -> Iterator[Observation]:
    game = upcard.load("euchre", engine="reference")
    for deal in range(40):
        state = game.deal(11, deal)
        players = [RandomPlayer(11, deal, seat) for seat in range(4)]
        while (seat := state.to_move) is not None:
            if state.decisions > 4:
                yield state.observe(seat)
            state.play(players[seat].pick(state.choices))


def test_unseen_cards_are_those_that_another_hand_may_hold() -> None:
    """Nothing that a seat has seen go is feared, and nothing that another hand holds is forgotten."""
    game = upcard.load("euchre", engine="reference")
    for deal in range(12):
        state = game.deal(3, deal)
        players = [RandomPlayer(3, deal, seat) for seat in range(4)]
        while (seat := state.to_move) is not None:
            seen = state.observe(seat)
            held = {
                Card.of(state.faces[card])
                for other in range(4)
                if other != seat
                for card in state.observe(other).places.get(f"seat{other}.iloc.HAND", ())
                if card is not None
            }
            out = set(unseen(seen))
            assert held <= out
            mine = {
                Card.of(seen.cards[c]) for c in seen.places.get(f"seat{seat}.iloc.HAND", ()) if c is not None
            }
            assert not mine & out
            played = {
                Card.of(seen.cards[action["card"]])
                for record in seen.records
                if record["do"] == "decision"
                for action in record["actions"]
                if action["do"] == "move" and action["to"].endswith("TRICK")
            }
            assert not played & out
            state.play(players[seat].pick(state.choices))


def test_a_lay_down_is_granted_to_the_leader_only() -> None:
    reasons, granted = set(), 0
    for observation in observations():
        order, reason = prove_laydown(observation)
        granted += order is not None
        reasons.add(reason)
    assert granted > 3
    assert {
        "",
        "you can lay your hand down only when you lead, not in the middle of a trick",
        "an opponent could still hold a card that stops you",
    } <= reasons
